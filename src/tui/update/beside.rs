//! What is worked out about the sample in view, beside the loop, and what is done with it.

use std::sync::Arc;

use super::super::bench::{Bench, Focus};
use super::super::draft::Input;
use super::super::field::Field;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::{Model, Place};
use super::super::why::Fixes;
use super::watch;

/// Asks why the condition doesn't hold for the sample in view.
pub(super) fn explain(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.wait() else { return };
    let Some(text) = wait.observation().filter(|text| wait.whys.wants([text])) else {
        return;
    };
    let until = wait.call.until().clone();
    if until.pattern().is_none() {
        return;
    }
    let text = Arc::clone(text);
    let id = model.fresh_id();
    if let Some(wait) = model.wait_mut() {
        wait.whys.ask(id, [Arc::clone(&text)]);
    }
    effects.push(Effect::Explain { id, until, text });
}

/// Asks how the sample in view differs from the one before.
pub(super) fn compare(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(wait) = model.wait() else { return };
    let wanted = wait
        .compared()
        .filter(|texts| wait.differences.wants(*texts));
    let Some(texts) = wanted.map(|texts| texts.map(Arc::clone)) else {
        return;
    };
    let id = model.fresh_id();
    if let Some(wait) = model.wait_mut() {
        wait.differences.ask(id, texts.clone());
    }
    effects.push(Effect::Compare { id, texts });
}

/// Takes the pattern that is offered; from the Watch, to the Bench.
pub(super) fn fix_pattern(model: &mut Model, effects: &mut Vec<Effect>) {
    let fixes = match (model.place, model.wait()) {
        (Place::Watch, Some(wait)) => wait.why().and_then(|why| {
            let written = wait.call.until().pattern()?.source().to_owned();
            Fixes::new(written, why)
        }),
        _ => on_bench(&model.bench),
    };
    let Some(mut fixes) = fixes else {
        model.say(Tone::Plain, "no other pattern is offered here");
        return;
    };
    if model.place == Place::Watch {
        watch::edit_on_bench(model, effects);
        model.bench.set_focus(Focus::Text(Input::Pattern));
        model.bench.typing = false;
    }
    let (pattern, said) = fixes.take();
    *model.bench.draft.field_mut(Input::Pattern) = Field::line(&pattern);
    model.bench.fixes = Some(fixes);
    model.bench.stale = true;
    model.say(Tone::Plain, said);
}

/// What is left of the fixes that were taken from, or else those for the pattern as it is.
fn on_bench(bench: &Bench) -> Option<Fixes> {
    let pattern = bench.draft.field(Input::Pattern).text();
    let taken = bench.fixes.clone().filter(|fixes| fixes.holds(&pattern));
    taken.or_else(|| Fixes::new(pattern, bench.assessment.why.as_ref()?))
}
