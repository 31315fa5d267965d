//! What a tool says of itself: its description and its arguments, a paragraph each.
//!
//! Owns the words for a schema. Must not know where they are drawn.

use serde_json::Value;

use super::bench::about;
use crate::mcp::Tool;

/// The name, the description and each argument of `tool`.
#[must_use]
pub fn paragraphs(tool: &Tool) -> Vec<String> {
    let mut paragraphs = vec![tool.name.clone(), about(tool)];
    paragraphs.retain(|text| !text.is_empty());
    let schema = &tool.input_schema;
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
            read_only: None,
            destructive: None,
            raw: Value::Null,
        };
        let expected = [
            "get",
            "Gets it",
            "id: string or null, required. Which one",
            "mode: one of fast, 2, default \"fast\"",
        ];
        assert_eq!(paragraphs(&tool), expected);
    }
}
