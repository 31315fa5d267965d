//! The arguments of a tool: reading them, and whether they fit its schema.
//!
//! Must not know how they are edited.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

use super::unfolding::is_affordable;
use crate::store;
use crate::text;

/// Complaints that are told at once.
const MOST_COMPLAINTS: usize = 100;
/// Bytes of a complaint; what it quotes is left out where it would be longer.
const LONGEST_COMPLAINT: usize = 400;

/// Why a text is no arguments, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ArgumentFault {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
}

/// The JSON object in `text`.
///
/// # Errors
/// The first fault, with its place. An integer beyond 64 bits is refused, since it would be rounded.
pub fn parse(text: &str) -> Result<Map<String, Value>, ArgumentFault> {
    match parse_value(text)? {
        Value::Object(args) => Ok(args),
        _ => Err(ArgumentFault {
            line: 1,
            column: 1,
            message: "the arguments must be a JSON object, such as {}".to_owned(),
        }),
    }
}

/// The JSON value in `text`.
///
/// # Errors
/// As [`parse`], but any value will do.
pub fn parse_value(text: &str) -> Result<Value, ArgumentFault> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(message.as_str(), |(words, _)| words);
        let line = text
            .lines()
            .nth(error.line().saturating_sub(1))
            .unwrap_or_default();
        let bytes = line.as_bytes();
        let before = &bytes[..error.column().saturating_sub(1).min(bytes.len())];
        ArgumentFault {
            line: error.line().max(1),
            column: String::from_utf8_lossy(before).chars().count() + 1,
            message: message.to_owned(),
        }
    })?;
    if let Some(fault) = rounded_integer(text) {
        return Err(fault);
    }
    Ok(value)
}

/// The first integer in a JSON text that 64 bits can't hold. serde_json would make a float of it.
#[must_use]
pub fn rounded_integer(text: &str) -> Option<ArgumentFault> {
    let rounded = store::rounded_integer(text)?;
    Some(ArgumentFault {
        line: rounded.line,
        column: rounded.column,
        message: format!(
            "{} is beyond 64 bits and would be rounded; write it as a string if the tool takes one",
            rounded.literal
        ),
    })
}

/// A compiled input schema. One that can't be compiled finds no faults: the server is the judge.
#[derive(Debug)]
pub struct ArgumentCheck<'s> {
    schema: &'s Value,
    validator: Option<Validator>,
}

impl<'s> ArgumentCheck<'s> {
    /// Compiles `schema`. Nothing is fetched for it.
    #[must_use]
    pub fn new(schema: &'s Value) -> Self {
        let validator = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .build(schema)
            .ok();
        Self { schema, validator }
    }

    /// What is wrong with `args`, up to [`MOST_COMPLAINTS`]; nothing where telling takes too long.
    #[must_use]
    pub fn complaints(&self, args: &Map<String, Value>) -> Vec<Complaint> {
        let Some(validator) = &self.validator else {
            return Vec::new();
        };
        let args = Value::Object(args.clone());
        if !is_affordable(self.schema, &args) {
            return Vec::new();
        }
        let errors = validator.iter_errors(&args).take(MOST_COMPLAINTS);
        errors.map(Complaint::of).collect()
    }
}

/// What a schema has against some arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Where, as a JSON pointer into the arguments; that of a missing field is its own.
    pub path: String,
    /// What, in one sentence.
    pub message: String,
    /// Whether it is that a required field is missing.
    pub missing: bool,
}

impl Complaint {
    fn of(error: jsonschema::ValidationError<'_>) -> Self {
        let mut path = error.instance_path().to_string();
        let message = match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                "required, and not set".to_owned()
            }
            ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
                "fits none of the variants that the schema allows".to_owned()
            }
            _ => {
                let whole = error.to_string();
                if whole.len() <= LONGEST_COMPLAINT {
                    whole
                } else {
                    let unquoted = error.masked_with("what is written").to_string();
                    text::head_and_tail(&unquoted, LONGEST_COMPLAINT)
                }
            }
        };
        let missing = matches!(error.kind(), ValidationErrorKind::Required { .. });
        Self {
            path,
            message,
            missing,
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        formatter.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fault_is_named_by_line_and_column_in_characters() {
        let fault = parse("{\n  \"é\": trux\n}").unwrap_err();
        assert_eq!(
            (fault.line, fault.column, fault.message.as_str()),
            (2, 11, "expected ident")
        );
        assert_eq!(
            parse("[1]").unwrap_err().message,
            "the arguments must be a JSON object, such as {}"
        );
    }

    #[test]
    fn f12_integers_beyond_64_bits_are_refused_not_rounded() {
        let fault = parse("{\"a\":\n [1, 18446744073709551616]}").unwrap_err();
        assert_eq!((fault.line, fault.column), (2, 6));
        assert!(fault.message.contains("18446744073709551616"), "{fault}");
        for fits in [
            "18446744073709551615",
            "-9223372036854775808",
            "1.5",
            "1e30",
        ] {
            assert!(parse(&format!("{{\"a\": {fits}}}")).is_ok(), "{fits}");
        }
    }

    #[test]
    fn complaints_name_the_field_also_the_missing_one() {
        let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["a/b"] });
        let check = ArgumentCheck::new(&schema);
        let complaints = check.complaints(json!({ "n": "1" }).as_object().unwrap());
        let words: Vec<String> = complaints.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "/a~1b: required, and not set",
                "/n: \"1\" is not of type \"integer\""
            ]
        );
    }

    #[test]
    fn a_schema_that_points_elsewhere_is_never_fetched() {
        let schema = json!({ "$ref": "https://example.invalid/schema.json" });
        let check = ArgumentCheck::new(&schema);
        assert_eq!(check.complaints(&Map::new()), []);
    }

    #[test]
    fn complaints_about_long_texts_are_short_and_not_without_end() {
        let schema = json!({ "properties": {
            "text": { "maxLength": 5 },
            "list": { "items": { "type": "string" } },
        }});
        let check = ArgumentCheck::new(&schema);
        let args = json!({ "text": "x".repeat(200_000) });
        let complaints = check.complaints(args.as_object().unwrap());
        let words: Vec<&str> = complaints.iter().map(|own| own.message.as_str()).collect();
        assert_eq!(words, ["what is written is longer than 5 characters"]);
        let args = json!({ "list": vec![1; 10_000] });
        let complaints = check.complaints(args.as_object().unwrap());
        assert_eq!(complaints.len(), MOST_COMPLAINTS);
    }

    #[test]
    fn f11_a_schema_that_unfolds_without_end_is_left_to_the_server() {
        let level = |next: usize| {
            let reference = json!({ "$ref": format!("#/$defs/l{next}") });
            json!({ "type": "array", "anyOf": vec![reference; 40] })
        };
        let schema = json!({ "properties": { "a": { "$ref": "#/$defs/l0" } },
            "$defs": { "l0": level(1), "l1": level(2), "l2": level(3), "l3": level(4),
                "l4": { "type": "array" } } });
        let args = json!({ "a": 5 });
        let check = ArgumentCheck::new(&schema);
        assert_eq!(check.complaints(args.as_object().unwrap()), []);
        let around = json!({ "allOf": [{ "$ref": "#" }] });
        assert!(!is_affordable(&around, &args));
    }
}
