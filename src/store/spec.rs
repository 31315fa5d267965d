//! A saved wait: `NAME.wait.json`, or a bare call as an agent writes it.
//!
//! Owns the format. The call is kept as JSON, since flags may override parts of it before it is
//! parsed; the server is kept as JSON, since what a server is belongs to another room.

mod schema;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::embedded::{Embedded, embedded_in_text, embedded_in_value};
use super::numbers::{RoundedInteger, may_be_rounded, rounded_integer};
pub use schema::{SCHEMA_FILE, spec_schema, write_schema};

const FIELDS: &[&str] = &["$schema", "name", "description", "wait", "server", "rounds"];
/// Fields that no larger JSON around a call has: with one of them it is a spec, and a typo in it is
/// no reason to search it.
const SPEC_MARKS: &[&str] = &["wait", "rounds", "$schema"];
/// How many budgets may follow one another.
pub const MAX_ROUNDS: u64 = 1_000;

/// A wait as it is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Where the JSON Schema of the format is, for editors, where it says.
    pub schema: Option<String>,
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
    /// Whether it was a bare call, without the fields of a spec around it.
    pub bare: bool,
    /// Where it stood, if it was inside a larger text.
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
    /// The spec in `text`, which came from `path`: the whole text, or what is found in it.
    ///
    /// # Errors
    /// Where it is no spec.
    pub fn parse(text: &str, path: &Path) -> Result<Self, SpecError> {
        // Some editors begin a file with this mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let parsed = match serde_json::from_str(text) {
            Ok(value) => match rounded_integer(text) {
                Some(RoundedInteger {
                    line,
                    column,
                    literal,
                }) => Err(format!(
                    "line {line}, column {column}: {literal} is beyond 64 bits and would be rounded; \
                     write it as a string if the tool takes one"
                )),
                None => Self::of_value(value),
            },
            Err(error) => match embedded_in_text(text) {
                found if found.is_empty() => Err(not_json(text, &error)),
                found => only_one(found),
            },
        };
        parsed.map_err(|problem| SpecError {
            path: path.to_owned(),
            problem,
        })
    }

    fn of_value(value: Value) -> Result<Self, String> {
        let is_whole = |top: &Map<String, Value>| {
            top.contains_key("probe") || SPEC_MARKS.iter().any(|mark| top.contains_key(*mark))
        };
        match value {
            Value::Object(top) if is_whole(&top) => Self::of_object(top, None),
            larger => only_one(embedded_in_value(&larger)),
        }
    }

    /// The spec that is a call or has one.
    fn of_object(top: Map<String, Value>, found_at: Option<String>) -> Result<Self, String> {
        if top.contains_key("probe") && !top.contains_key("wait") {
            return Ok(Self {
                found_at,
                bare: true,
                ..Self::new(top)
            });
        }
        let spec = Self::of_fields(top)?;
        Ok(Self { found_at, ..spec })
    }

    /// A spec of a call alone.
    #[must_use]
    pub fn new(call: Map<String, Value>) -> Self {
        Self {
            schema: None,
            name: None,
            description: None,
            wait: call,
            server: None,
            rounds: 1,
            bare: false,
            found_at: None,
        }
    }

    fn of_fields(mut top: Map<String, Value>) -> Result<Self, String> {
        if let Some(unknown) = top.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            let known = FIELDS.join(", ");
            return Err(format!(
                "{unknown} is no field of a spec; use one of {known}"
            ));
        }
        let wait = match top.remove("wait") {
            Some(Value::Object(wait)) => wait,
            Some(_) => return Err("wait must be a JSON object, the call".to_owned()),
            None => return Err("wait is missing; it holds the call".to_owned()),
        };
        Ok(Self {
            schema: text_field(&mut top, "$schema")?,
            name: text_field(&mut top, "name")?,
            description: text_field(&mut top, "description")?,
            rounds: rounds(top.get("rounds"))?,
            server: top.remove("server").filter(|server| !server.is_null()),
            ..Self::new(wait)
        })
    }

    /// The spec as a file holds it: read again, it is the same. A bare call that got fields around it
    /// is none any more.
    #[must_use]
    pub fn to_text(&self) -> String {
        let around = [&self.schema, &self.name, &self.description];
        let has_more = self.server.is_some() || self.rounds > 1;
        if self.bare && !has_more && around.iter().all(|field| field.is_none()) {
            return format!("{:#}\n", Value::Object(self.wait.clone()));
        }
        let mut top = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            top.extend(value.map(|value| (key.to_owned(), value)));
        };
        put("$schema", self.schema.clone().map(Value::from));
        put("name", self.name.clone().map(Value::from));
        put("description", self.description.clone().map(Value::from));
        put("wait", Some(Value::Object(self.wait.clone())));
        put("server", self.server.clone());
        put("rounds", (self.rounds > 1).then(|| json!(self.rounds)));
        format!("{:#}\n", Value::Object(top))
    }

    /// Where its call stands in its file: nowhere, if it is the whole file.
    #[must_use]
    pub fn call_path(&self) -> &'static str {
        if self.bare { "" } else { "wait" }
    }
}

/// Which of several is meant nobody can say.
fn only_one(mut found: Vec<Embedded>) -> Result<Spec, String> {
    match (found.pop(), found.is_empty()) {
        // How it was written nobody knows by now.
        (Some(only), true) if only.object.values().any(may_be_rounded) => Err(format!(
            "a number of the call at {} is beyond 64 bits and may be rounded; write it as a string \
             if the tool takes one",
            only.at
        )),
        (Some(only), true) => Spec::of_object(only.object, Some(only.at)),
        (None, _) => {
            Err("there is no call in it; a spec has `wait`, a call `probe` and `until`".to_owned())
        }
        (Some(last), false) => {
            found.push(last);
            let places: Vec<&str> = found.iter().map(|call| call.at.as_str()).collect();
            let (told, more) = places.split_at(places.len().min(MOST_TOLD));
            let more = if more.is_empty() { "" } else { " …" };
            Err(format!(
                "there are {} calls in it, at {}{more}; keep one",
                places.len(),
                told.join(", ")
            ))
        }
    }
}

/// Places of calls that are told.
const MOST_TOLD: usize = 10;

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

/// Where a text is no JSON, by line and by column in characters.
fn not_json(text: &str, error: &serde_json::Error) -> String {
    let line = text.lines().nth(error.line().saturating_sub(1));
    let bytes = line.unwrap_or_default().as_bytes();
    let before = &bytes[..error.column().saturating_sub(1).min(bytes.len())];
    let message = error.to_string();
    // serde_json ends its messages with the place.
    let words = message.rsplit_once(" at line ");
    format!(
        "line {}, column {}: the JSON doesn't parse: {}",
        error.line(),
        String::from_utf8_lossy(before).chars().count() + 1,
        words.map_or(message.as_str(), |(words, _)| words)
    )
}
