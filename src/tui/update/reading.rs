//! Changes of how a text is read: wrapping, numbers, and searching.

use std::sync::Arc;

use super::super::aspect::Aspect;
use super::super::json_tokens::JsonTokens;
use super::super::keys::Action;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::super::reading::Reading;
use super::super::rows::Rows;
use super::super::search::Found;
use super::super::watch::Wait;
use crate::text::is_overwritten;
use crate::wait::Entry;

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

/// To the next aspect of the result in view.
pub(super) fn turn_aspect(model: &mut Model) {
    let observation = match (model.place, model.wait()) {
        (Place::Watch, Some(wait)) => wait.entry().and_then(Entry::text),
        (Place::Library, _) => None,
        _ => model
            .bench
            .attempt
            .observed
            .as_ref()
            .map(|observed| &observed.text),
    };
    let overwritten = observation.is_some_and(|text| is_overwritten(text));
    let recorded = model.wait().filter(|_| model.place == Place::Watch);
    let recorded = recorded.is_some_and(|wait| wait.replay.is_some());
    let Some(reading) = model
        .reading_mut()
        .filter(|reading| reading.document.is_some())
    else {
        model.say(Tone::Plain, "there is no result to look at yet");
        return;
    };
    if recorded && !overwritten {
        let text = "a recording holds what the condition saw, and no more of the result";
        return model.say(Tone::Plain, text);
    }
    reading.aspect = match reading.aspect {
        Aspect::FinalState if recorded => Aspect::Observation,
        aspect => aspect.next(overwritten),
    };
    reading.at = None;
    reading.to_top();
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
    model.library.reading.take_found(id, Arc::clone(found));
    for wait in model.waits.values_mut() {
        wait.scrolled |= wait.reading.take_found(id, Arc::clone(found));
    }
}

pub(super) fn tokenised(model: &mut Model, id: Id, tokens: Option<&Arc<JsonTokens>>) {
    for reading in model.readings_mut() {
        reading.take_tokens(id, tokens.cloned());
    }
}

pub(super) fn aspect_read(model: &mut Model, id: Id, text: &Arc<str>) {
    for reading in model.readings_mut() {
        reading.take_aspect(id, text);
    }
}

pub(super) fn laid_out(model: &mut Model, id: Id, rows: &Arc<Rows>) {
    for reading in model.readings_mut() {
        reading.take_rows(id, Arc::clone(rows));
    }
}

/// Asks for what is worked out beside the loop about the text in view.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let ids = [(); 4].map(|()| model.fresh_id());
    let source = match model.place {
        Place::Bench => model.bench.aspect_source(),
        Place::Watch => model.wait().and_then(Wait::aspect_source),
        Place::Library => None,
    };
    let Some(reading) = model.reading_mut() else {
        return;
    };
    if let Some((number, source)) = source.filter(|(number, _)| reading.wants_aspect(*number)) {
        let (id, aspect) = (ids[0], reading.aspect);
        reading.ask_aspect(id, number);
        effects.push(Effect::ReadAspect { id, aspect, source });
    }
    if let Some(unfinished) = reading.wants_rows() {
        let id = ids[1];
        reading.ask_rows(id, unfinished.clone());
        effects.push(Effect::LayOut { id, unfinished });
    }
    if let Some((text, words)) = reading.wants_search() {
        let id = ids[2];
        reading.ask_search(id, Arc::clone(&text));
        effects.push(Effect::Search { id, text, words });
    }
    if let Some(text) = reading.wants_tokens() {
        let id = ids[3];
        reading.ask_tokens(id, Arc::clone(&text));
        effects.push(Effect::Tokenise { id, text });
    }
}
