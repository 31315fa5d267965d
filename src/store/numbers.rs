//! Integers that 64 bits can't hold: serde_json would make floats of them.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};
use serde_json::Value;

/// An integer that would be rounded, and where it stands in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundedInteger {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// As it is written.
    pub literal: String,
}

/// The first integer in a JSON text that 64 bits can't hold.
#[must_use]
pub fn rounded_integer(text: &str) -> Option<RoundedInteger> {
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let (start, end) = find_rounded(&parsed.ok()?.value?)?;
    let before = &text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(RoundedInteger {
        line: before.matches('\n').count() + 1,
        column: text[line_start..start].chars().count() + 1,
        literal: text[start..end].to_owned(),
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

/// Whether a number in `value` is so large that it may have been such an integer.
pub(super) fn may_be_rounded(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_some_and(|number| number.abs() >= 2_f64.powi(63)),
        Value::Array(items) => items.iter().any(may_be_rounded),
        Value::Object(members) => members.values().any(may_be_rounded),
        _ => false,
    }
}
