//! How far a schema unfolds over a value.
//!
//! Owns the bound: references and lists of variants multiply, and a validator follows them all, in
//! time and in memory. Must not judge the value.

use serde_json::Value;

/// Schemas that are applied to a value and what is in it.
const MOST: usize = 100_000;
/// Schemas inside one another: references may go round.
const MOST_DEPTH: usize = 100;
/// Keywords whose schemas apply to the value itself: a list of them, or one.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const SINGLE: [&str; 4] = ["if", "then", "else", "not"];

/// Whether `schema` can be applied to `value` in a moment.
#[must_use]
pub fn is_affordable(schema: &Value, value: &Value) -> bool {
    let mut walk = Walk {
        root: schema,
        left: MOST,
    };
    walk.apply(schema, value, MOST_DEPTH);
    walk.left > 0
}

struct Walk<'s> {
    root: &'s Value,
    left: usize,
}

impl<'s> Walk<'s> {
    fn apply(&mut self, schema: &'s Value, value: &Value, depth: usize) {
        if depth == 0 {
            self.left = 0;
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        let pointer = schema["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
        let target = pointer.and_then(|pointer| self.root.pointer(pointer));
        let lists = LISTS.iter().filter_map(|word| schema[word].as_array());
        let single = SINGLE.iter().filter_map(|word| schema.get(word));
        for inner in target.into_iter().chain(lists.flatten()).chain(single) {
            self.apply(inner, value, depth - 1);
        }
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let named = schema["properties"].get(name);
                    if let Some(inner) = named.or_else(|| schema.get("additionalProperties")) {
                        self.apply(inner, value, depth - 1);
                    }
                }
            }
            Value::Array(items) => {
                for value in items {
                    if let Some(inner) = schema.get("items") {
                        self.apply(inner, value, depth - 1);
                    }
                }
            }
            _ => {}
        }
    }
}
