//! What to start editing from.
//!
//! Owns the values that stand in fields nobody has written in. Must not know forms.

use serde_json::{Map, Value};

use super::schema::{Schema, Shape};
use super::work::Work;

/// How deep a skeleton follows nested objects; schemas may refer to themselves.
const SKELETON_DEPTH: usize = 8;
/// How many values a skeleton has at most: those that refer to themselves many times grow without
/// end within any depth, and a server's schema must not fill memory.
const SKELETON_VALUES: usize = 1_000;

/// The required fields and those with a default, in the schema's order, required first. Untouched
/// optional fields stay absent, and so do those whose default is null.
#[must_use]
pub fn skeleton(schema: &Value) -> Map<String, Value> {
    match example(&Schema::whole(schema, &Work::new())) {
        Value::Object(args) => args,
        _ => Map::new(),
    }
}

/// What a form begins with: the skeleton, but a required field of one plain value without a default
/// is left unset. A value that nobody chose would be sent as if it were meant.
#[must_use]
pub fn untouched(schema: &Value) -> Map<String, Value> {
    let mut args = skeleton(schema);
    let work = Work::new();
    let whole = Schema::whole(schema, &work);
    let fields = match whole.shape(SKELETON_DEPTH) {
        Shape::Variants(variants) => variants.into_iter().next().map(|first| first.schema),
        _ => Some(whole),
    };
    let properties = fields.iter().flat_map(Schema::properties);
    for property in properties {
        let inner = property.schema();
        let defaulted = inner.get("default").is_some_and(|value| !value.is_null());
        let open = match inner.shape(SKELETON_DEPTH) {
            Shape::Text | Shape::Number => true,
            Shape::Options(choices) => choices.len() > 1,
            Shape::Object | Shape::Variants(_) | Shape::Json => false,
        };
        if open && !defaulted {
            args.shift_remove(property.name);
        }
    }
    args
}

/// A value to start from.
pub(super) fn example(schema: &Schema<'_>) -> Value {
    Sketch {
        left: SKELETON_VALUES,
    }
    .example(schema, SKELETON_DEPTH)
}

struct Sketch {
    /// How many values may still be drawn.
    left: usize,
}

impl Sketch {
    fn example(&mut self, schema: &Schema<'_>, depth: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        if depth == 0 {
            return Value::Null;
        }
        let default = schema.get("default").filter(|value| !value.is_null());
        if let Some(default) = default {
            return default.clone();
        }
        match schema.shape(depth) {
            Shape::Text => Value::String(String::new()),
            Shape::Number => schema.get("minimum").cloned().unwrap_or_else(|| 0.into()),
            Shape::Options(choices) if schema.kind() == Some("boolean") && choices.len() == 2 => {
                Value::Bool(false)
            }
            Shape::Options(choices) => choices
                .into_iter()
                .next()
                .map_or(Value::Null, |choice| choice.value),
            Shape::Object => Value::Object(self.object(schema, depth)),
            Shape::Variants(variants) => variants
                .first()
                .map_or(Value::Null, |first| self.example(&first.schema, depth - 1)),
            Shape::Json => self.other(schema, depth),
        }
    }

    fn object(&mut self, schema: &Schema<'_>, depth: usize) -> Map<String, Value> {
        let mut object = Map::new();
        for property in schema.properties() {
            if self.left == 0 {
                break;
            }
            let inner = property.schema();
            let defaulted = inner.get("default").is_some_and(|value| !value.is_null());
            if property.required || defaulted {
                object.insert(property.name.to_owned(), self.example(&inner, depth - 1));
            }
        }
        object
    }

    /// An array starts with one item where that has fields, or where there must be one.
    fn other(&mut self, schema: &Schema<'_>, depth: usize) -> Value {
        match schema.kind() {
            Some("array") => {
                let wanted = schema.get("minItems").and_then(Value::as_u64);
                let items = schema.items().filter(|items| {
                    wanted.is_some_and(|least| least > 0)
                        || matches!(items.shape(depth), Shape::Object)
                });
                let first = items.map(|items| self.example(&items, depth - 1));
                Value::Array(first.into_iter().collect())
            }
            Some("object") => Value::Object(Map::new()),
            _ => Value::String(String::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

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
    fn f5_what_nobody_chose_is_unset_rather_than_empty() {
        let schema = json!({ "required": ["name", "count", "mode", "kind", "unit", "at", "list"],
            "properties": {
                "name": { "type": "string" }, "count": { "type": "integer", "minimum": 1 },
                "mode": { "enum": ["a", "b"] }, "kind": { "const": "k" },
                "unit": { "type": "string", "default": "s" },
                "at": { "type": "object", "required": ["x"], "properties": { "x": { "type": "number" } } },
                "list": { "type": "array" },
        }});
        assert_eq!(
            json!(untouched(&schema)),
            json!({ "kind": "k", "unit": "s", "at": { "x": 0 }, "list": [] })
        );
        let variants = json!({ "anyOf": [{ "required": ["id"],
            "properties": { "id": { "type": "string" } } }, { "properties": {} }] });
        assert_eq!(json!(untouched(&variants)), json!({}));
    }

    #[test]
    fn f7_a_default_of_null_fills_nothing_in() {
        let schema = json!({ "properties": {
            "since": { "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null },
        }});
        assert_eq!(skeleton(&schema), Map::new());
    }

    #[test]
    fn f3_an_array_of_objects_starts_with_one() {
        let schema = json!({ "required": ["files"], "properties": { "files": {
            "type": "array", "items": { "type": "object", "required": ["path"],
                "properties": { "path": { "type": "string" }, "mode": { "type": "integer" } } },
        }}});
        assert_eq!(
            json!(skeleton(&schema)),
            json!({ "files": [{ "path": "" }] })
        );
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
}
