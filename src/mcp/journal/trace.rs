//! The messages of the protocol, both ways.
//!
//! Owns the ring of messages, within a bound of bytes, and which reply answers which request. Must
//! not know what the messages mean. What isn't JSON-RPC, such as headers, never comes here.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;

use super::{Page, name};
use crate::mcp::wire::OUR_ERROR;

/// Bytes of all messages of a server that are kept.
const KEPT_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of one message that are kept; of a longer one its head and its tail.
pub(super) const KEPT_MESSAGE: usize = 64 * 1024;
/// What a message costs beside its bytes.
const OVERHEAD: usize = 192;
/// Requests whose answers are waited for, the newest.
const MOST_WAITING: usize = 1_024;

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the server.
    Sent,
    /// From the server.
    Received,
}

/// What kind of message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceKind {
    /// It wants an answer.
    Request,
    /// It wants none.
    Notification,
    /// The answer to a request.
    Result,
    /// The refusal of a request.
    Error,
    /// An answer that can't be read, or is too large.
    Unreadable,
}

/// A message of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceEntry {
    /// Its number, from 0, across the connections to a server.
    pub number: u64,
    /// When it went out or came, since the journals were begun.
    pub at: Duration,
    /// Which way it went.
    pub direction: Direction,
    /// What kind of message it is.
    pub kind: TraceKind,
    /// Its method; of an answer, that of the request, where it is known.
    pub method: Option<String>,
    /// Its id, as it is written.
    pub id: Option<String>,
    /// Of an answer, how long it took.
    pub latency: Option<Duration>,
    /// Bytes of the whole message.
    pub bytes: usize,
    /// The message, its head and tail where it is over 64 KiB; bytes that are no text replaced.
    pub text: String,
}

impl TraceEntry {
    /// What it costs to keep it.
    fn cost(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.text.len() + length(&self.method) + length(&self.id) + OVERHEAD
    }
}

/// What is known of a message beside its bytes.
pub(super) struct Head {
    kind: TraceKind,
    method: Option<String>,
    id: Option<String>,
}

/// What tells messages apart that aren't answers.
#[derive(Deserialize)]
struct Outside<'m> {
    #[serde(borrow)]
    method: Option<Cow<'m, str>>,
}

impl Head {
    pub(super) fn of_sent(message: &ClientJsonRpcMessage, bytes: &[u8]) -> Self {
        match message {
            ClientJsonRpcMessage::Request(request) => Self {
                kind: TraceKind::Request,
                method: Some(request.request.method().to_owned()),
                id: Some(request.id.to_string()),
            },
            ClientJsonRpcMessage::Notification(_) => Self::notification(bytes),
            ClientJsonRpcMessage::Response(response) => Self::answer(true, Some(&response.id)),
            ClientJsonRpcMessage::Error(error) => Self::answer(false, error.id.as_ref()),
        }
    }

    pub(super) fn of_received(message: &ServerJsonRpcMessage, bytes: &[u8]) -> Self {
        match message {
            ServerJsonRpcMessage::Request(request) => Self {
                kind: TraceKind::Request,
                method: method_in(bytes),
                id: Some(request.id.to_string()),
            },
            ServerJsonRpcMessage::Notification(_) => Self::notification(bytes),
            ServerJsonRpcMessage::Response(response) => Self::answer(true, Some(&response.id)),
            ServerJsonRpcMessage::Error(error) => {
                let mut head = Self::answer(false, error.id.as_ref());
                if error.error.code == OUR_ERROR {
                    head.kind = TraceKind::Unreadable;
                }
                head
            }
        }
    }

    fn notification(bytes: &[u8]) -> Self {
        Self {
            kind: TraceKind::Notification,
            method: method_in(bytes),
            id: None,
        }
    }

    fn answer(well: bool, id: Option<&RequestId>) -> Self {
        Self {
            kind: if well {
                TraceKind::Result
            } else {
                TraceKind::Error
            },
            method: None,
            id: id.map(ToString::to_string),
        }
    }
}

fn method_in(bytes: &[u8]) -> Option<String> {
    let outside: Outside<'_> = serde_json::from_slice(bytes).ok()?;
    outside.method.map(Cow::into_owned)
}

#[derive(Debug, Default)]
pub(super) struct Trace {
    entries: VecDeque<Arc<TraceEntry>>,
    next: u64,
    bytes: usize,
    /// The requests that nobody has answered, the oldest first.
    waiting: VecDeque<Waiting>,
}

/// A request that nobody has answered.
#[derive(Debug)]
struct Waiting {
    direction: Direction,
    id: String,
    at: Duration,
    method: Option<String>,
}

impl Trace {
    pub(super) fn begin(&mut self) {
        self.waiting.clear();
    }

    pub(super) fn add(&mut self, at: Duration, direction: Direction, head: Head, bytes: &[u8]) {
        let kind = head.kind;
        let (mut method, id) = (head.method.map(name), head.id.map(name));
        let mut latency = None;
        match (kind, &id) {
            (TraceKind::Request, Some(id)) => {
                if self.waiting.len() == MOST_WAITING {
                    self.waiting.pop_front();
                }
                self.waiting.push_back(Waiting {
                    direction,
                    id: id.clone(),
                    at,
                    method: method.clone(),
                });
            }
            (TraceKind::Request | TraceKind::Notification, _) | (_, None) => {}
            (_, Some(id)) => {
                let answered = |asked: &Waiting| asked.direction != direction && asked.id == *id;
                let place = self.waiting.iter().rposition(answered);
                if let Some(asked) = place.and_then(|place| self.waiting.remove(place)) {
                    latency = Some(at.saturating_sub(asked.at));
                    method = asked.method;
                }
            }
        }
        let entry = TraceEntry {
            number: self.next,
            at,
            direction,
            kind,
            method,
            id,
            latency,
            bytes: bytes.len(),
            text: readable(bytes),
        };
        self.next += 1;
        self.bytes += entry.cost();
        self.entries.push_back(Arc::new(entry));
        while self.bytes > KEPT_BYTES
            && let Some(dropped) = self.entries.pop_front()
        {
            self.bytes -= dropped.cost();
        }
    }

    pub(super) fn page(&self, from: u64) -> Page<TraceEntry> {
        let oldest = self.next - self.entries.len() as u64;
        let known = usize::try_from(from.saturating_sub(oldest)).unwrap_or(usize::MAX);
        Page {
            entries: self.entries.iter().skip(known).cloned().collect(),
            next: self.next,
            oldest,
        }
    }
}

/// A message as text, its head and tail around a note where it is long.
fn readable(bytes: &[u8]) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.len() <= KEPT_MESSAGE {
        return text(bytes);
    }
    let half = KEPT_MESSAGE / 2;
    let left_out = bytes.len() - 2 * half;
    let (head, tail) = (&bytes[..half], &bytes[bytes.len() - half..]);
    format!(
        "{}\n… {left_out} bytes are left out here …\n{}",
        text(head),
        text(tail)
    )
}
