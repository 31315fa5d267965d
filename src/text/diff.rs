//! What changed from one text to the next, by line and by word.
//!
//! Owns one text that holds the lines of both, and what of it is old, new or changed, so that it is
//! scrolled, wrapped and drawn like any other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag, DiffableStr};

/// How two texts differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Line by line.
    Lines(Diff),
    /// By more than could be found out in time.
    TooDifferent,
}

/// The lines of two texts as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// Lines of both, a line feed between them: what is old stands before what is new.
    pub text: Arc<str>,
    /// The lines, in order; at least one.
    pub lines: Vec<DiffLine>,
    /// Bytes of `text` that changed within lines, in order and apart.
    pub changed: Vec<Range<usize>>,
    /// Which lines the new text has.
    of_new: Vec<usize>,
}

/// One line of a [`Diff`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine {
    /// Where it begins in the text of the diff, in bytes.
    pub start: usize,
    /// Where it begins in the text that it comes from: the old one only if that alone has it.
    pub origin: usize,
    /// Which text has it.
    pub side: Side,
}

/// Which text has a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Both.
    Both,
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl Diff {
    /// The line that holds byte `at` of the text.
    #[must_use]
    pub fn line_at(&self, at: usize) -> Option<&DiffLine> {
        self.lines.get(self.index_at(at)?)
    }

    /// The number, from 1, of the line that holds byte `at` of the text, where the new text has it.
    #[must_use]
    pub fn number_at(&self, at: usize) -> Option<usize> {
        let index = self.index_at(at)?;
        let place = self.of_new.binary_search(&index).ok()?;
        Some(place + 1)
    }

    fn index_at(&self, at: usize) -> Option<usize> {
        let after = self.lines.partition_point(|line| line.start <= at);
        after.checked_sub(1)
    }

    /// Where the first line begins that only one text has, in bytes of the text.
    #[must_use]
    pub fn first_change(&self) -> Option<usize> {
        let changed = self.lines.iter().find(|line| line.side != Side::Both);
        changed.map(|line| line.start)
    }

    /// Where byte `at` of the new text stands in the text.
    #[must_use]
    pub fn place_of_new(&self, at: usize) -> Option<usize> {
        let begins = |index: &usize| self.lines.get(*index).is_some_and(|line| line.origin <= at);
        let after = self.of_new.partition_point(begins);
        let line = self.lines.get(*self.of_new.get(after.checked_sub(1)?)?)?;
        Some(line.start + (at - line.origin))
    }
}

/// Compares `old` and `new`. Aligning lines or words gives up after `limit` each, and everything
/// once `go_on` says no.
#[must_use]
pub fn diff(old: &str, new: &str, limit: Duration, go_on: &dyn Fn() -> bool) -> Difference {
    // A line feed at the end ends the last line; where only one has it, an empty line tells.
    let (old, new) = match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (Some(old), Some(new)) => (old, new),
        _ => (old, new),
    };
    let (old_lines, new_lines) = (lines(old), lines(new));
    let mut builder = Builder::default();
    for op in align(&old_lines.texts, &new_lines.texts, limit) {
        if !go_on() {
            return Difference::TooDifferent;
        }
        let (tag, of_old, of_new) = op.as_tag_tuple();
        match tag {
            DiffTag::Equal => drop(builder.push(&new_lines, of_new, Side::Both)),
            DiffTag::Delete => drop(builder.push(&old_lines, of_old, Side::Old)),
            DiffTag::Insert => drop(builder.push(&new_lines, of_new, Side::New)),
            DiffTag::Replace => {
                let of_old = builder.push(&old_lines, of_old, Side::Old);
                let of_new = builder.push(&new_lines, of_new, Side::New);
                builder.compare_words(limit, of_old, of_new);
            }
        }
    }
    if go_on() {
        Difference::Lines(builder.finish())
    } else {
        Difference::TooDifferent
    }
}

/// How `old` becomes `new`. After `limit` what is left is taken to be replaced.
///
/// Pieces are compared by number, so that lines and words are aligned by the same code; the library's
/// own comparison of texts brings each of its algorithms along for every kind of text.
fn align<'t>(old: &[&'t str], new: &[&'t str], limit: Duration) -> Vec<DiffOp> {
    let mut numbers: HashMap<&'t str, usize> = HashMap::new();
    let mut numbered = |pieces: &[&'t str]| -> Vec<usize> {
        let number = |piece: &&'t str| {
            let next = numbers.len();
            *numbers.entry(*piece).or_insert(next)
        };
        pieces.iter().map(number).collect()
    };
    let (old, new) = (numbered(old), numbered(new));
    let mut found = Compact::new(Replace::new(Capture::new()), &old, &new);
    let deadline = Instant::now().checked_add(limit);
    let (of_old, of_new) = (0..old.len(), 0..new.len());
    let Ok(()) = myers::diff_deadline(&mut found, &old, of_old, &new, of_new, deadline);
    found.into_inner().into_inner().into_ops()
}

struct Lines<'t> {
    texts: Vec<&'t str>,
    starts: Vec<usize>,
}

fn lines(text: &str) -> Lines<'_> {
    let texts: Vec<&str> = text.split('\n').collect();
    let starts = texts.iter().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some(start)
    });
    Lines {
        starts: starts.collect(),
        texts,
    }
}

#[derive(Default)]
struct Builder {
    text: String,
    lines: Vec<DiffLine>,
    changed: Vec<Range<usize>>,
}

impl Builder {
    /// Adds lines of one side; answers where they stand now.
    fn push(&mut self, from: &Lines<'_>, which: Range<usize>, side: Side) -> Range<usize> {
        let begin = self.text.len();
        for (line, origin) in from.texts[which.clone()].iter().zip(&from.starts[which]) {
            self.lines.push(DiffLine {
                start: self.text.len(),
                origin: *origin,
                side,
            });
            self.text.push_str(line);
            self.text.push('\n');
        }
        begin..self.text.len()
    }

    /// Notes which words of two blocks, one behind the other, are not the same.
    fn compare_words(&mut self, limit: Duration, old: Range<usize>, new: Range<usize>) {
        let (mut in_old, mut in_new) = (Vec::new(), Vec::new());
        let old_words = self.text[old.clone()].tokenize_words();
        let new_words = self.text[new.clone()].tokenize_words();
        let (mut at_old, mut at_new) = (old.start, new.start);
        for op in align(&old_words, &new_words, limit) {
            let (tag, of_old, of_new) = op.as_tag_tuple();
            let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
            let (old_length, new_length) = (length(&old_words[of_old]), length(&new_words[of_new]));
            if tag != DiffTag::Equal {
                in_old.push(at_old..at_old + old_length);
                in_new.push(at_new..at_new + new_length);
            }
            at_old += old_length;
            at_new += new_length;
        }
        for range in in_old.into_iter().chain(in_new) {
            // A line feed at its end has no picture.
            let length = self.text[range.clone()].trim_end_matches('\n').len();
            if length > 0 {
                self.changed.push(range.start..range.start + length);
            }
        }
    }

    fn finish(mut self) -> Diff {
        self.text.pop();
        let of_new = self.lines.iter().enumerate();
        let of_new = of_new.filter(|(_, line)| line.side != Side::Old);
        Diff {
            of_new: of_new.map(|(index, _)| index).collect(),
            text: self.text.into(),
            lines: self.lines,
            changed: self.changed,
        }
    }
}

#[cfg(test)]
mod tests;
