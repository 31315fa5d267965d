//! What becomes of recordings, and texts that come back from them.

use std::sync::Arc;

use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::Model;
use crate::app::RecordingNews;
use crate::text;

/// Takes what became of a recording, and says what is wrong with it. The wait goes on.
pub(super) fn recording(model: &mut Model, id: Id, news: RecordingNews) {
    let Some(wait) = model.waits.get_mut(&id) else {
        return;
    };
    let tool = text::one_line(wait.call.tool(), 40);
    let said = news.trouble();
    let said = said.map(|trouble| format!("{tool}: {trouble}; the wait goes on"));
    wait.recorded.take(news);
    if let Some(said) = said {
        model.say(Tone::Warn, said);
    }
}

/// Asks for the text of the sample in view, or of the one that it is compared with, where it was
/// dropped and is on disk.
pub(super) fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.wait() else { return };
    let Some(sample) = wait.wants_text() else {
        return;
    };
    let (wait, id) = (wait.id, model.fresh_id());
    if let Some(wait) = model.wait_mut() {
        wait.ask_text(id, sample);
    }
    effects.push(Effect::ReadText { id, wait, sample });
}

pub(super) fn text_read(model: &mut Model, id: Id, read: Option<&Arc<str>>) {
    let taken = model
        .waits
        .values_mut()
        .any(|wait| wait.take_text(id, read));
    if taken {
        model.bound_texts();
    }
}
