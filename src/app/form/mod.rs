//! A form made from the schema of a tool's arguments.
//!
//! Owns the tree of fields, the drafts in them, and the arguments that they make. Drafts stay
//! texts until they are used: nothing is corrected, and what can't be used says why. Must not know
//! the screen.

mod entry;
mod fits;
mod hint;
mod rows;
mod schema;
mod skeleton;
mod work;

use std::sync::Arc;

use serde_json::{Map, Value};

use entry::Entry;
use rows::Step;
pub use rows::{Kind, Row, State};
pub use schema::Choice;
use schema::{Schema, Shape};
use skeleton::example;
pub use skeleton::{skeleton, untouched};
use work::Work;

/// How many objects are unfolded inside one another; deeper ones are written as JSON.
const MOST_DEPTH: usize = 8;
/// Fields that a form has at most when it is opened.
const MOST_ROWS: usize = 1_000;

/// Why there is no form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoForm {
    /// The schema names no field.
    #[error("the tool's schema names no fields, so there is only JSON")]
    NoFields,
    /// It names too many.
    #[error("the tool's schema has over {MOST_ROWS} fields, so there is only JSON")]
    TooManyFields,
    /// It unfolds into more than anyone waits for.
    #[error("the tool's schema takes too long to unfold, so there is only JSON")]
    TooMuchWork,
}

/// The fields of a tool's arguments, and what is written in them.
#[derive(Debug, Clone)]
pub struct Form {
    schema: Arc<Value>,
    entry: Entry,
    rows: Vec<Row>,
}

impl Form {
    /// The form with what there is to start from.
    ///
    /// # Errors
    /// Where the schema gives no form.
    pub fn new(schema: Arc<Value>) -> Result<Self, NoForm> {
        let args = skeleton(&schema);
        Self::read(schema, &args)
    }

    /// The form with the fields that `args` fill in. What isn't as the schema wants it, or not in
    /// it, is kept as JSON.
    ///
    /// # Errors
    /// Where the schema gives no form.
    pub fn read(schema: Arc<Value>, args: &Map<String, Value>) -> Result<Self, NoForm> {
        let work = Work::new();
        let whole = Schema::whole(&schema, &work);
        let value = Value::Object(args.clone());
        let entry = match (
            whole.shape(MOST_DEPTH),
            Entry::read(&whole, &value, MOST_DEPTH),
        ) {
            (_, entry @ (Entry::Object(_) | Entry::Variant { .. })) => entry,
            // The arguments follow no variant: what is wrong with the first is said beside its fields.
            (Shape::Variants(variants), _) => {
                let first = variants.first().ok_or(NoForm::NoFields)?;
                let entry = Entry::read(&first.schema, &value, MOST_DEPTH - 1);
                Entry::variant(0, variants.len(), entry)
            }
            _ if work.is_spent() => return Err(NoForm::TooMuchWork),
            _ => return Err(NoForm::NoFields),
        };
        let rows = all_rows(&schema, &entry, MOST_ROWS + 1).ok_or(NoForm::TooMuchWork)?;
        if rows.len() > MOST_ROWS {
            return Err(NoForm::TooManyFields);
        }
        Ok(Self {
            schema,
            entry,
            rows,
        })
    }

    /// The schema that it is made from.
    #[must_use]
    pub fn schema(&self) -> &Arc<Value> {
        &self.schema
    }

    /// The fields, from top to bottom: required ones first, each group in the schema's order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The arguments; `None` where something that is written can't be used.
    #[must_use]
    pub fn arguments(&self) -> Option<Map<String, Value>> {
        if self.rows.iter().any(|row| row.fault.is_some()) {
            return None;
        }
        match self.entry.value() {
            Some(Value::Object(args)) => Some(args),
            _ => None,
        }
    }

    /// The arguments as JSON on several lines. What can't be used stands in it in a way that the
    /// text can't be used either, so that nothing is lost.
    #[must_use]
    pub fn text(&self) -> String {
        self.entry.text()
    }

    /// Writes `text` in the field at `index`: it is no longer unset or null.
    pub fn write(&mut self, index: usize, text: &str) {
        let entry = match self.rows.get(index).map(|row| &row.kind) {
            Some(Kind::Text) => Entry::Text(text.to_owned()),
            Some(Kind::Number) => Entry::Number(text.to_owned()),
            Some(Kind::Json) => Entry::Json(text.to_owned()),
            _ => return,
        };
        self.put(index, entry);
    }

    /// Leaves the field at `index` out of what is sent. One that was written as JSON because it
    /// isn't as the schema wants it is then written as the schema wants it.
    pub fn unset(&mut self, index: usize) {
        self.put(index, Entry::Unset);
    }

    /// Sends null for the field at `index`, where null may stand there.
    pub fn set_null(&mut self, index: usize) {
        if self.rows.get(index).is_some_and(|row| row.nullable) {
            self.put(index, Entry::Null);
        }
    }

    /// Chooses the option or the variant `place` of the field at `index`. A variant has what was
    /// written in it before, else what the two have in common, else what there is to start from.
    pub fn choose(&mut self, index: usize, place: usize) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        match &row.kind {
            Kind::Options(choices) => {
                if let Some(choice) = choices.get(place) {
                    let entry = Entry::Chosen(choice.value.clone());
                    self.put(index, entry);
                }
            }
            Kind::Variants(_) => {
                let steps = row.steps.clone();
                self.edit(&steps, &mut |at, left, entry| {
                    choose_variant(at, left, entry, place);
                });
            }
            _ => {}
        }
    }

    /// The next option or variant of the field at `index`, or the one before; where there is
    /// none yet, the first or the last.
    pub fn turn(&mut self, index: usize, forward: bool) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let count = match &row.kind {
            Kind::Options(choices) => choices.len(),
            Kind::Variants(labels) => labels.len(),
            _ => return,
        };
        let place = match (row.state.clone(), forward) {
            (State::Chosen(place), true) => place + 1,
            (State::Chosen(place), false) => place + count - 1,
            (_, true) => 0,
            (_, false) => count - 1,
        };
        self.choose(index, place % count.max(1));
    }

    /// Fills the field at `index` with what there is to start from, where it is unset or null: an
    /// object has its fields then.
    pub fn begin(&mut self, index: usize) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let empty = matches!(row.state, State::Unset | State::Null);
        if !empty || !matches!(row.kind, Kind::Object | Kind::Json) {
            return;
        }
        let steps = row.steps.clone();
        self.edit(&steps, &mut |at, left, entry| {
            *entry = Entry::read(at, &example(at), left);
        });
    }

    fn put(&mut self, index: usize, new: Entry) {
        let Some(row) = self.rows.get(index) else {
            return;
        };
        let steps = row.steps.clone();
        self.edit(&steps, &mut |_, _, entry| *entry = new.clone());
    }

    /// Changes the entry that `steps` lead to. Nothing changes where the form would then be more
    /// than can be unfolded.
    fn edit(&mut self, steps: &[Step], change: &mut Change<'_>) {
        let work = Work::new();
        let whole = Schema::whole(&self.schema, &work);
        let mut entry = self.entry.clone();
        descend(&whole, MOST_DEPTH, &mut entry, steps, change);
        if let Some(rows) = all_rows(&self.schema, &entry, usize::MAX) {
            self.entry = entry;
            self.rows = rows;
        }
    }
}

/// The rows of a form, up to `most`; `None` where they take too much work.
fn all_rows(schema: &Value, entry: &Entry, most: usize) -> Option<Vec<Row>> {
    let work = Work::new();
    let rows = rows::rows(&Schema::whole(schema, &work), entry, most);
    (!work.is_spent()).then_some(rows)
}

type Change<'c> = dyn FnMut(&Schema<'_>, usize, &mut Entry) + 'c;

fn descend(
    schema: &Schema<'_>,
    left: usize,
    entry: &mut Entry,
    steps: &[Step],
    change: &mut Change<'_>,
) {
    match (steps, entry) {
        ([], entry) => change(schema, left, entry),
        ([Step::Variant, rest @ ..], Entry::Variant { chosen, entries }) => {
            let Shape::Variants(variants) = schema.shape(left) else {
                return;
            };
            if let (Some(variant), Some(Some(entry))) =
                (variants.get(*chosen), entries.get_mut(*chosen))
            {
                descend(&variant.schema, left - 1, entry, rest, change);
            }
        }
        ([Step::Member(name), rest @ ..], Entry::Object(members)) => {
            let properties = schema.properties();
            let known = properties.iter().find(|property| property.name == name);
            let order = properties.iter().map(|property| property.name);
            let entry = member(members, name, &order.collect::<Vec<_>>());
            let nothing = Value::Bool(true);
            let anything = Schema::whole(&nothing, schema.work());
            match known {
                Some(property) => descend(&property.schema(), left - 1, entry, rest, change),
                None => descend(&anything, left - 1, entry, rest, change),
            }
        }
        _ => {}
    }
}

/// The member of that name. A new one comes before those that follow it in the schema's `order`.
fn member<'m>(members: &'m mut Vec<(String, Entry)>, name: &str, order: &[&str]) -> &'m mut Entry {
    let known = members.iter().position(|(own, _)| own == name);
    let place = known.unwrap_or_else(|| {
        let rank = |name: &str| order.iter().position(|own| *own == name);
        let own = rank(name);
        let later = |(other, _): &(String, Entry)| rank(other).is_none_or(|rank| Some(rank) > own);
        let place = members.iter().position(later).unwrap_or(members.len());
        members.insert(place, (name.to_owned(), Entry::Unset));
        place
    });
    &mut members[place].1
}

fn choose_variant(schema: &Schema<'_>, left: usize, entry: &mut Entry, place: usize) {
    let Shape::Variants(variants) = schema.shape(left) else {
        return;
    };
    let Some(variant) = variants.get(place) else {
        return;
    };
    let before = entry.value();
    let fresh = || {
        let mut value = example(&variant.schema);
        if let (Some(members), Some(Value::Object(before))) = (value.as_object_mut(), before) {
            let properties = variant.schema.properties();
            let common = |name: &str, value: &Value| {
                let known = properties.iter().find(|property| property.name == name);
                known.is_some_and(|property| property.schema().fits(value))
            };
            members.extend(
                before
                    .into_iter()
                    .filter(|(name, value)| common(name, value)),
            );
        }
        Entry::read(&variant.schema, &value, left - 1)
    };
    if let Entry::Variant { chosen, entries } = entry {
        if let Some(slot) = entries.get_mut(place) {
            slot.get_or_insert_with(fresh);
            *chosen = place;
        }
    } else {
        *entry = Entry::variant(place, variants.len(), fresh());
    }
}

#[cfg(test)]
mod tests;
