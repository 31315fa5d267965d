//! Changes of what if: opening it, its fields, its answers, and taking it to the Bench.

use super::super::assess::Assessment;
use super::super::draft::Input;
use super::super::field::Field;
use super::super::focus::Focus;
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place, Then};
use super::super::what_if::{Answer, Findings, Question, WhatIf};
use super::super::why::Fixes;
use super::{bench, watch};
use crate::wait::{Call, Event};

/// Asks what if of the wait in view.
pub(super) fn open(model: &mut Model) {
    let Some(wait) = model.wait() else { return };
    if wait.index().is_none() {
        return model.say(Tone::Plain, "there is no sample to judge yet");
    }
    let what_if = WhatIf::new(wait);
    model.zoomed = false;
    model.layers.push(Layer::WhatIf(Box::new(what_if)));
}

/// The one on top, if it is.
pub(super) fn on_top(model: &mut Model) -> Option<&mut WhatIf> {
    model.layers.last_mut().and_then(Layer::what_if_mut)
}

pub(super) fn move_focus(model: &mut Model, forward: bool) {
    if let Some(what_if) = on_top(model) {
        what_if.move_focus(forward);
    }
}

pub(super) fn turn_option(model: &mut Model, forward: bool) {
    if let Some(what_if) = on_top(model) {
        let focus = what_if.focus;
        bench::turn(&mut what_if.draft, focus, forward);
    }
}

/// Changes the text of the focused field.
pub(super) fn change(what_if: &mut WhatIf, change: impl FnOnce(&mut Field)) {
    if let Focus::Text(input) = what_if.focus {
        change(what_if.draft.field_mut(input));
    }
}

/// Takes the pattern that is offered instead.
pub(super) fn fix_pattern(model: &mut Model) {
    let Some(what_if) = on_top(model) else { return };
    let written = what_if.draft.field(Input::Pattern).text();
    let taken = what_if.fixes.clone().filter(|fixes| fixes.holds(&written));
    let offered = || Fixes::new(written, what_if.assessment.why.as_ref()?);
    let Some(mut fixes) = taken.or_else(offered) else {
        return model.say(Tone::Plain, "no other pattern is offered here");
    };
    let (pattern, said) = fixes.take();
    *what_if.draft.field_mut(Input::Pattern) = Field::line(&pattern);
    what_if.fixes = Some(fixes);
    model.say(Tone::Plain, said);
}

/// Looks at the sample that would have decided the wait.
pub(super) fn go_to_stop(model: &mut Model) {
    let decided = model.wait().zip(model.what_if());
    let decided = decided.and_then(|(wait, what_if)| what_if.decided_at(wait));
    match (decided, model.wait_mut()) {
        (Some(index), Some(wait)) => {
            wait.look_at(index);
            wait.stand_still();
        }
        _ => model.say(Tone::Plain, "no sample would stop the wait"),
    }
}

/// Takes the call with the condition to the Bench, once it is assessed as it is written; there it
/// rests, or is saved.
pub(super) fn take(model: &mut Model, then: Then) {
    if let Some(what_if) = on_top(model) {
        what_if.intent = Some(then);
    }
}

/// Does what was asked for, or says why it can't be done.
pub(super) fn carry_out(model: &mut Model, effects: &mut Vec<Effect>) {
    let wait = model.watched.and_then(|id| model.waits.get(&id));
    let what_if = model.layers.last_mut().and_then(Layer::what_if_mut);
    let (Some(wait), Some(what_if)) = (wait, what_if) else {
        return;
    };
    let intent = what_if.intent.filter(|_| what_if.is_assessed(wait));
    let Some(then) = intent else { return };
    what_if.intent = None;
    let Some(call) = what_if.call().map(Call::to_value) else {
        let fault = what_if.assessment.faults.first();
        let fault = fault.map_or("something is wrong with it", |fault| &fault.message);
        let text = format!("it can't be used yet: {fault}");
        return model.say(Tone::Warn, text);
    };
    model.layers.pop();
    watch::take_to_bench(model, call, then, effects);
}

pub(super) fn assessed(model: &mut Model, id: Id, assessment: Assessment) {
    if let Some(what_if) = model.what_if_mut() {
        what_if.take(id, assessment);
    }
}

pub(super) fn judged(model: &mut Model, id: Id, findings: Findings) {
    let answer = model
        .what_if_mut()
        .and_then(|what_if| what_if.answer.as_mut());
    if let Some(answer) = answer.filter(|answer| answer.id == id) {
        answer.take(findings);
    }
}

/// What the wait tells is judged as it comes. A text that is `on_disk` is read there when its turn
/// comes, so that none piles up.
pub(super) fn told(
    model: &Model,
    wait: Id,
    event: &Event,
    on_disk: bool,
    effects: &mut Vec<Effect>,
) {
    let asked = model.what_if().filter(|what_if| what_if.wait == wait);
    let answer = asked.and_then(|what_if| what_if.answer.as_ref());
    let decides = !matches!(event, Event::Note { .. } | Event::Sleeping { .. });
    if let Some(answer) = answer.filter(|_| decides) {
        let mut event = Box::new(event.clone());
        if let Event::Sample(sample) = &mut *event
            && on_disk
        {
            sample.text = None;
        }
        effects.push(Effect::JudgeMore {
            id: answer.id,
            event,
        });
    }
}

/// Asks what the condition means for the sample in view, and then for all of them. Where it is closed,
/// however that came, or another wait has come into view, nothing is judged any more.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    ask(model, effects);
    let judging = model.what_if().and_then(WhatIf::judging);
    if let Some(id) = model.judging.filter(|id| Some(*id) != judging) {
        effects.push(Effect::Abandon { id });
    }
    model.judging = judging;
}

fn ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let ids = [(); 2].map(|()| model.fresh_id());
    let watched = model.watched.filter(|_| model.place == Place::Watch);
    let wait = watched.and_then(|id| model.waits.get(&id));
    let what_if = model.layers.iter_mut().find_map(Layer::what_if_mut);
    let Some(what_if) = what_if else { return };
    let Some(wait) = wait.filter(|wait| wait.id == what_if.wait) else {
        model.layers.retain(|layer| layer.what_if().is_none());
        return;
    };
    if let Some((draft, observed)) = what_if.ask(wait, ids[0]) {
        effects.push(Effect::Assess {
            id: ids[0],
            draft: Box::new(draft),
            schema: None,
            observed,
        });
    }
    if !what_if.is_outdated() {
        return;
    }
    let call = what_if.call().cloned();
    what_if.answer = call.clone().map(|call| Answer::new(ids[1], call));
    if let Some(call) = call {
        effects.push(Effect::Judge(Box::new(Question {
            id: ids[1],
            wait: wait.id,
            call,
            story: wait.history.story(),
        })));
    }
}
