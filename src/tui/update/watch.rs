//! Changes of the Watch.

use std::sync::Arc;

use serde_json::Value;

use super::super::bench::{Focus, Intent};
use super::super::keys::Action;
use super::super::layout;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::{Model, Place, Then};
use super::super::saved::Saved;
use super::super::watch::{Position, Wait};
use super::{bench, beside, load, recorded, waits};
use crate::wait::Call;

pub(super) fn go(model: &mut Model) {
    if model.watched.is_some() {
        model.place = Place::Watch;
    } else {
        let key = model.key_of(Action::Run);
        let text = format!("nothing to watch yet; {key} runs the wait that is on the Bench");
        model.say(Tone::Plain, text);
    }
}

/// A wait that is to be started.
pub(super) struct ToStart {
    /// Whose tool.
    pub(super) server: String,
    /// The call.
    pub(super) call: Call,
    /// Budgets that may follow one another.
    pub(super) rounds: u32,
    /// The saved wait that it begins as.
    pub(super) saved: Option<Arc<Saved>>,
}

/// Starts a wait beside those that run, and goes to watch it.
pub(super) fn start(model: &mut Model, to_start: ToStart, effects: &mut Vec<Effect>) {
    let ToStart {
        server,
        call,
        rounds,
        saved,
    } = to_start;
    let reading = model.wait().map(|before| before.reading.afresh());
    let wait = model.fresh_id();
    let mut watched = Wait::new(wait, server.clone(), call.clone(), rounds, model.now);
    watched.reading = reading.unwrap_or_default();
    let name = saved.as_ref().map(|saved| saved.name());
    watched.saved = saved;
    model.waits.insert(wait, watched);
    model.watch(wait);
    model.place = Place::Watch;
    model.bench.rest();
    model.zoomed = false;
    effects.push(Effect::StartWait {
        wait,
        server,
        call: Box::new(call),
        name,
        rounds,
    });
    while let Some(wait) = model.one_too_many() {
        waits::forget(model, wait, effects);
    }
}

/// Starts the wait that is meant once more. A second press of the key must not start a second one.
pub(super) fn run_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.meant() else { return };
    if wait.replay.is_some() {
        let call = wait.call.to_value();
        load_recorded(model, call, Then::Rest, effects);
        return;
    }
    if wait.is_running() {
        let text = "this wait is still running; x stops it, and the Bench starts another beside it";
        model.say(Tone::Plain, text);
        return;
    }
    let again = ToStart {
        server: wait.server.clone(),
        call: wait.call.clone(),
        rounds: wait.rounds,
        saved: wait.saved.clone(),
    };
    waits::pop_layer(model);
    start(model, again, effects);
}

pub(super) fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    let key = model.key_of(Action::RunAgain);
    let Some(wait) = model.meant_mut() else {
        return;
    };
    if !wait.is_running() {
        model.say(
            Tone::Plain,
            format!("the wait is over; {key} runs it again"),
        );
    } else if !wait.stopping {
        wait.stopping = true;
        effects.push(Effect::StopWait { wait: wait.id });
    }
}

pub(super) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let (now, key) = (model.now, model.key_of(Action::RunAgain));
    let Some(wait) = model.meant_mut() else {
        return;
    };
    if !wait.can_continue() {
        let why = if wait.is_running() {
            "the wait is still running".to_owned()
        } else if wait.replay.is_some() {
            format!("a recording can't be continued; {key} takes its call to the Bench")
        } else {
            format!("only a timeout can be continued; {key} runs the wait again")
        };
        model.say(Tone::Plain, why);
        return;
    }
    wait.go_on(now);
    effects.push(Effect::ContinueWait { wait: wait.id });
}

pub(super) fn toggle_diffs(model: &mut Model) {
    let Some(wait) = model.wait_mut() else { return };
    wait.diffs = !wait.diffs;
    let said = if wait.diffs {
        "a changed sample is shown beside the one before"
    } else {
        "each sample is shown by itself"
    };
    model.say(Tone::Plain, said);
}

pub(super) fn toggle_bell(model: &mut Model) {
    model.options.bell = !model.options.bell;
    let said = if model.options.bell {
        "the bell rings when a wait ends"
    } else {
        "the bell stays silent"
    };
    model.say(Tone::Plain, said);
}

pub(super) fn look(model: &mut Model, action: Action) {
    let Some(wait) = model.wait_mut() else { return };
    match action {
        Action::Hold => wait.toggle_hold(),
        Action::StepBack => wait.step(-1),
        Action::StepOn => wait.step(1),
        Action::ChangeBack => wait.step_to_change(false),
        Action::ChangeOn => wait.step_to_change(true),
        Action::First => wait.look_at(0),
        _ => wait.position = Position::Follow,
    }
    wait.stand_still();
}

/// Takes the wait that is meant to the Bench, as it was called, with the tools of its server.
pub(super) fn edit_on_bench(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.meant() else { return };
    let call = wait.call.to_value();
    take_to_bench(model, call, Then::Rest, effects);
}

/// Takes `call`, which is that of the wait that is meant, or one like it, to the Bench; there it
/// rests, or is saved.
pub(super) fn take_to_bench(model: &mut Model, call: Value, then: Then, effects: &mut Vec<Effect>) {
    let Some(wait) = model.meant() else { return };
    if wait.replay.is_some() {
        load_recorded(model, call, then, effects);
        return;
    }
    let (server, rounds) = (wait.server.clone(), wait.rounds);
    let saved = wait.saved.clone();
    waits::pop_layer(model);
    bench::put(model, &server, &call, rounds, effects);
    model.bench.saved = saved;
    bench::select_server(model, &server, effects);
    let condition = Focus::Text(model.bench.draft.condition());
    model.bench.rest_on(condition);
    if then == Then::Save {
        model.bench.intent = Some(Intent::Save);
    }
}

/// Takes the recording that is meant to the Bench, as it was called, and starts nothing: its server
/// may be another by now, or gone.
fn load_recorded(model: &mut Model, mut call: Value, then: Then, effects: &mut Vec<Effect>) {
    let Some(wait) = model.meant() else { return };
    let rounds = wait.rounds;
    if let Some(probe) = call.get_mut("probe").and_then(Value::as_object_mut) {
        probe.insert("server".to_owned(), wait.server.clone().into());
    }
    waits::pop_layer(model);
    load::load(model, call, rounds, then, effects);
}

/// Brings the sample that is looked at onto the screen, and asks what the condition matches in it.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let (width, height) = layout::reading_size(model);
    let Some(wait) = model.wait_mut() else {
        model.place = Place::Bench;
        return;
    };
    wait.unseen = false;
    wait.show_sample(width, height);
    recorded::ask(model, effects);
    beside::compare(model, effects);
    if model.what_if().is_some() {
        // What the wait's own condition matches is not shown then.
        return;
    }
    beside::explain(model, effects);
    let Some(wait) = model.wait() else { return };
    let searches = wait.searching.is_none() && !wait.patterns().is_empty();
    let unknown = |text: &&Arc<str>| wait.highlights(text).is_none();
    let Some(text) = wait
        .observation()
        .filter(|_| searches)
        .filter(unknown)
        .cloned()
    else {
        return;
    };
    let patterns = Box::new(wait.patterns());
    let id = model.fresh_id();
    if let Some(wait) = model.wait_mut() {
        wait.searching = Some((id, Arc::clone(&text)));
    }
    effects.push(Effect::Highlight { id, text, patterns });
}
