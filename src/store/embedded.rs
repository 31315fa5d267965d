//! Calls inside a larger text, such as a trace that an agent left, or a message around one.
//!
//! Owns how a call is recognised and where it is said to stand. Must not know whether it is a good
//! one.

use serde_json::{Deserializer, Map, Value};

/// How deep a JSON is searched, strings that hold JSON included.
const DEPTH: usize = 128;
/// Braces in a text that turn out to begin no JSON before the search ends.
const MOST_FALSE_STARTS: usize = 100;

/// A call, or a spec that has one, and where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// The path from the root and the line, such as `params.arguments of line 3`.
    pub at: String,
    /// The call or the spec, not yet parsed.
    pub object: Map<String, Value>,
}

/// Every call in `value`, in its order, equal ones once. A call is an object with `probe` and
/// `until`, a spec one whose `wait` is a call; either may be JSON in a string, with words around it.
#[must_use]
pub(super) fn embedded_in_value(value: &Value) -> Vec<Embedded> {
    let mut found = Vec::new();
    search(value, "", DEPTH, &mut found);
    found
}

/// Every call in a text that is no JSON as a whole, such as JSON lines, a log or a message. In one
/// that begins as JSON and is broken nothing is looked for: a part of it is not what was meant.
#[must_use]
pub(super) fn embedded_in_text(text: &str) -> Vec<Embedded> {
    let mut found: Vec<Embedded> = Vec::new();
    let start = text.len() - text.trim_start().len();
    if text[start..].starts_with('{') && value_at(text, start).is_none() {
        return found;
    }
    for (at, value) in values_in(text) {
        let line = text[..at].matches('\n').count() + 1;
        for embedded in embedded_in_value(&value) {
            if found.iter().all(|known| known.object != embedded.object) {
                let at = match embedded.at.as_str() {
                    "" => format!("line {line}"),
                    path => format!("{path} of line {line}"),
                };
                found.push(Embedded { at, ..embedded });
            }
        }
    }
    found
}

fn search(value: &Value, at: &str, depth: usize, found: &mut Vec<Embedded>) {
    if depth == 0 {
        return;
    }
    match value {
        Value::Object(object)
            if is_call(object) || object.get("wait").is_some_and(is_call_value) =>
        {
            let known = found.iter().any(|known| known.object == *object);
            let (at, object) = (at.to_owned(), object.clone());
            found.extend((!known).then_some(Embedded { at, object }));
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
        Value::String(text) if mentions_a_call(text) => match serde_json::from_str(text) {
            Ok(value) => search(&value, at, depth - 1, found),
            Err(_) => {
                for (_, value) in values_in(text) {
                    search(&value, at, depth - 1, found);
                }
            }
        },
        _ => {}
    }
}

fn is_call(object: &Map<String, Value>) -> bool {
    object.contains_key("probe") && object.contains_key("until")
}

fn is_call_value(value: &Value) -> bool {
    value.as_object().is_some_and(is_call)
}

/// Whether a text may hold a call, however often its quotes are escaped.
#[must_use]
pub fn mentions_a_call(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("probe") {
        let (before, after) = (&rest[..at], &rest[at + "probe".len()..]);
        if before.ends_with('"') && after.trim_start_matches('\\').starts_with('"') {
            return true;
        }
        rest = after;
    }
    false
}

/// The JSON objects and lists in a text, and the strings that hold one, each with the byte where it
/// begins. What stands in braces and is no JSON is passed over whole: a part of it is not what
/// somebody wrote.
fn values_in(text: &str) -> Vec<(usize, Value)> {
    let mut values = Vec::new();
    let mut at = 0;
    let mut false_starts = 0;
    while let Some(brace) = text[at..].find(['{', '[']).map(|found| at + found) {
        let quoted = brace.checked_sub(1).filter(|before| *before >= at);
        let quoted = quoted.filter(|before| text.as_bytes()[*before] == b'"');
        let value = quoted.and_then(|quote| value_at(text, quote));
        let value = value.or_else(|| value_at(text, brace));
        at = match value {
            Some((end, value)) => {
                values.push((brace, value));
                end
            }
            None if false_starts == MOST_FALSE_STARTS => break,
            None => {
                false_starts += 1;
                after_braces(text, brace)
            }
        };
    }
    values
}

/// The JSON value that begins at byte `at`, and where it ends.
fn value_at(text: &str, at: usize) -> Option<(usize, Value)> {
    let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((at + values.byte_offset(), value))
}

/// Behind the brace that closes the one at byte `at`; behind that itself, where none does.
fn after_braces(text: &str, at: usize) -> usize {
    let mut open = 0_usize;
    for (offset, byte) in text.bytes().enumerate().skip(at) {
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' if open == 1 => return offset + 1,
            b'}' | b']' => open -= 1,
            _ => {}
        }
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(tool: &str) -> Value {
        json!({ "probe": { "tool": tool, "args": {} }, "until": { "matches": "x" } })
    }

    fn places(found: Vec<Embedded>) -> Vec<String> {
        found.into_iter().map(|embedded| embedded.at).collect()
    }

    #[test]
    fn a_call_is_found_in_objects_lists_and_strings() {
        let text = call("a").to_string();
        let value = json!({ "messages": [
            { "role": "user", "content": "\"probe\" it" },
            { "tool_calls": [{ "function": { "name": "wait_for", "arguments": text } }] },
        ]});
        let found = embedded_in_value(&value);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, "messages[1].tool_calls[0].function.arguments");
        assert_eq!(Value::Object(found[0].object.clone()), call("a"));
    }

    #[test]
    fn equal_calls_are_one_and_different_ones_are_several() {
        let value = json!([call("a"), { "again": call("a") }, call("b")]);
        assert_eq!(places(embedded_in_value(&value)), ["[0]", "[2]"]);
        let value = json!({ "probe": {}, "other": [1, "x", null] });
        assert!(embedded_in_value(&value).is_empty());
    }

    #[test]
    fn a_call_is_found_in_json_lines() {
        let text = format!(
            "{}\n\n{}\n{}\n",
            json!({ "level": "info" }),
            json!({ "params": { "name": "wait_for", "arguments": call("a") } }),
            json!({ "again": call("a") }),
        );
        assert_eq!(
            places(embedded_in_text(&text)),
            ["params.arguments of line 3"]
        );
    }

    #[test]
    fn a_call_is_found_in_a_message_a_log_line_and_an_event() {
        let call = call("a");
        let escaped = json!(call.to_string());
        for (text, place) in [
            (
                format!("Try this {{one}}:\n```json\n{call:#}\n```\nand tell."),
                "line 3",
            ),
            (format!("[INFO] 12:00 agent[3]: args={call} done"), "line 1"),
            (format!("12:00 arguments={escaped} attempt=1"), "line 1"),
            (
                format!(
                    "event: aura.tool_requested\ndata: {}\n\n",
                    json!({ "arguments": call })
                ),
                "arguments of line 2",
            ),
            (
                json!({ "text": format!("so: {call}.") }).to_string() + "\n{}",
                "text of line 1",
            ),
        ] {
            assert!(mentions_a_call(&text), "{text}");
            assert_eq!(places(embedded_in_text(&text)), [place], "{text}");
        }
    }

    #[test]
    fn a_spec_is_found_whole() {
        let spec = json!({ "name": "n", "wait": call("a"), "rounds": 3 });
        let found = embedded_in_value(&json!({ "saved": spec }));
        assert_eq!(Value::Object(found[0].object.clone()), spec);
    }

    #[test]
    fn no_part_of_what_is_broken_is_taken() {
        let call = call("a");
        for text in [
            format!("{{ name: 3, \"wait\": {call} }}"),
            format!("{{ \"wait\": {call}, \"rounds\": 4, }}"),
            format!("so: {{ \"wait\": {call} \"rounds\": 4 }} and more"),
        ] {
            assert!(embedded_in_text(&text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_text_full_of_braces_is_given_up() {
        let text = "{\"a\":".repeat(100_000);
        assert!(embedded_in_text(&text).is_empty());
        let text = "[".repeat(100_000);
        assert!(embedded_in_text(&text).is_empty());
    }
}
