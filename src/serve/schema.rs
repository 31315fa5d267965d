//! The two tools as a caller reads them: names, descriptions, schemas.
//!
//! Owns the words that teach a model how to wait. Must not know how a wait is carried out.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::wait::{self, Bounds};

/// The tool that waits.
pub const WAIT_FOR: &str = "wait_for";
/// The tool that says what can be probed.
pub const LIST_PROBES: &str = "list_probes";

/// `wait_for`, with the bounds in force. `reads_only`: whether every tool that it can probe says
/// that it changes nothing.
pub fn wait_for(bounds: Bounds, reads_only: bool) -> Tool {
    let Bounds {
        default_max_wait_sec: default,
        max_wait_cap_sec: cap,
    } = bounds;
    let description = format!(
        "Wait until the output of another tool, the probe, says what you are waiting for: a build \
that ends, a rollout that is ready, a queue that is empty, a log that falls silent. The probe is \
called every poll_sec seconds, and the wait ends as soon as its output satisfies `until`. Use this \
instead of calling the probe again and again yourself.

State what done looks like. Give until.matches a regex that the probe's output matches once the work \
is done, and not before; call the probe once first if you don't know its output. Prefer `matches` to \
quiet_for_sec, which only says that nothing changed for a while: work that hangs is quiet too. Use \
not_matches for something that must go away. Give fail_when a regex for failure, so that a wait for \
work that has failed ends at once.

The result's `reason` is matched, settled (it was quiet), failed (fail_when matched) or timeout, and \
last_observation is the newest output. A timeout is a normal result, not an error: read \
last_observation, and if it needs longer, call again with the same arguments. One call waits for at \
most {cap} seconds, and for {default} if max_wait_sec isn't given. An error says in what_to_do how to \
go on.

list_probes lists the tools that can be probed, with their arguments."
    );
    Tool::new(
        WAIT_FOR,
        description,
        object(plain(wait::schema::call_within(bounds))),
    )
    .with_title("Wait for a condition")
    .with_raw_output_schema(object(result_schema()))
    .with_annotations(
        ToolAnnotations::new()
            .read_only(reads_only)
            .open_world(true),
    )
}

/// `list_probes`.
pub fn list_probes() -> Tool {
    let description = "List the tools that wait_for can probe: server, tool, description and the JSON \
Schema of the arguments, whether it is allowed, and if not, why. Without `server`, every configured \
server is asked. Long lists come in pages: call again with `cursor` set to next_cursor.";
    Tool::new(LIST_PROBES, description, object(list_schema()))
        .with_title("List what can be probed")
        .with_raw_output_schema(object(listed_schema()))
        .with_annotations(ToolAnnotations::new().read_only(true).open_world(true))
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

/// The schema without the nulls that mean absent: clients read a plain type more surely than a choice
/// of two, and no model need send them.
fn plain(schema: Value) -> Value {
    let without_null = |values: Vec<Value>| -> Vec<Value> {
        let values = values.into_iter();
        values
            .filter(|value| !value.is_null() && value != "null")
            .collect()
    };
    let field = |(key, value): (String, Value)| match (key.as_str(), value) {
        ("type", Value::Array(types)) => {
            let only = without_null(types).into_iter().next();
            only.map(|only| (key, only))
        }
        ("enum", Value::Array(values)) => Some((key, Value::Array(without_null(values)))),
        (_, value) if value["type"] == "null" => None,
        (_, value) => Some((key, plain(value))),
    };
    match schema {
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(fields) => fields.into_iter().filter_map(field).collect(),
        other => other,
    }
}

/// The five fields, or an error in their place.
fn result_schema() -> Value {
    let five = [
        "reason",
        "last_observation",
        "elapsed_sec",
        "samples",
        "effective_max_wait_sec",
    ];
    json!({
        "type": "object",
        "properties": {
            "reason": {
                "type": "string", "enum": ["matched", "settled", "timeout", "failed"],
                "description": "matched: until's pattern decided; settled: the output was quiet; failed: fail_when matched; timeout: max_wait_sec ran out, call again if it needs longer."
            },
            "last_observation": { "type": "string", "description": "The newest output, whole." },
            "elapsed_sec": { "type": "integer", "minimum": 0, "description": "Whole seconds, rounded down." },
            "samples": { "type": "integer", "minimum": 0, "description": "Samples with an output." },
            "effective_max_wait_sec": { "type": "integer", "minimum": 1, "description": "The bound that was enforced." },
            "error": error_schema()
        },
        "oneOf": [{ "required": five }, { "required": ["error"] }],
        "additionalProperties": false
    })
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "description": "In place of the others, where there is no result.",
        "properties": {
            "code": { "type": "string" },
            "message": { "type": "string" },
            "what_to_do": { "type": "string" }
        },
        "required": ["code", "message", "what_to_do"]
    })
}

fn list_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "server": { "type": "string", "description": "Only this server's tools." },
            "filter": {
                "type": "string",
                "description": "Only tools whose name or description contains this text, whatever the case."
            },
            "cursor": { "type": "string", "description": "next_cursor of the page before." }
        },
        "additionalProperties": false
    })
}

fn listed_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "probes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "server": { "type": "string" },
                        "tool": { "type": "string" },
                        "description": { "type": "string" },
                        "input_schema": { "type": ["object", "null"], "description": "Null where it is too long to be listed." },
                        "allowed": { "type": "boolean" },
                        "why_not": { "type": "string" }
                    },
                    "required": ["server", "tool", "description", "input_schema", "allowed"]
                }
            },
            "unavailable": {
                "type": "array",
                "description": "Servers that could not be asked.",
                "items": {
                    "type": "object",
                    "properties": {
                        "server": { "type": "string" },
                        "code": { "type": "string" },
                        "message": { "type": "string" }
                    },
                    "required": ["server", "code", "message"]
                }
            },
            "next_cursor": { "type": "string" },
            "error": error_schema()
        },
        "oneOf": [{ "required": ["probes", "unavailable"] }, { "required": ["error"] }],
        "additionalProperties": false
    })
}
