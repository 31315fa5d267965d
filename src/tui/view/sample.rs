//! The sample of a wait that is looked at, as it is drawn.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::keys::Action;
use super::super::look::Look;
use super::super::model::Model;
use super::super::watch::{Mark, Position, Run, Wait};
use super::super::what_if::WhatIf;
use super::pieces::{self, Pane, row, words};
use super::{layout, reading, why};
use crate::text;
use crate::text::Difference;
use crate::wait::EntryKind;

pub(super) fn draw(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let (inside, below) = layout::judged(model, area);
    let height = usize::from(inside.height);
    let right = match wait.position {
        _ if wait.index().is_none() => None,
        _ if wait.replay.is_some() => wait.index().map(|index| {
            let all = wait.history.entries().len();
            (format!("{} of {all}", index + 1), look.muted())
        }),
        Position::Follow if wait.is_running() => Some(("following".to_owned(), look.muted())),
        Position::Follow => None,
        Position::Hold(_) => match wait.newer() {
            0 => Some(("held".to_owned(), look.warn())),
            newer => Some((format!("held, {newer} newer"), look.warn())),
        },
    };
    let title = sample_title(model, wait);
    let right = model
        .what_if()
        .map_or(right, |what_if| meaning(wait, what_if, look));
    let bottom = reading::place(&wait.reading, || model.places_matched(), height, look);
    Pane {
        title: &title,
        right,
        bottom: bottom.clone(),
        focused: true,
    }
    .frame(buffer, area, look);
    reading::legend(buffer, area, model.highlights(), bottom.as_deref(), look);
    if let Some(entry) = wait.entry().filter(|_| wait.lacks_text()) {
        let said = format!("reading sample {} from the recording", entry.sample);
        words(buffer, inside, &[(&said, look.muted())]);
    } else if wait.reading.document.is_some() {
        let marks = reading::Marks {
            highlights: model.highlights(),
            diff: wait.diff(),
        };
        reading::draw(buffer, inside, &wait.reading, marks, look);
    } else {
        words(buffer, inside, &[("no sample yet", look.muted())]);
    }
    let remark = layout::remark(model, usize::from(below.width));
    for (offset, line) in remark.iter().enumerate() {
        words(buffer, row(below, offset), &[(line, look.warn())]);
    }
    let remarked = u16::try_from(remark.len()).unwrap_or(0).min(below.height);
    let below = Rect {
        y: below.y + remarked,
        height: below.height - remarked,
        ..below
    };
    if let Some(why) = layout::why(model) {
        let context = model.what_if().map(WhatIf::context);
        let context = context.unwrap_or(model.context_below());
        let take = (model.keymap).key(context, Action::FixPattern);
        why::draw(why, take, buffer, below, look);
    }
}

/// What the cell of the sample at `index` says.
pub(super) fn mark(model: &Model, wait: &Wait, index: usize) -> Mark {
    match model.what_if() {
        Some(what_if) => what_if.mark(wait, index),
        None => wait.mark(index),
    }
}

/// What the sample that is looked at would mean under another condition.
fn meaning(wait: &Wait, what_if: &WhatIf, look: Look) -> Option<(String, Style)> {
    let meaning = what_if.meaning(wait)?;
    let style = look.tone(meaning.tone).patch(look.strong());
    Some((meaning.text, style))
}

/// Number, when, how long after the one before, size, what it is, which of how many equal ones, and
/// how long it took.
fn sample_title(model: &Model, wait: &Wait) -> String {
    let look = model.look;
    let Some((index, entry)) = wait.index().zip(wait.entry()) else {
        return "Observation".to_owned();
    };
    let when = entry.at + entry.latency;
    let when = if when < Duration::from_secs(1) {
        format!("{:.1} s", when.as_secs_f64())
    } else {
        text::spoken(when)
    };
    let mut parts = vec![format!("{}", entry.sample)];
    if matches!(entry.kind, EntryKind::Observed { .. }) {
        parts.extend(wait.reading.aspect.title().map(str::to_owned));
    }
    parts.push(when);
    let run = wait.run_of(index);
    let before = index.checked_sub(1);
    let before = before.and_then(|before| wait.history.entries().get(before));
    // The times of a run say more than the time since one sample, and need the room.
    if let Some(before) = before.filter(|_| run.is_none()) {
        parts.push(format!(
            "+{}",
            text::spoken(entry.at.saturating_sub(before.at))
        ));
    }
    match &entry.kind {
        EntryKind::Failed { .. } => parts.push("no observation".to_owned()),
        EntryKind::Observed { bytes, .. } => parts.push(pieces::bytes(*bytes)),
    }
    match mark(model, wait, index) {
        Mark::Same if index == 0 => parts.push("first".to_owned()),
        Mark::Same => parts.push("same".to_owned()),
        Mark::Changed => parts.push("changed".to_owned()),
        Mark::Lost => parts.push("not judged".to_owned()),
        Mark::ToolError => parts.push("tool error".to_owned()),
        Mark::Failed => {}
        Mark::FailedWhen => parts.push("fail when matched".to_owned()),
        Mark::Matched => parts.push("met".to_owned()),
    }
    let too_different = matches!(wait.difference(), Some(Difference::TooDifferent));
    if let Some(last) = parts.last_mut().filter(|_| too_different) {
        last.push_str(", too different to diff");
    }
    if wait.reconnected.contains(&entry.sample) {
        parts.push("reconnected".to_owned());
    }
    parts.extend(run.map(in_words));
    // Last, since what is last goes first where there is little room.
    parts.push(text::spoken(entry.latency));
    parts.join(&format!(" {} ", look.symbols().dot))
}

/// `3 of 8, 0:47-1:03`: which of how many equal samples it is, and when the first and the last came.
fn in_words(run: Run) -> String {
    let (from, to) = (text::clock(run.from), text::clock(run.to));
    format!("{} of {} alike, {from}-{to}", run.place, run.length)
}
