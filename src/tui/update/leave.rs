//! Questions and their answers, stopping, suspending, leaving.

use super::super::asking::Said;
use super::super::keys::Action;
use super::super::layer::{Layer, Question};
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::{INTERRUPT_WINDOW, Model, Notice, Place};
use super::super::watch::Wait;
use super::{asking, bench, in_flight_on_bench, replay, saving, waits, watch};

/// The top question was answered with yes.
pub(super) fn yes(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Layer::Question(question)) = model.layers.pop() else {
        return;
    };
    match question {
        Question::Quit => effects.push(Effect::Quit),
        Question::Suspend => effects.push(Effect::Suspend),
        Question::Approve { server, approval } => {
            let id = model.fresh_id();
            model.approving = Some((id, server.clone()));
            effects.push(Effect::Approve {
                id,
                server,
                fingerprint: approval.fingerprint,
            });
        }
        Question::Overwrite { request, .. } => saving::save_over(model, *request, effects),
        Question::Destructive {
            server,
            tool,
            intent,
            ..
        } => {
            model.allowed.insert((server, tool));
            model.bench.intent = Some(intent);
        }
    }
}

/// Stops what is in flight in view. With nothing in flight it says that again within the window
/// quits, and then it does: a wait that runs ends as cancelled.
pub(super) fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    if matches!(model.layers.last(), Some(Layer::Asking(_))) {
        asking::answer(model, Said::Cancel, effects);
        return;
    }
    if waits::pop_layer(model) {
        model.bench.rest();
        return;
    }
    match model.place {
        Place::Bench if in_flight_on_bench(model) => {
            if model.bench.attempt.in_flight.is_some() {
                bench::abandon_try(model, effects);
            } else {
                bench::abandon_connect(model, effects);
                model.say(Tone::Plain, "connecting was stopped");
            }
        }
        Place::Watch
            if model
                .wait()
                .is_some_and(|wait| wait.is_running() && !wait.stopping) =>
        {
            watch::stop(model, effects);
        }
        Place::Watch if model.wait().is_some_and(Wait::plays) => replay::play(model),
        _ if model.interrupt_until.is_some() => effects.push(Effect::Quit),
        _ => {
            let until = model.now + INTERRUPT_WINDOW;
            model.interrupt_until = Some(until);
            let key = model.key_of(Action::Interrupt);
            let mut text = format!("{key} again within two seconds quits");
            match model.running().count() {
                0 => {}
                1 => text.push_str("; the wait ends as cancelled"),
                running => text.push_str(&format!("; {running} waits end as cancelled")),
            }
            model.notice = Some(Notice {
                tone: Tone::Plain,
                text,
                until: Some(until),
            });
        }
    }
}

pub(super) fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.running().next().is_some() {
        model.layers.push(Layer::Question(Question::Quit));
    } else {
        effects.push(Effect::Quit);
    }
}

pub(super) fn suspend(model: &mut Model, effects: &mut Vec<Effect>) {
    let asked = matches!(
        model.layers.last(),
        Some(Layer::Question(Question::Suspend))
    );
    if model.running().next().is_some() {
        if !asked {
            model.layers.push(Layer::Question(Question::Suspend));
        }
    } else {
        effects.push(Effect::Suspend);
    }
}
