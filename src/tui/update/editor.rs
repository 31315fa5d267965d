//! The arguments in the operator's own editor.

use super::super::draft::Input;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::Model;

/// Opens the arguments in the editor.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    // What is loaded meanwhile would be overwritten.
    if model.loading.is_some() {
        model.say(Tone::Plain, "a call is being loaded; try again in a moment");
        return;
    }
    let text = model.bench.draft.field(Input::Arguments).text();
    effects.push(Effect::OpenEditor { text });
}

/// The editor was closed.
pub(super) fn edited(model: &mut Model, result: Result<String, String>) {
    match result {
        Ok(text) => {
            let bench = &mut model.bench;
            if text == bench.draft.field(Input::Arguments).text() {
                model.say(Tone::Plain, "the arguments are as they were");
            } else {
                bench.draft.arguments_mut().rewrite(&text);
                bench.stale = true;
            }
        }
        Err(problem) => model.say(Tone::Warn, problem),
    }
}
