//! Servers that are added while the screen is open.

use super::super::adding::Adding;
use super::super::bench::Focus;
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::{Effect, Id, ServerList};
use super::super::model::Model;
use super::bench;

pub(super) fn open(model: &mut Model) {
    model.layers.push(Layer::Add(Box::default()));
}

/// Asks for the server that was typed.
pub(super) fn add(model: &mut Model, effects: &mut Vec<Effect>) {
    let id = model.fresh_id();
    if let Some(adding) = idle(model) {
        adding.asked = Some(id);
        let line = adding.line.text();
        effects.push(Effect::AddServer { id, line });
    }
}

/// Asks for the servers in other programs' files.
pub(super) fn discover(model: &mut Model, effects: &mut Vec<Effect>) {
    let id = model.fresh_id();
    if let Some(adding) = idle(model) {
        adding.asked = Some(id);
        adding.problem = None;
        effects.push(Effect::Discover { id });
    }
}

/// The layer, unless it waits for an answer.
fn idle(model: &mut Model) -> Option<&mut Adding> {
    match model.layers.last_mut() {
        Some(Layer::Add(adding)) if adding.asked.is_none() => Some(adding),
        _ => None,
    }
}

/// The layer that asked, where it still lies there: who closed it wants nothing more than the list.
fn asked(model: &mut Model, id: Id) -> Option<usize> {
    model
        .layers
        .iter()
        .position(|layer| matches!(layer, Layer::Add(adding) if adding.asked == Some(id)))
}

/// The server that was typed is there: it is chosen, which connects to it.
pub(super) fn added(
    model: &mut Model,
    id: Id,
    result: Result<(String, ServerList), String>,
    effects: &mut Vec<Effect>,
) {
    let place = asked(model, id);
    match result {
        Ok((name, list)) => {
            take(model, list);
            if let Some(place) = place {
                model.layers.remove(place);
                model.bench.set_focus(Focus::Servers);
                bench::select_server(model, &name, effects);
            }
        }
        Err(problem) => complain(model, place, problem),
    }
}

/// Other programs' files were looked into; the first server that is new is selected.
pub(super) fn discovered(model: &mut Model, id: Id, result: Result<(usize, ServerList), String>) {
    let place = asked(model, id);
    match result {
        Ok((0, list)) => {
            take(model, list);
            let problem = "the files of other programs list no server".to_owned();
            complain(model, place, problem);
        }
        Ok((found, list)) => {
            let before: Vec<_> = model.bench.servers.drain(..).collect();
            take(model, list);
            let Some(place) = place else { return };
            model.layers.remove(place);
            let bench = &mut model.bench;
            let is_new = |row: &_| !before.contains(row);
            let first = bench.servers.iter().position(is_new);
            bench.server_picker.clear_filter();
            if first.is_some() {
                bench.server_picker.select(first);
            }
            let servers = if found == 1 { "server" } else { "servers" };
            let text = format!("{found} {servers} of other programs; Enter connects to one");
            model.say(Tone::Ok, text);
        }
        Err(problem) => complain(model, place, problem),
    }
}

fn take(model: &mut Model, list: ServerList) {
    model.bench.set_servers(list.servers);
    model.bench.problems = list.problems;
}

fn complain(model: &mut Model, place: Option<usize>, problem: String) {
    if let Some(Layer::Add(adding)) = place.and_then(|place| model.layers.get_mut(place)) {
        adding.asked = None;
        adding.problem = Some(problem);
    }
}
