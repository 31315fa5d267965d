//! The lines of the Bench's arguments where they are a form: which field, and what is wrong with it.
//!
//! Owns their order, and where the focus is among them. Must not know how they are drawn.

use super::bench::{Bench, Focus};
use super::form::{Note, note};
use super::look::Tone;
use crate::app::form::{Row, State};

/// Cells that a field is indented for each object that it lies in.
pub const INDENT: usize = 2;

/// Cells of a field, its type counted, where there are more.
pub const FIELD_WIDTH: usize = 90;
/// Cells below which no description stands beside a field.
const LEAST_DESCRIPTION: usize = 30;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentLine {
    /// A field, or a line of its text.
    Field {
        /// Its row.
        row: usize,
        /// Which line of its text, from 0.
        line: usize,
    },
    /// Something about the field above, or about the whole.
    Note(Note),
}

/// The lines of the form, for a pane of `width` cells.
#[must_use]
pub fn lines(bench: &Bench, width: usize) -> Vec<ArgumentLine> {
    let rows = bench.draft.arguments().rows();
    let warnings = &bench.assessment.complaints;
    let mut lines = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let count = if bench.focus == Focus::Argument(index) {
            height(row)
        } else {
            1
        };
        lines.extend((0..count).map(|line| ArgumentLine::Field { row: index, line }));
        let notes = match &row.fault {
            Some(fault) => vec![(Tone::Error, fault.as_str())],
            // One that says more about the same place has it.
            None if rows
                .get(index + 1)
                .is_some_and(|next| next.path == row.path) =>
            {
                Vec::new()
            }
            None => warnings
                .iter()
                .filter(|complaint| complaint.path == row.path)
                .map(|complaint| (Tone::Warn, complaint.message.as_str()))
                .collect(),
        };
        let indent = " ".repeat(INDENT * (row.depth + 1));
        for (tone, sentence) in notes {
            let room = width.saturating_sub(indent.len()).max(1);
            lines.extend(note(sentence, room).into_iter().map(|text| {
                let text = format!("{indent}{text}");
                ArgumentLine::Note(Note { tone, text })
            }));
        }
    }
    // What belongs to no field stands below.
    let elsewhere = warnings
        .iter()
        .filter(|complaint| rows.iter().all(|row| row.path != complaint.path));
    for complaint in elsewhere {
        let sentence = complaint.to_string();
        lines.extend(note(&sentence, width).into_iter().map(|text| {
            ArgumentLine::Note(Note {
                tone: Tone::Warn,
                text,
            })
        }));
    }
    lines
}

/// The lines that the text of a field has.
fn height(row: &Row) -> usize {
    match &row.state {
        State::Text(text) => text.matches('\n').count() + 1,
        _ => 1,
    }
}

/// The line that has to be visible: that of the cursor, or the focused field's first.
#[must_use]
pub fn focused_line(bench: &Bench, lines: &[ArgumentLine]) -> usize {
    let Focus::Argument(focused) = bench.focus else {
        return 0;
    };
    let cursor = bench.draft.arguments().hand(focused);
    let cursor = cursor.filter(|_| bench.typing);
    let wanted = ArgumentLine::Field {
        row: focused,
        line: cursor.map_or(0, |hand| hand.cursor().0),
    };
    lines.iter().position(|line| *line == wanted).unwrap_or(0)
}

/// What the focused field is for, in the schema's words.
#[must_use]
pub fn description(bench: &Bench) -> Option<&str> {
    let row = bench.focused_argument()?;
    Some(&row.description)
        .filter(|words| !words.is_empty())
        .map(String::as_str)
}

/// Lines that are kept for what the focused field is for, in a pane of `width` cells: none where no
/// field says so, so that nothing moves as the focus does, and none where it stands beside it.
#[must_use]
pub fn description_rows(bench: &Bench, width: usize) -> usize {
    let described = |row: &Row| !row.description.is_empty();
    let focused = matches!(bench.focus, Focus::Argument(_));
    let below = focused && !is_described_beside(width);
    usize::from(below && bench.draft.arguments().rows().iter().any(described))
}

/// Whether there is room beside each field for what it is for.
#[must_use]
pub fn is_described_beside(width: usize) -> bool {
    width >= FIELD_WIDTH + LEAST_DESCRIPTION
}

/// The first visible line, of `count`, where `height` are visible: as it was, unless the focus
/// would be out of sight.
#[must_use]
pub fn top(before: usize, focused: usize, count: usize, height: usize) -> usize {
    before
        .clamp((focused + 1).saturating_sub(height), focused)
        .min(count.saturating_sub(height))
}
