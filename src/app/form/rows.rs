//! The fields of a form as rows, from top to bottom.
//!
//! Owns what is to be known about each field. Must not know how rows are drawn or changed.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::MOST_DEPTH;
use super::entry::Entry;
use super::hint::hint;
use super::schema::{Choice, Schema, Shape};
use super::work::{Work, weight};

/// A field of the form.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// How many objects it lies in.
    pub depth: usize,
    /// Its name, as the schema has it.
    pub label: String,
    /// Where its value is, as a JSON pointer into the arguments.
    pub path: String,
    /// Whether the schema demands it.
    pub required: bool,
    /// Whether null may stand for its value.
    pub nullable: bool,
    /// How it is written.
    pub kind: Kind,
    /// What is written.
    pub state: State,
    /// Its type and bounds, in a few words.
    pub hint: String,
    /// What it is for, in the schema's words.
    pub description: String,
    /// The value that the server takes where nothing is sent, as JSON.
    pub default: Option<String>,
    /// Why what is written can't be used.
    pub fault: Option<String>,
    pub(super) steps: Vec<Step>,
}

/// How a field is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// As a string.
    Text,
    /// As a number.
    Number,
    /// As JSON.
    Json,
    /// By choice of one of some values.
    Options(Vec<Choice>),
    /// By choice of one of some variants; what is written in it stands in the rows below.
    Variants(Vec<String>),
    /// In the rows below, once it is set.
    Object,
}

/// What is written in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing: it isn't sent.
    Unset,
    /// Null.
    Null,
    /// A text.
    Text(String),
    /// The option or the variant of that place.
    Chosen(usize),
    /// Fields of its own, in the rows below.
    Open,
}

/// One step from the whole to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Member(String),
    Variant,
}

impl Row {
    /// Whether it is typed in.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::Number | Kind::Json)
    }
}

/// The rows of a form; stops after `most`, and where the schema's work is spent.
pub(super) fn rows(schema: &Schema<'_>, entry: &Entry, most: usize) -> Vec<Row> {
    let mut walk = Walk {
        rows: Vec::new(),
        most,
        work: schema.work(),
    };
    let place = Place {
        depth: 0,
        label: "variant",
        path: String::new(),
        required: true,
        steps: Vec::new(),
    };
    match schema.shape(MOST_DEPTH) {
        Shape::Object => walk.object(schema, entry, &place, MOST_DEPTH),
        _ => walk.field(schema, Some(entry), place, MOST_DEPTH),
    }
    walk.rows
}

/// Where a field stands.
#[derive(Clone)]
struct Place<'p> {
    depth: usize,
    label: &'p str,
    path: String,
    required: bool,
    steps: Vec<Step>,
}

struct Walk<'w> {
    rows: Vec<Row>,
    most: usize,
    work: &'w Work,
}

impl Walk<'_> {
    /// The members of an object; those that the schema doesn't name come last.
    fn object(&mut self, schema: &Schema<'_>, entry: &Entry, place: &Place<'_>, left: usize) {
        let properties = schema.properties();
        let members = entry.members();
        let written: HashMap<&str, &Entry> = members
            .iter()
            .map(|(name, entry)| (name.as_str(), entry))
            .collect();
        for property in &properties {
            if self.is_full() {
                return;
            }
            let inner = place.of_member(property.name, property.required);
            let entry = written.get(property.name).copied();
            self.field(&property.schema(), entry, inner, left - 1);
        }
        let named: HashSet<&str> = properties.iter().map(|property| property.name).collect();
        for (name, entry) in members {
            if named.contains(name.as_str()) {
                continue;
            }
            if self.is_full() {
                return;
            }
            let row = Row {
                nullable: false,
                kind: Kind::Json,
                state: state(Some(entry), &Kind::Json),
                hint: "not in the schema".to_owned(),
                description: String::new(),
                default: None,
                fault: entry.fault(),
                ..place.of_member(name, false).row()
            };
            self.work.spend_on_text(&row.path);
            self.rows.push(row);
        }
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= self.most || self.work.is_spent()
    }

    fn field(&mut self, schema: &Schema<'_>, entry: Option<&Entry>, place: Place<'_>, left: usize) {
        let shape = schema.shape(left);
        let words = hint(schema, &shape);
        let own_kind = kind(&shape);
        let as_json = matches!(entry, Some(Entry::Json(_))) && own_kind != Kind::Json;
        let (kind, hint) = if as_json {
            (Kind::Json, format!("as JSON; {words}"))
        } else {
            (own_kind, words)
        };
        let default = schema.get("default").filter(|value| !value.is_null());
        let description = schema.words("description").unwrap_or_default();
        for text in [description, &place.path] {
            self.work.spend_on_text(text);
        }
        self.work.spend(default.map_or(1, weight));
        self.rows.push(Row {
            nullable: schema.is_nullable(),
            state: state(entry, &kind),
            kind,
            hint,
            description: description.to_owned(),
            default: default.map(Value::to_string),
            fault: entry.and_then(Entry::fault),
            ..place.clone().row()
        });
        match (shape, entry) {
            (Shape::Object, Some(entry @ Entry::Object(_))) => {
                let inner = Place {
                    depth: place.depth + 1,
                    ..place
                };
                self.object(schema, entry, &inner, left);
            }
            (Shape::Variants(variants), Some(Entry::Variant { chosen, entries })) => {
                let (Some(variant), Some(Some(entry))) =
                    (variants.get(*chosen), entries.get(*chosen))
                else {
                    return;
                };
                let mut inner = place;
                inner.steps.push(Step::Variant);
                inner.label = &variant.label;
                // What the arguments themselves hold isn't indented.
                inner.depth += usize::from(!inner.path.is_empty());
                match entry {
                    Entry::Object(_) => self.object(&variant.schema, entry, &inner, left - 1),
                    _ => self.field(&variant.schema, Some(entry), inner, left - 1),
                }
            }
            _ => {}
        }
    }
}

impl Place<'_> {
    fn of_member<'m>(&self, name: &'m str, required: bool) -> Place<'m> {
        let mut steps = self.steps.clone();
        steps.push(Step::Member(name.to_owned()));
        Place {
            depth: self.depth,
            label: name,
            path: format!(
                "{}/{}",
                self.path,
                name.replace('~', "~0").replace('/', "~1")
            ),
            required,
            steps,
        }
    }

    /// A row about which nothing but its place is known.
    fn row(self) -> Row {
        Row {
            depth: self.depth,
            label: self.label.to_owned(),
            path: self.path,
            required: self.required,
            nullable: false,
            kind: Kind::Json,
            state: State::Unset,
            hint: String::new(),
            description: String::new(),
            default: None,
            fault: None,
            steps: self.steps,
        }
    }
}

fn kind(shape: &Shape<'_>) -> Kind {
    match shape {
        Shape::Text => Kind::Text,
        Shape::Number => Kind::Number,
        Shape::Json => Kind::Json,
        Shape::Object => Kind::Object,
        Shape::Options(choices) => Kind::Options(choices.clone()),
        Shape::Variants(variants) => Kind::Variants(
            variants
                .iter()
                .map(|variant| variant.label.clone())
                .collect(),
        ),
    }
}

fn state(entry: Option<&Entry>, kind: &Kind) -> State {
    match (entry, kind) {
        (None, _) => State::Unset,
        (Some(entry), _) if entry.is_unset() => State::Unset,
        (Some(Entry::Null), _) => State::Null,
        (Some(Entry::Text(text) | Entry::Number(text) | Entry::Json(text)), _) => {
            State::Text(text.clone())
        }
        (Some(Entry::Chosen(value)), Kind::Options(choices)) => choices
            .iter()
            .position(|choice| choice.value == *value)
            .map_or(State::Unset, State::Chosen),
        (Some(Entry::Variant { chosen, .. }), _) => State::Chosen(*chosen),
        _ => State::Open,
    }
}
