//! A text on the screen: its rows, where it is scrolled to, and what is highlighted in it.
//!
//! Owns the index that makes drawing cost the visible part alone, however large the text is. Must
//! not know who wrote the text or what a match means.

use std::ops::Range;
use std::sync::Arc;

use super::rows::{AT_ONCE, Rows};
use crate::wait::Pattern;

/// Matches that are looked for in one text; more would only colour what is coloured already.
pub const MOST_MATCHES: usize = 10_000;

/// What is looked for in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patterns {
    /// The condition's.
    pub until: Option<Pattern>,
    /// That of `fail_when`.
    pub fail_when: Option<Pattern>,
    /// What is left out when outputs are compared.
    pub ignore: Option<Pattern>,
}

impl Patterns {
    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a call's patterns match in a text, as byte ranges from the start to the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Highlights {
    /// Matches of the condition's pattern.
    pub until: Vec<Range<usize>>,
    /// Matches of `fail_when`.
    pub fail_when: Vec<Range<usize>>,
    /// What is left out when outputs are compared.
    pub ignored: Vec<Range<usize>>,
    /// Whether the search stopped before the end of the text.
    pub cut: bool,
}

impl Highlights {
    /// Looks for matches until `go_on` says no. Empty matches have nothing to colour.
    #[must_use]
    pub fn find(text: &str, patterns: &Patterns, go_on: &dyn Fn() -> bool) -> Self {
        let mut found = Self::default();
        let cut = &mut found.cut;
        let mut all = |pattern: Option<&Pattern>| {
            let mut ranges = Vec::new();
            let matches = pattern.iter().flat_map(|one| one.regex().find_iter(text));
            for range in matches {
                if ranges.len() == MOST_MATCHES || !go_on() {
                    *cut = true;
                    break;
                }
                if !range.is_empty() {
                    ranges.push(range.range());
                }
            }
            ranges
        };
        found.until = all(patterns.until.as_ref());
        found.fail_when = all(patterns.fail_when.as_ref());
        found.ignored = all(patterns.ignore.as_ref());
        found
    }

    /// Bytes that are left out when outputs are compared.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.ignored.iter().map(Range::len).sum()
    }

    /// Whether the condition matches nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.until.is_empty() && self.fail_when.is_empty()
    }

    /// Where matches begin, in order.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        let all = self.until.iter().chain(&self.fail_when);
        let mut places: Vec<usize> = all.map(|range| range.start).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The ranges of `ranges` (sorted, apart from each other) that touch `row`.
#[must_use]
pub fn touching<'r>(ranges: &'r [Range<usize>], row: &Range<usize>) -> &'r [Range<usize>] {
    let first = ranges.partition_point(|range| range.end <= row.start);
    let after = ranges.partition_point(|range| range.start < row.end);
    ranges.get(first..after).unwrap_or_default()
}

/// A text and its rows.
#[derive(Debug, Clone)]
pub struct Document {
    text: Arc<str>,
    rows: Arc<Rows>,
    width: Option<usize>,
    top: usize,
    /// The rows that were visible when it was settled last; 0 before.
    height: usize,
    /// A byte that the view goes to once its row is laid out.
    wanted: Option<usize>,
}

impl Document {
    /// All rows of `text`: its lines, or their pieces of at most `width` cells. Costs the whole text,
    /// so it is for texts of a bounded length.
    #[must_use]
    pub fn new(text: Arc<str>, width: Option<usize>) -> Self {
        Self::up_to(text, width, usize::MAX)
    }

    /// As many rows of a text of any length as can be laid out at once: see [`Document::is_cut`].
    #[must_use]
    pub fn begun(text: Arc<str>, width: Option<usize>) -> Self {
        Self::up_to(text, width, AT_ONCE)
    }

    fn up_to(text: Arc<str>, width: Option<usize>, work: usize) -> Self {
        let rows = Arc::new(Rows::of(&text, width, work));
        Self {
            text,
            rows,
            width,
            top: 0,
            height: 0,
            wanted: None,
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Where lines are wrapped, if they are.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        self.width
    }

    /// How many rows there are; at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never: an empty text has one empty row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The first visible row.
    #[must_use]
    pub fn top(&self) -> usize {
        self.top
    }

    /// The first visible byte.
    #[must_use]
    pub fn top_byte(&self) -> usize {
        self.rows.get(self.top).map_or(0, |row| row.start)
    }

    /// The bytes of the rows that are visible in `height`.
    pub fn visible(&self, height: usize) -> impl Iterator<Item = &Range<usize>> {
        self.rows.as_slice().iter().skip(self.top).take(height)
    }

    /// The number of the line that begins with the row at `index`; `None` for a row that goes on
    /// with one.
    #[must_use]
    pub fn line_beginning_at(&self, index: usize) -> Option<usize> {
        self.rows.line_beginning_at(index)
    }

    /// The row that holds byte `at`.
    #[must_use]
    pub fn row_holding(&self, at: usize) -> Option<&Range<usize>> {
        self.rows.get(self.rows.row_at(at))
    }

    /// The bytes of `row`.
    #[must_use]
    pub fn slice(&self, row: &Range<usize>) -> &str {
        self.text.get(row.clone()).unwrap_or_default()
    }

    /// Whether rows are missing, since the text is long: they are to be laid out beside the loop.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.rows.is_cut()
    }

    /// Takes all rows of this text at this width.
    pub fn complete(&mut self, rows: Arc<Rows>) {
        let bottom = self.at_bottom();
        self.rows = rows;
        if let Some(at) = self.wanted.take() {
            self.go_to(at);
        } else if bottom {
            self.top = self.rows.len().saturating_sub(self.height);
        }
    }

    /// Scrolls by rows, never beyond the last page of `height`.
    pub fn scroll(&mut self, by: isize, height: usize) {
        self.wanted = None;
        self.settle(height);
        self.top = self.top.saturating_add_signed(by);
        self.settle(height);
    }

    /// Sees to it that no room stays empty below while rows are hidden above, and that a view at the
    /// bottom stays there where it has less room than before.
    pub fn settle(&mut self, height: usize) {
        let height = height.max(1);
        let last = self.rows.len().saturating_sub(height);
        self.top = if height < self.height && self.at_bottom() {
            last
        } else {
            self.top.min(last)
        };
        self.height = height;
    }

    /// Scrolls as little as brings the row of byte `at` into view, with some rows above it.
    pub fn reveal(&mut self, at: usize) {
        if !self.is_in_view(at) {
            self.top = self.rows.row_at(at).saturating_sub(self.height / 3);
            self.want(at);
            self.settle(self.height);
        }
    }

    /// Makes the row of byte `at` the first visible one, as far as the text goes on below it.
    pub fn go_to(&mut self, at: usize) {
        self.top = self.rows.row_at(at);
        self.want(at);
        self.settle(self.height);
    }

    /// Whether the row of byte `at` is visible.
    #[must_use]
    pub fn is_in_view(&self, at: usize) -> bool {
        let row = self.rows.row_at(at);
        (self.top..self.top + self.height.max(1)).contains(&row)
    }

    /// Remembers where to go where it isn't laid out yet.
    fn want(&mut self, at: usize) {
        let end = self.rows.as_slice().last().map_or(0, |row| row.end);
        self.wanted = (self.is_cut() && at >= end).then_some(at);
    }

    /// Whether the last row is in view, and others are hidden above.
    fn at_bottom(&self) -> bool {
        self.top > 0 && self.top + self.height >= self.rows.len()
    }

    /// The same place of a text that came instead of this one, or of this text at another width. A
    /// view at the bottom stays there.
    #[must_use]
    pub fn become_text(&self, text: Arc<str>, width: Option<usize>) -> Self {
        let same = Arc::ptr_eq(&text, &self.text);
        self.in_place(Self::begun(text, width), same)
    }

    /// The same place of this text at another width. Costs the whole text, as [`Document::new`] does.
    #[must_use]
    pub fn laid_out_at(&self, width: Option<usize>) -> Self {
        self.in_place(Self::new(Arc::clone(&self.text), width), true)
    }

    fn in_place(&self, mut next: Self, same: bool) -> Self {
        next.height = self.height;
        if self.at_bottom() && self.wanted.is_none() {
            next.top = next.rows.len().saturating_sub(self.height);
        } else if same || self.top >= next.rows.len() {
            next.go_to(self.wanted.unwrap_or_else(|| self.top_byte()));
        } else {
            next.top = self.top;
        }
        next
    }
}

/// The first byte of `text` that is not as in `before`.
#[must_use]
pub fn first_difference(before: &str, text: &str) -> usize {
    let same = before.bytes().zip(text.bytes());
    let same = same.take_while(|(one, other)| one == other).count();
    // Where a text only goes on, it does so after the line feed.
    let goes_on = same == before.len() && text[same..].starts_with('\n');
    (0..=same + usize::from(goes_on))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

#[cfg(test)]
#[path = "document/tests.rs"]
mod tests;
