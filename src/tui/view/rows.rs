//! The lines of a list: names, states and remarks in columns, and the filter above them.
//!
//! Owns how a list is laid out. Must not know what is listed.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::look::Look;
use super::super::model::Model;
use super::super::picker::Picker;
use super::Cursor;
use super::pieces::{self, put, row, words};
use crate::text;

/// Cells below which a remark says too little to be begun.
const LEAST_REMARK: usize = 6;
/// Cells before a name: what is on the Bench, where the cursor is, and air.
const INDENT: u16 = 3;
/// The longest word of a server's state.
const STATE: usize = "connecting".len();

/// What stands in one line of a list.
pub(super) struct Item<'i> {
    /// Whether it is on the Bench.
    pub(super) chosen: bool,
    pub(super) name: &'i str,
    /// A symbol and a word; nothing in a list whose items have no state.
    pub(super) state: Option<State>,
    pub(super) remark: String,
    pub(super) style: Style,
}

/// What is to be known about an item before it is chosen.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) symbol: &'static str,
    pub(super) word: &'static str,
    pub(super) style: Style,
}

/// The cells of the parts of a line.
#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    state: usize,
    /// Cells below which a remark is left out.
    remark: usize,
}

impl Columns {
    /// A state's word goes before the name is cut, and its symbol never; beside states, remarks are
    /// whole or not there.
    fn fitting<'i>(items: impl Iterator<Item = Item<'i>>, width: usize) -> Self {
        const GAP: usize = 2;
        let (mut longest, mut remark, mut has_state) = (0, 0, false);
        for item in items {
            longest = longest.max(text::line(item.name).width());
            remark = remark.max(first_line(&item.remark).width());
            has_state |= item.state.is_some();
        }
        let room = width.saturating_sub(usize::from(INDENT));
        if !has_state {
            return Self {
                name: longest.min(room.saturating_sub(6).max(room / 2)),
                state: 0,
                remark: LEAST_REMARK,
            };
        }
        let whole = longest + GAP + 2 + STATE <= room;
        let state = if whole { 2 + STATE } else { 1 };
        Self {
            name: longest.min(room.saturating_sub(GAP + state)),
            state,
            remark,
        }
    }
}

/// Draws a list; `nothing` is said where no item passes the filter.
pub(super) fn list<'i>(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    picker: &Picker,
    focused: bool,
    item: impl Fn(usize) -> Option<Item<'i>>,
    nothing: &str,
) -> Cursor {
    let (area, cursor) = filter(model, buffer, area, picker, focused);
    if picker.hits().is_empty() {
        words(buffer, area, &[(nothing, model.look.muted())]);
        return cursor;
    }
    let height = usize::from(area.height.max(1));
    let top = (picker.cursor() + 1).saturating_sub(height);
    let visible = || picker.hits().iter().enumerate().skip(top).take(height);
    let items = visible().filter_map(|(_, hit)| item(hit.index));
    let columns = Columns::fitting(items, usize::from(area.width));
    for (offset, (place, hit)) in visible().enumerate() {
        let Some(item) = item(hit.index) else {
            continue;
        };
        let selected = place == picker.cursor();
        entry(
            buffer,
            row(area, offset),
            &item,
            &hit.marks,
            columns,
            (selected, focused),
            model.look,
        );
    }
    cursor
}

/// One line of a list: a mark where it is selected, the name, the state, and a remark.
fn entry(
    buffer: &mut Buffer,
    line: Rect,
    item: &Item<'_>,
    marks: &[Range<usize>],
    columns: Columns,
    (selected, focused): (bool, bool),
    look: Look,
) {
    if line.is_empty() {
        return;
    }
    let symbols = look.symbols();
    let arrow = if selected { symbols.arrow } else { " " };
    let mark = if item.chosen { symbols.on_bench } else { " " };
    words(
        buffer,
        line,
        &[(mark, look.accent()), (arrow, look.accent())],
    );
    let base = if selected && focused {
        item.style.patch(look.strong())
    } else {
        item.style
    };
    let indent = INDENT.min(line.width);
    let width = u16::try_from(columns.name)
        .unwrap_or(u16::MAX)
        .min(line.width - indent);
    let place = Rect {
        x: line.x + indent,
        width,
        ..line
    };
    name(buffer, place, item.name, marks, base, look);
    let mut used = indent + width + 2;
    let rest = |used: u16, least: usize| {
        let width = line.width.checked_sub(used);
        let width = width.filter(|width| usize::from(*width) >= least);
        width.map(|width| Rect {
            x: line.x + used,
            width,
            ..line
        })
    };
    if let Some(state) = item.state
        && let Some(rest) = rest(used, 1)
    {
        let word = format!("{} {}", state.symbol, state.word);
        let word = if columns.state > 1 {
            &word
        } else {
            state.symbol
        };
        words(buffer, rest, &[(word, state.style)]);
        used += u16::try_from(columns.state).unwrap_or(0) + 2;
    }
    if let Some(rest) = rest(used, columns.remark.max(1)) {
        let remark = text::one_line(first_line(&item.remark), usize::from(rest.width));
        words(buffer, rest, &[(&remark, look.muted())]);
    }
    if selected && focused {
        buffer.set_style(line, look.selected_line());
    }
}

/// The name of an item; what the filter matched is marked.
fn name(
    buffer: &mut Buffer,
    place: Rect,
    name: &str,
    marks: &[Range<usize>],
    base: Style,
    look: Look,
) {
    let marked = |at: usize| marks.iter().any(|mark| mark.contains(&at));
    let drawn = put(buffer, place, name, 0, |piece| {
        if marked(piece.source.start) {
            base.patch(look.accent()).underlined()
        } else {
            base
        }
    });
    if drawn.cut && place.width > 0 {
        let last = Rect {
            x: place.right() - 1,
            width: 1,
            ..place
        };
        words(buffer, last, &[(look.symbols().cut, look.muted())]);
    }
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

/// The filter's line, where there is a filter; answers what is left below.
fn filter(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    picker: &Picker,
    focused: bool,
) -> (Rect, Cursor) {
    let typing = focused && model.bench.filtering;
    if !typing && picker.filter().is_empty() {
        return (area, None);
    }
    let line = row(area, 0);
    words(buffer, line, &[("/", model.look.accent())]);
    let input = Rect {
        x: line.x + 1.min(line.width),
        width: line.width.saturating_sub(1),
        ..line
    };
    let cursor = pieces::field(buffer, input, picker.filter(), 0, Style::new());
    let below = Rect {
        y: area.y + 1.min(area.height),
        height: area.height.saturating_sub(1),
        ..area
    };
    (below, cursor.filter(|_| typing))
}
