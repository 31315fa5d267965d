//! Loading a whole call: pasted, or given at the start.
//!
//! Whose tool it calls, and what is wrong with it, is found out beside the loop.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::super::assess::Assessment;
use super::super::bench::{Focus, Intent};
use super::super::keys::{Action, Context};
use super::super::layer::{Layer, Offer};
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Loading, Model, Place, Then};
use super::super::outcome;
use super::super::saved::Saved;
use super::{approves, bench, typing};
use crate::app::ServerState;
use crate::mcp::DEMO;
use crate::store::{Spec, SpecFile, mentions_a_call};
use crate::text;
use crate::wait::WaitError;

/// Bytes of a paste that are looked through for a call.
const MOST_PASTED: usize = 1024 * 1024;

/// A paste where nothing is typed: a call is loaded on the Bench, anything else has no place.
pub(super) fn pasted_at_rest(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    let on_bench = model.place == Place::Bench && model.layers.is_empty();
    match call_in(text) {
        Some(Ok(offer)) if on_bench => load_offer(model, offer, effects),
        Some(Ok(_)) => {
            let key = model.key_of(Action::GoBench);
            model.say(
                Tone::Plain,
                format!("a call is pasted on the Bench; {key} goes there"),
            );
        }
        Some(Err(problem)) => model.say(Tone::Warn, format!("nothing was loaded: {problem}")),
        None => model.say(
            Tone::Plain,
            "a paste goes into a field that is typed in; Enter takes one up",
        ),
    }
}

/// A paste into the JSON editor: a whole call is offered. Answers whether it was.
pub(super) fn offered(model: &mut Model, text: &str) -> bool {
    if model.context() != Context::Editor {
        return false;
    }
    let Some(Ok(offer)) = call_in(text) else {
        return false;
    };
    model.layers.push(Layer::Offer(Box::new(offer)));
    true
}

/// The call in a text that seems to hold one, or why it can't be told.
fn call_in(text: &str) -> Option<Result<Offer, String>> {
    if text.len() > MOST_PASTED || !mentions_a_call(text) {
        return None;
    }
    match Spec::parse(text, Path::new("")) {
        Ok(spec) if spec.wait.contains_key("until") => Some(Ok(Offer {
            text: text.to_owned(),
            call: spec.wait,
            rounds: spec.rounds,
            found_at: spec.found_at,
        })),
        Ok(_) => None,
        Err(error) => Some(Err(error.problem)),
    }
}

/// The offer was taken.
pub(super) fn take_offer(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(Layer::Offer(offer)) = model.layers.pop() {
        load_offer(model, *offer, effects);
    }
}

fn load_offer(model: &mut Model, offer: Offer, effects: &mut Vec<Effect>) {
    let call = Value::Object(offer.call);
    load(model, call, offer.rounds, Then::Connect, effects);
    if let Some(loading) = &mut model.loading {
        let found = offer.found_at.into_iter();
        loading.notices = found.map(|at| format!("found at {at}")).collect();
    }
}

/// The offer was declined: the text goes where it was pasted.
pub(super) fn decline_offer(model: &mut Model) {
    if let Some(Layer::Offer(offer)) = model.layers.pop() {
        typing::change(model, |field| field.paste(&offer.text));
    }
}

/// Takes a call to the Bench, once it is known whose tool it calls.
pub(super) fn load(
    model: &mut Model,
    call: Value,
    rounds: u32,
    then: Then,
    effects: &mut Vec<Effect>,
) {
    load_saved(model, call, rounds, None, then, effects);
}

/// As [`load`], with the file that it was read from and the spec in it.
pub(super) fn load_saved(
    model: &mut Model,
    call: Value,
    rounds: u32,
    saved: Option<Box<(SpecFile, Spec)>>,
    then: Then,
    effects: &mut Vec<Effect>,
) {
    let id = model.fresh_id();
    let boxed = Box::new(call.clone());
    model.loading = Some(Loading {
        id,
        call,
        rounds,
        saved,
        notices: Vec::new(),
        then,
    });
    effects.push(Effect::Resolve { id, call: boxed });
}

/// Whether listing a server's tools starts nothing.
fn costs_nothing(model: &Model, server: &str) -> bool {
    let standing = model.bench.standings.of(server);
    server == DEMO || matches!(standing, Some(ServerState::Connected { .. }))
}

/// It is known whose tool the call calls, or that nobody can say, and what is wrong with it.
pub(super) fn resolved(
    model: &mut Model,
    id: Id,
    server: Result<String, WaitError>,
    fault: Option<String>,
    effects: &mut Vec<Effect>,
) {
    let Some(loading) = model.loading.take_if(|loading| loading.id == id) else {
        return;
    };
    let known = |name: &String| {
        let row = model.bench.servers.iter().find(|row| row.name == *name);
        row.is_some_and(|row| !row.shadowed && !row.disabled)
    };
    let server = match server {
        Ok(name) if known(&name) => Ok(name),
        Ok(name) => Err(format!(
            "there is no server {name:?} to use; choose the one that has the tool"
        )),
        Err(error) => Err(outcome::error_in_words(&error)),
    };
    let owner = server.as_ref().map(String::as_str).unwrap_or_default();
    bench::put(model, owner, &loading.call, loading.rounds, effects);
    let saved = loading.saved.map(|saved| *saved);
    let saved = saved.map(|(file, spec)| Arc::new(Saved::new(file, spec, owner)));
    let name = saved.as_ref().map(|saved| saved.name());
    model.bench.saved = saved;
    // What was judged before is something else.
    model.bench.assessment = Assessment::default();
    model.zoomed = false;
    let notices = loading.notices.iter();
    let notices = notices.map(|notice| format!(", {}", text::one_line(notice, 50)));
    let notices: String = notices.collect();
    match server {
        Ok(server) => {
            model.bench.set_focus(Focus::Tools);
            let connects = matches!(loading.then, Then::Connect | Then::Run);
            if connects || costs_nothing(model, &server) {
                bench::select_server(model, &server, effects);
            }
            match (fault, loading.then) {
                (Some(fault), _) => model.say(Tone::Warn, format!("loaded, but {fault}")),
                // The yes to the server is a yes to the wait.
                (None, Then::Run) if approves(model) => model.bench.held = Some(Intent::Run),
                (None, Then::Run) => model.bench.intent = Some(Intent::Run),
                (None, Then::Save) => model.bench.intent = Some(Intent::Save),
                (None, _) => {
                    let key = model.key_of(Action::Run);
                    let name = name.map(|name| format!(" {}", text::one_line(&name, 40)));
                    let name = name.unwrap_or_default();
                    let text = format!("loaded{name}{notices}; {key} runs it");
                    model.say(Tone::Ok, text);
                }
            }
        }
        Err(problem) => {
            model.bench.picking = true;
            model.bench.set_focus(Focus::Servers);
            model.say(Tone::Warn, problem);
        }
    }
}
