//! The JSON Schema of a call, for those who write one: agents, editors.
//!
//! Owns what each field is said to mean there. What a schema can't say (a pattern that compiles, a
//! poll below the bound) is refused by [`super::Call::check`] alone.

use serde_json::{Map, Value, json};

use super::call::{Bounds, DEFAULT_POLL_SEC, ToolErrors};

/// The dialect of every schema of ours.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a call: an object with `probe`, `until` and the rest, and no other fields. `null`
/// is allowed where it means absent.
#[must_use]
pub fn call() -> Value {
    call_within(Bounds::default())
}

/// The schema of a call that is carried out within other bounds than the contract's.
#[must_use]
pub fn call_within(bounds: Bounds) -> Value {
    let Bounds {
        default_max_wait_sec: default,
        max_wait_cap_sec: cap,
    } = bounds;
    json!({
        "type": "object",
        "description": "Calls an MCP tool again and again until its output says what is waited for, or the budget ends.",
        "required": ["probe", "until"],
        "additionalProperties": false,
        "properties": {
            "probe": probe(),
            "until": until(cap),
            "poll_sec": seconds(
                Some(DEFAULT_POLL_SEC),
                &format!("Seconds from the end of one sample to the start of the next; {DEFAULT_POLL_SEC} where it isn't said. It must be below max_wait_sec, which is clamped to {cap}."),
            ),
            "max_wait_sec": seconds(
                Some(default),
                &format!("Seconds in all, after which the wait ends as a timeout; {default} where it isn't said. More than {cap} is clamped to {cap}, never refused."),
            ),
            "fail_when": pattern("When the output matches this, the wait stops with the reason \"failed\". It is looked at before until."),
            "tool_errors": {
                "enum": tool_errors(),
                "default": ToolErrors::default().as_str(),
                "description": "What a tool error may do. guard: it can satisfy matches and fail_when, but never not_matches, and it restarts the quiet window. observe: it is output like any other. fail: it is a failed sample.",
            },
            "retry_errors": {
                "type": ["integer", "null"],
                "minimum": 0,
                "default": 0,
                "description": "How many failed samples in a row are tolerated.",
            },
            "probe_timeout_sec": seconds(
                None,
                "A sample that takes longer than this is cancelled, and has failed.",
            ),
            "ignore": pattern("What this matches is left out when outputs are compared for quiet and change, such as clocks and counters."),
        },
    })
}

fn probe() -> Value {
    json!({
        "type": "object",
        "description": "What is sampled.",
        "required": ["tool", "args"],
        "additionalProperties": false,
        "properties": {
            "server": {
                "type": ["string", "null"],
                "minLength": 1,
                "description": "Which server's tool; needed only where two have the name.",
            },
            "tool": {
                "type": "string",
                "minLength": 1,
                "description": "The name of an MCP tool.",
            },
            "args": {
                "type": "object",
                "description": "The tool's arguments, sent with every sample exactly as written.",
            },
        },
    })
}

/// Exactly one of the keys; the others absent, or null.
fn until(cap: u64) -> Value {
    let keys = [
        (
            "matches",
            json!({ "type": "string", "description": "A regex in the syntax of Rust's regex crate; stops when the output matches it. It is unanchored and case-sensitive; flags are inline, such as (?i) or (?m)." }),
        ),
        (
            "not_matches",
            json!({ "type": "string", "description": "A regex; stops when the output no longer matches it." }),
        ),
        (
            "quiet_for_sec",
            json!({ "type": "integer", "minimum": 1, "description": format!("Stops when the output has not changed for that many seconds. It can't be more than max_wait_sec, which is clamped to {cap}.") }),
        ),
    ];
    let with_one = |(key, schema): &(&str, Value)| {
        let absent = keys.iter().filter(|(other, _)| other != key);
        let absent = absent.map(|(other, _)| ((*other).to_owned(), json!({ "type": "null" })));
        let properties: Map<String, Value> = std::iter::once(((*key).to_owned(), schema.clone()))
            .chain(absent)
            .collect();
        json!({
            "type": "object",
            "required": [key],
            "additionalProperties": false,
            "properties": properties,
        })
    };
    json!({
        "description": "What ends the wait well: exactly one of matches, not_matches and quiet_for_sec.",
        "type": "object",
        "oneOf": keys.iter().map(with_one).collect::<Vec<_>>(),
    })
}

fn seconds(default: Option<u64>, description: &str) -> Value {
    let mut schema = json!({
        "type": ["integer", "null"],
        "minimum": 1,
    });
    if let Some(default) = default {
        schema["default"] = default.into();
    }
    schema["description"] = description.into();
    schema
}

/// A regex. It has no `format`, which would mean another dialect.
fn pattern(description: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description })
}

fn tool_errors() -> Vec<Value> {
    let names = ToolErrors::ALL.iter().map(|known| known.as_str().into());
    names.chain([Value::Null]).collect()
}
