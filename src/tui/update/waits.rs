//! Changes that concern several waits: the list of them, going from one to another, dismissing.

use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::watch;
use crate::text;

/// Cells of a tool's name in a sentence.
const NAME: usize = 40;

/// Lists the waits, with the cursor on the one that was last looked at.
pub(super) fn open(model: &mut Model) {
    match model.watched {
        Some(cursor) => model.layers.push(Layer::Waits { cursor }),
        None => watch::go(model),
    }
}

/// Closes the top layer; answers whether there was one. Who closes the list has seen how the waits
/// ended.
pub(super) fn pop_layer(model: &mut Model) -> bool {
    let popped = model.layers.pop();
    if let Some(Layer::Waits { .. }) = popped {
        for wait in model.waits.values_mut() {
            wait.unseen = false;
        }
    }
    popped.is_some()
}

/// Puts the wait under the cursor on the Watch, and goes there.
pub(super) fn look_at(model: &mut Model) {
    let Some(wait) = model.meant().map(|wait| wait.id) else {
        return;
    };
    pop_layer(model);
    model.watch(wait);
    model.bench.rest();
    model.place = Place::Watch;
}

/// Moves the cursor of the list, stopping at both ends.
pub(super) fn move_cursor(model: &mut Model, by: isize) {
    let Some(Layer::Waits { cursor }) = model.layers.last_mut() else {
        return;
    };
    let before = model.waits.range(..*cursor).count();
    let last = model.waits.len().saturating_sub(1);
    let place = before.saturating_add_signed(by).min(last);
    if let Some(id) = model.waits.keys().nth(place) {
        *cursor = *id;
    }
}

/// To the wait before or after the one on the Watch.
pub(super) fn step(model: &mut Model, after: bool) {
    let Some(watched) = model.watched else { return };
    match model.neighbour(watched, after) {
        Some(wait) => model.watch(wait),
        None if after => model.say(Tone::Plain, "this is the wait that was started last"),
        None => model.say(Tone::Plain, "this is the wait that was started first"),
    }
}

/// Dismisses the wait that is meant, if it has ended.
pub(super) fn dismiss(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.meant() else { return };
    if wait.is_running() {
        model.say(Tone::Plain, "the wait is still running; x stops it");
        return;
    }
    let (id, tool) = (wait.id, text::one_line(wait.call.tool(), NAME));
    forget(model, id, effects);
    model.say(Tone::Plain, format!("{tool} was dismissed"));
}

/// Forgets a wait that ended. What looked at it looks at the next one, or the one before. The list
/// stays where it is empty: the key that emptied it, pressed once more, means nothing below.
pub(super) fn forget(model: &mut Model, id: Id, effects: &mut Vec<Effect>) {
    let next = model
        .neighbour(id, true)
        .or_else(|| model.neighbour(id, false));
    for layer in &mut model.layers {
        if let (Layer::Waits { cursor }, Some(next)) = (layer, next)
            && *cursor == id
        {
            *cursor = next;
        }
    }
    if model.watched == Some(id) {
        model.watched = next;
    }
    model.waits.remove(&id);
    effects.push(Effect::ForgetWait { wait: id });
}
