//! Where everything is: pure functions from the state to rectangles.
//!
//! Owns the sizes. [`super::update`] asks it for the height of what is scrolled, and
//! [`super::view`] where to draw. Must not know how anything looks.

use ratatui::layout::Rect;

use super::argument_lines;
use super::bench::{Bench, Focus, Pane};
use super::draft::Input;
use super::form;
use super::journal::{JournalPane, Part};
use super::model::{Model, Place};
use super::watch::Wait;
use super::what_if::WhatIf;
use super::why::Why;

/// Below this, a sentence says that the terminal is too small.
pub const SMALLEST: (u16, u16) = (60, 16);
/// Below this, one pane at a time.
const ROOM_FOR_ALL: (u16, u16) = (80, 22);
/// From this many columns on, the lists stay on the left.
const ROOM_FOR_LISTS: u16 = 110;
/// Rows of text in the preview of a saved file.
const LEAST_PREVIEWED: u16 = 4;
/// Rows that the lists have when they are unfolded over the rest.
const UNFOLDED_LISTS: u16 = 10;

/// The rectangles of the Bench. Neighbours share their border.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BenchAreas {
    /// The names of the panes, where only one is shown.
    pub strip: Option<Rect>,
    /// The list of servers.
    pub servers: Option<Rect>,
    /// The list of tools.
    pub tools: Option<Rect>,
    /// The chosen tool on one line.
    pub tool_line: Option<Rect>,
    /// The arguments.
    pub arguments: Option<Rect>,
    /// The condition and the budget.
    pub until: Option<Rect>,
    /// The newest try.
    pub preview: Option<Rect>,
}

/// The rectangles of the Watch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WatchAreas {
    /// That a recording is looked at, which, and how it is played.
    pub replay: Rect,
    /// Server, tool and condition.
    pub title: Rect,
    /// The budget.
    pub gauge: Rect,
    /// The sample in flight, latencies, changes.
    pub facts: Rect,
    /// The fields of what if.
    pub what_if: Rect,
    /// A cell for each sample.
    pub timeline: Rect,
    /// What came of what if.
    pub answer: Rect,
    /// What was said about the sample in flight.
    pub notes: Rect,
    /// How it ended.
    pub outcome: Rect,
    /// What looks wrong.
    pub called_out: Rect,
    /// The observation.
    pub observation: Rect,
}

/// The rectangles of the Library.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibraryAreas {
    /// What is saved.
    pub list: Option<Rect>,
    /// What is told of the chosen file.
    pub preview: Option<Rect>,
}

/// Whether the terminal is too small for anything.
#[must_use]
pub fn too_small(model: &Model) -> bool {
    model.columns < SMALLEST.0 || model.rows < SMALLEST.1
}

/// Whether the lists of servers and tools are on the Bench's screen.
#[must_use]
pub fn lists(model: &Model) -> bool {
    if one_pane(model) {
        return model.bench.focus.pane() == Pane::Tool;
    }
    model.columns >= ROOM_FOR_LISTS || model.bench.picking
}

/// Whether the Bench shows one pane at a time.
#[must_use]
pub fn one_pane(model: &Model) -> bool {
    model.zoomed || model.columns < ROOM_FOR_ALL.0 || model.rows < ROOM_FOR_ALL.1
}

/// Everything between the header and the bottom line.
#[must_use]
pub fn body(model: &Model) -> Rect {
    Rect::new(0, 1, model.columns, model.rows.saturating_sub(2))
}

/// The Bench.
#[must_use]
pub fn bench(model: &Model) -> BenchAreas {
    let body = body(model);
    if one_pane(model) {
        return single(&model.bench, body);
    }
    let mut areas = BenchAreas::default();
    if model.columns >= ROOM_FOR_LISTS {
        let width = (model.columns * 3 / 10).clamp(36, 52);
        let left = Rect { width, ..body };
        (areas.servers, areas.tools) = stacked_lists(&model.bench, left);
        let right = Rect {
            x: width - 1,
            width: body.width - width + 1,
            ..body
        };
        stack(&model.bench, right, &mut areas);
    } else if model.bench.picking {
        let top = Rect {
            height: UNFOLDED_LISTS,
            ..body
        };
        (areas.servers, areas.tools) = lists_side_by_side(top);
        let below = UNFOLDED_LISTS - 1;
        let rest = Rect {
            y: body.y + below,
            height: body.height - below,
            ..body
        };
        stack(&model.bench, rest, &mut areas);
    } else {
        areas.tool_line = Some(Rect { height: 3, ..body });
        let rest = Rect {
            y: body.y + 2,
            height: body.height - 2,
            ..body
        };
        stack(&model.bench, rest, &mut areas);
    }
    areas
}

fn single(bench: &Bench, body: Rect) -> BenchAreas {
    let strip = Rect {
        height: body.height.min(1),
        ..body
    };
    let below = body.height.saturating_sub(1);
    let pane = Rect {
        y: body.y + strip.height,
        height: below,
        ..body
    };
    let mut areas = BenchAreas {
        strip: Some(strip),
        ..BenchAreas::default()
    };
    match bench.focus.pane() {
        Pane::Tool if body.width >= ROOM_FOR_ALL.0 => {
            (areas.servers, areas.tools) = lists_side_by_side(pane);
        }
        Pane::Tool if bench.focus == Focus::Servers => areas.servers = Some(pane),
        Pane::Tool => areas.tools = Some(pane),
        Pane::Arguments => areas.arguments = Some(pane),
        Pane::Until => areas.until = Some(pane),
        Pane::Preview => areas.preview = Some(pane),
    }
    areas
}

fn lists_side_by_side(area: Rect) -> (Option<Rect>, Option<Rect>) {
    let width = area.width * 2 / 5;
    let right = width.saturating_sub(1);
    let tools = Rect {
        x: area.x + right,
        width: area.width - right,
        ..area
    };
    (Some(Rect { width, ..area }), Some(tools))
}

fn stacked_lists(bench: &Bench, area: Rect) -> (Option<Rect>, Option<Rect>) {
    let wanted = u16::try_from(bench.servers.len() + 2 * bench.problems.len())
        .unwrap_or(u16::MAX)
        .saturating_add(2);
    let height = wanted.clamp(5, area.height / 3);
    let below = height - 1;
    let tools = Rect {
        y: area.y + below,
        height: area.height - below,
        ..area
    };
    (Some(Rect { height, ..area }), Some(tools))
}

/// Arguments, condition and preview, one below the other. The condition has what it needs, the
/// arguments what they fill, and the preview the rest.
fn stack(bench: &Bench, area: Rect, areas: &mut BenchAreas) {
    const BORDERS: u16 = 4;
    const LEAST_ARGUMENTS: u16 = 1;
    const LEAST_PREVIEW: u16 = 3;
    let inner = area.height.saturating_sub(BORDERS);
    let width = usize::from(area.width.saturating_sub(4));
    let rows = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let until = rows(form::lines(&bench.form(), width).len())
        .min(inner.saturating_sub(LEAST_ARGUMENTS + LEAST_PREVIEW));
    let filled = if bench.draft.arguments().form().is_some() {
        argument_lines::lines(bench, width).len() + argument_lines::description_rows(bench, width)
    } else {
        let json = bench.draft.field(Input::Arguments).rows().len();
        json.max(2) + form::argument_notes(bench, width).len()
    };
    // Where arguments are typed, they come before a preview, and before an empty one most of all.
    let typed = bench.focus.pane() == Pane::Arguments;
    let empty = bench.attempt.text.is_none();
    let least = if typed && empty { 1 } else { LEAST_PREVIEW };
    let room = inner.saturating_sub(until + least);
    let generous = if typed || empty {
        room
    } else {
        room.saturating_sub(inner / 3).max(LEAST_ARGUMENTS)
    };
    let arguments = rows(filled)
        .min(generous.max(4))
        .min(room)
        .max(LEAST_ARGUMENTS);
    let preview = inner.saturating_sub(until + arguments);
    let mut y = area.y;
    let mut next = |height: u16| {
        let pane = Rect {
            y,
            height: height + 2,
            ..area
        }
        .intersection(area);
        y += height + 1;
        Some(pane)
    };
    areas.arguments = next(arguments);
    areas.until = next(until);
    areas.preview = next(preview);
}

/// The Watch.
#[must_use]
pub fn watch(model: &Model, wait: &Wait) -> WatchAreas {
    let body = body(model);
    if model.zoomed {
        return WatchAreas {
            observation: body,
            ..WatchAreas::default()
        };
    }
    if let Some(what_if) = model.what_if() {
        return asked(what_if, body);
    }
    let outcome = if wait.is_running() {
        0
    } else {
        super::outcome::lines(wait, body.width).len()
    };
    let replay = u16::from(wait.replay.is_some());
    let called_out = u16::from(super::outcome::called_out(wait).is_some());
    let outcome = u16::try_from(outcome)
        .unwrap_or(u16::MAX)
        .min(body.height.saturating_sub(9 + replay + called_out));
    let notes = u16::from(wait.has_notes());
    let mut y = body.y;
    let mut next = |height: u16| {
        let area = Rect { y, height, ..body }.intersection(body);
        y += height;
        area
    };
    WatchAreas {
        replay: next(replay),
        title: next(1),
        gauge: next(1),
        facts: next(1),
        timeline: next(1),
        notes: next(notes),
        outcome: next(outcome),
        called_out: next(called_out),
        observation: next((body.height).saturating_sub(4 + replay + notes + outcome + called_out)),
        ..WatchAreas::default()
    }
}

/// The Watch while one asks what if: the fields have what they need, as long as the sample keeps
/// enough to be read.
fn asked(what_if: &WhatIf, body: Rect) -> WatchAreas {
    /// Title, timeline and answer, and the borders of the fields.
    const AROUND: u16 = 5;
    const LEAST_SAMPLE: u16 = 6;
    let width = usize::from(body.width.saturating_sub(4));
    let lines = form::condition_lines(&what_if.form(), width).len();
    let room = body.height.saturating_sub(AROUND + LEAST_SAMPLE).max(1);
    let fields = u16::try_from(lines).unwrap_or(u16::MAX).min(room);
    let mut y = body.y;
    let mut next = |height: u16| {
        let area = Rect { y, height, ..body }.intersection(body);
        y += height;
        area
    };
    WatchAreas {
        title: next(1),
        what_if: next(fields + 2),
        timeline: next(1),
        answer: next(1),
        observation: next(body.height.saturating_sub(AROUND + fields)),
        ..WatchAreas::default()
    }
}

/// The Library: beside each other where there is room for both, else one below the other.
#[must_use]
pub fn library(model: &Model) -> LibraryAreas {
    let body = body(model);
    let (list, preview) = if one_pane(model) {
        let previewing = model.library.previewing;
        ((!previewing).then_some(body), previewing.then_some(body))
    } else if model.columns >= ROOM_FOR_LISTS {
        let width = model.columns / 2;
        let right = Rect {
            x: width - 1,
            width: body.width - width + 1,
            ..body
        };
        (Some(Rect { width, ..body }), Some(right))
    } else {
        let height = body.height / 2;
        let below = Rect {
            y: body.y + height - 1,
            height: body.height - height + 1,
            ..body
        };
        (Some(Rect { height, ..body }), Some(below))
    };
    LibraryAreas { list, preview }
}

/// The inside of the Library's preview in two: what is told line by line, and the text below.
#[must_use]
pub fn previewed(model: &Model, pane: Rect) -> (Rect, Rect) {
    let inside = inside(pane);
    let facts = match model.library.preview() {
        Some(Ok(preview)) => preview.facts.len(),
        _ => 0,
    };
    // The text has some rows, however much there is to tell.
    let facts = u16::try_from(facts).unwrap_or(u16::MAX);
    let facts = facts.min(inside.height.saturating_sub(LEAST_PREVIEWED));
    // A blank row between them, where there is room for one.
    let air = u16::from(facts > 0 && inside.height > facts + 3);
    let text = Rect {
        y: inside.y + facts + air,
        height: inside.height - facts - air,
        ..inside
    };
    let facts = Rect {
        height: facts,
        ..inside
    };
    (facts, text)
}

/// The inside of a pane: without its border, and a cell of air on both sides.
#[must_use]
pub fn inside(pane: Rect) -> Rect {
    let (width, height) = (pane.width.saturating_sub(4), pane.height.saturating_sub(2));
    Rect {
        x: pane.x + 2.min(pane.width),
        y: pane.y + 1.min(pane.height),
        width,
        height,
    }
}

/// Cells before the text of a line of a server's log: when it was written, and where it comes from.
pub const LOG_INDENT: u16 = 20;

/// The inside of a pane with a server's journal, below its filter and beside what stands before each
/// line.
#[must_use]
pub fn journal(pane: &JournalPane, area: Rect) -> Rect {
    let inside = inside(area);
    let filter = u16::from(pane.filtering || !pane.filter.is_empty());
    let filter = filter.min(inside.height);
    let indent = match pane.part() {
        Part::Log => LOG_INDENT.min(inside.width),
        Part::Messages => 0,
    };
    Rect {
        x: inside.x + indent,
        y: inside.y + filter,
        width: inside.width - indent,
        height: inside.height - filter,
    }
}

/// The inside of the form's pane in two: the fields, and under them `described` lines on what the
/// focused one is for.
#[must_use]
pub fn fields(inside: Rect, described: usize) -> (Rect, Rect) {
    let rows = u16::try_from(described).unwrap_or(0).min(inside.height / 2);
    let fields = Rect {
        height: inside.height - rows,
        ..inside
    };
    let below = Rect {
        y: fields.bottom(),
        height: rows,
        ..inside
    };
    (fields, below)
}

/// The size of what is scrolled where the operator is, as (columns, rows).
#[must_use]
pub fn reading_size(model: &Model) -> (usize, usize) {
    let pane = match model.place {
        Place::Bench => bench(model).preview,
        Place::Watch => model.wait().map(|wait| watch(model, wait).observation),
        Place::Library => library(model).preview,
    };
    let pane = pane.unwrap_or_else(|| body(model));
    let text = match model.place {
        Place::Library => previewed(model, pane).1,
        Place::Bench | Place::Watch => judged(model, pane).0,
    };
    (
        usize::from(text.width.max(1)),
        usize::from(text.height.max(1)),
    )
}

/// The inside of the pane with the text that is judged, in two: the text, and under it what an error
/// means and why the condition doesn't hold.
#[must_use]
pub fn judged(model: &Model, pane: Rect) -> (Rect, Rect) {
    let inside = inside(pane);
    let remark = remark(model, usize::from(inside.width)).len();
    let rows = remark + why(model).map_or(0, Why::rows);
    let rows = u16::try_from(rows).unwrap_or(0).min(inside.height / 2);
    let text = inside.height - rows;
    // A blank row between them, where there is room for one.
    let air = u16::from(rows > 0 && text > 3);
    let below = Rect {
        y: inside.y + text,
        height: rows,
        ..inside
    };
    let text = Rect {
        height: text - air,
        ..inside
    };
    (text, below)
}

/// What the error of the sample in view means, in lines of `width` cells.
#[must_use]
pub fn remark(model: &Model, width: usize) -> Vec<String> {
    let wait = model.wait().filter(|_| model.place == Place::Watch);
    let remark = wait.and_then(Wait::remark);
    remark.map_or_else(Vec::new, |remark| form::paragraph(&remark, width.max(1)))
}

/// Why the condition doesn't hold for the text in view.
#[must_use]
pub fn why(model: &Model) -> Option<&Why> {
    if let Some(what_if) = model.what_if() {
        return model.highlights().and(what_if.assessment.why.as_ref());
    }
    match model.place {
        Place::Bench => model
            .bench
            .observation()
            .and(model.bench.assessment.why.as_ref()),
        Place::Watch => model.wait()?.why(),
        Place::Library => None,
    }
}
