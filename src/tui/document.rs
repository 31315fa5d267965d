//! A text on the screen: its rows, where it is scrolled to, and what is highlighted in it.
//!
//! Owns the index that makes drawing cost the visible part alone, however large the text is. Must
//! not know who wrote the text or what a match means.

use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use crate::text;

/// Matches that are looked for in one text; more would only colour what is coloured already.
const MOST_MATCHES: usize = 10_000;

/// What a condition matches in a text, as byte ranges from the start to the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Highlights {
    /// Matches of the condition's pattern.
    pub until: Vec<Range<usize>>,
    /// Matches of `fail_when`.
    pub fail_when: Vec<Range<usize>>,
    /// Whether the search stopped before the end of the text.
    pub cut: bool,
}

impl Highlights {
    /// Looks for matches until `go_on` says no. Empty matches have nothing to colour.
    #[must_use]
    pub fn find(
        text: &str,
        until: Option<&Regex>,
        fail_when: Option<&Regex>,
        go_on: &dyn Fn() -> bool,
    ) -> Self {
        let mut found = Self::default();
        let cut = &mut found.cut;
        let mut all = |pattern: Option<&Regex>| {
            let mut ranges = Vec::new();
            for range in pattern.iter().flat_map(|pattern| pattern.find_iter(text)) {
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
        found.until = all(until);
        found.fail_when = all(fail_when);
        found
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
    rows: Vec<Range<usize>>,
    width: Option<usize>,
    top: usize,
}

impl Document {
    /// The rows of `text`: its lines, or their pieces of at most `width` cells.
    #[must_use]
    pub fn new(text: Arc<str>, width: Option<usize>) -> Self {
        let rows = rows(&text, width);
        Self {
            text,
            rows,
            width,
            top: 0,
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

    /// The bytes of the rows that are visible in `height`.
    pub fn visible(&self, height: usize) -> impl Iterator<Item = &Range<usize>> {
        self.rows.iter().skip(self.top).take(height)
    }

    /// The bytes of `row`.
    #[must_use]
    pub fn slice(&self, row: &Range<usize>) -> &str {
        self.text.get(row.clone()).unwrap_or_default()
    }

    /// Scrolls by rows, never beyond the last page of `height`.
    pub fn scroll(&mut self, by: isize, height: usize) {
        self.top = self.top.saturating_add_signed(by);
        self.settle(height);
    }

    /// Sees to it that no room stays empty below while rows are hidden above.
    pub fn settle(&mut self, height: usize) {
        self.top = self.top.min(self.rows.len().saturating_sub(height.max(1)));
    }

    /// The same place of a text that came instead of this one, or of this text at another width.
    #[must_use]
    pub fn become_text(&self, text: Arc<str>, width: Option<usize>) -> Self {
        let same = Arc::ptr_eq(&text, &self.text);
        let mut next = Self::new(text, width);
        next.top = if same {
            let at = self.rows.get(self.top).map_or(0, |row| row.start);
            next.rows
                .partition_point(|row| row.start <= at)
                .saturating_sub(1)
        } else {
            self.top
        };
        next
    }
}

fn rows(text: &str, width: Option<usize>) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        match width {
            Some(width) => wrap(line, start, width.max(1), &mut rows),
            None => rows.push(start..start + line.len()),
        }
        start += line.len() + 1;
    }
    rows
}

/// Cuts `line`, which begins at byte `base`, into rows. Each row is measured from its own start,
/// as it is drawn.
fn wrap(line: &str, base: usize, width: usize, rows: &mut Vec<Range<usize>>) {
    if line.len() <= width && line.as_bytes().iter().all(is_plain) {
        rows.push(base..base + line.len());
        return;
    }
    let mut start = 0;
    loop {
        let rest = &line[start..];
        let length = fitting(rest, width);
        rows.push(base + start..base + start + length);
        start += length;
        if start >= line.len() {
            return;
        }
    }
}

/// Bytes of `rest` that fit into `width` cells; at least one grapheme, so that it ends.
fn fitting(rest: &str, width: usize) -> usize {
    if let Some(head) = rest.as_bytes().get(..width.min(rest.len()))
        && head.iter().all(is_plain)
        // A combining mark may follow and belong to the last character.
        && rest.as_bytes().get(width).is_none_or(u8::is_ascii)
    {
        return head.len();
    }
    let mut used = 0;
    for piece in text::shown(rest) {
        if used + piece.width > width && used > 0 {
            return piece.source.start;
        }
        used += piece.width;
    }
    rest.len()
}

/// Printable ASCII: one byte, one cell.
fn is_plain(byte: &u8) -> bool {
    (b' '..=b'~').contains(byte)
}

#[cfg(test)]
#[path = "document/tests.rs"]
mod tests;
