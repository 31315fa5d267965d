//! A saved wait: `NAME.wait.json`, or a bare call as an agent writes it.
//!
//! Owns the format. The call is kept as JSON, since flags may override parts of it before it is
//! parsed; the server is kept as JSON, since what a server is belongs to another room.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::embedded::{Embedded, embedded_calls};
use super::files::unreadable;

const FIELDS: &[&str] = &["$schema", "name", "description", "wait", "server", "rounds"];
/// Fields that no larger JSON around a call has: with one of them it is a spec, and a typo in it is
/// no reason to search it.
const SPEC_MARKS: &[&str] = &["wait", "rounds", "$schema"];
/// How many budgets may follow one another.
pub const MAX_ROUNDS: u64 = 1_000;

/// A wait as it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// What it is called, where it says.
    pub name: Option<String>,
    /// What it is for, where it says.
    pub description: Option<String>,
    /// The call, not yet parsed.
    pub wait: Map<String, Value>,
    /// How to reach the server, if it isn't configured by name.
    pub server: Option<Value>,
    /// How many budgets may follow one another, from 1.
    pub rounds: u32,
    /// Where the call stood, if it was inside a larger JSON.
    pub found_at: Option<String>,
}

/// Why a file is no spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct SpecError {
    /// The file, or `-` for standard input.
    pub path: PathBuf,
    /// What is wrong and what to do, with the place.
    pub problem: String,
}

impl Spec {
    /// Reads the spec in a file.
    ///
    /// # Errors
    /// Where it can't be read, or is no spec.
    pub fn read(path: &Path) -> Result<Self, SpecError> {
        let text = std::fs::read_to_string(path).map_err(|error| SpecError {
            path: path.to_owned(),
            problem: unreadable(&error),
        })?;
        Self::parse(&text, path)
    }

    /// The spec in `text`, which came from `path`.
    ///
    /// # Errors
    /// Where it is no spec.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SpecError> {
        let refused = |problem: String| SpecError {
            path: path.to_owned(),
            problem,
        };
        let value: Value = serde_json::from_str(text).map_err(|error| {
            refused(format!(
                "line {}, column {}: the JSON doesn't parse: {}",
                error.line(),
                error.column(),
                without_place(&error.to_string())
            ))
        })?;
        let top = match value {
            Value::Object(top) if top.contains_key("probe") && !top.contains_key("wait") => {
                return Ok(Self::of_call(top, None));
            }
            Value::Object(top) if SPEC_MARKS.iter().any(|mark| top.contains_key(*mark)) => top,
            larger => {
                let found = only_call(embedded_calls(&larger)).map_err(refused)?;
                return Ok(Self::of_call(found.call, Some(found.at)));
            }
        };
        Self::of_fields(top).map_err(refused)
    }

    fn of_call(call: Map<String, Value>, found_at: Option<String>) -> Self {
        Self {
            name: None,
            description: None,
            wait: call,
            server: None,
            rounds: 1,
            found_at,
        }
    }

    fn of_fields(mut top: Map<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = top.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            let known = FIELDS.join(", ");
            return Err(format!(
                "{unknown} is no field of a spec; use one of {known}"
            ));
        }
        Ok(Self {
            name: text_field(&mut top, "name")?,
            description: text_field(&mut top, "description")?,
            rounds: rounds(top.get("rounds"))?,
            server: top.remove("server").filter(|server| !server.is_null()),
            wait: match top.remove("wait") {
                Some(Value::Object(wait)) => wait,
                Some(_) => return Err("wait must be a JSON object, the call".to_owned()),
                None => return Err("wait is missing; it holds the call".to_owned()),
            },
            found_at: None,
        })
    }
}

/// Which of several calls is meant nobody can say.
fn only_call(mut found: Vec<Embedded>) -> Result<Embedded, String> {
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => {
            Err("there is no call in it; a spec has `wait`, a call `probe` and `until`".to_owned())
        }
        (Some(last), false) => {
            found.push(last);
            let places: Vec<&str> = found.iter().map(|call| call.at.as_str()).collect();
            Err(format!(
                "there are {} calls in it, at {}; keep one",
                found.len(),
                places.join(", ")
            ))
        }
    }
}

fn text_field(top: &mut Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match top.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("{key} must be a string")),
    }
}

fn rounds(value: Option<&Value>) -> Result<u32, String> {
    let refused = || format!("rounds must be a whole number from 1 to {MAX_ROUNDS}");
    match value {
        None | Some(Value::Null) => Ok(1),
        Some(value) => value
            .as_u64()
            .filter(|rounds| (1..=MAX_ROUNDS).contains(rounds))
            .and_then(|rounds| u32::try_from(rounds).ok())
            .ok_or_else(refused),
    }
}

/// serde_json ends its messages with the place, which has been said already.
fn without_place(message: &str) -> &str {
    message
        .rsplit_once(" at line ")
        .map_or(message, |(words, _)| words)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn parse(value: &Value) -> Result<Spec, String> {
        Spec::parse(&value.to_string(), Path::new("x.wait.json")).map_err(|error| error.to_string())
    }

    fn call() -> Value {
        json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } })
    }

    #[test]
    fn a_bare_call_is_a_spec() {
        let spec = parse(&call()).unwrap();
        assert_eq!(Value::Object(spec.wait), call());
        assert_eq!(spec.rounds, 1);
    }

    #[test]
    fn a_spec_has_a_name_a_server_and_rounds() {
        let spec = parse(&json!({
            "$schema": "s", "name": "n", "description": "d", "wait": call(),
            "server": { "command": "c" }, "rounds": 4,
        }))
        .unwrap();
        assert_eq!(spec.name.as_deref(), Some("n"));
        assert_eq!(spec.server, Some(json!({ "command": "c" })));
        assert_eq!(spec.rounds, 4);
    }

    #[test]
    fn a_typo_never_runs() {
        let error = parse(&json!({ "wait": call(), "round": 4 })).unwrap_err();
        assert!(error.contains("round is no field of a spec"), "{error}");
        for rounds in [json!(0), json!(1001), json!(1.5), json!("2")] {
            let error = parse(&json!({ "wait": call(), "rounds": rounds })).unwrap_err();
            assert!(error.contains("from 1 to 1000"), "{error}");
        }
    }

    #[test]
    fn a_call_inside_a_larger_json_is_found_and_named() {
        let spec = parse(&json!({ "name": "wait_for", "arguments": call().to_string() })).unwrap();
        assert_eq!(Value::Object(spec.wait), call());
        assert_eq!(spec.found_at.as_deref(), Some("arguments"));
        assert_eq!(spec.name, None);
        let mut other = call();
        other["probe"]["tool"] = json!("u");
        let error = parse(&json!([call(), other])).unwrap_err();
        assert!(
            error.contains("2 calls in it, at [0], [1]; keep one"),
            "{error}"
        );
        let error = parse(&json!({ "mcpServers": {} })).unwrap_err();
        assert!(error.contains("there is no call in it"), "{error}");
        let error = parse(&json!({ "wiat": call(), "rounds": 2 })).unwrap_err();
        assert!(error.contains("wiat is no field of a spec"), "{error}");
    }

    #[test]
    fn a_fault_of_json_is_named_by_line_and_column() {
        let error = Spec::parse("{\n  \"wait\": }", Path::new("x"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "x: line 2, column 11: the JSON doesn't parse: expected value"
        );
    }
}
