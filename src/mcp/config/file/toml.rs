//! TOML, as values of JSON.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FileFault, RawEntry, Section, line_at, no_table};

pub(in crate::mcp::config) struct TomlFile<'a> {
    /// Spans are offsets into it.
    text: &'a str,
    root: Spanned<DeTable<'a>>,
}

impl<'a> TomlFile<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, FileFault> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Self { text, root }),
            Err(error) => Err(FileFault {
                line: error.span().map(|span| line_at(text, span.start)),
                message: format!("this is not valid TOML: {}", error.message()),
            }),
        }
    }

    pub(super) fn section(&self, path: &[&str]) -> Result<Section, FileFault> {
        let mut table = self.root.get_ref();
        if table.is_empty() {
            return Ok(Section::Nothing);
        }
        for (depth, key) in path.iter().enumerate() {
            let Some(value) = table.get(*key) else {
                return Ok(Section::Absent);
            };
            let DeValue::Table(inner) = value.get_ref() else {
                return Err(FileFault {
                    line: Some(line_at(self.text, value.span().start)),
                    message: no_table(&path[..=depth]),
                });
            };
            table = inner;
        }
        Ok(Section::Entries(self.entries(table)))
    }

    /// In the file's order: the table itself is sorted by names.
    fn entries(&self, table: &DeTable<'_>) -> Vec<RawEntry> {
        let line = |key: &Spanned<Cow<'_, str>>| line_at(self.text, key.span().start);
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        let entry = |(name, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
            let fields = match value.get_ref() {
                DeValue::Table(fields) => fields
                    .keys()
                    .map(|field| (field.get_ref().to_string(), line(field)))
                    .collect(),
                _ => Vec::new(),
            };
            RawEntry {
                name: name.get_ref().to_string(),
                line: line(name),
                fields,
                value: Ok(json(value.get_ref())),
            }
        };
        entries.into_iter().map(entry).collect()
    }
}

/// A number that JSON has no word for becomes text, and is refused where a number is wanted.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::String(number.to_string()), Value::from),
        DeValue::Float(number) => number
            .as_str()
            .parse::<f64>()
            .map_or_else(|_| Value::String(number.to_string()), Value::from),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => Value::Object(object(table)),
    }
}

fn object(table: &DeTable<'_>) -> Map<String, Value> {
    table
        .iter()
        .map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())))
        .collect()
}
