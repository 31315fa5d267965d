//! Changes of how a text is read: wrapping, numbers, and searching.

use std::sync::Arc;

use super::super::json_tokens::JsonTokens;
use super::super::keys::Action;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::super::reading::Reading;
use super::super::rows::Rows;
use super::super::search::Found;

pub(super) fn toggle(model: &mut Model, action: Action) {
    let Some(reading) = model.reading_mut() else {
        return;
    };
    match action {
        Action::Numbers => reading.numbers = !reading.numbers,
        _ => reading.wrap = !reading.wrap,
    }
}

pub(super) fn open_search(model: &mut Model) {
    match model.reading_mut() {
        Some(reading) if reading.document.is_some() => reading.open_search(),
        _ => model.say(Tone::Plain, "there is no text to search yet"),
    }
}

pub(super) fn keep_search(model: &mut Model) {
    if let Some(reading) = model.reading_mut() {
        reading.keep_search();
    }
}

pub(super) fn clear_search(model: &mut Model) {
    if let Some(reading) = model.reading_mut() {
        reading.clear_search();
    }
}

/// To the next match of the search, or of the condition where nothing is sought, or to the one
/// before.
pub(super) fn step(model: &mut Model, action: Action) {
    let sought = model.reading().and_then(Reading::places_found);
    let places = sought.unwrap_or_else(|| model.places_matched());
    let forward = action == Action::NextMatch;
    let Some(reading) = model.reading_mut() else {
        return;
    };
    let around = reading.step(&places, forward);
    hold_scroll(model);
    match (around, forward) {
        (Some(false), _) => {}
        (Some(true), true) => model.say(Tone::Plain, "from the top again"),
        (Some(true), false) => model.say(Tone::Plain, "from the bottom again"),
        (None, _) => model.say(Tone::Plain, "no match in this text; / searches it"),
    }
}

/// The operator has moved the view: nothing else does.
fn hold_scroll(model: &mut Model) {
    if let (Place::Watch, Some(wait)) = (model.place, model.wait_mut()) {
        wait.scrolled = true;
    }
}

pub(super) fn searched(model: &mut Model, id: Id, found: &Arc<Found>) {
    model.bench.preview.take_found(id, Arc::clone(found));
    for wait in model.waits.values_mut() {
        wait.scrolled |= wait.reading.take_found(id, Arc::clone(found));
    }
}

pub(super) fn tokenised(model: &mut Model, id: Id, tokens: Option<&Arc<JsonTokens>>) {
    for reading in model.readings_mut() {
        reading.take_tokens(id, tokens.cloned());
    }
}

pub(super) fn laid_out(model: &mut Model, id: Id, rows: &Arc<Rows>) {
    for reading in model.readings_mut() {
        reading.take_rows(id, Arc::clone(rows));
    }
}

/// Asks for what is worked out beside the loop about the text in view.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let ids = [(); 3].map(|()| model.fresh_id());
    let Some(reading) = model.reading_mut() else {
        return;
    };
    let [id, another, third] = ids;
    if let Some(unfinished) = reading.wants_rows() {
        reading.ask_rows(id, unfinished.clone());
        effects.push(Effect::LayOut { id, unfinished });
    }
    if let Some((text, words)) = reading.wants_search() {
        let id = another;
        reading.ask_search(id, Arc::clone(&text));
        effects.push(Effect::Search { id, text, words });
    }
    if let Some(text) = reading.wants_tokens() {
        let id = third;
        reading.ask_tokens(id, Arc::clone(&text));
        effects.push(Effect::Tokenise { id, text });
    }
}
