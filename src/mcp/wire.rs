//! Messages as they come over a wire: lines that are bounded, replies that are kept as they were
//! sent, and replies that can't be read.
//!
//! Owns the reading of one message. Must not know where the bytes come from. A reply that can't be
//! read is answered on the server's behalf with a JSON-RPC error of our making, so that its call
//! fails at once instead of waiting for its time to run out.

mod envelope;
mod lines;
mod surrogates;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, CustomResult, ErrorCode, ErrorData,
    RequestId, ServerJsonRpcMessage, ServerResult,
};
use serde_json::{Map, Value};

pub(super) use envelope::Envelope;
pub(super) use lines::{Line, Lines};

/// Bytes of the largest message that is read.
pub(super) const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// The code of errors that our side made up in place of a reply.
pub(super) const OUR_ERROR: ErrorCode = ErrorCode(-32099);
/// Characters of a reply that are quoted when it can't be read.
const QUOTED: usize = 200;

/// The requests whose results are wanted as they were sent. Cheap to clone.
///
/// rmcp reads a result as the first of its types that fits, which loses unknown fields and may
/// take one kind of result for another. The results of these requests bypass that.
#[derive(Debug, Clone)]
pub(super) struct Replies {
    methods: &'static [&'static str],
    waiting: Arc<Mutex<HashSet<RequestId>>>,
}

impl Replies {
    /// Keeps the results of these methods raw.
    pub(super) fn raw(methods: &'static [&'static str]) -> Self {
        Self {
            methods,
            waiting: Arc::default(),
        }
    }

    /// Takes note of a message on its way out.
    pub(super) fn expect(&self, message: &ClientJsonRpcMessage) {
        match message {
            ClientJsonRpcMessage::Request(request) if self.wants(&request.request) => {
                self.lock().insert(request.id.clone());
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.lock().remove(id);
                }
            }
            _ => {}
        }
    }

    /// Whether this request's result is kept raw.
    fn wants(&self, request: &ClientRequest) -> bool {
        self.methods.contains(&request.method())
    }

    /// The request that a reply answers, if its result is wanted raw; it waits no longer.
    fn settle(&self, id: &RequestId) -> Option<RequestId> {
        let mut waiting = self.lock();
        waiting.take(id).or_else(|| match id {
            // Some servers send a number back as a string.
            RequestId::String(text) => waiting.take(&RequestId::Number(text.parse().ok()?)),
            RequestId::Number(_) => None,
        })
    }

    /// The request that waits, if there is exactly one.
    fn only(&self) -> Option<RequestId> {
        let waiting = self.lock();
        match waiting.len() {
            1 => waiting.iter().next().cloned(),
            _ => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a piece of input turned out to be.
#[derive(Debug)]
pub(super) enum Reading {
    /// A message, perhaps one of our making in place of a reply that can't be read.
    Message(Box<ServerJsonRpcMessage>),
    /// Nothing.
    Blank,
    /// Something else than a message.
    Noise,
}

/// Reads one message.
pub(super) fn read(bytes: &[u8], replies: &Replies) -> Reading {
    let bytes = bare(bytes);
    if bytes.is_empty() {
        return Reading::Blank;
    }
    let reason = match parsed(bytes) {
        Ok(Value::Object(object)) => match typed(object, replies) {
            Ok(message) => return Reading::Message(Box::new(message)),
            Err(reason) => reason,
        },
        Ok(_) => return Reading::Noise,
        Err(error) => error.to_string(),
    };
    let mut envelope = Envelope::default();
    envelope.feed(bytes);
    let quoted: String = String::from_utf8_lossy(bytes)
        .chars()
        .take(QUOTED)
        .collect();
    in_place_of(
        &envelope,
        replies,
        format!("the server's reply can't be read ({reason}): {quoted}"),
    )
}

fn parsed(bytes: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(bytes).or_else(|error| match surrogates::mended(bytes) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

/// What stands in for a reply that is too large to be read.
pub(super) fn too_large(envelope: &Envelope, replies: &Replies) -> Reading {
    in_place_of(envelope, replies, too_large_words())
}

/// What is said of a reply that is too large.
pub(super) fn too_large_words() -> String {
    let limit = MAX_MESSAGE / 1024 / 1024;
    format!("the server's reply is larger than {limit} MiB, the most that is read")
}

fn in_place_of(envelope: &Envelope, replies: &Replies, message: String) -> Reading {
    let Some(id) = envelope.reply_to() else {
        return Reading::Noise;
    };
    let id = replies.settle(&id).unwrap_or(id);
    Reading::Message(Box::new(our_error(message, id)))
}

/// A JSON-RPC error of our making.
pub(super) fn our_error(message: String, id: RequestId) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(ErrorData::new(OUR_ERROR, message, None), Some(id))
}

fn typed(
    mut object: Map<String, Value>,
    replies: &Replies,
) -> Result<ServerJsonRpcMessage, String> {
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err("it lacks \"jsonrpc\": \"2.0\"".to_owned());
    }
    if object.contains_key("method") {
        return from_object(object);
    }
    // Many servers send both, and null for the one that isn't meant.
    if object.contains_key("result") && object.get("error").is_some_and(Value::is_null) {
        object.shift_remove("error");
    }
    if object.contains_key("error") && object.get("result").is_some_and(Value::is_null) {
        object.shift_remove("result");
    }
    let (result, error) = (object.contains_key("result"), object.contains_key("error"));
    match (result, error) {
        (true, true) => Err("it has both a result and an error".to_owned()),
        (false, false) => Err("it has neither a result nor an error".to_owned()),
        (true, false) => {
            let id = object.get("id").and_then(request_id);
            match id.and_then(|id| replies.settle(&id)) {
                Some(id) => {
                    let result = object.shift_remove("result").unwrap_or_default();
                    let result = ServerResult::CustomResult(CustomResult(result));
                    Ok(ServerJsonRpcMessage::response(result, id))
                }
                None => from_object(object),
            }
        }
        (false, true) => {
            let id = object.get("id").and_then(request_id);
            let Some(id) = id.or_else(|| replies.only()) else {
                return from_object(object);
            };
            let message = from_object(object)?;
            let id = replies.settle(&id).unwrap_or(id);
            Ok(match message {
                // An error without an id can only be meant for the one call that waits.
                ServerJsonRpcMessage::Error(error) => {
                    ServerJsonRpcMessage::error(error.error, Some(id))
                }
                other => other,
            })
        }
    }
}

fn from_object(object: Map<String, Value>) -> Result<ServerJsonRpcMessage, String> {
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

fn request_id(value: &Value) -> Option<RequestId> {
    match value {
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        _ => None,
    }
}

/// A line without what some launchers put around a message: a byte order mark, white space,
/// colour escapes.
fn bare(mut line: &[u8]) -> &[u8] {
    loop {
        let before = line.len();
        line = line.trim_ascii();
        line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        if let Some(rest) = line.strip_prefix(b"\x1b[") {
            let end = rest.iter().position(|byte| (0x40..0x7f).contains(byte));
            line = end.map_or(&[][..], |end| &rest[end + 1..]);
        }
        if line.len() == before {
            break;
        }
    }
    // Escapes behind a message start behind its last brace.
    match line.iter().rposition(|byte| *byte == b'}') {
        Some(end) if line.first() == Some(&b'{') && line[end + 1..].starts_with(b"\x1b[") => {
            &line[..=end]
        }
        _ => line,
    }
}
