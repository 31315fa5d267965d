//! Changes of the arguments that aren't typed.

use super::super::bench::{Focus, Pane};
use super::super::draft::Input;
use super::super::keys::Context;
use super::super::look::Tone;
use super::super::model::Model;
use crate::app::form::{Form, Kind};

/// Shows the arguments as a form, or as JSON. The other view has what was written in this one.
pub(super) fn toggle_form(model: &mut Model) {
    let bench = &mut model.bench;
    let arguments = bench.draft.arguments_mut();
    let focus = if arguments.form().is_some() {
        arguments.show_json();
        Focus::Text(Input::Arguments)
    } else {
        match arguments.show_form() {
            Ok(row) => Focus::Argument(row),
            Err(why) => {
                model.say(Tone::Warn, why);
                return;
            }
        }
    };
    bench.as_json = focus == Focus::Text(Input::Arguments);
    bench.stale = true;
    bench.args_top = 0;
    if bench.focus.pane() == Pane::Arguments {
        let typing = bench.typing;
        bench.set_focus(focus);
        bench.typing &= typing;
    }
}

/// Types in the focused field. A field of JSON has something to start from.
pub(super) fn start_typing(model: &mut Model) {
    if let Focus::Argument(row) = model.bench.focus
        && model
            .bench
            .argument(row)
            .is_some_and(|row| row.kind == Kind::Json)
    {
        change_form(model, |form, row| form.begin(row));
    }
    model.bench.typing = true;
}

/// Leaves the focused argument out of what is sent.
pub(super) fn unset(model: &mut Model) {
    change_form(model, Form::unset);
}

/// Sends null for the focused argument.
pub(super) fn set_null(model: &mut Model) {
    let Focus::Argument(row) = model.bench.focus else {
        return;
    };
    if model.bench.argument(row).is_some_and(|row| row.nullable) {
        change_form(model, Form::set_null);
    } else {
        model.say(Tone::Plain, "the schema doesn't allow null here");
    }
}

/// Whether one types in a field of the arguments' form that is empty.
pub(super) fn is_empty_handed(model: &Model) -> bool {
    let Focus::Argument(row) = model.bench.focus else {
        return false;
    };
    if !matches!(model.context(), Context::Line | Context::Editor) {
        return false;
    }
    let hand = model.bench.draft.arguments().hand(row);
    hand.is_some_and(super::super::field::Field::is_empty)
}

fn change_form(model: &mut Model, change: impl FnOnce(&mut Form, usize)) {
    let bench = &mut model.bench;
    if let Focus::Argument(row) = bench.focus {
        bench
            .draft
            .arguments_mut()
            .change_form(|form| change(form, row));
        bench.stale = true;
    }
}
