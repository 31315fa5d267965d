//! The arguments as they are written: as JSON, or in a form made from the tool's schema.
//!
//! Owns which of the two is in view, the JSON, and the form with the field of it that is in hand.
//! The JSON always says what will be sent. Must not judge it: that is [`super::assess`].

use std::sync::Arc;

use serde_json::{Map, Value};

use super::field::Field;
use crate::app::arguments::parse;
use crate::app::form::{Form, Kind, NoForm, Row, State};

/// Arguments that are being written.
#[derive(Debug, Clone)]
pub struct Arguments {
    json: Field,
    /// The schema that was last told.
    schema: Option<Arc<Value>>,
    /// Whether it gives a form.
    formable: bool,
    filled: Option<Filled>,
    /// The form as it was left for the JSON.
    aside: Option<Filled>,
}

/// A form, and the field of it that has the focus.
#[derive(Debug, Clone)]
struct Filled {
    form: Form,
    hand: Field,
    /// The row of the field in hand.
    at: usize,
}

impl Arguments {
    /// Arguments to start from, as JSON as long as no schema is known.
    #[must_use]
    pub fn new(args: &Map<String, Value>) -> Self {
        // A map of JSON values always has a JSON form.
        let text = serde_json::to_string_pretty(args).unwrap_or_else(|_| "{}".to_owned());
        Self::of_text(&text)
    }

    /// Arguments as they were written, whether they are JSON or not.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self {
            json: Field::lines(text),
            schema: None,
            formable: false,
            filled: None,
            aside: None,
        }
    }

    /// The JSON: what will be sent.
    #[must_use]
    pub fn json(&self) -> &Field {
        &self.json
    }

    /// The JSON, to change it where it is in view.
    pub fn json_mut(&mut self) -> &mut Field {
        &mut self.json
    }

    /// Replaces the text of the JSON. A form that is in view follows it, where it can.
    pub fn rewrite(&mut self, text: &str) {
        self.json = Field::lines(text);
        self.aside = None;
        if self.filled.take().is_some() {
            // Text that no form can show stays the JSON that it is.
            _ = self.show_form();
        }
    }

    /// The form, where it is in view.
    #[must_use]
    pub fn form(&self) -> Option<&Form> {
        self.filled.as_ref().map(|filled| &filled.form)
    }

    /// Whether there is a form to show.
    #[must_use]
    pub fn is_formable(&self) -> bool {
        self.formable
    }

    /// The fields of the form that is in view.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        self.form().map_or(&[], Form::rows)
    }

    /// Takes the schema of the tool as it is now. A new one brings its form into view, unless JSON
    /// is wanted. Answers whether it was a new one.
    pub fn learn(&mut self, schema: &Arc<Value>, as_json: bool) -> bool {
        if let Some(own) = &mut self.schema {
            if Arc::ptr_eq(own, schema) {
                return false;
            }
            if own == schema {
                // Told again: the next time there is nothing to compare.
                *own = Arc::clone(schema);
                return false;
            }
        }
        self.schema = Some(Arc::clone(schema));
        self.filled = None;
        self.aside = None;
        // Arguments that no form can show stay the JSON that they are.
        let shown = !as_json && self.show_form().is_ok();
        self.formable = shown || Form::new(Arc::clone(schema)).is_ok();
        true
    }

    /// Brings the form into view, with what the JSON says; as it was left, where nothing was changed
    /// since. Answers the row of the field in hand.
    ///
    /// # Errors
    /// Why it can't be shown, and what to do.
    pub fn show_form(&mut self) -> Result<usize, String> {
        let json = self.json.text();
        if let Some(filled) = self.aside.take_if(|aside| aside.form.text() == json) {
            let at = filled.at;
            self.filled = Some(filled);
            return Ok(at);
        }
        let Some(schema) = &self.schema else {
            return Err("the tool's schema isn't known yet, so there is only JSON".to_owned());
        };
        let args =
            parse(&json).map_err(|fault| format!("the form needs a JSON object: {fault}"))?;
        let form = Form::read(Arc::clone(schema), &args).map_err(|why: NoForm| why.to_string())?;
        self.filled = Some(Filled {
            hand: hand(&form, 0),
            form,
            at: 0,
        });
        self.tell();
        Ok(0)
    }

    /// Brings the JSON into view.
    pub fn show_json(&mut self) {
        self.aside = self.filled.take();
    }

    /// Takes the field at `row` in hand, where it isn't.
    pub fn take_up(&mut self, row: usize) {
        if let Some(filled) = &mut self.filled
            && filled.at != row
        {
            filled.hand = hand(&filled.form, row);
            filled.at = row;
        }
    }

    /// The field at `row`, where it is in hand.
    #[must_use]
    pub fn hand(&self, row: usize) -> Option<&Field> {
        self.filled
            .as_ref()
            .filter(|filled| filled.at == row)
            .map(|filled| &filled.hand)
    }

    /// Changes the field in hand. What it says then is written in the form.
    pub fn change_hand(&mut self, change: impl FnOnce(&mut Field)) {
        let Some(filled) = &mut self.filled else {
            return;
        };
        let before = filled.hand.text();
        change(&mut filled.hand);
        let after = filled.hand.text();
        if after != before {
            filled.form.write(filled.at, &after);
            self.tell();
        }
    }

    /// Changes the form in another way than by typing.
    pub fn change_form(&mut self, change: impl FnOnce(&mut Form)) {
        if let Some(filled) = &mut self.filled {
            change(&mut filled.form);
            if text_of(&filled.form, filled.at).unwrap_or_default() != filled.hand.text() {
                filled.hand = hand(&filled.form, filled.at);
            }
            self.tell();
        }
    }

    /// What keeps the fields of the form from being used, a sentence each.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.rows()
            .iter()
            .filter_map(|row| Some(format!("{}: {}", row.label, row.fault.as_ref()?)))
            .collect()
    }

    /// The JSON says what the form says.
    fn tell(&mut self) {
        if let Some(filled) = &self.filled {
            let text = filled.form.text();
            if text != self.json.text() {
                self.json = Field::lines(&text);
            }
        }
    }
}

/// The field at `row` of `form`, ready to be typed in. Strings keep their line breaks.
fn hand(form: &Form, row: usize) -> Field {
    let text = text_of(form, row).unwrap_or_default();
    let number = form
        .rows()
        .get(row)
        .is_some_and(|row| row.kind == Kind::Number);
    let mut field = if number {
        Field::line(&text)
    } else {
        Field::lines(&text)
    };
    if !text.contains('\n') {
        field.edit(super::field::Edit::LineEnd);
    }
    field
}

fn text_of(form: &Form, row: usize) -> Option<String> {
    match &form.rows().get(row)?.state {
        State::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// Whether a field is typed in as soon as it has the focus: one of a single line, in which no key
/// that moves on is needed for its text.
#[must_use]
pub fn is_typed_at_once(row: &Row) -> bool {
    row.is_text() && !has_lines(row)
}

/// Whether a field has lines of its own to move in.
#[must_use]
pub fn has_lines(row: &Row) -> bool {
    let broken = matches!(&row.state, State::Text(text) if text.contains('\n'));
    row.kind == Kind::Json || (row.kind == Kind::Text && broken)
}
