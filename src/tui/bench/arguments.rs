//! The fields of the arguments' form among all that the Bench has to focus on.

use super::super::arguments::has_lines;
use super::{Bench, Context, Focus, Input};
use crate::app::form::Row;

impl Bench {
    /// A field of the arguments' form.
    #[must_use]
    pub fn argument(&self, row: usize) -> Option<&Row> {
        self.draft.arguments().rows().get(row)
    }

    /// The field of the arguments' form that has the focus.
    #[must_use]
    pub fn focused_argument(&self) -> Option<&Row> {
        match self.focus {
            Focus::Argument(row) => self.argument(row),
            _ => None,
        }
    }

    /// Sees to it that the arguments follow the tool's schema as it is now, and that the focus is on
    /// what is in view of them.
    pub fn settle_arguments(&mut self) {
        self.learn_schema();
        let last = self.draft.arguments().rows().len().checked_sub(1);
        match (self.focus, last) {
            (Focus::Text(Input::Arguments), Some(_)) => self.rest_on(Focus::Argument(0)),
            (Focus::Argument(_), None) => self.rest_on(Focus::Text(Input::Arguments)),
            (Focus::Argument(row), Some(last)) if row > last => {
                self.rest_on(Focus::Argument(last));
            }
            _ => {}
        }
        if let Focus::Argument(row) = self.focus {
            self.draft.arguments_mut().take_up(row);
            self.typing &= self.argument(row).is_some_and(Row::is_text);
        }
    }

    /// The arguments take the tool's schema. Where another form comes of it, the focus stays on the
    /// same field, and types nowhere: a form that is typed in stays until that is done.
    fn learn_schema(&mut self) {
        let target = self.target.as_ref();
        let Some(schema) = target.and_then(|target| target.schema.as_ref()) else {
            return;
        };
        let focused = self.focused_argument();
        if self.typing && focused.is_some() {
            return;
        }
        let path = focused.map(|row| row.path.clone());
        let as_json = self.as_json || self.focus == Focus::Text(Input::Arguments);
        if !self.draft.arguments_mut().learn(schema, as_json) {
            return;
        }
        let Some(path) = path else { return };
        let rows = self.draft.arguments().rows();
        let same = rows.iter().position(|row| row.path == path);
        if !rows.is_empty() {
            self.rest_on(Focus::Argument(same.unwrap_or(0)));
        }
    }

    /// Where keys are pressed while the field at `row` has the focus.
    pub(super) fn argument_context(&self, row: usize) -> Context {
        match self.argument(row) {
            Some(row) if self.typing && has_lines(row) => Context::Editor,
            Some(row) if self.typing && row.is_text() => Context::Line,
            Some(row) if row.is_text() => Context::Argument,
            _ => Context::ArgumentChoice,
        }
    }
}
