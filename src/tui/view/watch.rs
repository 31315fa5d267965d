//! The Watch as it is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::ops::Range;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

use super::super::keys::{Action, Context};
use super::super::look::Look;
use super::super::model::Model;
use super::super::outcome;
use super::super::watch::{Mark, Phase, Wait};
use super::pieces::{row, words, words_right};
use super::{Cursor, layout, replay, sample, waits, what_if};
use crate::text;
use crate::wait::{AfterSleep, EntryKind};

pub(super) fn draw(model: &Model, buffer: &mut Buffer) -> Cursor {
    let wait = model.wait()?;
    let areas = layout::watch(model, wait);
    let mut cursor = None;
    if let Some(what_if) = model.what_if() {
        title(model, wait, buffer, padded(areas.title));
        cursor = what_if::condition(model, what_if, buffer, areas.what_if);
        timeline(model, wait, buffer, padded(areas.timeline));
        what_if::answer(wait, what_if, buffer, padded(areas.answer), model.look);
    } else if !model.zoomed {
        if let Some(replay) = &wait.replay {
            replay::draw(model, wait, replay, buffer, padded(areas.replay));
        }
        title(model, wait, buffer, padded(areas.title));
        gauge(model, wait, buffer, padded(areas.gauge));
        facts(model, wait, buffer, padded(areas.facts));
        timeline(model, wait, buffer, padded(areas.timeline));
        notes(wait, buffer, padded(areas.notes), model.look);
        ending(wait, buffer, padded(areas.outcome), model.look);
        called_out(model, wait, buffer, padded(areas.called_out));
    }
    sample::draw(model, wait, buffer, areas.observation);
    cursor
}

/// Cells of a sparkline: with fewer than the first it says too little, more than the second it
/// doesn't need.
const SPARKLINE: (u16, u16) = (6, 60);
/// Cells of what a wait is doing: `sampling 100, 12 s`.
const DOING: usize = 18;

/// A cell of air on both sides.
fn padded(area: Rect) -> Rect {
    Rect {
        x: area.x + 1.min(area.width),
        width: area.width.saturating_sub(2),
        ..area
    }
}

fn title(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let server = text::line(&wait.server);
    let tool = text::line(wait.call.tool());
    let arrow = format!(" {} ", look.symbols().arrow);
    let (kind, value) = wait.call.until().words();
    let before = [
        (server.as_ref(), Style::new()),
        (&arrow, look.accent()),
        (&tool, look.strong()),
        ("   until ", look.muted()),
        (kind, look.muted()),
        (" ", Style::new()),
    ];
    let needs = before.iter().map(|(word, _)| word.width()).sum::<usize>() + value.width();
    let area = Rect {
        width: among(model, wait, needs, buffer, area),
        ..area
    };
    let used = words(buffer, area, &before);
    let rest = Rect {
        x: area.x + used,
        width: area.width - used,
        ..area
    };
    let value = text::one_line(&value, usize::from(rest.width));
    words(buffer, rest, &[(&value, look.accent())]);
}

/// Which of several waits it is, and, where the title keeps the cells that it needs, which one ended
/// out of sight, at the right edge. Answers how many cells stay.
fn among(model: &Model, wait: &Wait, needs: usize, buffer: &mut Buffer, area: Rect) -> u16 {
    const LEAST: u16 = 30;
    let (place, all) = model.place_of(wait.id);
    if all < 2 {
        return area.width;
    }
    let look = model.look;
    let place = format!("  {place} of {all}");
    let place = (place.as_str(), look.strong());
    if let Some(ended) = model.unseen() {
        let (symbol, style) = waits::symbol(ended, look);
        let tool = text::one_line(ended.call.tool(), 20);
        // Said in words, since the symbol alone would be taken for that of the wait in view.
        let other = format!("  other ended: {symbol} {tool}");
        let needs = u16::try_from(needs).unwrap_or(u16::MAX);
        let left = words_right(buffer, area, &[(&other, style), place], needs);
        if left < area.width {
            return left;
        }
    }
    words_right(buffer, area, &[place], LEAST)
}

fn gauge(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let (look, symbols) = (model.look, model.look.symbols());
    let (elapsed, left) = wait.budget(model.now);
    let style = match wait.was_met() {
        None => look.accent(),
        Some(true) => look.ok(),
        Some(false) if wait.can_continue() => look.warn(),
        Some(false) => look.error(),
    };
    let left = if wait.is_running() {
        format!("   {} left", text::clock(rounded_up(left)))
    } else {
        format!("   of {}", text::clock(wait.call.bound()))
    };
    let clock = format!("  {}", text::clock(elapsed));
    let room = words_right(
        buffer,
        area,
        &[(&clock, look.strong()), (&left, Style::new())],
        8,
    );
    let halves = u128::from(room) * 2 * elapsed.as_millis() / wait.call.bound().as_millis().max(1);
    let halves = usize::try_from(halves)
        .unwrap_or(0)
        .min(usize::from(room) * 2);
    let full = symbols.gauge_full.repeat(halves / 2);
    let half = if halves % 2 == 1 {
        symbols.gauge_half
    } else {
        ""
    };
    let rest = symbols
        .gauge_rest
        .repeat(usize::from(room) - halves.div_ceil(2));
    let bar = Rect {
        width: room,
        ..area
    };
    words(
        buffer,
        bar,
        &[(&full, style), (half, style), (&rest, look.muted())],
    );
}

/// So that elapsed and left add up to the bound.
pub(super) fn rounded_up(duration: Duration) -> Duration {
    Duration::from_secs(duration.as_secs() + u64::from(duration.subsec_nanos() > 0))
}

fn facts(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let (doing, style) = doing(model, wait);
    // What changes with every sample keeps its width, so that nothing moves beside it.
    let width = if wait.is_running() { DOING } else { 0 };
    let mut facts = vec![(format!("{doing:width$}"), style)];
    if wait.rounds > 1 || wait.round > 1 {
        let of = if wait.rounds >= wait.round {
            format!(" of {}", wait.rounds)
        } else {
            String::new()
        };
        facts.push((format!("round {}{of}", wait.round.max(1)), Style::new()));
    }
    if let Some((quiet, of)) = wait.quiet().filter(|_| wait.is_running()) {
        let fact = format!("quiet {} of {} s", quiet.as_secs(), of.as_secs());
        facts.push((fact, look.accent()));
    }
    facts.push((
        format!("every {} s", wait.call.poll().as_secs()),
        look.muted(),
    ));
    if let Some(flaw) = wait.recorded.flaw() {
        facts.push((flaw.to_owned(), look.warn()));
    }
    if let Some((median, longest)) = wait.latency() {
        facts.push((format!("p50 {}", text::spoken(median)), look.muted()));
        facts.push((format!("max {}", text::spoken(longest)), look.muted()));
    }
    let changes = wait.history.changes();
    let word = if changes == 1 { "change" } else { "changes" };
    facts.push((format!("{changes} {word}"), look.muted()));
    let mut rest = area;
    for (fact, style) in &facts {
        if usize::from(rest.width) < fact.width() {
            return;
        }
        let used = words(buffer, rest, &[(fact, *style), ("   ", Style::new())]);
        rest = Rect {
            x: rest.x + used,
            width: rest.width - used,
            ..rest
        };
    }
    sparkline(wait, buffer, rest, look);
}

/// The latencies of the newest samples at the right edge, against the longest of them.
fn sparkline(wait: &Wait, buffer: &mut Buffer, area: Rect, look: Look) {
    if area.width < SPARKLINE.0 {
        return;
    }
    let cells = usize::from(area.width.min(SPARKLINE.1));
    let entries = wait.history.entries();
    let newest = &entries[entries.len().saturating_sub(cells)..];
    let longest = newest.iter().map(|entry| entry.latency).max();
    let longest = longest.unwrap_or_default().as_micros().max(1);
    let heights = look.symbols().heights;
    for (back, entry) in newest.iter().rev().enumerate() {
        let height = entry.latency.as_micros() * (heights.len() as u128 - 1) / longest;
        let height = usize::try_from(height).unwrap_or(0);
        let style = match entry.kind {
            EntryKind::Failed { .. } => look.error(),
            EntryKind::Observed { .. } => look.muted(),
        };
        let x = area.right() - 1 - u16::try_from(back).unwrap_or(0);
        let cell = Rect {
            x,
            width: 1,
            ..area
        };
        words(buffer, cell, &[(heights[height], style)]);
    }
}

/// What the wait is doing at this moment.
fn doing(model: &Model, wait: &Wait) -> (String, Style) {
    let look = model.look;
    let since = |then: Duration| model.now.saturating_sub(then).as_secs();
    let until = |then: Duration| rounded_up(then.saturating_sub(model.now)).as_secs();
    if wait.stopping {
        return ("stopping".to_owned(), look.warn());
    }
    let words = match &wait.phase {
        _ if wait.replay.is_some() => samples(wait),
        Phase::Starting => format!("connecting, {} s", since(wait.asked)),
        Phase::Sampling {
            sample,
            since: began,
        } => {
            format!("sampling {sample}, {} s", since(*began))
        }
        Phase::Sleeping {
            until: then,
            then: next,
        } => match next {
            AfterSleep::Sample => format!("next in {} s", until(*then)),
            AfterSleep::LastLook => format!("last look in {} s", until(*then)),
            AfterSleep::BudgetEnds => format!("the bound in {} s", until(*then)),
        },
        Phase::Ended(_) => samples(wait),
    };
    (words, look.strong())
}

fn samples(wait: &Wait) -> String {
    match wait.history.entries().len() {
        1 => "1 sample".to_owned(),
        samples => format!("{samples} samples"),
    }
}

/// A cell for each sample, or for several. What comes after the stop that what if found is muted.
fn timeline(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let (look, what_if) = (model.look, model.what_if());
    let stop = what_if.and_then(|what_if| what_if.decided_at(wait));
    let samples = wait.history.entries().len();
    let cells = usize::from(area.width).min(samples);
    let looked_at = wait.index();
    for cell in 0..cells {
        let group = samples_of(cell, samples, cells);
        let mark = group
            .clone()
            .map(|index| sample::mark(model, wait, index))
            .max()
            .unwrap_or(Mark::Same);
        let (symbol, style) = picture(mark, look);
        let after = stop.is_some_and(|stop| stop < group.start);
        let style = if after { look.muted() } else { style };
        let here = looked_at.is_some_and(|index| group.contains(&index));
        let style = if here {
            style.patch(look.selected())
        } else {
            style
        };
        let x = area.x + u16::try_from(cell).unwrap_or(0);
        words(
            buffer,
            Rect {
                x,
                width: 1,
                ..area
            },
            &[(symbol, style)],
        );
    }
}

/// The samples that one cell of the timeline stands for.
pub(super) fn samples_of(cell: usize, samples: usize, cells: usize) -> Range<usize> {
    cell * samples / cells..(cell + 1) * samples / cells
}

fn picture(mark: Mark, look: Look) -> (&'static str, Style) {
    let symbols = look.symbols();
    match mark {
        Mark::Same => (symbols.same, look.muted()),
        Mark::Changed => (symbols.changed, look.accent()),
        Mark::Lost => (symbols.asks, look.warn()),
        Mark::ToolError => (symbols.tool_error, look.warn()),
        Mark::Failed => (symbols.failed, look.error()),
        Mark::FailedWhen => (symbols.unmet, look.error()),
        Mark::Matched => (symbols.matched, look.ok()),
    }
}

fn notes(wait: &Wait, buffer: &mut Buffer, area: Rect, look: Look) {
    let Some(said) = wait.notes.in_words(look) else {
        return;
    };
    let note = text::one_line(&said, usize::from(area.width));
    words(buffer, area, &[(&note, look.accent())]);
}

/// What looks wrong, and the key that stops it.
fn called_out(model: &Model, wait: &Wait, buffer: &mut Buffer, area: Rect) {
    let Some(said) = outcome::called_out(wait) else {
        return;
    };
    let look = model.look;
    let stop = model.keymap.key(Context::Watch, Action::Stop);
    let stop = stop.filter(|_| wait.is_running());
    let stop = stop.map(|key| format!("; {} stops", look.key(key)));
    let stop = stop.unwrap_or_default();
    let symbol = look.symbols().tool_error;
    let room = usize::from(area.width).saturating_sub(stop.width() + 2);
    let said = text::one_line(&said, room);
    let warn = look.warn();
    words(
        buffer,
        area,
        &[(symbol, warn), (" ", warn), (&said, warn), (&stop, warn)],
    );
}

fn ending(wait: &Wait, buffer: &mut Buffer, area: Rect, look: Look) {
    let symbols = look.symbols();
    for (offset, line) in outcome::lines(wait, area.width + 2).iter().enumerate() {
        let area = row(area, offset);
        if line.label.is_empty() {
            let symbol = match (offset, wait.was_met()) {
                (0, Some(true)) => symbols.met,
                (0, _) => symbols.unmet,
                _ => " ",
            };
            let style = look.tone(line.tone).patch(look.strong());
            words(
                buffer,
                area,
                &[(symbol, style), (" ", style), (&line.text, style)],
            );
        } else {
            let label = format!("  {}  ", line.label);
            words(
                buffer,
                area,
                &[(&label, look.muted()), (&line.text, Style::new())],
            );
        }
    }
}
