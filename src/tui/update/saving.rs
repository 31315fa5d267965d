//! Saving a wait: the dialog, and what became of it.

use std::path::Path;
use std::sync::Arc;

use super::super::bench::Intent;
use super::super::keys::Action;
use super::super::layer::{Layer, Question};
use super::super::look::Tone;
use super::super::message::{Effect, Id};
use super::super::model::{Model, Place};
use super::super::saved::{Saved, SavedFrom, Saving, SavingLine, ToSave};
use super::{bench, waits};
use crate::app::{SaveLook, SaveRequest, SavedSpec};
use crate::store::{SaveError, Spec, SpecFile};
use crate::text;

/// Saves what is on the Bench once it is judged, or the wait that is meant.
pub(super) fn save(model: &mut Model) {
    let listed = matches!(model.layers.last(), Some(Layer::Waits { .. }));
    match model
        .meant()
        .filter(|_| listed || model.place == Place::Watch)
    {
        Some(wait) => {
            let what = ToSave {
                from: SavedFrom::Wait(wait.id),
                server: wait.server.clone(),
                call: wait.call.clone(),
                rounds: wait.rounds,
                saved: wait.saved.clone(),
            };
            waits::pop_layer(model);
            open(model, what);
        }
        None => bench::intend(model, Intent::Save),
    }
}

/// Opens the dialog for what is on the Bench, or says why it can't be saved.
pub(super) fn save_bench(model: &mut Model) {
    let Some(call) = model.bench.assessment.call.clone() else {
        bench::refuse(model, "can't save", |_| true);
        return;
    };
    let what = ToSave {
        from: SavedFrom::Bench,
        server: call.server().unwrap_or_default().to_owned(),
        call,
        rounds: model.bench.assessment.rounds,
        saved: model.bench.saved_here().cloned(),
    };
    open(model, what);
}

/// Opens the dialog.
fn open(model: &mut Model, what: ToSave) {
    model.layers.push(Layer::Save(Box::new(Saving::new(what))));
}

/// To another line of the dialog.
fn step(model: &mut Model, forward: bool) {
    let Some(saving) = on_top(model) else { return };
    let lines = saving.lines();
    let here = lines.iter().position(|line| *line == saving.line);
    let by = if forward { 1 } else { lines.len() - 1 };
    if let Some(line) = lines.get((here.unwrap_or(0) + by) % lines.len()) {
        saving.line = *line;
    }
}

/// Turns the option of the focused line.
fn turn(model: &mut Model, forward: bool) {
    let Some(saving) = on_top(model) else { return };
    match saving.line {
        SavingLine::Place => {
            let places = saving.places();
            let here = places.iter().position(|place| *place == saving.place);
            let by = if forward { 1 } else { places.len() - 1 };
            if let Some(place) = places.get((here.unwrap_or(0) + by) % places.len()) {
                saving.place = *place;
            }
        }
        SavingLine::Entry => saving.entry = saving.with_entry().map(|with| !with),
        SavingLine::Name | SavingLine::About | SavingLine::Path => return,
    }
    saving.problem = None;
    saving.stale = true;
}

/// Asks for what is written in the dialog to be saved.
pub(super) fn save_now(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(request) = on_top(model)
        .filter(|saving| saving.asked.is_none())
        .map(|saving| saving.request())
    else {
        return;
    };
    ask(model, request, effects);
}

/// Asks once more, over whatever is there.
pub(super) fn save_over(model: &mut Model, request: SaveRequest, effects: &mut Vec<Effect>) {
    let over_anything = true;
    let request = SaveRequest {
        over_anything,
        ..request
    };
    ask(model, request, effects);
}

fn ask(model: &mut Model, request: SaveRequest, effects: &mut Vec<Effect>) {
    let id = model.fresh_id();
    if let Some(saving) = on_top(model) {
        saving.asked = Some((id, request.clone()));
        saving.problem = None;
        let what = saving.what.clone();
        model.saves.insert(id, what);
        let request = Box::new(request);
        effects.push(Effect::SaveSpec { id, request });
    }
}

/// What changed in the dialog is looked at beside the loop.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let wanted = on_top(model).is_some_and(|saving| saving.stale && saving.looking.is_none());
    if !wanted {
        return;
    }
    let id = model.fresh_id();
    if let Some(saving) = on_top(model) {
        saving.stale = false;
        saving.looking = Some(id);
        effects.push(Effect::LookAtSaving {
            id,
            server: saving.what.server.clone(),
            place: saving.spec_place(),
            name: saving.trimmed_name(),
        });
    }
}

/// It is known what saving would do.
pub(super) fn looked(model: &mut Model, id: Id, look: SaveLook) {
    let dialogs = model.layers.iter_mut().filter_map(|layer| match layer {
        Layer::Save(saving) => Some(saving),
        _ => None,
    });
    for saving in dialogs {
        if saving.looking.take_if(|own| *own == id).is_some() {
            saving.look = Some(look);
            if !saving.lines().contains(&saving.line) {
                saving.line = SavingLine::Place;
            }
            return;
        }
    }
}

/// It was saved, or not. Who has closed the dialog meanwhile hears of it all the same.
pub(super) fn saved(model: &mut Model, id: Id, result: Result<Box<SavedSpec>, SaveError>) {
    let Some(what) = model.saves.remove(&id) else {
        return;
    };
    let is_own = |saving: &Saving| saving.asked.as_ref().is_some_and(|(own, _)| *own == id);
    let own = |layer: &Layer| matches!(layer, Layer::Save(saving) if is_own(saving));
    let place = model.layers.iter().position(own);
    match result {
        Ok(done) => {
            if let Some(place) = place {
                model.layers.remove(place);
                model.bench.rest();
            }
            done_with(model, what, *done);
        }
        Err(error) => match place.and_then(|place| model.layers.get_mut(place)) {
            Some(Layer::Save(saving)) => {
                let question = refused(saving, error);
                model.layers.extend(question.map(Layer::Question));
            }
            _ => model.say(Tone::Error, format!("it was not saved: {error}")),
        },
    }
}

/// The dialog learns why nothing was saved. Answers what is to be asked.
fn refused(saving: &mut Saving, error: SaveError) -> Option<Question> {
    let (_, request) = saving.asked.take()?;
    saving.stale = true;
    let changed = matches!(error, SaveError::Changed(_));
    match error {
        SaveError::Exists(path) | SaveError::Changed(path) => Some(Question::Overwrite {
            path,
            changed,
            request: Box::new(request),
        }),
        SaveError::Failed { .. } => {
            saving.problem = Some(error.to_string());
            None
        }
    }
}

fn done_with(model: &mut Model, what: ToSave, done: SavedSpec) {
    let saved = Arc::new(Saved::new(done.file, done.spec, &what.server));
    let path = saved.file.path.display().to_string();
    match what.from {
        SavedFrom::Bench => model.bench.saved = Some(Arc::clone(&saved)),
        SavedFrom::Wait(id) => {
            if let Some(wait) = model.waits.get_mut(&id) {
                wait.saved = Some(Arc::clone(&saved));
            }
        }
    }
    // Whoever began as that file knows it as it is now.
    for own in everywhere(model) {
        if own.file.path == saved.file.path {
            *own = Arc::clone(&saved);
        }
    }
    if done.variables.is_empty() {
        model.say(Tone::Ok, format!("saved as {path}"));
    } else {
        let names = text::one_line(&done.variables.join(", "), 40);
        let text = format!("set {names} before it runs; saved as {path}");
        model.say(Tone::Warn, text);
    }
}

/// A saved wait lies elsewhere by now: who goes on with it means that file.
pub(super) fn renamed(model: &mut Model, from: &Path, (file, spec): &(SpecFile, Spec)) {
    for own in everywhere(model) {
        if own.file.path == from {
            *own = Arc::new(Saved::new(file.clone(), spec.clone(), &own.server));
        }
    }
}

/// The saved waits that the Bench and the waits began as.
fn everywhere(model: &mut Model) -> impl Iterator<Item = &mut Arc<Saved>> {
    let waits = model.waits.values_mut().map(|wait| &mut wait.saved);
    waits.chain([&mut model.bench.saved]).flatten()
}

/// The dialog, where it lies on top.
fn on_top(model: &mut Model) -> Option<&mut Saving> {
    match model.layers.last_mut() {
        Some(Layer::Save(saving)) => Some(saving),
        _ => None,
    }
}

/// Whether an action is the dialog's.
pub(super) fn takes(model: &Model, action: Action) -> bool {
    let on_top = matches!(model.layers.last(), Some(Layer::Save(_)));
    on_top
        && matches!(
            action,
            Action::NextField | Action::PreviousField | Action::NextOption | Action::PreviousOption
        )
}

/// Carries it out.
pub(super) fn take(model: &mut Model, action: Action) {
    match action {
        Action::NextField => step(model, true),
        Action::PreviousField => step(model, false),
        Action::NextOption => turn(model, true),
        _ => turn(model, false),
    }
}
