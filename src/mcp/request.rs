//! One request and its answer as raw JSON.
//!
//! Owns the one way in which every request is made: cancelled when its future is dropped, its
//! progress routed, its result as the server sent it. Must not know what is asked.

// Logging is deprecated in the protocol, but servers use it.
#![allow(deprecated)]

use rmcp::Peer;
use rmcp::model::{
    CancelledNotificationParam, ClientRequest, ErrorData, LoggingLevel, ProgressToken,
    ProtocolVersion, RequestId, RequestMetaObject, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RoleClient, ServiceError};
use serde_json::{Map, Value};

use super::client::Client;
use crate::wait::Notes;

/// What marks a result that was wrapped so that rmcp would leave it as it is.
pub(super) const RAW: &str = "stakeout/raw";
/// What a server is told about a request whose answer nobody waits for any more.
const ABANDONED: &str = "the wait no longer needs the answer";

/// Why a request brought no result.
#[derive(Debug)]
pub(super) enum RequestFailure {
    /// A JSON-RPC error came back.
    Answered(ErrorData),
    /// This request failed on its way; others may fare better.
    Failed(ServiceError),
    /// The connection is gone.
    Lost,
}

/// Sends a request and waits for its result. Dropping the future cancels the request: the server
/// is told, without making the dropper wait.
pub(super) async fn request(
    peer: &Peer<RoleClient>,
    client: &Client,
    request: ClientRequest,
    meta: Map<String, Value>,
    notes: Option<&Notes>,
) -> Result<Value, RequestFailure> {
    let options = PeerRequestOptions::no_options().with_meta(full_meta(peer, meta));
    let mut handle = {
        let mut routes = client.routes.lock().await;
        let handle = match peer.send_cancellable_request(request, options).await {
            Ok(handle) => handle,
            Err(ServiceError::TransportClosed) => return Err(RequestFailure::Lost),
            Err(error) => return Err(RequestFailure::Failed(error)),
        };
        if let Some(notes) = notes {
            routes.insert(handle.progress_token.clone(), notes.clone());
            client.calls.send_modify(|calls| *calls += 1);
        }
        handle
    };
    let mut guard = InFlight {
        peer,
        client,
        id: Some(handle.id.clone()),
        token: handle.progress_token.clone(),
        is_call: notes.is_some(),
    };
    // Not `await_response`, which can't tell a lost connection from a lost answer.
    let answer = (&mut handle.rx).await;
    guard.id = None;
    match answer {
        Ok(Ok(result)) => Ok(raw(result)),
        Ok(Err(ServiceError::McpError(error))) => Err(RequestFailure::Answered(error)),
        Ok(Err(error)) => Err(RequestFailure::Failed(error)),
        Err(_) => Err(RequestFailure::Lost),
    }
}

/// Servers of the stateless revision log only to those who say that they listen.
fn full_meta(peer: &Peer<RoleClient>, meta: Map<String, Value>) -> RequestMetaObject {
    let mut meta = RequestMetaObject::from(meta);
    let stateless = peer
        .peer_info()
        .is_some_and(|info| info.protocol_version >= ProtocolVersion::V_2026_07_28);
    if stateless {
        meta.set_log_level(LoggingLevel::Info);
    }
    meta
}

fn raw(result: ServerResult) -> Value {
    match result {
        ServerResult::CustomResult(custom) => match custom.0 {
            Value::Object(mut object) if object.len() == 1 && object.contains_key(RAW) => {
                object.remove(RAW).unwrap_or_default()
            }
            other => other,
        },
        typed => serde_json::to_value(typed).unwrap_or_default(),
    }
}

/// A request that was sent and whose answer is waited for.
struct InFlight<'a> {
    peer: &'a Peer<RoleClient>,
    client: &'a Client,
    /// None once the answer has come.
    id: Option<RequestId>,
    token: ProgressToken,
    /// Whether it is a call, for which a server may ask the operator.
    is_call: bool,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if self.is_call {
            self.client.calls.send_modify(|calls| *calls -= 1);
        }
        let (routes, token) = (self.client.routes.clone(), self.token.clone());
        let abandoned = self.id.take().map(|id| (self.peer.clone(), id));
        self.client.tell_later(async move {
            if let Some((peer, id)) = abandoned {
                let reason = Some(ABANDONED.to_owned());
                let param = CancelledNotificationParam::new(Some(id), reason);
                let _ = peer.notify_cancelled(param).await;
            }
            routes.lock().await.remove(&token);
        });
    }
}
