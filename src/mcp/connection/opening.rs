//! Opening a connection, whatever it runs over.
//!
//! Owns which era of the protocol is spoken, and in which order it is tried. Must not know what the
//! connection is for.

use rmcp::ServiceExt;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RoleClient, RunningService,
    serve_client_with_lifecycle,
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::within::Within;
use super::{ConnectError, Host};
use crate::mcp::client::Client;
use crate::mcp::process::Process;
use crate::mcp::stdio::LineTransport;
use crate::mcp::{HttpAddress, Reach, StdioCommand, cause, demo, http, sse};

/// The code by which a server refuses the version of the protocol that it was offered.
const UNSUPPORTED_VERSION: ErrorCode = ErrorCode(-32022);
/// Bytes between us and the server in our own process that neither has read.
const PIPE: usize = 64 * 1024;

/// What a connection is made of.
pub(super) struct Parts {
    pub(super) service: RunningService<RoleClient, Client>,
    pub(super) process: Option<Process>,
    /// Cancelled when the transport is gone.
    pub(super) ended: CancellationToken,
    /// Whether a single failed request says nothing about the next.
    pub(super) each_for_itself: bool,
}

/// A token, and the guard in a transport that cancels it when the transport is gone.
fn lifeline() -> (CancellationToken, DropGuard) {
    let ended = CancellationToken::new();
    (ended.clone(), ended.drop_guard())
}

/// Reaches a server and opens the protocol.
pub(super) async fn open(
    reach: &Reach,
    within: Within,
    host: &Host,
) -> Result<Parts, ConnectError> {
    match reach {
        Reach::Demo => in_process(within, host).await,
        Reach::Stdio(command) => child(command, within, host).await,
        Reach::Http(address) => streamable(address, within, host).await,
        Reach::Sse(address) => legacy(address, within, host).await,
    }
}

async fn streamable(
    address: &HttpAddress,
    within: Within,
    host: &Host,
) -> Result<Parts, ConnectError> {
    host.journal.begin("connecting over HTTP");
    let client = Client::new(host);
    let (ended, guard) = lifeline();
    let transport = http::transport(address, client.clone(), guard)?;
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    Ok(Parts {
        service: within.serve(client, transport, lifecycle).await?,
        process: None,
        ended,
        each_for_itself: true,
    })
}

async fn legacy(address: &HttpAddress, within: Within, host: &Host) -> Result<Parts, ConnectError> {
    host.journal.begin("connecting over HTTP with SSE");
    let (ended, guard) = lifeline();
    let opening = sse::transport(address, host.journal.clone(), guard);
    let transport = within.limit("connecting", opening).await??;
    Ok(Parts {
        service: within
            .serve(
                Client::new(host),
                transport,
                ClientLifecycleMode::Initialize,
            )
            .await?,
        process: None,
        ended,
        each_for_itself: true,
    })
}

/// Starts a program and opens the protocol: `initialize` first, since many servers end when they
/// see anything else; where that is refused, a new child is spoken to in the stateless way.
async fn child(command: &StdioCommand, within: Within, host: &Host) -> Result<Parts, ConnectError> {
    match attempt(command, ClientLifecycleMode::Initialize, within, host).await? {
        Ok(parts) => Ok(parts),
        Err(Refused) => {
            let lifecycle = ClientLifecycleMode::Discover {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            };
            let refused = || ConnectError::at("initialize", "the server refuses every version");
            attempt(command, lifecycle, within, host)
                .await?
                .map_err(|_| refused())
        }
    }
}

/// A server that refused the version of the protocol.
struct Refused;

async fn attempt(
    command: &StdioCommand,
    lifecycle: ClientLifecycleMode,
    within: Within,
    host: &Host,
) -> Result<Result<Parts, Refused>, ConnectError> {
    let journal = &host.journal;
    journal.begin(format!("starting {}", command.command));
    let (process, pipes) =
        Process::start(command, journal).map_err(|cause| ConnectError::at("starting", cause))?;
    let (ended, guard) = lifeline();
    let transport = LineTransport::of_child(process.clone(), pipes, journal.clone(), guard);
    let serving = serve_client_with_lifecycle(Client::new(host), transport, lifecycle);
    match within.limit("initialize", serving).await {
        Ok(Ok(service)) => Ok(Ok(Parts {
            service,
            process: Some(process),
            ended,
            each_for_itself: false,
        })),
        Ok(Err(ClientInitializeError::JsonRpcError(error)))
            if error.code == UNSUPPORTED_VERSION =>
        {
            Ok(Err(Refused))
        }
        Ok(Err(error)) => Err(explain_refusal(&process, &error).await),
        Err(too_slow) => Err(ConnectError::at(
            &too_slow.step,
            process.with_stderr(too_slow.cause),
        )),
    }
}

/// Why a child could not be spoken to: its own answer, or how it ended.
async fn explain_refusal(process: &Process, error: &ClientInitializeError) -> ConnectError {
    let cause = match error {
        ClientInitializeError::ConnectionClosed(_)
        | ClientInitializeError::TransportError { .. } => {
            let ended = process.obituary().await;
            format!("the server ended the connection: {ended}")
        }
        other => process.with_stderr(cause::of_initialize(other)),
    };
    ConnectError::at("initialize", cause)
}

/// Connects to the server in this process, over the real protocol.
async fn in_process(within: Within, host: &Host) -> Result<Parts, ConnectError> {
    host.journal.begin("starting, in this process");
    let (ours, theirs) = tokio::io::duplex(PIPE);
    tokio::spawn(async move {
        // It ends when our end of the stream does.
        if let Ok(server) = demo::server().serve(theirs).await {
            let _ = server.waiting().await;
        }
    });
    let (input, output) = tokio::io::split(ours);
    let (ended, guard) = lifeline();
    let transport = LineTransport::of_streams(input, output, host.journal.clone(), guard);
    Ok(Parts {
        service: within
            .serve(
                Client::new(host),
                transport,
                ClientLifecycleMode::Initialize,
            )
            .await?,
        process: None,
        ended,
        each_for_itself: false,
    })
}
