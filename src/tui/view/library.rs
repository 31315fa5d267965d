//! The Library as it is drawn: the list, and what is told of the chosen file.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::form::paragraph;
use super::super::keys::Action;
use super::super::library::whose_tool;
use super::super::look::Look;
use super::super::model::Model;
use super::super::picker::Hit;
use super::pieces::{self, Pane, put, right_of, row, words, words_right};
use super::{Cursor, layout, reading};
use crate::app::{Kept, KeptOutcome, LibraryRow, Preview};
use crate::text;

/// Cells of what a file is, and of the mark where it is chosen.
const INDENT: u16 = 7;
/// Cells between columns.
const GAP: u16 = 2;
/// The longest word of an outcome that is shown whole.
const WORD: usize = 9;
/// Cells of a moment in time.
const WHEN: usize = 12;
/// Cells from which on an outcome has its word, a tool its column, and a condition its own.
const ROOM_FOR_WORDS: u16 = 56;
const ROOM_FOR_TOOL: u16 = 60;
const ROOM_FOR_CONDITION: u16 = 92;
/// Cells of a label in the preview.
const LABEL: usize = 10;

pub(super) fn draw(model: &Model, buffer: &mut Buffer) -> Cursor {
    let areas = layout::library(model);
    let cursor = areas.list.and_then(|area| list(model, buffer, area));
    if let Some(area) = areas.preview {
        preview(model, buffer, area);
    }
    cursor
}

fn list(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (library, look) = (&model.library, model.look);
    let focused = !library.previewing;
    let (shown, all) = (library.picker().hits().len(), library.rows().len());
    let right = match (library.picker().filter().is_empty(), shown) {
        (false, shown) => Some(format!("{shown} of {all}")),
        _ if library.listing.is_some() && !library.listed => Some("looking …".to_owned()),
        _ => None,
    };
    Pane {
        title: &title(model),
        right: right.map(|right| (right, look.muted())),
        bottom: None,
        focused,
    }
    .frame(buffer, area, look);
    let inside = problems(model, buffer, layout::inside(area));
    let (inside, cursor) = filter(model, buffer, inside);
    if library.listed && all == 0 {
        paragraphs(buffer, inside, &nothing(model), look.muted());
    } else if library.listed && shown == 0 {
        words(
            buffer,
            inside,
            &[("nothing passes the filter", look.muted())],
        );
    }
    let height = usize::from(inside.height.max(1));
    let hits = library.picker().hits().iter().enumerate();
    let top = (library.picker().cursor() + 1).saturating_sub(height);
    for (offset, (place, hit)) in hits.skip(top).take(height).enumerate() {
        let Some(file) = library.rows().get(hit.index) else {
            continue;
        };
        let line = row(inside, offset);
        let chosen = place == library.picker().cursor();
        entry(model, buffer, line, (file, hit), chosen);
        if chosen && focused {
            buffer.set_style(line, look.selected_line());
        }
    }
    cursor
}

fn title(model: &Model) -> String {
    let library = &model.library;
    let counted = |kind, one: &str, many: &str| match library.count(kind) {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let counts = [
        counted(Kept::Spec, "saved wait", "saved waits"),
        counted(Kept::Recording, "recording", "recordings"),
    ];
    let parts = std::iter::once("Library".to_owned()).chain(counts.into_iter().flatten());
    let dot = format!(" {} ", model.look.symbols().dot);
    parts.collect::<Vec<_>>().join(&dot)
}

/// How something comes to be here.
fn nothing(model: &Model) -> String {
    let key = model.key_of(Action::Run);
    format!(
        "Nothing is kept yet. Every wait that runs is recorded here, and waits that are saved stand here \
         too; {key} on the Bench runs the one that is there."
    )
}

/// Folders that can't be read, at the bottom; answers what is left above.
fn problems(model: &Model, buffer: &mut Buffer, area: Rect) -> Rect {
    let width = usize::from(area.width.max(1));
    let told = model.library.problems.iter();
    let lines = told.flat_map(|problem| paragraph(problem, width));
    let lines: Vec<String> = lines.take(usize::from(area.height / 2)).collect();
    let taken = u16::try_from(lines.len()).unwrap_or(0);
    let rest = Rect {
        height: area.height - taken,
        ..area
    };
    for (offset, line) in lines.iter().enumerate() {
        let place = row(area, usize::from(rest.height) + offset);
        words(buffer, place, &[(line, model.look.warn())]);
    }
    rest
}

/// The filter's line, where there is a filter; answers what is left below.
fn filter(model: &Model, buffer: &mut Buffer, area: Rect) -> (Rect, Cursor) {
    let library = &model.library;
    let filter = library.picker().filter();
    if !library.filtering && filter.is_empty() {
        return (area, None);
    }
    let line = row(area, 0);
    let used = words(buffer, line, &[("/", model.look.accent())]);
    let cursor = pieces::field(buffer, right_of(line, used), filter, 0, Style::new());
    let below = Rect {
        y: area.y + 1.min(area.height),
        height: area.height.saturating_sub(1),
        ..area
    };
    (below, cursor.filter(|_| library.filtering))
}

/// One line: what it is, its name, whose tool, what is waited for, how it went and when.
fn entry(
    model: &Model,
    buffer: &mut Buffer,
    line: Rect,
    (file, hit): (&LibraryRow, &Hit),
    chosen: bool,
) {
    let look = model.look;
    let arrow = if chosen { look.symbols().arrow } else { " " };
    let kind = match file.kind {
        Kept::Spec => "wait",
        Kept::Recording => "rec ",
    };
    let marks = model.library.marks(hit);
    words(
        buffer,
        line,
        &[
            (arrow, look.accent()),
            (" ", Style::new()),
            (kind, look.muted()),
        ],
    );
    let mut rest = right_of(line, INDENT);
    if let Some(problem) = &file.problem {
        let width = name_width(rest.width);
        column(
            buffer,
            &mut rest,
            width,
            &file.name,
            &marks[0],
            look.muted(),
            look,
        );
        let problem = text::one_line(problem, usize::from(rest.width));
        words(buffer, rest, &[(&problem, look.error())]);
        return;
    }
    rest.width = outcome(file, buffer, line, rest, look);
    let all = line.width >= ROOM_FOR_CONDITION;
    let name = if rest.width + INDENT < ROOM_FOR_TOOL - 24 {
        rest.width
    } else if all {
        (rest.width / 4).clamp(20, 40)
    } else {
        name_width(rest.width)
    };
    let strong = if chosen { look.strong() } else { Style::new() };
    column(buffer, &mut rest, name, &file.name, &marks[0], strong, look);
    let tool = if all {
        (rest.width * 2 / 5).min(30)
    } else {
        rest.width
    };
    column(
        buffer,
        &mut rest,
        tool,
        &whose_tool(file),
        &marks[1],
        Style::new(),
        look,
    );
    let width = rest.width;
    column(
        buffer,
        &mut rest,
        width,
        &file.condition,
        &marks[2],
        look.muted(),
        look,
    );
}

/// Cells of a name beside what else there is to tell.
fn name_width(room: u16) -> u16 {
    (room * 2 / 5).clamp(16, 40).min(room)
}

/// How it went and when, at the right edge; answers how many cells stay on the left.
fn outcome(file: &LibraryRow, buffer: &mut Buffer, line: Rect, rest: Rect, look: Look) -> u16 {
    let (symbol, word, style) = match &file.outcome {
        Some(outcome) => picture(outcome, look),
        None => (" ", "", look.muted()),
    };
    let word = if line.width >= ROOM_FOR_WORDS {
        format!(" {symbol} {:WORD$}", text::one_line(word, WORD))
    } else {
        format!(" {symbol}")
    };
    let when = format!("  {:>WHEN$}", file.when);
    words_right(buffer, rest, &[(&word, style), (&when, look.muted())], 16)
}

fn picture(outcome: &KeptOutcome, look: Look) -> (&'static str, &str, Style) {
    let symbols = look.symbols();
    match outcome {
        KeptOutcome::Met(_) => (symbols.met, outcome.word(), look.ok()),
        KeptOutcome::Unmet(_) => (symbols.unmet, outcome.word(), look.error()),
        KeptOutcome::Running => (symbols.running, outcome.word(), look.accent()),
        KeptOutcome::CutOff => (symbols.unmet, outcome.word(), look.warn()),
    }
}

/// Draws a column and takes its room; what the filter matched is marked.
fn column(
    buffer: &mut Buffer,
    rest: &mut Rect,
    width: u16,
    words_of: &str,
    marks: &[Range<usize>],
    base: Style,
    look: Look,
) {
    let place = Rect {
        width: width.min(rest.width),
        ..*rest
    };
    let marked = |at: usize| marks.iter().any(|mark| mark.contains(&at));
    let drawn = put(buffer, place, words_of, 0, |piece| {
        if marked(piece.source.start) {
            base.patch(look.accent()).underlined()
        } else {
            base
        }
    });
    if drawn.cut && place.width > 0 {
        let last = right_of(place, place.width - 1);
        words(buffer, last, &[(look.symbols().cut, look.muted())]);
    }
    *rest = right_of(*rest, place.width.saturating_add(GAP));
}

fn preview(model: &Model, buffer: &mut Buffer, area: Rect) {
    let (library, look) = (&model.library, model.look);
    let (facts, below) = layout::previewed(model, area);
    let height = usize::from(below.height);
    let title = library.chosen().map_or("Preview", |row| row.name.as_str());
    let bottom = reading::place(&library.reading, Vec::new, height, look);
    Pane {
        title,
        right: None,
        bottom,
        focused: library.previewing,
    }
    .frame(buffer, area, look);
    let Some(chosen) = library.chosen() else {
        return;
    };
    let inside = layout::inside(area);
    if let Some(problem) = &chosen.problem {
        paragraphs(buffer, inside, problem, look.error());
        return;
    }
    match library.preview() {
        None => _ = words(buffer, inside, &[("reading …", look.muted())]),
        Some(Err(problem)) => paragraphs(buffer, inside, problem, look.error()),
        Some(Ok(preview)) => {
            told(preview, buffer, facts, look);
            reading::draw(
                buffer,
                below,
                &library.reading,
                reading::Marks::default(),
                look,
            );
        }
    }
}

fn told(preview: &Preview, buffer: &mut Buffer, area: Rect, look: Look) {
    for (offset, (label, value)) in preview.facts.iter().enumerate() {
        let line = row(area, offset);
        let label = format!("{label:LABEL$} ");
        let used = words(buffer, line, &[(&label, look.muted())]);
        let rest = right_of(line, used);
        let value = text::one_line(value, usize::from(rest.width));
        words(buffer, rest, &[(&value, Style::new())]);
    }
}

fn paragraphs(buffer: &mut Buffer, area: Rect, sentence: &str, style: Style) {
    let lines = paragraph(sentence, usize::from(area.width.max(1)));
    for (offset, line) in lines.iter().enumerate() {
        words(buffer, row(area, offset), &[(line, style)]);
    }
}
