//! Changes of a recording on the Watch: opening it, reading it, playing it.

use std::path::{Path, PathBuf};

use super::super::keys::Action;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::super::watch::Wait;
use super::{waits, what_if};
use crate::app::{Batch, Extent, Opened};

/// Puts the recording at `path` on the Watch. One that is open already is only looked at, unless it
/// was cut off: it may have grown.
pub(super) fn open(model: &mut Model, path: PathBuf, effects: &mut Vec<Effect>) {
    let is_open = |wait: &&Wait| {
        let replay = wait.replay.as_ref();
        replay.is_some_and(|replay| {
            let over = matches!(replay.extent, Extent::CutOff | Extent::Broken(_));
            replay.path == path && !over
        })
    };
    let open = model.waits.values().find(is_open).map(|wait| wait.id);
    if let Some(wait) = open {
        look_at(model, wait);
        return;
    }
    let wait = model.fresh_id();
    model.opening = Some(wait);
    effects.push(Effect::OpenRecording { wait, path });
}

pub(super) fn opened(
    model: &mut Model,
    id: Id,
    result: Result<Opened, String>,
    effects: &mut Vec<Effect>,
) {
    if model.opening.take_if(|own| *own == id).is_none() {
        effects.push(Effect::ForgetWait { wait: id });
        return;
    }
    let opened = match result {
        Ok(opened) => opened,
        Err(problem) => return model.say(Tone::Error, problem),
    };
    let same = |wait: &&Wait| {
        let replay = wait.replay.as_ref();
        replay.is_some_and(|replay| replay.path == opened.path)
    };
    let before = model.waits.values().find(same).map(|wait| wait.id);
    let reading = model.wait().map(|before| before.reading.afresh());
    let mut wait = Wait::replayed(id, opened, model.now);
    wait.reading = reading.unwrap_or_default();
    model.waits.insert(id, wait);
    if let Some(before) = before {
        waits::forget(model, before, effects);
    }
    look_at(model, id);
    effects.push(Effect::ReadRecording { wait: id });
    while let Some(wait) = model.one_too_many() {
        waits::forget(model, wait, effects);
    }
}

fn look_at(model: &mut Model, wait: Id) {
    model.watch(wait);
    model.bench.rest();
    model.zoomed = false;
    model.place = Place::Watch;
}

pub(super) fn read(model: &mut Model, id: Id, batch: Batch, effects: &mut Vec<Effect>) {
    for (event, _) in &batch.events {
        what_if::told(model, id, event, true, effects);
    }
    let Some(wait) = model.waits.get_mut(&id) else {
        return;
    };
    let goes_on = matches!(batch.extent, Extent::Reading | Extent::Growing);
    wait.take(batch);
    model.bound_texts();
    if goes_on {
        effects.push(Effect::ReadRecording { wait: id });
    }
}

/// A recording lies elsewhere by now.
pub(super) fn moved(model: &mut Model, from: &Path, to: &Path) {
    for wait in model.waits.values_mut() {
        let played = wait.replay.as_mut().map(|replay| &mut replay.path);
        let known = played.into_iter().chain(&mut wait.recorded.path);
        for path in known.filter(|path| *path == from) {
            to.clone_into(path);
        }
    }
}

/// Plays the recording in view, or stops it.
pub(super) fn play(model: &mut Model) {
    let now = model.now;
    if let Some(wait) = model.wait_mut() {
        wait.toggle_playing(now);
    }
}

pub(super) fn change_speed(model: &mut Model, action: Action) {
    let (now, faster) = (model.now, action == Action::Faster);
    let Some(wait) = model.wait_mut() else { return };
    if !wait.change_speed(faster, now) {
        let end = if faster { "faster" } else { "slower" };
        model.say(Tone::Plain, format!("it goes no {end}"));
    }
}

/// The clock of the recording in view runs on. Answers whether it runs; out of view it stops.
pub(super) fn play_on(model: &mut Model) -> bool {
    let (now, place) = (model.now, model.place);
    match model.wait_mut() {
        Some(wait) if place == Place::Watch => wait.play_on(now),
        Some(wait) => {
            wait.pause(now);
            false
        }
        None => false,
    }
}
