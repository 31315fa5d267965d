//! What is written in the fields of a form: drafts that stay texts until they are used.
//!
//! Owns how they are read from a value, the value that they make, and the JSON text of it. Must
//! not know how fields are shown.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::fits::is_whole;
use super::schema::{Property, Schema, Shape};
use crate::app::arguments::{self, ArgumentFault};

/// Characters of a JSON value that are kept on one line.
const ONE_LINE: usize = 40;

/// What is written in a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entry {
    /// Nothing: it isn't sent.
    Unset,
    /// Null, by choice.
    Null,
    /// A string as it is.
    Text(String),
    /// The draft of a number; an empty one isn't sent.
    Number(String),
    /// The draft of any JSON; an empty one isn't sent.
    Json(String),
    /// One of the values that there are.
    Chosen(Value),
    /// Members, in the order in which they are sent.
    Object(Vec<(String, Entry)>),
    /// One of several variants; what was written in the others is kept.
    Variant {
        chosen: usize,
        entries: Vec<Option<Entry>>,
    },
}

impl Entry {
    /// The entry that makes `value`, written as `schema` wants it where the value is of its kind,
    /// and as JSON where it isn't or where telling takes too much work.
    pub(super) fn read(schema: &Schema<'_>, value: &Value, depth: usize) -> Self {
        let shape = schema.shape(depth);
        match (shape, value) {
            (Shape::Options(choices), value)
                if choices.iter().any(|choice| choice.value == *value) =>
            {
                Self::Chosen(value.clone())
            }
            (_, Value::Null) if schema.is_nullable() => Self::Null,
            (Shape::Text, Value::String(text)) if is_plain(text) => Self::Text(text.clone()),
            (Shape::Number, Value::Number(number))
                if schema.kind() != Some("integer") || is_whole(value) =>
            {
                Self::Number(number.to_string())
            }
            (Shape::Object, Value::Object(members)) => Self::object(schema, members, depth),
            (Shape::Variants(variants), value) => {
                let chosen = variants
                    .iter()
                    .position(|variant| variant.schema.fits(value));
                let variant = chosen.and_then(|chosen| variants.get(chosen));
                variant.map_or_else(
                    || Self::json(value),
                    |variant| {
                        let entry = Self::read(&variant.schema, value, depth - 1);
                        Self::variant(chosen.unwrap_or(0), variants.len(), entry)
                    },
                )
            }
            (_, value) => Self::json(value),
        }
    }

    fn object(schema: &Schema<'_>, members: &Map<String, Value>, depth: usize) -> Self {
        let properties = schema.properties();
        let named = properties.iter().map(|property| (property.name, property));
        let named: HashMap<&str, &Property<'_>> = named.collect();
        let read = |(name, value): (&String, &Value)| {
            let property = named.get(name.as_str());
            let entry = property.map_or_else(
                || Self::json(value),
                |property| Self::read(&property.schema(), value, depth - 1),
            );
            (name.clone(), entry)
        };
        Self::Object(members.iter().map(read).collect())
    }

    /// A value as a draft of JSON.
    pub(super) fn json(value: &Value) -> Self {
        let short = value.to_string();
        Self::Json(if short.chars().count() <= ONE_LINE {
            short
        } else {
            pretty(value)
        })
    }

    /// The variant `chosen` of `count`, with what is written in it.
    pub(super) fn variant(chosen: usize, count: usize, entry: Self) -> Self {
        let mut entries = vec![None; count];
        if let Some(place) = entries.get_mut(chosen) {
            *place = Some(entry);
        }
        Self::Variant { chosen, entries }
    }

    /// The members of an object; none where it is no object.
    pub(super) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The value, where something is to be sent; faults are told by [`Self::fault`].
    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Unset => None,
            Self::Null => Some(Value::Null),
            Self::Text(text) => Some(Value::String(text.clone())),
            Self::Number(text) | Self::Json(text) => arguments::parse_value(text).ok(),
            Self::Chosen(value) => Some(value.clone()),
            Self::Object(members) => {
                let sent = members.iter();
                let sent = sent.filter_map(|(name, entry)| Some((name.clone(), entry.value()?)));
                Some(Value::Object(sent.collect()))
            }
            Self::Variant { .. } => self.inner()?.value(),
        }
    }

    /// What is written in the variant that is chosen.
    pub(super) fn inner(&self) -> Option<&Self> {
        match self {
            Self::Variant { chosen, entries } => entries.get(*chosen)?.as_ref(),
            _ => None,
        }
    }

    /// Whether nothing is to be sent.
    pub(super) fn is_unset(&self) -> bool {
        match self {
            Self::Unset => true,
            Self::Number(text) | Self::Json(text) => text.is_empty(),
            _ => false,
        }
    }

    /// Why a draft of its own can't be used; what stands in objects has its own.
    pub(super) fn fault(&self) -> Option<String> {
        if self.is_unset() {
            return None;
        }
        match self {
            Self::Number(text) => match arguments::parse_value(text) {
                Ok(Value::Number(_)) => None,
                Err(fault) if arguments::rounded_integer(text).is_some() => Some(fault.message),
                // As it was typed: a doubled backslash would be another text.
                _ => Some(format!("\"{}\" is no number", crate::text::line(text))),
            },
            Self::Json(text) => {
                let fault = arguments::parse_value(text).err()?;
                Some(if text.contains('\n') {
                    fault.to_string()
                } else {
                    let ArgumentFault {
                        column, message, ..
                    } = fault;
                    format!("no JSON yet: column {column}: {message}")
                })
            }
            _ => None,
        }
    }

    /// Whether a draft in it can't be used.
    fn is_faulty(&self) -> bool {
        match self {
            Self::Object(members) => members.iter().any(|(_, entry)| entry.is_faulty()),
            Self::Variant { .. } => self.inner().is_some_and(Self::is_faulty),
            entry => entry.fault().is_some(),
        }
    }

    /// What will be sent, as JSON on several lines. A draft that can't be used stands in it as it
    /// is, so that the text can't be used either; where it could, it stands there as a string.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, false);
        if self.is_faulty() && serde_json::from_str::<Value>(&text).is_ok() {
            text.clear();
            self.write(&mut text, 0, true);
        }
        text
    }

    fn write(&self, text: &mut String, indent: usize, quoted: bool) {
        match self {
            Self::Object(members) => write_object(members, text, indent, quoted),
            Self::Variant { .. } => {
                if let Some(entry) = self.inner() {
                    entry.write(text, indent, quoted);
                }
            }
            Self::Number(draft) | Self::Json(draft) if self.fault().is_some() => {
                if quoted {
                    text.push_str(&pretty(&Value::String(draft.clone())));
                } else {
                    text.push_str(draft);
                }
            }
            entry => {
                if let Some(value) = entry.value() {
                    let line = format!("\n{}", "  ".repeat(indent));
                    text.push_str(&pretty(&value).replace('\n', &line));
                }
            }
        }
    }

    /// Whether it is written into the text of the whole.
    fn is_written(&self) -> bool {
        match self {
            Self::Variant { .. } => self.inner().is_some_and(Self::is_written),
            entry => !entry.is_unset(),
        }
    }
}

fn write_object(members: &[(String, Entry)], text: &mut String, indent: usize, quoted: bool) {
    let mut written = members
        .iter()
        .filter(|(_, entry)| entry.is_written())
        .peekable();
    if written.peek().is_none() {
        text.push_str("{}");
        return;
    }
    text.push('{');
    while let Some((name, entry)) = written.next() {
        text.push('\n');
        text.push_str(&"  ".repeat(indent + 1));
        text.push_str(&Value::String(name.clone()).to_string());
        text.push_str(": ");
        entry.write(text, indent + 1, quoted);
        if written.peek().is_some() {
            text.push(',');
        }
    }
    text.push('\n');
    text.push_str(&"  ".repeat(indent));
    text.push('}');
}

/// Whether a string can be typed in as it is: line breaks can, other control characters can't.
fn is_plain(text: &str) -> bool {
    !text
        .chars()
        .any(|character| character.is_control() && character != '\n' && character != '\t')
}

fn pretty(value: &Value) -> String {
    // A JSON value always has a JSON form.
    serde_json::to_string_pretty(value).unwrap_or_default()
}
