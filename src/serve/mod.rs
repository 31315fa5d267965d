//! `stakeout serve`: the engine as an MCP tool, for agents.
//!
//! Owns the two tools, who may probe what, and the transports. Must not know the screen or the
//! command line. The wait is the same as everywhere: `app` runs it.

mod allow;
mod answer;
mod http;
mod list_probes;
mod progress;
mod schema;
mod server;
mod wait_for;

use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use allow::AllowList;
pub use http::{HttpOptions, Listener, Token};
pub use server::Rules;

use crate::app::Servers;
use crate::mcp::serve_streams;
use server::Server;

/// How long waits may take to end once they are told to.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long calls may still take once stdin has ended.
const LAST_CALLS: Duration = Duration::from_millis(400);

/// Serves over stdin and stdout until stdin ends, or `stop` is cancelled. Waits that still run end
/// as cancelled.
///
/// # Errors
/// Where a client opened the session with something else than MCP.
pub async fn over_stdio(
    servers: Servers,
    rules: Rules,
    stop: &CancellationToken,
) -> std::io::Result<()> {
    let server = Server::new(servers, rules, stop.child_token());
    let ended = CancellationToken::new();
    let mut serving = {
        let (server, stop, ended) = (server.clone(), stop.clone(), ended.clone());
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        tokio::spawn(async move { serve_streams(server, input, output, &stop, &ended).await })
    };
    let served = tokio::select! {
        served = &mut serving => served?,
        () = nobody_waits(&ended) => {
            server.stop().cancel();
            serving.await?
        }
    };
    server.stop().cancel();
    let _ = timeout(FAREWELL, server.idle()).await;
    served
}

/// Serves over HTTP until `stop` is cancelled. Waits that still run end as cancelled, and their
/// callers are told.
pub async fn over_http(
    listener: Listener,
    servers: Servers,
    rules: Rules,
    stop: &CancellationToken,
) {
    let server = Server::new(servers, rules, stop.child_token());
    listener.serve(server, stop).await;
}

/// Waits until stdin has ended, and what was asked last has had a moment: hosts give us two seconds.
async fn nobody_waits(ended: &CancellationToken) {
    ended.cancelled().await;
    tokio::time::sleep(LAST_CALLS).await;
}
