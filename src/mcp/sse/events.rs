//! Server-sent events, as they come over HTTP.
//!
//! Owns their parsing within bounds. Must not know what is in them.

use std::collections::VecDeque;

use reqwest::Response;

use crate::mcp::http::HttpFailure;
use crate::mcp::wire::{Envelope, Line, Lines, MAX_MESSAGE};

/// Bytes of a line beside its data.
const FIELD: usize = 64;

/// One event.
#[derive(Debug)]
pub(in crate::mcp) struct Event {
    pub(in crate::mcp) name: Option<String>,
    pub(in crate::mcp) data: Data,
    pub(in crate::mcp) id: Option<String>,
    /// Milliseconds until the stream shall be resumed.
    pub(in crate::mcp) retry: Option<u64>,
}

/// The data of an event.
#[derive(Debug)]
pub(in crate::mcp) enum Data {
    /// All of it; a server may send bytes that are no text.
    Text(Vec<u8>),
    /// More than is read: what is known of the message in it.
    TooLarge(Envelope),
}

impl Data {
    /// What there is of it; nothing of what is too large.
    pub(in crate::mcp) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(bytes) => bytes,
            Self::TooLarge(_) => &[],
        }
    }
}

impl Event {
    /// Whether it carries a message, rather than something about the stream.
    pub(in crate::mcp) fn is_message(&self) -> bool {
        matches!(self.name.as_deref(), None | Some("" | "message"))
    }
}

/// The events of a response.
#[derive(Debug)]
pub(in crate::mcp) struct Events {
    response: Response,
    lines: Lines,
    parser: Parser,
    ready: VecDeque<Event>,
}

impl Events {
    pub(in crate::mcp) fn of(response: Response) -> Self {
        Self {
            response,
            lines: Lines::new(MAX_MESSAGE + FIELD),
            parser: Parser::default(),
            ready: VecDeque::new(),
        }
    }

    /// The next event; none at the end. Can be dropped and called again.
    pub(in crate::mcp) async fn next(&mut self) -> Option<Result<Event, HttpFailure>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            let chunk = match self.response.chunk().await {
                Ok(chunk) => chunk?,
                Err(error) => return Some(Err(error.into())),
            };
            let Self {
                lines,
                parser,
                ready,
                ..
            } = self;
            lines.push(&chunk, &mut |line| ready.extend(parser.line(line)));
        }
    }
}

/// An event that isn't complete.
#[derive(Debug, Default)]
struct Parser {
    name: Option<String>,
    data: Option<Vec<u8>>,
    id: Option<String>,
    retry: Option<u64>,
    /// Whether the rest of the event is left out, since it was told to be too large.
    skipping: bool,
}

impl Parser {
    fn line(&mut self, line: Line) -> Option<Event> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong { envelope, .. } => return self.too_large(envelope),
        };
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if line.is_empty() {
            return self.end();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match field {
            b"event" => self.name = Some(text()),
            b"id" => self.id = Some(text()),
            b"retry" => self.retry = text().parse().ok(),
            b"data" if !self.skipping => return self.data(value),
            _ => {}
        }
        None
    }

    fn data(&mut self, value: &[u8]) -> Option<Event> {
        let data = match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data
            }
            None => self.data.insert(Vec::new()),
        };
        data.extend_from_slice(value);
        if data.len() <= MAX_MESSAGE {
            return None;
        }
        let mut envelope = Envelope::default();
        envelope.feed(data);
        self.too_large(envelope)
    }

    /// Tells at once: the rest of the event may be long in coming.
    fn too_large(&mut self, envelope: Envelope) -> Option<Event> {
        if std::mem::replace(&mut self.skipping, true) {
            return None;
        }
        self.data = None;
        Some(Event {
            name: self.name.take(),
            data: Data::TooLarge(envelope),
            id: self.id.take(),
            retry: self.retry.take(),
        })
    }

    fn end(&mut self) -> Option<Event> {
        let ended = std::mem::take(self);
        if ended.skipping || (ended.data.is_none() && ended.id.is_none() && ended.retry.is_none()) {
            return None;
        }
        Some(Event {
            name: ended.name,
            data: Data::Text(ended.data.unwrap_or_default()),
            id: ended.id,
            retry: ended.retry,
        })
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    fn parsed(text: &[u8]) -> Vec<Event> {
        let mut lines = Lines::new(MAX_MESSAGE + FIELD);
        let mut parser = Parser::default();
        let mut events = Vec::new();
        lines.push(text, &mut |line| events.extend(parser.line(line)));
        events
    }

    fn text(event: &Event) -> &[u8] {
        match &event.data {
            Data::Text(bytes) => bytes,
            Data::TooLarge(_) => panic!("too large"),
        }
    }

    #[test]
    fn fields_make_events() {
        let events = parsed(
            b": hello\r\nevent: endpoint\r\ndata: /messages?id=1\r\n\r\n\
              id: 7\nretry: 300\ndata:\n\nid:8\ndata:{\ndata: }\n\nevent: lonely\n\n",
        );
        assert_eq!(events.len(), 3);
        assert_eq!(events[0].name.as_deref(), Some("endpoint"));
        assert!(!events[0].is_message());
        assert_eq!(text(&events[0]), b"/messages?id=1");
        assert_eq!(events[1].id.as_deref(), Some("7"));
        assert_eq!(events[1].retry, Some(300));
        assert!(events[2].is_message());
        assert_eq!(text(&events[2]), b"{\n}");
    }

    #[test]
    fn an_event_that_is_too_large_is_told_once_and_the_next_is_whole() {
        let half = vec![b'a'; MAX_MESSAGE / 2 + 10];
        let mut stream = br#"data: {"jsonrpc":"2.0","id":4,"result":""#.to_vec();
        for _ in 0..3 {
            stream.extend_from_slice(&half);
            stream.extend_from_slice(b"\ndata: ");
        }
        stream.extend_from_slice(b"\"}\n\ndata: next\n\n");
        let events = parsed(&stream);
        assert_eq!(events.len(), 2);
        let Data::TooLarge(envelope) = &events[0].data else {
            panic!("not too large");
        };
        assert_eq!(envelope.reply_to(), Some(rmcp::model::RequestId::Number(4)));
        assert_eq!(text(&events[1]), b"next");
    }
}
