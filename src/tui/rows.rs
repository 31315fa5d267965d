//! Where the rows of a text begin and end: its lines, or the pieces that they are wrapped into.
//!
//! Owns measuring, as the text is drawn. A long text is laid out up to a bound, so that nobody waits
//! for the rest of it. Must not know where a row is drawn.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::text;

/// Work that is done at once, in rows: a millisecond or two.
pub const AT_ONCE: usize = 131_072;
/// A character that has to be measured the slow way costs as much as that many rows.
const SLOW: usize = 8;

/// The rows of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// The bytes of each row.
    rows: Vec<Range<usize>>,
    /// The first row of each line.
    lines: Vec<usize>,
    /// Whether the rest of the text is not laid out.
    cut: bool,
}

impl Rows {
    /// The rows of `text`: its lines, or their pieces of at most `width` cells. Stops after that
    /// much `work`, in rows.
    #[must_use]
    pub fn of(text: &str, width: Option<usize>, work: usize) -> Self {
        let mut left = work;
        Self::spending(&mut left, text, width)
    }

    /// The same, of the work that is `left` for several texts.
    pub fn spending(left: &mut usize, text: &str, width: Option<usize>) -> Self {
        let mut rows = Self::default();
        let mut start = 0;
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if *left == 0 {
                rows.cut = true;
                break;
            }
            rows.lines.push(rows.rows.len());
            match width {
                Some(width) => rows.wrap(line, start, width.max(1), left),
                None => {
                    rows.rows.push(start..start + line.len());
                    *left -= 1;
                }
            }
            start += line.len() + 1;
        }
        rows
    }

    /// Whether the rest of the text is not laid out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
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

    /// The bytes of the row at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Range<usize>> {
        self.rows.get(index)
    }

    /// The bytes of each row.
    #[must_use]
    pub fn as_slice(&self) -> &[Range<usize>] {
        &self.rows
    }

    /// The row that holds byte `at`.
    #[must_use]
    pub fn row_at(&self, at: usize) -> usize {
        let after = self.rows.partition_point(|row| row.start <= at);
        after.saturating_sub(1)
    }

    /// The number of the line, from 1, that begins with the row at `index`; `None` for a row that
    /// goes on with one.
    #[must_use]
    pub fn line_beginning_at(&self, index: usize) -> Option<usize> {
        self.lines.binary_search(&index).ok().map(|line| line + 1)
    }

    /// Cuts `line`, which begins at byte `base`, into rows. Each row is measured from its own start,
    /// as it is drawn.
    fn wrap(&mut self, line: &str, base: usize, width: usize, left: &mut usize) {
        let mut start = 0;
        loop {
            let rest = &line[start..];
            let fitting = fitting(rest, width);
            let length = up_to_a_word(rest, fitting.bytes);
            self.rows.push(base + start..base + start + length);
            *left = left.saturating_sub(1 + SLOW * fitting.slow);
            start += length;
            if start >= line.len() {
                return;
            }
            if *left == 0 {
                self.cut = true;
                return;
            }
        }
    }
}

/// How many bytes of `row` fit into `width` cells.
#[must_use]
pub fn bytes_that_fit(row: &str, width: usize) -> usize {
    fitting(row, width).bytes
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

/// What fits into a row.
struct Fitting {
    bytes: usize,
    /// Characters that had to be measured the slow way.
    slow: usize,
}

/// What of `rest` fits into `width` cells; at least one grapheme, so that it ends.
#[must_use]
fn fitting(rest: &str, width: usize) -> Fitting {
    let bytes = plain(rest, width).or_else(|| simple(rest, width));
    match bytes {
        Some(bytes) => Fitting { bytes, slow: 0 },
        None => measured(rest, width),
    }
}

/// What fits where all of it is printable ASCII: a byte is a cell.
fn plain(rest: &str, width: usize) -> Option<usize> {
    let bytes = rest.as_bytes();
    let head = bytes.get(..width.min(bytes.len()))?;
    let all = head.iter().all(|byte| (b' '..=b'~').contains(byte));
    // A combining mark may follow and belong to the last character.
    let ends = bytes.get(width).is_none_or(u8::is_ascii);
    (all && ends).then_some(head.len())
}

/// What fits where every character up to the edge stands for itself.
fn simple(rest: &str, width: usize) -> Option<usize> {
    let mut used = 0;
    let mut fitting = None;
    for (at, character) in rest.char_indices() {
        // One that doesn't may belong to the character before.
        let cells = cells(character, used)?;
        if fitting.is_some() {
            return fitting;
        }
        if used + cells > width && used > 0 {
            return Some(at);
        }
        used += cells;
        if used >= width {
            fitting = Some(at + character.len_utf8());
        }
    }
    Some(rest.len())
}

/// The cells of a character at `column` that never joins another one: letters of common scripts, and
/// what is drawn as a symbol.
fn cells(character: char, column: usize) -> Option<usize> {
    match character {
        ' '..='~' | '\0'..='\x08' | '\n'..='\x1f' | '\x7f' => Some(1),
        '\t' => Some(text::TAB_STOP - column % text::TAB_STOP),
        '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' => character.width(),
        '\u{370}'..='\u{482}' | '\u{48a}'..='\u{52f}' => character.width(),
        '\u{2500}'..='\u{257f}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' => {
            character.width()
        }
        '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => character.width(),
        _ => None,
    }
}

fn measured(rest: &str, width: usize) -> Fitting {
    let mut used = 0;
    let mut slow = 0;
    for piece in text::shown(rest) {
        if used + piece.width > width && used > 0 {
            let bytes = piece.source.start;
            return Fitting { bytes, slow };
        }
        used += piece.width;
        slow += 1;
    }
    let bytes = rest.len();
    Fitting { bytes, slow }
}

#[cfg(test)]
mod tests;
