//! Which of several schemas a value follows.
//!
//! Owns how closely one looks. Must not judge a value: that is the validator's.

use std::collections::HashSet;

use serde_json::Value;

use super::schema::{Schema, Shape};

/// How deep a value is looked into to tell which variant it follows.
const LOOK_AHEAD: usize = 3;

impl Schema<'_> {
    /// Whether `value` looks like one that the schema means: enough to tell variants apart. Nothing
    /// does once the work is spent.
    pub(super) fn fits(&self, value: &Value) -> bool {
        self.fits_within(value, LOOK_AHEAD) && !self.work().is_spent()
    }

    fn fits_within(&self, value: &Value, depth: usize) -> bool {
        if value.is_null() && self.is_nullable() {
            return true;
        }
        match self.shape(depth) {
            Shape::Text => value.is_string(),
            Shape::Number if self.kind() == Some("integer") => is_whole(value),
            Shape::Number => value.is_number(),
            Shape::Options(choices) => choices.iter().any(|choice| choice.value == *value),
            Shape::Variants(variants) => variants
                .iter()
                .any(|variant| variant.schema.fits_within(value, depth - 1)),
            Shape::Object => self.fits_object(value, depth),
            Shape::Json => match self.kind() {
                Some("array") => value.is_array(),
                Some("object") => value.is_object(),
                _ => true,
            },
        }
    }

    fn fits_object(&self, value: &Value, depth: usize) -> bool {
        let Some(members) = value.as_object() else {
            return false;
        };
        let properties = self.properties();
        let closed = self.get("additionalProperties") == Some(&Value::Bool(false));
        let names: HashSet<&str> = properties.iter().map(|property| property.name).collect();
        let mut members_named = self.work().limit(members.keys());
        if closed && !members_named.all(|name| names.contains(name.as_str())) {
            return false;
        }
        properties
            .iter()
            .all(|property| match members.get(property.name) {
                Some(value) => property.schema().fits_within(value, depth - 1),
                None => !property.required,
            })
    }
}

/// Whether a number is whole, as JSON Schema has it: `1.0` is.
pub(super) fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}
