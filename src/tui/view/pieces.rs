//! The pieces that every drawing is made of: safe text, panes, fields, long texts.
//!
//! Owns the way from a text to cells. Everything that somebody else wrote goes through
//! [`crate::text::shown`] here.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::document::Document;
use super::super::field::Field;
use super::super::look::Look;
use crate::text::{self, Shown};

/// What was drawn of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drawn {
    /// Cells that were used.
    pub(super) width: u16,
    /// Whether something did not fit.
    pub(super) cut: bool,
}

/// Draws one line of any text into the first row of `area`, from cell `skip` of the line on.
pub(super) fn put(
    buffer: &mut Buffer,
    area: Rect,
    line: &str,
    skip: usize,
    style: impl Fn(&Shown<'_>) -> Style,
) -> Drawn {
    let area = area.intersection(buffer.area);
    let mut drawn = Drawn {
        width: 0,
        cut: false,
    };
    if area.is_empty() {
        return Drawn {
            width: 0,
            cut: !line.is_empty(),
        };
    }
    let mut column = 0;
    for piece in text::shown(line) {
        let start = column;
        column += piece.width;
        if start < skip {
            continue;
        }
        let at = u16::try_from(start - skip).unwrap_or(u16::MAX);
        if usize::from(at) + piece.width > usize::from(area.width) {
            drawn.cut = true;
            break;
        }
        let room = usize::from(area.width - at);
        buffer.set_stringn(area.x + at, area.y, &piece.text, room, style(&piece));
        drawn.width = at + u16::try_from(piece.width).unwrap_or(0);
    }
    drawn
}

/// Draws words of ours, or words that were made safe, one after the other.
pub(super) fn words(buffer: &mut Buffer, area: Rect, words: &[(&str, Style)]) -> u16 {
    let mut x = 0;
    for (word, style) in words {
        let rest = Rect {
            x: area.x + x,
            width: area.width - x,
            ..area
        };
        x += put(buffer, rest, word, 0, |_| *style).width;
    }
    x
}

/// The same, at the right edge. Answers how many cells stay on the left; nothing is drawn where
/// they would be fewer than `least`.
pub(super) fn words_right(
    buffer: &mut Buffer,
    area: Rect,
    all: &[(&str, Style)],
    least: u16,
) -> u16 {
    let width: usize = all.iter().map(|(word, _)| word.width()).sum();
    let width = u16::try_from(width).unwrap_or(u16::MAX);
    let Some(left) = area.width.checked_sub(width).filter(|left| *left >= least) else {
        return area.width;
    };
    words(
        buffer,
        Rect {
            x: area.x + left,
            width,
            ..area
        },
        all,
    );
    left
}

/// A pane to be drawn: its titles are safe words.
#[derive(Debug, Default)]
pub(super) struct Pane<'t> {
    /// At the top left.
    pub(super) title: &'t str,
    /// At the top right, and in which style.
    pub(super) right: Option<(String, Style)>,
    /// At the bottom right; only where no other pane shares that border.
    pub(super) bottom: Option<String>,
    /// Whether it has the focus.
    pub(super) focused: bool,
}

impl Pane<'_> {
    /// Draws the frame, joined to those of its neighbours.
    pub(super) fn frame(self, buffer: &mut Buffer, area: Rect, look: Look) {
        let area = area.intersection(buffer.area);
        let (border, title) = if self.focused {
            (look.accent(), look.selected().patch(look.strong()))
        } else {
            (look.muted(), Style::new())
        };
        // What stands at the right changes, and goes first where there is little room.
        let room = usize::from(area.width.saturating_sub(4));
        let least = text::line(self.title).width().min(8);
        let right = self.right.as_ref().map(|(right, style)| {
            (
                text::one_line(right, room.saturating_sub(least + 4)),
                *style,
            )
        });
        let taken = right.as_ref().map_or(0, |(right, _)| right.width() + 3);
        let name = text::one_line(self.title, room.saturating_sub(taken));
        let mut block = Block::bordered()
            .border_style(border)
            .merge_borders(MergeStrategy::Exact)
            .title_top(Line::from(Span::styled(format!(" {name} "), title)));
        if let Some((right, style)) = right {
            block = block
                .title_top(Line::from(Span::styled(format!(" {right} "), style)).right_aligned());
        }
        if let Some(bottom) = self.bottom {
            let bottom = text::one_line(&bottom, room);
            let bottom = Span::styled(format!(" {bottom} "), look.muted());
            block = block.title_bottom(Line::from(bottom).right_aligned());
        }
        // A border that is shared keeps its lines, but not the style of the neighbour.
        buffer.set_style(area, Style::reset());
        block.render(area, buffer);
    }
}

/// `74 B`, `256 KiB`.
pub(super) fn bytes(count: usize) -> String {
    if count < 10_000 {
        format!("{count} B")
    } else {
        format!("{} KiB", count.div_ceil(1024))
    }
}

/// Which rows of a long text are visible, where that is not all of them.
pub(super) fn extent(document: &Document, height: usize) -> Option<String> {
    let last = (document.top() + height).min(document.len());
    (document.len() > height)
        .then(|| format!("{}-{last} of {}", document.top() + 1, document.len()))
}

/// Whether one of `ranges`, in order and apart, holds byte `at`.
pub(super) fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.contains(&at))
}

/// Draws rows of a field from `top` on, and answers where the cursor is, where it is visible.
pub(super) fn field(
    buffer: &mut Buffer,
    area: Rect,
    field: &Field,
    top: usize,
    style: Style,
) -> Option<Position> {
    let (line, character) = field.cursor();
    let cells = field
        .rows()
        .get(line)
        .map_or(0, |row| cells_before(row, character));
    let width = usize::from(area.width.max(1));
    let skip = (cells + 1).saturating_sub(width);
    for (offset, row) in field
        .rows()
        .iter()
        .skip(top)
        .take(usize::from(area.height))
        .enumerate()
    {
        let y = area.y + u16::try_from(offset).unwrap_or(u16::MAX);
        put(
            buffer,
            Rect {
                y,
                height: 1,
                ..area
            },
            row,
            skip,
            |_| style,
        );
    }
    let (x, y) = (
        u16::try_from(cells - skip).ok()?,
        u16::try_from(line.checked_sub(top)?).ok()?,
    );
    (y < area.height && x < area.width).then(|| Position::new(area.x + x, area.y + y))
}

fn cells_before(row: &str, character: usize) -> usize {
    let end = row
        .char_indices()
        .nth(character)
        .map_or(row.len(), |(at, _)| at);
    text::shown(&row[..end]).map(|piece| piece.width).sum()
}

/// A row of `area`, counted from its top; empty where there is none.
pub(super) fn row(area: Rect, offset: usize) -> Rect {
    match u16::try_from(offset) {
        Ok(offset) if offset < area.height => Rect {
            y: area.y + offset,
            height: 1,
            ..area
        },
        _ => Rect { height: 0, ..area },
    }
}

/// What is left of `area` beside its first `cells`.
pub(super) fn right_of(area: Rect, cells: u16) -> Rect {
    let cells = cells.min(area.width);
    Rect {
        x: area.x + cells,
        width: area.width - cells,
        ..area
    }
}
