//! Where text goes that is typed or pasted.

use super::super::bench::Focus;
use super::super::field::Field;
use super::super::keys::Context;
use super::super::layer::Layer;
use super::super::model::Model;

/// Changes the text in which one types: what lies on top, the words of a search, the filter of a
/// list, or a field of the Bench.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Field)) {
    let context = model.context();
    if let (Context::Adding, Some(Layer::Add(adding))) = (context, model.layers.last_mut()) {
        change(&mut adding.line);
        adding.problem = None;
        return;
    }
    match model.layers.last_mut() {
        Some(Layer::Help(help)) => {
            change(&mut help.filter);
            help.top = 0;
            return;
        }
        Some(Layer::Save(saving)) => {
            saving.problem = None;
            saving.stale = true;
            if let Some(field) = saving.field() {
                change(field);
            }
            return;
        }
        Some(Layer::Palette(palette)) => return palette.filter_with(change),
        Some(Layer::Asking(asking)) => {
            asking.problem = None;
            if let Some(field) = &mut asking.answer {
                change(field);
            }
            return;
        }
        Some(Layer::Journal(pane)) => return change(&mut pane.filter),
        Some(Layer::WhatIf(what_if)) => return super::what_if::change(what_if, change),
        Some(Layer::Naming(naming)) => {
            naming.problem = None;
            return change(&mut naming.line);
        }
        _ => {}
    }
    if context == Context::Search {
        if let Some(reading) = model.reading_mut() {
            reading.edit_search(change);
        }
        return;
    }
    if context == Context::LibraryFilter {
        return model.library.picker_mut().filter_with(change);
    }
    let bench = &mut model.bench;
    if bench.filtering {
        if let Some(picker) = bench.focused_picker() {
            picker.filter_with(change);
        }
        return;
    }
    match bench.focus {
        Focus::Text(input) => change(bench.draft.field_mut(input)),
        Focus::Argument(_) => bench.draft.arguments_mut().change_hand(change),
        _ => return,
    }
    bench.stale = true;
}
