//! The connections of callers.
//!
//! Owns accepting them, their patience and their end. Must not know what is asked over them. HTTP/1.1
//! alone: a look at the first bytes, to tell versions apart, would be a read of its own, after which
//! the buffer of every connection grows by 8 KiB.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// How long a caller may take for the head of a request, and keep a connection without one.
const HEAD: Duration = Duration::from_secs(120);
/// How long nobody is accepted where the system has no room for one more.
const BREATH: Duration = Duration::from_millis(500);

/// Serves whoever connects until `closing` is cancelled, and then those who are connected until they
/// have their answers.
pub(super) async fn serve(listener: TcpListener, router: Router, closing: CancellationToken) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = closing.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(answer(stream, router.clone(), closing.clone()));
                }
                Err(error) if is_of_one(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "nobody can connect");
                    sleep(BREATH).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
    // Nobody else is let in.
    drop(listener);
    while connections.join_next().await.is_some() {}
}

async fn answer(stream: TcpStream, router: Router, closing: CancellationToken) {
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // How it ends is the caller's matter.
    tokio::select! {
        _ = &mut connection => {}
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Whether it is about one connection alone, which was lost before it was accepted.
fn is_of_one(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
