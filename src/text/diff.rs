//! What changed from one text to the next, by line and by word.
//!
//! Owns one text that holds the lines of both, and what of it is old, new or changed, so that it is
//! scrolled, wrapped and drawn like any other.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use similar::{DiffTag, TextDiff, TextDiffConfig};

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
    let mut config = TextDiff::configure();
    config.timeout(limit);
    let (old_lines, new_lines) = (lines(old), lines(new));
    let found = config.diff_slices(&old_lines.texts, &new_lines.texts);
    let mut builder = Builder::default();
    for op in found.ops() {
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
                builder.compare_words(&config, of_old, of_new);
            }
        }
    }
    if go_on() {
        Difference::Lines(builder.finish())
    } else {
        Difference::TooDifferent
    }
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
    fn compare_words(&mut self, config: &TextDiffConfig, old: Range<usize>, new: Range<usize>) {
        let (mut in_old, mut in_new) = (Vec::new(), Vec::new());
        let words = config.diff_words(&self.text[old.clone()], &self.text[new.clone()]);
        let (mut at_old, mut at_new) = (old.start, new.start);
        for op in words.ops() {
            let (tag, of_old, of_new) = op.as_tag_tuple();
            let length = |range: Range<usize>, word: &dyn Fn(usize) -> Option<usize>| {
                range.filter_map(word).sum::<usize>()
            };
            let old_length = length(of_old, &|word| words.old_slice(word).map(str::len));
            let new_length = length(of_new, &|word| words.new_slice(word).map(str::len));
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
