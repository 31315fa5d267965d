//! The outside of a JSON-RPC message, found without reading the message.
//!
//! Owns the search for a reply's id among bytes that are too many or too broken to be parsed.
//! Must not know what is done with it. Only the keys of the outermost object count, wherever they
//! stand: some servers send the id first, others last.

use rmcp::model::RequestId;

/// Bytes of a key or an id that are kept; longer ones are none of ours.
const TOKEN: usize = 64;

/// What is known of a message from the bytes so far.
#[derive(Debug, Default)]
pub(in crate::mcp) struct Envelope {
    depth: u32,
    in_string: bool,
    escaped: bool,
    token: Vec<u8>,
    key: Vec<u8>,
    value_follows: bool,
    id: Option<RequestId>,
    method: bool,
    outcome: bool,
}

impl Envelope {
    /// Takes the next bytes of the message.
    pub(in crate::mcp) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.is_known() {
                return;
            }
            if self.in_string {
                self.inside_string(byte);
            } else {
                self.outside_string(byte);
            }
        }
    }

    /// The id of the request that this message answers; none if it doesn't look like a reply.
    pub(in crate::mcp) fn reply_to(&self) -> Option<RequestId> {
        self.id.clone().filter(|_| !self.method)
    }

    /// Whether nothing that follows can change the answer.
    pub(in crate::mcp) fn is_known(&self) -> bool {
        self.method || (self.id.is_some() && self.outcome)
    }

    fn inside_string(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                if self.depth == 1 && self.value_follows && self.key == b"id" {
                    let text = String::from_utf8_lossy(&self.token).into_owned();
                    self.id = Some(RequestId::String(text.into()));
                }
            }
            _ if self.depth == 1 => self.keep(byte),
            _ => {}
        }
    }

    fn outside_string(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                if self.depth == 1 {
                    self.token.clear();
                }
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.end_value();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.key = std::mem::take(&mut self.token);
                self.value_follows = true;
                self.method |= self.key == b"method";
                self.outcome |= self.key == b"result" || self.key == b"error";
            }
            b',' => self.end_value(),
            // A fraction or exponent is kept as well, so that 1.5 isn't taken for 15.
            b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9' if self.depth == 1 => self.keep(byte),
            _ => {}
        }
    }

    fn end_value(&mut self) {
        if self.depth != 1 {
            return;
        }
        if self.value_follows && self.key == b"id" && self.id.is_none() {
            let number = std::str::from_utf8(&self.token).ok();
            self.id = number
                .and_then(|number| number.parse().ok())
                .map(RequestId::Number);
        }
        self.value_follows = false;
        self.token.clear();
    }

    fn keep(&mut self, byte: u8) {
        if self.token.len() < TOKEN {
            self.token.push(byte);
        }
    }
}
