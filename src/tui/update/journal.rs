//! The panes with a server's log and the protocol's trace.

use std::sync::Arc;

use super::super::journal::{JournalPane, News, Part, View};
use super::super::keys::Action;
use super::super::layer::Layer;
use super::super::layout;
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::Model;
use super::waits;
use crate::app::CopyOf;

/// Whether such a pane is what the keys act on.
pub(super) fn on_top(model: &Model) -> bool {
    matches!(model.layers.last(), Some(Layer::Journal(_)))
}

fn top(model: &mut Model) -> Option<&mut JournalPane> {
    match model.layers.last_mut() {
        Some(Layer::Journal(pane)) => Some(pane),
        _ => None,
    }
}

/// Shows a part of the journal of the server in view; the part that is shown already is closed.
pub(super) fn show(model: &mut Model, part: Part) {
    let shown = top(model).map(|pane| (pane.part(), pane.server.clone()));
    let server = match shown {
        Some((shown, server)) => {
            model.layers.pop();
            if shown == part {
                return;
            }
            Some(server)
        }
        None => model.server_in_view().map(str::to_owned),
    };
    if let Some(Layer::Waits { .. }) = model.layers.last() {
        waits::pop_layer(model);
    }
    let Some(server) = server else {
        let text = "no server is in view; choose one in the list of servers first";
        model.say(Tone::Plain, text);
        return;
    };
    let pane = JournalPane::new(server, part);
    model.layers.push(Layer::Journal(Box::new(pane)));
}

fn follow(pane: &mut JournalPane, id: Id, from: Option<u64>) -> Effect {
    pane.following = Some(id);
    Effect::FollowJournal {
        id,
        server: pane.server.clone(),
        part: pane.part(),
        from,
        filter: pane.asked.clone(),
    }
}

fn panes(model: &mut Model) -> impl Iterator<Item = &mut JournalPane> {
    model.layers.iter_mut().filter_map(|layer| match layer {
        Layer::Journal(pane) => Some(&mut **pane),
        _ => None,
    })
}

/// Takes what is new, and waits for more.
pub(super) fn news(model: &mut Model, id: Id, news: News, effects: &mut Vec<Effect>) {
    let fresh = model.fresh_id();
    let asked = panes(model).find(|pane| pane.following == Some(id));
    let Some(pane) = asked else { return };
    let next = news.next();
    pane.take(news);
    effects.push(follow(pane, fresh, Some(next)));
    model.journal_read = Some(fresh);
}

/// Begins, keeps or clears the filter.
pub(super) fn filter(model: &mut Model, action: Action) {
    if let Some(pane) = top(model) {
        pane.filtering = action == Action::Filter;
        if action == Action::ClearFilter {
            pane.clear_filter();
        }
    }
}

pub(super) fn look(model: &mut Model, action: Action) {
    let Some(pane) = top(model) else { return };
    let far = isize::MAX / 2;
    match action {
        Action::Hold => pane.toggle_hold(),
        Action::Wrap => pane.toggle_wrap(),
        Action::Up => pane.scroll(-1),
        Action::Down => pane.scroll(1),
        Action::PageUp => pane.page(false),
        Action::PageDown => pane.page(true),
        Action::Top => pane.scroll(-far),
        _ => pane.scroll(far),
    }
}

pub(super) fn open_message(model: &mut Model) {
    if let Some(View::Messages(view)) = top(model).map(|pane| &mut pane.view) {
        view.open();
    }
}

pub(super) fn step_message(model: &mut Model, by: isize) {
    if let Some(View::Messages(view)) = top(model).map(|pane| &mut pane.view) {
        view.step(by);
    }
}

pub(super) fn copy_message(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(View::Messages(view)) = top(model).map(|pane| &pane.view) else {
        return;
    };
    match view.selected() {
        Some(entry) => effects.push(Effect::Copy(CopyOf::Message(Arc::clone(entry)))),
        None => model.say(Tone::Plain, "there is no message to copy"),
    }
}

/// Closes the message that is read; answers whether there was one.
pub(super) fn close_message(model: &mut Model) -> bool {
    match top(model).map(|pane| &mut pane.view) {
        Some(View::Messages(view)) if view.opened().is_some() => {
            view.close();
            true
        }
        _ => false,
    }
}

/// Fits what is shown into the screen, reads what is asked for anew, and nothing that no pane shows
/// any more.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let area = layout::body(model);
    let fresh = model.fresh_id();
    for pane in panes(model) {
        let text = layout::journal(pane, area);
        pane.settle(usize::from(text.width), usize::from(text.height));
        if pane.following.is_none() || pane.filter.text() != pane.asked {
            pane.restart();
            effects.push(follow(pane, fresh, None));
        }
    }
    let now = panes(model).find_map(|pane| pane.following);
    if let Some(id) = model.journal_read.filter(|before| Some(*before) != now) {
        effects.push(Effect::Abandon { id });
    }
    model.journal_read = now;
}
