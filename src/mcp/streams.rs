//! Serving MCP over a pair of streams, such as stdin and stdout.
//!
//! Owns the beginning and the end of it. Must not know what is served.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::{ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Serves `handler` until the input ends, the output can't be written to, or `stop` is cancelled. A
/// client that goes away is a quiet end. `ended` is cancelled as soon as the input ends: the answers
/// to what was asked before still go out, if they come within a few seconds.
///
/// # Errors
/// Where a client opened the session with something else than MCP.
pub async fn serve_streams<R, W>(
    handler: impl ServerHandler,
    input: R,
    output: W,
    stop: &CancellationToken,
    ended: &CancellationToken,
) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let over = stop.child_token();
    let output = WatchedOutput {
        output,
        broken: over.clone(),
    };
    let input = WatchedInput {
        input,
        ended: ended.clone(),
    };
    let running = match handler.serve_with_ct((input, output), over).await {
        Ok(running) => running,
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. }
            | ServerInitializeError::Cancelled,
        ) => return Ok(()),
        Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(io::Error::other(error)),
        Ok(_) => Ok(()),
    }
}

/// An input that says when it has ended.
struct WatchedInput<R> {
    input: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for WatchedInput<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        if polled.is_ready() && buffer.filled().len() == before {
            self.ended.cancel();
        }
        polled
    }
}

/// An output that says when it can't be written to any more. The protocol's loop would go on
/// reading requests that it can't answer.
struct WatchedOutput<W> {
    output: W,
    broken: CancellationToken,
}

impl<W> WatchedOutput<W> {
    fn watch<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(_)) = polled {
            self.broken.cancel();
        }
        polled
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for WatchedOutput<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.output).poll_write(context, bytes);
        self.watch(polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.output).poll_flush(context);
        self.watch(polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.output).poll_shutdown(context);
        self.watch(polled)
    }
}
