//! Changes of the Library: listing, filtering, previews, and what is done with a saved file.

use super::super::field::Field;
use super::super::keys::Action;
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::{Effect, Id, ServerList};
use super::super::model::{Model, Place, Then};
use super::super::naming::{Naming, Purpose};
use super::super::{layout, library};
use super::{load, replay, saving};
use crate::app::{
    CopyOf, GoneFile, Kept, KeptOutcome, KeptWait, LibraryChange, LibraryChanged, LibraryList,
    LibraryRow, Preview,
};
use crate::text;

/// Cells of a name in a sentence.
const NAME: usize = 40;

/// To the Library, which is listed afresh.
pub(super) fn go(model: &mut Model) {
    model.bench.rest();
    model.place = Place::Library;
    model.library.stale = true;
}

/// Lists what is saved where that may have changed, and reads what is told of the chosen file.
pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let ids = [(); 2].map(|()| model.fresh_id());
    let (width, height) = layout::reading_size(model);
    let library = &mut model.library;
    if library.stale && library.listing.is_none() {
        library.stale = false;
        library.listing = Some(ids[0]);
        effects.push(Effect::ListLibrary { id: ids[0] });
    }
    if let Some(row) = library.wants_preview().cloned() {
        library.ask_preview(ids[1], row.path.clone());
        effects.push(Effect::ReadPreview {
            id: ids[1],
            kind: row.kind,
            path: row.path,
        });
    }
    library.show_preview(width, height);
}

pub(super) fn listed(model: &mut Model, id: Id, list: LibraryList) {
    let library = &mut model.library;
    if library.listing.take_if(|own| *own == id).is_some() {
        library.take(list);
    }
}

pub(super) fn previewed(model: &mut Model, id: Id, preview: Result<Preview, String>) {
    model.library.take_preview(id, preview);
}

/// Whether the filter of the Library is meant.
pub(super) fn is_filtered(model: &Model) -> bool {
    model.place == Place::Library && model.layers.is_empty()
}

pub(super) fn filter(model: &mut Model, action: Action) {
    let library = &mut model.library;
    library.filtering = action == Action::Filter;
    if action == Action::ClearFilter {
        library.picker_mut().clear_filter();
    }
}

/// From the list to what is told of the chosen file, or back.
pub(super) fn turn_pane(model: &mut Model) {
    let library = &mut model.library;
    library.previewing = !library.previewing && library.chosen().is_some();
}

/// One step back; answers whether there was one.
pub(super) fn back(model: &mut Model) -> bool {
    let library = &mut model.library;
    if library.previewing {
        library.previewing = false;
    } else if !library.picker().filter().is_empty() {
        library.picker_mut().clear_filter();
    } else {
        return false;
    }
    true
}

/// The chosen file, unless it can't be read or there is none; then that is said.
fn usable(model: &mut Model) -> Option<LibraryRow> {
    let row = chosen(model)?;
    match &row.problem {
        None => Some(row),
        Some(problem) => {
            model.say(Tone::Warn, problem.clone());
            None
        }
    }
}

/// The chosen file; where there is none, that is said.
fn chosen(model: &mut Model) -> Option<LibraryRow> {
    let row = model.library.chosen().cloned();
    if row.is_none() {
        model.say(Tone::Plain, "nothing is chosen here");
    }
    row
}

pub(super) fn copy_path(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(row) = chosen(model) {
        effects.push(Effect::Copy(CopyOf::Path(row.path)));
    }
}

/// Asks for another name, or for where a copy goes.
pub(super) fn open_naming(model: &mut Model, purpose: Purpose) {
    let Some(row) = chosen(model) else { return };
    if purpose == Purpose::Rename && still_grows(model, &row) {
        return;
    }
    let line = match purpose {
        Purpose::Rename => row.name.clone(),
        Purpose::Export => library::export_name(&row),
    };
    model.layers.push(Layer::Naming(Box::new(Naming {
        purpose,
        kind: row.kind,
        path: row.path,
        name: row.name,
        line: Field::line(&line),
        asked: None,
        problem: None,
    })));
}

/// A file that a wait is writing stays where it is; that is said.
fn still_grows(model: &mut Model, row: &LibraryRow) -> bool {
    let grows = row.outcome == Some(KeptOutcome::Running) && row.kind == Kept::Recording;
    if grows {
        let text = "its wait is still running and writes it; wait for its end, or stop it";
        model.say(Tone::Plain, text);
    }
    grows
}

/// Asks for what was typed.
pub(super) fn confirm_name(model: &mut Model, effects: &mut Vec<Effect>) {
    let id = model.fresh_id();
    let is_changing = model.library.changing.is_some();
    let Some(Layer::Naming(naming)) = model.layers.last_mut() else {
        return;
    };
    let typed = naming.line.text().trim().to_owned();
    if naming.asked.is_some() {
        return;
    }
    if typed.is_empty() {
        naming.problem = Some("type something first".to_owned());
        return;
    }
    // Its answer is still to come, and says how it is undone.
    if is_changing {
        naming.problem = Some("the change before is not done yet; try again then".to_owned());
        return;
    }
    naming.asked = Some(id);
    naming.problem = None;
    let path = naming.path.clone();
    let change = match naming.purpose {
        Purpose::Rename => LibraryChange::Rename {
            kind: naming.kind,
            path,
            name: typed,
        },
        Purpose::Export => LibraryChange::Export { path, to: typed },
    };
    model.library.changing = Some(id);
    effects.push(Effect::ChangeLibrary { id, change });
}

pub(super) fn delete(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = chosen(model) else { return };
    if still_grows(model, &row) {
        return;
    }
    let (kind, path, name) = (row.kind, row.path, row.name);
    change(model, LibraryChange::Delete { kind, path, name }, effects);
}

/// Brings back what was deleted last.
pub(super) fn restore(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.library.gone.last().cloned() {
        Some(gone) => change(model, LibraryChange::Restore(gone), effects),
        None => model.say(Tone::Plain, "nothing was deleted since stakeout began"),
    }
}

/// One change after the other: a second press of the key must not take the file beside.
fn change(model: &mut Model, change: LibraryChange, effects: &mut Vec<Effect>) {
    if model.library.changing.is_some() {
        model.say(Tone::Plain, "the change before is not done yet");
        return;
    }
    let id = model.fresh_id();
    model.library.changing = Some(id);
    effects.push(Effect::ChangeLibrary { id, change });
}

pub(super) fn changed(model: &mut Model, id: Id, result: Result<LibraryChanged, String>) {
    if model.library.changing.take_if(|own| *own == id).is_none() {
        return;
    }
    let asked = |layer: &Layer| matches!(layer, Layer::Naming(naming) if naming.asked == Some(id));
    let layer = model.layers.iter().position(asked);
    model.library.stale = true;
    let short = |name: &str| text::one_line(name, NAME);
    match result {
        Ok(changed) => {
            if let Some(layer) = layer {
                model.layers.remove(layer);
            }
            let mut tone = Tone::Ok;
            let said = match changed {
                LibraryChanged::Renamed {
                    from,
                    path,
                    name,
                    saved,
                } => {
                    replay::moved(model, &from, &path);
                    model.library.wanted = Some(path);
                    if let Some(saved) = saved {
                        saving::renamed(model, &from, &saved);
                    }
                    format!("it is called {} now", short(&name))
                }
                LibraryChanged::Deleted(gone) => {
                    if let GoneFile::Recording(file) = &gone.file {
                        replay::deleted(model, &file.path, true);
                    }
                    let name = short(&gone.name);
                    model.library.gone.push(gone);
                    let key = model.key_of(Action::Restore);
                    format!("{name} was deleted; {key} brings it back")
                }
                LibraryChanged::Restored { path, name } => {
                    replay::deleted(model, &path, false);
                    model.library.gone.pop();
                    model.library.wanted = Some(path);
                    format!("{} is back", short(&name))
                }
                LibraryChanged::GoneForGood { name } => {
                    model.library.gone.pop();
                    tone = Tone::Warn;
                    let key = model.key_of(Action::Restore);
                    let before = match model.library.gone.last() {
                        Some(before) => format!("; {key} brings {} back", short(&before.name)),
                        None => String::new(),
                    };
                    format!("{} is gone for good{before}", short(&name))
                }
                LibraryChanged::Exported { to } => format!("a copy is in {}", to.display()),
            };
            model.say(tone, said);
        }
        Err(problem) => {
            let top = layer.and_then(|layer| model.layers.get_mut(layer));
            if let Some(Layer::Naming(naming)) = top {
                naming.asked = None;
                naming.problem = Some(problem);
            } else {
                model.say(Tone::Error, problem);
            }
        }
    }
}

/// Loads the chosen wait on the Bench, or opens the recording on the Watch.
pub(super) fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = usable(model) else { return };
    match row.kind {
        Kept::Spec => read(model, row, Then::Connect, effects),
        Kept::Recording => replay::open(model, row.path, effects),
    }
}

/// Runs the chosen wait. The wait of a recording is loaded on the Bench, and nothing is started.
pub(super) fn run(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(row) = usable(model) else { return };
    let then = match row.kind {
        Kept::Spec => Then::Run,
        Kept::Recording => Then::Rest,
    };
    read(model, row, then, effects);
}

fn read(model: &mut Model, row: LibraryRow, then: Then, effects: &mut Vec<Effect>) {
    let id = model.fresh_id();
    model.reading_kept = Some((id, then));
    let (kind, path) = (row.kind, row.path);
    effects.push(Effect::ReadKept { id, kind, path });
}

pub(super) fn kept_read(
    model: &mut Model,
    id: Id,
    result: Result<(KeptWait, ServerList), String>,
    effects: &mut Vec<Effect>,
) {
    let Some((_, then)) = model.reading_kept.take_if(|(own, _)| *own == id) else {
        return;
    };
    match result {
        Ok((kept, list)) => {
            model.bench.set_servers(list.servers);
            model.bench.problems = list.problems;
            load::load_saved(model, kept.call, kept.rounds, kept.saved, then, effects);
            if let Some(loading) = &mut model.loading {
                loading.notices = kept.notices;
            }
        }
        Err(problem) => model.say(Tone::Error, problem),
    }
}
