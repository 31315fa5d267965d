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
    /// The rows that were visible when it was settled last; 0 before.
    height: usize,
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
            height: 0,
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
        let row = self.rows.partition_point(|row| row.start <= at);
        let row = row.saturating_sub(1);
        let hidden = row < self.top || row >= self.top + self.height.max(1);
        if hidden {
            self.top = row.saturating_sub(self.height / 3);
            self.settle(self.height);
        }
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
        let mut next = Self::new(text, width);
        next.height = self.height;
        next.top = if self.at_bottom() {
            next.rows.len().saturating_sub(self.height)
        } else if same {
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

/// The bytes of the rows of `text`: its lines, or their pieces of at most `width` cells.
pub(super) fn rows(text: &str, width: Option<usize>) -> Vec<Range<usize>> {
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
        let length = up_to_a_word(rest, fitting(rest, width));
        rows.push(base + start..base + start + length);
        start += length;
        if start >= line.len() {
            return;
        }
    }
}

/// Of the `fitting` first bytes of `rest`, those up to the last word that fits whole; all of them
/// where there is no space, or where the rest ends there.
fn up_to_a_word(rest: &str, fitting: usize) -> usize {
    let (head, tail) = rest.split_at(fitting);
    if tail.is_empty() {
        return fitting;
    }
    if tail.starts_with(' ') {
        // Nothing is seen of it beyond the edge, nor is it at the start of the next row.
        return fitting + 1;
    }
    match head.rfind(' ') {
        Some(space) if !head[..space].trim_start().is_empty() => space + 1,
        _ => fitting,
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
