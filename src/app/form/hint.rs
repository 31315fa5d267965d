//! A schema in a few words.
//!
//! Owns what stands beside a field. Must not know what is written in it.

use serde_json::Value;

use super::schema::{Schema, Shape};

/// The type and the bounds of a value, such as `integer, 1 to 50`.
pub(super) fn hint(schema: &Schema<'_>, shape: &Shape<'_>) -> String {
    let words = match shape {
        Shape::Text => {
            let format = schema.words("format").unwrap_or("string").to_owned();
            with(
                format,
                length(schema, "minLength", "maxLength", "character"),
            )
        }
        Shape::Number => with(schema.kind().unwrap_or("number").to_owned(), range(schema)),
        Shape::Options(choices) => match choices.len() {
            _ if schema.kind() == Some("boolean") => "boolean".to_owned(),
            1 => "one value".to_owned(),
            count => format!("one of {count}"),
        },
        Shape::Variants(variants) => format!("one of {} variants", variants.len()),
        Shape::Object => "object".to_owned(),
        Shape::Json => match schema.kind() {
            Some("array") => {
                let items = schema.items();
                let of = items.as_ref().and_then(Schema::kind);
                let array = of.map_or("array".to_owned(), |of| format!("array of {of}"));
                with(array, length(schema, "minItems", "maxItems", "item"))
            }
            Some(kind) => kind.to_owned(),
            None => "any JSON".to_owned(),
        },
    };
    if schema.is_nullable() {
        format!("{words} or null")
    } else {
        words
    }
}

fn with(words: String, more: Option<String>) -> String {
    match more {
        Some(more) => format!("{words}, {more}"),
        None => words,
    }
}

fn range(schema: &Schema<'_>) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword).filter(|value| value.is_number());
    let low = bound("minimum");
    let high = bound("maximum");
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None) => Some(format!("at least {low}")),
        (None, Some(high)) => Some(format!("at most {high}")),
        (None, None) => match (bound("exclusiveMinimum"), bound("exclusiveMaximum")) {
            (Some(low), Some(high)) => Some(format!("over {low}, under {high}")),
            (Some(low), None) => Some(format!("over {low}")),
            (None, Some(high)) => Some(format!("under {high}")),
            (None, None) => None,
        },
    }
}

fn length(schema: &Schema<'_>, least: &str, most: &str, unit: &str) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    let units = |count: u64| match count {
        1 => format!("1 {unit}"),
        count => format!("{count} {unit}s"),
    };
    match (bound(least).filter(|least| *least > 0), bound(most)) {
        (Some(least), Some(most)) if least == most => Some(units(least)),
        (Some(least), Some(most)) => Some(format!("{least} to {}", units(most))),
        (Some(least), None) => Some(format!("at least {}", units(least))),
        (None, Some(most)) => Some(format!("at most {}", units(most))),
        (None, None) => None,
    }
}
