//! A tool's result as the one text that is watched.
//!
//! Owns the rendering of a raw `CallToolResult`. Must not know how it was fetched or what is done
//! with it. The text is kept exactly as it came; only its drawing is cleaned.

mod blocks;
mod full;
#[cfg(test)]
mod tests;

use serde_json::Value;

use blocks::block_text;
pub use full::blocks_in_full;

/// What stands before the output of a tool that reported an error.
pub const ERROR_PREFIX: &str = "Tool returned an error: ";

/// What one call of a tool brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The text that the operator sees and conditions are evaluated on, whole.
    pub text: String,
    /// Whether the tool itself reported an error; `text` then has the prefix.
    pub tool_error: bool,
    /// The result as the server sent it.
    pub raw: Value,
}

/// Renders a `CallToolResult`, given as raw JSON.
#[must_use]
pub fn render(result: Value) -> Observation {
    let text = match result.get("structuredContent") {
        Some(structured) if !structured.is_null() => pretty(structured),
        _ => content_text(result.get("content")),
    };
    let tool_error = result.get("isError").and_then(Value::as_bool) == Some(true);
    Observation {
        text: if tool_error {
            format!("{ERROR_PREFIX}{text}")
        } else {
            text
        },
        tool_error,
        raw: result,
    }
}

/// Renders a JSON-RPC error by which a server reports a tool's own failure.
pub(super) fn render_error(message: &str, raw: Value) -> Observation {
    Observation {
        text: format!("{ERROR_PREFIX}{message}"),
        tool_error: true,
        raw,
    }
}

fn content_text(content: Option<&Value>) -> String {
    match content {
        None | Some(Value::Null) => String::new(),
        Some(Value::Array(blocks)) => {
            let texts: Vec<String> = blocks.iter().map(block_text).collect();
            texts.join("\n")
        }
        // Against the protocol, but harmless: what there is, is shown.
        Some(Value::String(text)) => text.clone(),
        Some(other) => pretty(other),
    }
}

/// JSON indented by two, keys in the order in which they were sent.
fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
