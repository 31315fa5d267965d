//! What a message of the protocol is about, in a few words.
//!
//! Owns which part of a message says it. Must not know how much room there is for it.

use crate::mcp::{TraceEntry, TraceKind};
use crate::text::member;

/// Bytes of a message in which its parts are looked for: it is drawn on one line.
const LOOKED_AT: usize = 4 * 1024;

/// The parameters of a message, or the content of an answer, as they are written. Nothing of what
/// stands beside it already.
#[must_use]
pub fn excerpt(entry: &TraceEntry) -> String {
    let limit = LOOKED_AT.min(entry.text.len());
    let text = (0..=limit).rev().find_map(|end| entry.text.get(..end));
    let text = text.unwrap_or_default();
    let about = match entry.kind {
        TraceKind::Request | TraceKind::Notification => parameters(entry, text),
        TraceKind::Result => member(text, "result").map(|result| content(result).to_owned()),
        TraceKind::Error | TraceKind::Unreadable => member(text, "error").map(refusal),
    };
    let none = if text.starts_with('{') { "" } else { text };
    about.unwrap_or_else(|| none.to_owned())
}

fn parameters(entry: &TraceEntry, text: &str) -> Option<String> {
    let params = member(text, "params")?;
    if entry.method.as_deref() != Some("tools/call") {
        return Some(params.to_owned());
    }
    let arguments = member(params, "arguments").unwrap_or_default();
    let call = format!("{} {arguments}", member(params, "name")?);
    Some(call.trim_end().to_owned())
}

fn refusal(error: &str) -> String {
    match (member(error, "message"), member(error, "code")) {
        (Some(message), Some(code)) => format!("{message} ({code})"),
        _ => error.to_owned(),
    }
}

/// Of a tool's result the first text, of any other one all.
fn content(result: &str) -> &str {
    let items = member(result, "content").and_then(|content| content.strip_prefix('['));
    items
        .and_then(|first| member(first, "text"))
        .unwrap_or(result)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mcp::Direction;

    fn of(kind: TraceKind, method: &str, text: &str) -> String {
        excerpt(&TraceEntry {
            number: 0,
            at: Duration::ZERO,
            direction: Direction::Sent,
            kind,
            method: Some(method.to_owned()),
            id: None,
            latency: None,
            bytes: text.len(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn a_message_is_told_by_what_it_is_about() {
        use TraceKind::{Error, Notification, Request, Result};
        let call = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":3},"name":"job_logs","arguments":{"id":7}}}"#;
        assert_eq!(of(Request, "tools/call", call), r#"job_logs {"id":7}"#);
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        assert_eq!(of(Request, "tools/list", list), "");
        let answer = r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a\nb"},{"type":"text","text":"c"}],"isError":false}}"#;
        assert_eq!(of(Result, "tools/call", answer), r"a\nb");
        let tools = r#"{"result":{"tools":[]},"id":1,"jsonrpc":"2.0"}"#;
        assert_eq!(of(Result, "tools/list", tools), r#"{"tools":[]}"#);
        let progress =
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#;
        assert_eq!(
            of(Notification, "notifications/progress", progress),
            r#"{"progress":1}"#
        );
        let refusal = r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}"#;
        assert_eq!(of(Error, "tools/call", refusal), "no (-32602)");
        let long = format!(
            r#"{{"result":{{"content":[{{"text":"{}"#,
            "ü".repeat(50_000)
        );
        assert!(of(Result, "tools/call", &long).starts_with("üüü"));
        assert_eq!(of(Request, "x", "no JSON"), "no JSON");
    }
}
