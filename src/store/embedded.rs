//! Calls inside a larger JSON, such as a trace that an agent left.
//!
//! Owns how a call is recognised and named. Must not know whether it is a good one.

use serde_json::{Map, Value};

/// How deep a JSON is searched, strings that hold JSON included.
const DEPTH: usize = 128;

/// A call, and where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// The path from the root, such as `messages[2].tool_calls[0].function.arguments`.
    pub at: String,
    /// The call, not yet parsed.
    pub call: Map<String, Value>,
}

/// Every call in `value`, in its order, equal ones once. A call is an object with `probe` and
/// `until`, or a string that holds one as JSON.
#[must_use]
pub fn embedded_calls(value: &Value) -> Vec<Embedded> {
    let mut found = Vec::new();
    search(value, "", DEPTH, &mut found);
    found
}

fn search(value: &Value, at: &str, depth: usize, found: &mut Vec<Embedded>) {
    if depth == 0 {
        return;
    }
    match value {
        Value::Object(object) if object.contains_key("probe") && object.contains_key("until") => {
            let known = found.iter().any(|known| known.call == *object);
            let (at, call) = (at.to_owned(), object.clone());
            found.extend((!known).then_some(Embedded { at, call }));
        }
        Value::Object(object) => {
            for (key, value) in object {
                let dot = if at.is_empty() { "" } else { "." };
                search(value, &format!("{at}{dot}{key}"), depth - 1, found);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                search(value, &format!("{at}[{index}]"), depth - 1, found);
            }
        }
        Value::String(text) if text.contains("\"probe\"") => {
            if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                search(&value, at, depth - 1, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str) -> Value {
        json!({ "probe": { "tool": tool, "args": {} }, "until": { "matches": "x" } })
    }

    fn places(value: &Value) -> Vec<String> {
        embedded_calls(value)
            .into_iter()
            .map(|embedded| embedded.at)
            .collect()
    }

    #[test]
    fn a_call_is_found_in_objects_lists_and_strings() {
        let text = call("a").to_string();
        let value = json!({ "messages": [
            { "role": "user", "content": "\"probe\" it" },
            { "tool_calls": [{ "function": { "name": "wait_for", "arguments": text } }] },
        ]});
        let found = embedded_calls(&value);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, "messages[1].tool_calls[0].function.arguments");
        assert_eq!(Value::Object(found[0].call.clone()), call("a"));
    }

    #[test]
    fn equal_calls_are_one_and_different_ones_are_several() {
        assert_eq!(
            places(&json!([call("a"), { "again": call("a") }, call("b")])),
            ["[0]", "[2]"]
        );
        assert!(places(&json!({ "probe": {}, "other": [1, "x", null] })).is_empty());
    }
}
