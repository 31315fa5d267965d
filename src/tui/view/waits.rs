//! The list of waits.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::look::{Look, Tone};
use super::super::message::Id;
use super::super::model::Model;
use super::super::outcome;
use super::super::watch::{Phase, Wait};
use super::layout;
use super::pieces::{Pane, put, row, words, words_right};
use super::watch::rounded_up;
use crate::text;

/// Cells of the box: wider than this says no more.
const WIDEST: u16 = 110;
/// Rows under the list: a blank one, whose tool with what, and how it stands.
const DETAIL: u16 = 3;
/// Cells of a tool's name.
const TOOL: usize = 24;

pub(super) fn draw(cursor: Id, model: &Model, buffer: &mut Buffer) {
    let look = model.look;
    let rows = u16::try_from(model.waits.len()).unwrap_or(u16::MAX);
    let area = boxed(buffer.area, rows.saturating_add(DETAIL + 2));
    Clear.render(area, buffer);
    let inside = layout::inside(area);
    let height = usize::from(inside.height.saturating_sub(DETAIL).max(1));
    let (place, all) = model.place_of(cursor);
    let top = place.saturating_sub(height);
    Pane {
        title: "Waits",
        right: (all > height).then(|| (format!("{place} of {all}"), look.muted())),
        bottom: None,
        focused: true,
    }
    .frame(buffer, area, look);
    for (offset, wait) in model.waits.values().skip(top).take(height).enumerate() {
        let line = row(inside, offset);
        entry(model, wait, buffer, line);
        if wait.id == cursor {
            buffer.set_style(line, look.selected_line());
        }
    }
    match model.waits.get(&cursor) {
        Some(wait) => detail(model, wait, buffer, inside),
        None => {
            let told = [("no waits are left", look.muted())];
            words(buffer, row(inside, 0), &told);
        }
    }
}

/// One line: how it stands, the tool, what it waits for, its time and its state.
fn entry(model: &Model, wait: &Wait, buffer: &mut Buffer, line: Rect) {
    let look = model.look;
    let (picture, style) = symbol(wait, look);
    let mark = if model.watched == Some(wait.id) {
        look.symbols().on_bench
    } else {
        " "
    };
    let (elapsed, _) = wait.budget(model.now);
    let longest = |cell: fn(&Model, &Wait) -> String| {
        let widths = model.waits.values().map(|wait| cell(model, wait).width());
        widths.max().unwrap_or_default()
    };
    let clock = text::clock(elapsed);
    let width = longest(state);
    let state = format!("  {clock:>5}  {:width$}", state(model, wait));
    let strong = if wait.unseen {
        look.strong()
    } else {
        Style::new()
    };
    let room = words_right(buffer, line, &[(&state, style.patch(strong))], 20);
    let line = Rect {
        width: room,
        ..line
    };
    let (tool, width) = (name(wait), longest(|_, wait| name(wait)));
    let tool = format!("{tool}{}", " ".repeat(width.saturating_sub(tool.width())));
    let (kind, value) = wait.call.until().words();
    let used = words(
        buffer,
        line,
        &[
            (mark, look.accent()),
            (" ", Style::new()),
            (picture, style),
            (" ", Style::new()),
            (&tool, strong),
            ("  ", Style::new()),
            (kind, look.muted()),
            (" ", Style::new()),
        ],
    );
    let rest = Rect {
        x: line.x + used,
        width: line.width - used,
        ..line
    };
    put(
        buffer,
        rest,
        &text::one_line(&value, usize::from(rest.width)),
        0,
        |_| Style::new(),
    );
}

fn name(wait: &Wait) -> String {
    text::one_line(wait.call.tool(), TOOL)
}

/// The picture of how a wait stands.
pub(super) fn symbol(wait: &Wait, look: Look) -> (&'static str, Style) {
    let symbols = look.symbols();
    match wait.was_met() {
        None => (symbols.running, look.accent()),
        Some(true) => (symbols.met, look.ok()),
        Some(false) => (symbols.unmet, look.error()),
    }
}

/// How a wait stands, in a word or two.
fn state(model: &Model, wait: &Wait) -> String {
    match &wait.phase {
        _ if wait.replay.is_some() => "replay".to_owned(),
        _ if wait.stopping => "stopping".to_owned(),
        Phase::Starting => "connecting".to_owned(),
        Phase::Sampling { .. } | Phase::Sleeping { .. } => {
            let (_, left) = wait.budget(model.now);
            format!("{} left", text::clock(rounded_up(left)))
        }
        ended => outcome::in_a_word(ended).to_owned(),
    }
}

/// Whose tool the wait under the cursor calls with what, and how it ended or what it saw last.
fn detail(model: &Model, wait: &Wait, buffer: &mut Buffer, inside: Rect) {
    let look = model.look;
    let width = usize::from(inside.width);
    let bottom = usize::from(inside.height);
    let arrow = look.symbols().arrow;
    let args = serde_json::Value::Object(wait.call.args().clone()).to_string();
    let call = format!("{} {arrow} {} {args}", wait.server, wait.call.tool());
    let call = text::one_line(&call, width);
    words(
        buffer,
        row(inside, bottom.saturating_sub(2)),
        &[(&call, look.muted())],
    );
    let (tone, said) = match &wait.phase {
        Phase::Ended(ending) => outcome::sentence(&wait.call, ending),
        _ => {
            let said = match wait.history.last_text() {
                Some(value) => format!("last value  {}", outcome::gist(value)),
                None => "no sample yet".to_owned(),
            };
            (Tone::Plain, said)
        }
    };
    let said = text::one_line(&said, width);
    let last = row(inside, bottom.saturating_sub(1));
    words(buffer, last, &[(&said, look.tone(tone))]);
}

/// A box in the middle of the screen.
fn boxed(screen: Rect, rows: u16) -> Rect {
    let width = WIDEST.min(screen.width.saturating_sub(4));
    let height = rows.min(screen.height.saturating_sub(4));
    Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    }
}
