//! The arguments of a tool: reading them, what to start from, and whether they fit its schema.
//!
//! Must not know how they are edited.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

/// How deep a skeleton follows nested objects; schemas may refer to themselves.
const SKELETON_DEPTH: usize = 8;
/// How many values a skeleton has at most: those that refer to themselves many times grow without
/// end within any depth, and a server's schema must not fill memory.
const SKELETON_VALUES: usize = 1_000;

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
    match value {
        Value::Object(args) => Ok(args),
        _ => Err(ArgumentFault {
            line: 1,
            column: 1,
            message: "the arguments must be a JSON object, such as {}".to_owned(),
        }),
    }
}

/// The first integer in a JSON text that 64 bits can't hold. serde_json would make a float of it.
#[must_use]
pub fn rounded_integer(text: &str) -> Option<ArgumentFault> {
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let range = find_rounded(&parsed.ok()?.value?)?;
    let before = &text[..range.0];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(ArgumentFault {
        line: before.matches('\n').count() + 1,
        column: text[line_start..range.0].chars().count() + 1,
        message: format!(
            "{} is beyond 64 bits and would be rounded; write it as a string if the tool takes one",
            &text[range.0..range.1]
        ),
    })
}

fn find_rounded(value: &ast::Value<'_>) -> Option<(usize, usize)> {
    match value {
        ast::Value::NumberLit(number) => {
            let whole = !number.value.contains(['.', 'e', 'E']);
            let fits = number.value.parse::<u64>().is_ok() || number.value.parse::<i64>().is_ok();
            (whole && !fits).then(|| (number.start(), number.end()))
        }
        ast::Value::Array(array) => array.elements.iter().find_map(find_rounded),
        ast::Value::Object(object) => object
            .properties
            .iter()
            .find_map(|property| find_rounded(&property.value)),
        _ => None,
    }
}

/// What to start editing from: the required fields and those with a default, in the schema's order,
/// required first. Untouched optional fields stay absent.
#[must_use]
pub fn skeleton(schema: &Value) -> Map<String, Value> {
    let mut sketch = Sketch {
        root: schema,
        left: SKELETON_VALUES,
    };
    match sketch.example(schema, SKELETON_DEPTH) {
        Value::Object(args) => args,
        _ => Map::new(),
    }
}

/// Draws a skeleton after the schema `root`.
struct Sketch<'s> {
    root: &'s Value,
    /// How many values may still be drawn.
    left: usize,
}

impl<'s> Sketch<'s> {
    fn example(&mut self, schema: &'s Value, depth: usize) -> Value {
        if depth == 0 || self.left == 0 {
            return Value::Null;
        }
        self.left -= 1;
        if let Some(pointer) = schema["$ref"]
            .as_str()
            .and_then(|target| target.strip_prefix('#'))
        {
            let target = self.root.pointer(pointer);
            return target.map_or(Value::Null, |target| self.example(target, depth - 1));
        }
        if let Some(fixed) = schema.get("default").or_else(|| schema.get("const")) {
            return fixed.clone();
        }
        if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
            return first.clone();
        }
        for variants in ["anyOf", "oneOf", "allOf"] {
            if let Some(first) = schema[variants]
                .as_array()
                .and_then(|variants| variants.first())
                && schema.get("properties").is_none()
            {
                return self.example(first, depth - 1);
            }
        }
        match kind(schema) {
            "object" => Value::Object(self.example_object(schema, depth)),
            "array" => Value::Array(Vec::new()),
            "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| 0.into()),
            "boolean" => Value::Bool(false),
            "null" => Value::Null,
            _ => Value::String(String::new()),
        }
    }

    fn example_object(&mut self, schema: &'s Value, depth: usize) -> Map<String, Value> {
        let Some(properties) = schema["properties"].as_object() else {
            return Map::new();
        };
        let required = |name: &str| {
            schema["required"]
                .as_array()
                .is_some_and(|names| names.iter().any(|known| known == name))
        };
        let (first, rest): (Vec<_>, Vec<_>) =
            properties.iter().partition(|(name, _)| required(name));
        let defaulted = rest
            .into_iter()
            .filter(|(_, property)| property.get("default").is_some());
        first
            .into_iter()
            .chain(defaulted)
            .map(|(name, property)| (name.clone(), self.example(property, depth - 1)))
            .collect()
    }
}

/// The schema's type; of several, the first that isn't null.
fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ => "string",
    }
}

/// A compiled input schema. One that can't be compiled finds no faults: the server is the judge.
#[derive(Debug)]
pub struct ArgumentCheck {
    validator: Option<Validator>,
}

impl ArgumentCheck {
    /// Compiles `schema`. Nothing is fetched for it.
    #[must_use]
    pub fn new(schema: &Value) -> Self {
        let validator = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .build(schema)
            .ok();
        Self { validator }
    }

    /// What is wrong with `args`: one sentence each, with the path of the field.
    #[must_use]
    pub fn faults(&self, args: &Map<String, Value>) -> Vec<String> {
        let Some(validator) = &self.validator else {
            return Vec::new();
        };
        let args = Value::Object(args.clone());
        let sentence = |error: jsonschema::ValidationError<'_>| {
            let path = error.instance_path().to_string();
            if path.is_empty() {
                error.to_string()
            } else {
                format!("{path}: {error}")
            }
        };
        validator.iter_errors(&args).map(sentence).collect()
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
    fn f6_a_skeleton_leaves_untouched_fields_out_and_puts_required_first() {
        let schema = json!({ "type": "object", "required": ["b", "list"], "properties": {
            "a": { "type": "string", "default": "x" }, "b": { "type": ["null", "integer"] },
            "optional": { "type": "array" }, "list": { "type": "array", "items": { "type": "object" } },
        }});
        let text = serde_json::to_string(&skeleton(&schema)).unwrap();
        assert_eq!(text, r#"{"b":0,"list":[],"a":"x"}"#);
    }

    #[test]
    fn f11_local_and_recursive_references_are_followed() {
        let schema = json!({ "type": "object", "required": ["node"], "properties": { "node": { "$ref": "#/$defs/node" } },
            "$defs": { "node": { "type": "object", "required": ["child"], "properties": { "child": { "$ref": "#/$defs/node" } } } } });
        assert!(skeleton(&schema)["node"]["child"].is_object());
    }

    #[test]
    fn f11_a_schema_that_refers_to_itself_many_times_stays_small() {
        let names: Vec<String> = (0..100).map(|number| format!("p{number}")).collect();
        let properties: Map<String, Value> = names
            .iter()
            .map(|name| (name.clone(), json!({ "$ref": "#" })))
            .collect();
        let schema = json!({ "type": "object", "required": names, "properties": properties });
        let text = serde_json::to_string(&skeleton(&schema)).unwrap();
        assert!(text.len() < 100_000, "{}", text.len());
    }

    #[test]
    fn a_schema_without_properties_gives_an_empty_skeleton() {
        for schema in [
            json!({ "type": "object" }),
            json!({}),
            json!(true),
            json!(null),
        ] {
            assert_eq!(skeleton(&schema), Map::new(), "{schema}");
        }
    }

    #[test]
    fn faults_name_the_field() {
        let check = ArgumentCheck::new(
            &json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["m"] }),
        );
        let faults = check.faults(json!({ "n": "1" }).as_object().unwrap());
        assert_eq!(faults.len(), 2);
        assert!(
            faults.iter().any(|fault| fault.contains("/n")),
            "{faults:?}"
        );
        assert!(
            faults.iter().any(|fault| fault.contains("\"m\"")),
            "{faults:?}"
        );
    }

    #[test]
    fn a_schema_that_points_elsewhere_is_never_fetched() {
        let check = ArgumentCheck::new(&json!({ "$ref": "https://example.invalid/schema.json" }));
        assert!(check.faults(&Map::new()).is_empty());
    }
}
