//! Where text goes that is typed or pasted.

use super::super::bench::Focus;
use super::super::field::Field;
use super::super::keys::Context;
use super::super::layer::Layer;
use super::super::model::Model;

/// Changes the text in which one types: what lies on top, the filter of a list, or a field of the
/// Bench.
pub(super) fn change(model: &mut Model, change: impl FnOnce(&mut Field)) {
    let context = model.context();
    if let (Context::Adding, Some(Layer::Add(adding))) = (context, model.layers.last_mut()) {
        change(&mut adding.line);
        adding.problem = None;
        return;
    }
    if let Some(Layer::Journal(pane)) = model.layers.last_mut() {
        change(&mut pane.filter);
        return;
    }
    let bench = &mut model.bench;
    if bench.filtering {
        if let Some(picker) = bench.focused_picker() {
            picker.filter_with(change);
        }
    } else if let Focus::Text(input) = bench.focus {
        change(bench.draft.field_mut(input));
        bench.stale = true;
    }
}
