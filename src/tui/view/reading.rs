//! A long text as it is read: numbers, signs, and what stands out in it.
//!
//! Owns which of several styles a character has. Drawing costs what is visible, however long the
//! text is.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::super::document::{Document, Highlights, touching};
use super::super::json_tokens::Token;
use super::super::look::Look;
use super::super::reading::Reading;
use super::super::watch::GUTTER;
use super::pieces::{self, holds, put, right_of, words};
use crate::text::{Diff, Shown, Side, one_line};

/// What stands out in a text, beside what is sought in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks<'m> {
    /// What the condition matches, in bytes of the observation.
    pub(super) highlights: Option<&'m Highlights>,
    /// The lines of two observations, where the text is both.
    pub(super) diff: Option<&'m Diff>,
}

/// Draws the visible rows of `reading`.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    reading: &Reading,
    marks: Marks<'_>,
    look: Look,
) {
    let Some(document) = &reading.document else {
        return;
    };
    for (offset, row) in document.visible(usize::from(area.height)).enumerate() {
        let line = pieces::row(area, offset);
        let number = number(document, document.top() + offset, row, marks.diff);
        let line = numbered(buffer, line, number, reading.gutter(), look);
        match marks.diff {
            Some(diff) => compared(buffer, line, (reading, document, row), diff, marks, look),
            None => {
                let own = Row::new(reading, row, row.clone(), marks.highlights, true);
                let style = |piece: &Shown<'_>| own.style(piece, Style::new(), look);
                one(buffer, line, document, row, look, style);
            }
        }
    }
}

/// The number of the line that begins with a row; of two texts, the new one's.
fn number(
    document: &Document,
    index: usize,
    row: &Range<usize>,
    diff: Option<&Diff>,
) -> Option<usize> {
    let number = document.line_beginning_at(index)?;
    match diff {
        Some(diff) => diff.number_at(row.start),
        None => Some(number),
    }
}

/// Draws the number of a line; answers what is left beside it.
fn numbered(
    buffer: &mut Buffer,
    line: Rect,
    number: Option<usize>,
    gutter: usize,
    look: Look,
) -> Rect {
    if let Some(number) = number.filter(|_| gutter > 0) {
        let width = gutter.saturating_sub(2);
        words(
            buffer,
            line,
            &[(&format!("{number:>width$}"), look.muted())],
        );
    }
    right_of(line, u16::try_from(gutter).unwrap_or(u16::MAX))
}

/// Draws a row of two observations, with the sign of the side that has it. The lines of the new one
/// show what was found in it.
fn compared(
    buffer: &mut Buffer,
    line: Rect,
    (reading, document, row): (&Reading, &Document, &Range<usize>),
    diff: &Diff,
    marks: Marks<'_>,
    look: Look,
) {
    let Some(of) = diff.line_at(row.start) else {
        return;
    };
    let (sign, side) = match of.side {
        Side::Both => ("  ", Style::new()),
        Side::Old => ("- ", look.error()),
        Side::New => ("+ ", look.ok()),
    };
    words(buffer, line, &[(sign, side)]);
    let rest = right_of(line, GUTTER);
    let from = of.origin + (row.start - of.start);
    let highlights = marks.highlights.filter(|_| of.side != Side::Old);
    // A line that one side alone has is told by its colour.
    let both = of.side == Side::Both;
    let own = Row::new(reading, row, from..from + row.len(), highlights, both);
    let style = |piece: &Shown<'_>| {
        let base = if holds(&diff.changed, row.start + piece.source.start) {
            side.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
        } else {
            side
        };
        own.style(piece, base, look)
    };
    one(buffer, rest, document, row, look, style);
}

/// What stands out in one row.
struct Row<'r> {
    /// Where it begins in the text that is read.
    start: usize,
    /// Where it begins in the observation.
    origin: usize,
    until: &'r [Range<usize>],
    fail_when: &'r [Range<usize>],
    ignored: &'r [Range<usize>],
    found: &'r [Range<usize>],
    /// What of it is JSON, in the observation.
    tokens: &'r [(Range<u32>, Token)],
    /// The match that was stepped to, in the text that is read.
    at: Option<usize>,
}

impl<'r> Row<'r> {
    /// The row at `row` of the text that is read, and at `origin` of the observation.
    fn new(
        reading: &'r Reading,
        row: &Range<usize>,
        origin: Range<usize>,
        highlights: Option<&'r Highlights>,
        tells_tokens: bool,
    ) -> Self {
        let of = |ranges: Option<&'r Vec<Range<usize>>>, within: &Range<usize>| {
            touching(ranges.map_or(&[], Vec::as_slice), within)
        };
        let found = reading.found().map(|found| &found.ranges);
        Self {
            start: row.start,
            until: of(highlights.map(|all| &all.until), &origin),
            fail_when: of(highlights.map(|all| &all.fail_when), &origin),
            ignored: of(highlights.map(|all| &all.ignored), &origin),
            found: of(found, row),
            tokens: reading
                .tokens()
                .filter(|_| tells_tokens)
                .map_or(&[], |all| all.touching(&origin)),
            at: reading.at,
            origin: origin.start,
        }
    }

    /// What is sought comes before what the condition matches, and that before anything else.
    fn style(&self, piece: &Shown<'_>, base: Style, look: Look) -> Style {
        let (at, origin) = (
            self.start + piece.source.start,
            self.origin + piece.source.start,
        );
        let here = |range: Option<&Range<usize>>, begins: usize| {
            range.is_some_and(|range| Some(range.start + self.start - begins) == self.at)
        };
        let found = holding(self.found, at);
        let fails = holding(self.fail_when, origin);
        let matches = holding(self.until, origin);
        if here(found, self.start) || here(fails, self.origin) || here(matches, self.origin) {
            look.here()
        } else if found.is_some() {
            look.found()
        } else if fails.is_some() {
            look.fail_matched()
        } else if matches.is_some() {
            look.matched()
        } else if holding(self.ignored, origin).is_some() {
            base.patch(look.left_out())
        } else if piece.symbol {
            base.patch(look.warn())
        } else {
            let token = self.token_at(origin).map(|token| look.token(token));
            base.patch(token.unwrap_or_default())
        }
    }

    fn token_at(&self, at: usize) -> Option<Token> {
        let next = self
            .tokens
            .partition_point(|(token, _)| token.end as usize <= at);
        let (token, kind) = self.tokens.get(next)?;
        (token.start as usize <= at).then_some(*kind)
    }
}

/// The one of `ranges`, in order and apart, that holds byte `at`.
fn holding(ranges: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).filter(|range| range.contains(&at))
}

/// Draws one row, and says where it was cut.
fn one(
    buffer: &mut Buffer,
    area: Rect,
    document: &Document,
    row: &Range<usize>,
    look: Look,
    style: impl Fn(&Shown<'_>) -> Style,
) {
    if put(buffer, area, document.slice(row), 0, style).cut && document.width().is_none() {
        let last = Rect {
            x: area.right().saturating_sub(1),
            width: 1,
            ..area
        };
        words(buffer, last, &[(look.symbols().cut, look.muted())]);
    }
}

/// Where one is in the text: the match that was stepped to, and the visible rows where those are
/// not all.
pub(super) fn place(
    reading: &Reading,
    matched: impl FnOnce() -> Vec<usize>,
    height: usize,
    look: Look,
) -> Option<String> {
    let document = reading.document.as_ref()?;
    let search = reading.search.as_ref().filter(|search| !search.typing);
    let sought = search.map(|search| {
        let words = one_line(&search.field().text(), SOUGHT);
        format!("/{words} {}", count(reading))
    });
    let stepped = reading.at.filter(|_| reading.search.is_none());
    let stepped = stepped.and_then(|at| {
        let matched = matched();
        let place = matched.binary_search(&at).ok()?;
        let all = matched.len();
        Some(format!("match {} of {all}{}", place + 1, edge(reading)))
    });
    let parts: Vec<String> = [sought, stepped, pieces::extent(document, height)]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(&format!(" {} ", look.symbols().dot)))
}

/// Says in the lower border of a pane what is struck out, where something is. `place` is what else
/// stands there.
pub(super) fn legend(
    buffer: &mut Buffer,
    pane: Rect,
    highlights: Option<&Highlights>,
    place: Option<&str>,
    look: Look,
) {
    let rest = ": left out when outputs are compared ";
    let told = place.map_or(0, |place| place.width() + 3);
    let room = usize::from(pane.width).saturating_sub(told + 3);
    let wanted = highlights.is_some_and(|found| !found.ignored.is_empty());
    if !wanted || 1 + STRUCK.width() + rest.width() > room {
        return;
    }
    let border = Rect {
        x: pane.x + 1,
        y: pane.bottom().saturating_sub(1),
        width: pane.width.saturating_sub(2),
        height: 1,
    };
    words(
        buffer,
        border,
        &[
            (" ", Style::new()),
            (STRUCK, look.left_out()),
            (rest, look.muted()),
        ],
    );
}

/// A word in the style of what is left out.
const STRUCK: &str = "struck";

/// Cells of the words of a search, where they are told beside its count.
const SOUGHT: usize = 24;

/// What is told where a match is out of sight, although its row isn't.
fn edge(reading: &Reading) -> &'static str {
    if reading.is_beyond_edge() {
        ", beyond the edge: w wraps"
    } else {
        ""
    }
}

/// What is told where nothing is found.
pub(super) const NO_MATCH: &str = "no match";

/// Which match of the search one is at, and of how many.
pub(super) fn count(reading: &Reading) -> String {
    let Some(found) = reading.found() else {
        return String::new();
    };
    let (all, more) = (found.ranges.len(), if found.cut { "+" } else { "" });
    let here = reading.at.and_then(|at| {
        let place = found.ranges.binary_search_by_key(&at, |range| range.start);
        place.ok()
    });
    match (here, all) {
        (Some(here), _) => format!("{} of {all}{more}{}", here + 1, edge(reading)),
        (None, 0) if found.cut => "none found in time".to_owned(),
        (None, 0) => NO_MATCH.to_owned(),
        (None, 1) => format!("1{more} match"),
        (None, _) => format!("{all}{more} matches"),
    }
}
