//! What there is to know about what is highlighted, a paragraph each: what a tool says of itself,
//! and how a server stands.
//!
//! Owns the words for a schema, for a tool's hints and for a server's state. Must not know where they
//! are drawn.

use serde_json::Value;

use super::bench::about;
use super::standing::Standings;
use crate::app::form::{Kind, Row};
use crate::app::{ServerRow, ServerState};
use crate::mcp::Tool;

/// Where a server comes from, how it is reached, and how it stands.
#[must_use]
pub fn server_paragraphs(server: &ServerRow, standings: &Standings) -> Vec<String> {
    let mut paragraphs = vec![
        format!("{}, from {}", server.name, server.source),
        server.reach.clone(),
    ];
    if server.shadowed {
        paragraphs.push("Shadowed: a more specific server has its name.".to_owned());
    } else if server.disabled {
        paragraphs.push("Disabled where it is configured.".to_owned());
    } else if server.approval.is_some() {
        paragraphs.push("Not trusted yet; Enter asks.".to_owned());
    } else {
        paragraphs.push(match standings.of(&server.name) {
            None => "Not connected; Enter connects to it and lists its tools.".to_owned(),
            Some(ServerState::Connecting) => "Connecting.".to_owned(),
            Some(ServerState::Connected { .. }) => {
                let software = standings.software(&server.name).unwrap_or_default();
                format!("Connected: {software}.")
            }
            Some(ServerState::Failed { reason, .. }) => reason.clone(),
            Some(ServerState::Lost { reason }) => {
                format!("The connection is lost: {reason}\nEnter makes it again.")
            }
        });
    }
    paragraphs.retain(|text| !text.is_empty());
    paragraphs
}

/// The hints of a tool's annotations; they are the server's own words, and promise nothing.
fn hints(tool: &Tool) -> Option<String> {
    let hint = |key: &str| tool.raw.get("annotations")?.get(key)?.as_bool();
    let all = [
        (tool.read_only, "changes nothing", "may change something"),
        (
            tool.destructive,
            "may destroy something",
            "destroys nothing",
        ),
        (
            hint("idempotentHint"),
            "calling it again changes nothing more",
            "calling it again may change more",
        ),
        (
            hint("openWorldHint"),
            "reaches beyond its own system",
            "stays within its own system",
        ),
    ];
    let said = all.iter().filter_map(|(hint, yes, no)| match hint {
        Some(true) => Some(*yes),
        Some(false) => Some(*no),
        None => None,
    });
    let said: Vec<&str> = said.collect();
    (!said.is_empty()).then(|| format!("It says of itself: {}.", said.join(", ")))
}

/// The name, the description and each argument of `tool`.
#[must_use]
pub fn paragraphs(tool: &Tool) -> Vec<String> {
    let mut paragraphs = vec![tool.name.clone(), about(tool)];
    paragraphs.retain(|text| !text.is_empty());
    paragraphs.extend(hints(tool));
    paragraphs.extend(fields(&tool.input_schema));
    paragraphs
}

/// A line for each field of a schema.
#[must_use]
pub fn fields(schema: &Value) -> Vec<String> {
    let mut paragraphs = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| {
        let mut names = required.into_iter().flatten();
        names.any(|own| own.as_str() == Some(name))
    };
    for (name, schema) in properties.into_iter().flatten() {
        let mut facts: Vec<String> = kind(schema).into_iter().collect();
        if is_required(name) {
            facts.push("required".to_owned());
        }
        if let Some(default) = schema.get("default") {
            facts.push(format!("default {default}"));
        }
        let mut line = format!("{name}: {}", facts.join(", "));
        if let Some(description) = schema.get("description").and_then(Value::as_str) {
            line.push_str(&format!(". {description}"));
        }
        paragraphs.push(line);
    }
    paragraphs
}

/// A field of the arguments' form: its name, what it takes, and what it is for.
#[must_use]
pub fn argument_paragraphs(row: &Row) -> Vec<String> {
    let mut facts = vec![row.hint.clone()];
    if row.required {
        facts.push("required".to_owned());
    }
    facts.extend(
        row.default
            .as_ref()
            .map(|default| format!("default {default}")),
    );
    let mut paragraphs = vec![format!("{}: {}", row.label, facts.join(", "))];
    match &row.kind {
        Kind::Options(choices) => {
            let labels: Vec<&str> = choices.iter().map(|choice| choice.label.as_str()).collect();
            paragraphs.push(format!("One of {}", labels.join(", ")));
        }
        Kind::Variants(labels) => paragraphs.push(format!("One of {}", labels.join(", "))),
        _ => {}
    }
    if !row.description.is_empty() {
        paragraphs.push(row.description.clone());
    }
    paragraphs
}

/// What values an argument takes, where the schema says it plainly.
fn kind(schema: &Value) -> Option<String> {
    let all = |values: &Vec<Value>, between: &str| {
        let words = values.iter().map(|value| match value.as_str() {
            Some(word) => word.to_owned(),
            None => value.to_string(),
        });
        words.collect::<Vec<_>>().join(between)
    };
    if let Some(options) = schema.get("enum").and_then(Value::as_array) {
        return Some(format!("one of {}", all(options, ", ")));
    }
    match schema.get("type")? {
        Value::String(kind) => Some(kind.clone()),
        Value::Array(kinds) => Some(all(kinds, " or ")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_argument_is_told_with_what_its_schema_says() {
        let tool = Tool {
            name: "get".to_owned(),
            title: None,
            description: Some("Gets it".to_owned()),
            input_schema: json!({
                "required": ["id"],
                "properties": {
                    "id": { "type": ["string", "null"], "description": "Which one" },
                    "mode": { "enum": ["fast", 2], "default": "fast" },
                },
            }),
            output_schema: None,
            read_only: Some(true),
            destructive: None,
            raw: json!({ "annotations": { "idempotentHint": true, "openWorldHint": false } }),
        };
        let expected = [
            "get",
            "Gets it",
            "It says of itself: changes nothing, calling it again changes nothing more, \
             stays within its own system.",
            "id: string or null, required. Which one",
            "mode: one of fast, 2, default \"fast\"",
        ];
        assert_eq!(paragraphs(&tool), expected);
    }
}
