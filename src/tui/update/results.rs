//! What comes back from effects and waits. An answer that nobody waits for any more is dropped.

use std::sync::Arc;

use super::super::assess::{Assessment, Observed};
use super::super::bench::Link;
use super::super::document::Highlights;
use super::super::keys::Context;
use super::super::layer::{Layer, Question};
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::super::outcome;
use super::super::watch::Phase;
use super::super::why::Why;
use super::{bench, what_if};
use crate::app::{Approval, Connected, ServerRow, ServerState, ServerStates, Tried};
use crate::mcp::Tool;
use crate::text::Difference;
use crate::wait::{Ending, Event, Note, WaitError};

pub(super) fn connected(
    model: &mut Model,
    id: Id,
    result: Result<Connected, WaitError>,
    effects: &mut Vec<Effect>,
) {
    let again = match model.bench.link {
        Link::Connecting { id: own, .. } if own == id => false,
        Link::Ready { following, .. } if following == id => true,
        _ => return,
    };
    match result {
        Ok(connected) => {
            let (server, announced) = (connected.server, Some(connected.announced));
            let following = model.fresh_id();
            model.bench.link = Link::Ready {
                protocol: connected.protocol,
                warnings: connected.warnings,
                following,
            };
            effects.push(Effect::FollowTools {
                id: following,
                server,
                announced,
            });
            list(model, connected.tools, again);
            if let Some(intent) = model.bench.held.take() {
                // What was said to be waited for has come.
                model.notice = None;
                model.bench.intent = Some(intent);
            }
        }
        Err(error) => {
            model.bench.held = None;
            model.bench.link = Link::Failed(outcome::error_in_words(&error));
            model.bench.failure = None;
            if let WaitError::UntrustedServer {
                server,
                would_run,
                origin,
                fingerprint,
            } = error
            {
                model.bench.link = Link::Idle;
                let approval = Approval {
                    would_run,
                    origin,
                    fingerprint: fingerprint.into(),
                };
                ask_to_trust(model, server, approval);
            } else {
                model.say(Tone::Error, outcome::error_in_words(&error));
            }
        }
    }
}

/// Asks whether a server is trusted; not under the hands of who types or answers, whose next key
/// might be a yes.
fn ask_to_trust(model: &mut Model, server: String, approval: Approval) {
    let context = model.context();
    if !context.is_typing() && context != Context::Question {
        let question = Question::Approve { server, approval };
        model.layers.push(Layer::Question(question));
        return;
    }
    let name = crate::text::one_line(&server, 40);
    let mut rows = model.bench.servers.iter_mut();
    if let Some(row) = rows.find(|row| row.name == server && !row.shadowed) {
        row.approval = Some(approval);
    }
    let text = format!("{name} is not trusted yet; Enter on it in the list of servers asks");
    model.say(Tone::Warn, text);
}

/// Takes how the servers stand now. The operator learns at once of one that is lost while nothing
/// uses it, and the tools in view are listed again once it is back.
pub(super) fn standing(model: &mut Model, states: ServerStates, effects: &mut Vec<Effect>) {
    let now = model.now;
    let before = model.bench.standings.clone();
    for server in model.bench.standings.take(states, now) {
        let listed = model.bench.listed.as_ref() == Some(&server);
        let used = model.running().any(|wait| wait.server == server);
        match model.bench.standings.of(&server) {
            // A wait connects it again with its next sample.
            Some(ServerState::Lost { .. }) if !used => {
                let name = crate::text::one_line(&server, 40);
                let why = model.bench.standings.why_lost_in_short(&server);
                let text = format!("{name} is lost: {}", why.unwrap_or_default());
                model.say(Tone::Warn, text);
            }
            Some(ServerState::Connected { .. }) if listed => match model.bench.link {
                Link::Failed(_) => bench::connect(model, &server, false, effects),
                Link::Ready { .. } if before.why_lost(&server).is_some() => {
                    bench::list_again(model, effects);
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Takes the tools, and says what became of the list and of the tool that is on the Bench.
fn list(model: &mut Model, tools: Vec<Tool>, again: bool) {
    let bench = &mut model.bench;
    let names =
        |tools: &[Tool]| -> Vec<String> { tools.iter().map(|tool| tool.name.clone()).collect() };
    let before = names(&bench.tools);
    bench.set_tools(tools);
    let now = names(&bench.tools);
    let Some(target) = &bench.target else {
        if again && before != now {
            model.say(Tone::Plain, "the server has changed its tools");
        }
        return;
    };
    let (tool, listed) = (target.tool.clone(), bench.listed.as_ref());
    let here = target.server.is_empty() || listed == Some(&target.server);
    if here && !now.contains(&tool) {
        let tool = crate::text::one_line(&tool, 40);
        model.say(Tone::Warn, format!("this server has no tool {tool}"));
    } else if again && before != now {
        model.say(Tone::Plain, "the server has changed its tools");
    }
}

pub(super) fn approved(
    model: &mut Model,
    id: Id,
    result: Result<Vec<ServerRow>, String>,
    effects: &mut Vec<Effect>,
) {
    let expected = model.approving.take_if(|(own, _)| *own == id);
    let Some((_, server)) = expected else { return };
    match result {
        Ok(servers) => {
            model.bench.set_servers(servers);
            bench::connect(model, &server, false, effects);
        }
        Err(problem) => {
            model.bench.held = None;
            model.say(Tone::Error, problem);
        }
    }
}

pub(super) fn try_note(model: &mut Model, id: Id, note: &Note) {
    if let Some((own, _, said)) = &mut model.bench.attempt.in_flight
        && *own == id
    {
        said.take(note);
    }
}

pub(super) fn tried(model: &mut Model, id: Id, result: Result<Tried, WaitError>) {
    let attempt = &mut model.bench.attempt;
    if attempt.in_flight.take_if(|(own, ..)| *own == id).is_none() {
        return;
    }
    attempt.answered = attempt.count;
    let text = match result {
        Ok(tried) => {
            let text = Arc::clone(&tried.text);
            attempt.latency = tried.latency;
            attempt.failure = None;
            attempt.raw = Some(Arc::new(tried.raw));
            attempt.observed = Some(Observed {
                text: tried.text,
                tool_error: tried.tool_error,
            });
            text
        }
        Err(error) => {
            attempt.failure = Some(outcome::error_in_words(&error));
            attempt.observed = None;
            attempt.raw = None;
            Arc::from(outcome::error_in_words(&error))
        }
    };
    attempt.text = Some(text);
    model.bench.stale = true;
}

pub(super) fn assessed(model: &mut Model, id: Id, assessment: Assessment) {
    if model.bench.judging.take_if(|own| *own == id).is_some() {
        model.bench.assessment = assessment;
    } else {
        what_if::assessed(model, id, assessment);
    }
}

pub(super) fn highlighted(model: &mut Model, id: Id, highlights: Highlights) {
    let wait = model
        .waits
        .values_mut()
        .find(|wait| wait.searching.as_ref().is_some_and(|(own, _)| *own == id));
    if let Some(wait) = wait
        && let Some((_, text)) = wait.searching.take()
    {
        wait.found(text, highlights);
    }
}

pub(super) fn explained(model: &mut Model, id: Id, why: Option<Why>) {
    let wait = model.waits.values_mut().find(|wait| wait.whys.is_asked(id));
    if let Some(wait) = wait {
        wait.whys.take(id, why);
    }
}

pub(super) fn compared(model: &mut Model, id: Id, difference: Difference) {
    let wait = model
        .waits
        .values_mut()
        .find(|wait| wait.differences.is_asked(id));
    if let Some(wait) = wait {
        wait.differences.take(id, difference);
    }
}

pub(super) fn told(
    model: &mut Model,
    wait: Id,
    event: &Event,
    changed: bool,
    effects: &mut Vec<Effect>,
) {
    let now = model.now;
    what_if::told(model, wait, event, false, effects);
    let Some(wait) = model.waits.get_mut(&wait) else {
        return;
    };
    wait.told(event, changed, now);
    let server = wait.server.clone();
    if matches!(event, Event::Sample(_)) {
        model.bound_texts();
    }
    let anew = matches!(
        event,
        Event::Note {
            note: Note::Reconnected,
            ..
        }
    );
    if anew && model.bench.listed.as_ref() == Some(&server) {
        bench::list_again(model, effects);
    }
}

pub(super) fn ended(model: &mut Model, id: Id, ending: Ending, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(wait) = model.waits.get_mut(&id) else {
        return;
    };
    let (tone, sentence) = outcome::sentence(&wait.call, &ending);
    let tool = crate::text::one_line(wait.call.tool(), 40);
    wait.ended(ending, now);
    wait.unseen = !(model.place == Place::Watch && model.watched == Some(id));
    let unseen = wait.unseen;
    let stopped = matches!(&wait.phase, Phase::Ended(Err(failure))
        if matches!(failure.error, WaitError::Cancelled { .. }));
    close_stale_questions(model);
    // Its recording has an end now.
    if model.place == Place::Library {
        model.library.stale = true;
    }
    if model.options.bell && !stopped {
        effects.push(Effect::Ring);
    }
    if unseen {
        model.say(tone, format!("{tool}: {sentence}"));
    }
}

/// Without a wait that runs, nothing needs to be asked about it.
fn close_stale_questions(model: &mut Model) {
    if model.running().next().is_some() {
        return;
    }
    let asked = model.layers.len();
    model
        .layers
        .retain(|layer| !matches!(layer, Layer::Question(Question::Quit | Question::Suspend)));
    if model.layers.len() < asked {
        let text = "the wait has ended, so the question about it is gone";
        model.say(Tone::Plain, text);
    }
}
