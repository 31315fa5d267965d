//! The longest part of a pattern that matches, where, and what stands behind it.
//!
//! Owns cutting a pattern short so that it stays valid. Must not know slips.

use regex_syntax::ast::{Ast, Concat, Repetition, RepetitionKind, RepetitionRange};

use super::Trial;
use crate::wait::Pattern;

/// Characters of what stood instead.
const INSTEAD: usize = 40;
/// Matches of a part that are looked at for the last one.
const MOST_MATCHES: usize = 10_000;

/// How far a pattern gets in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The part that matches: a valid pattern, as it was written.
    pub part: String,
    /// The line on which its last match ends, from 1.
    pub line: usize,
    /// The character of that line at which it ends, from 1.
    pub column: usize,
    /// What stands there: a word, with the blanks before it; `"\n"` at the end of a line, and
    /// nothing at the end of the text.
    pub instead: String,
}

/// Looks for the longest beginning of `source`, which doesn't match as a whole.
pub(super) fn reached(source: &str, ast: &Ast, trial: &mut Trial<'_>) -> Option<Reached> {
    let part = Reach { source, trial }.within(ast, "", "")?;
    let end = last_end(&Pattern::new(&part).ok()?, trial.text)?;
    let (before, after) = trial.text.split_at(end);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(Reached {
        part,
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        instead: instead(after),
    })
}

/// Where the last match ends. What matches nothing in many places, as `(?m)^` does, says nothing.
fn last_end(pattern: &Pattern, text: &str) -> Option<usize> {
    let mut found = pattern.regex().find_iter(text).take(MOST_MATCHES);
    let first = found.next()?;
    match found.last() {
        Some(last) => (!last.is_empty()).then(|| last.end()),
        None => Some(first.end()),
    }
}

fn instead(after: &str) -> String {
    let line = after.split('\n').next().unwrap_or_default();
    if line.is_empty() {
        return after.chars().take(1).collect();
    }
    let word = line.trim_start();
    let blanks = line.len() - word.len();
    let end = blanks + word.find(char::is_whitespace).unwrap_or(word.len());
    line[..end].chars().take(INSTEAD).collect()
}

struct Reach<'s, 'r, 't> {
    source: &'s str,
    trial: &'r mut Trial<'t>,
}

impl Reach<'_, '_, '_> {
    /// The longest beginning of `ast` that matches between `before` and `after`; `None` where not
    /// even its first piece does. What is known: without `ast` they match, with all of it they don't.
    fn within(&mut self, ast: &Ast, before: &str, after: &str) -> Option<String> {
        match ast {
            Ast::Concat(concat) => self.within_concat(concat, before, after),
            Ast::Repetition(repetition) => self.within_repetition(repetition, before, after),
            Ast::Group(group) => {
                let inner = group.ast.span().start.offset;
                let opener = &self.source[group.span.start.offset..inner];
                self.within(
                    &group.ast,
                    &format!("{before}{opener}"),
                    &format!("){after}"),
                )
            }
            Ast::Alternation(alternation) => {
                let mut flags = before.to_owned();
                let mut longest: Option<String> = None;
                for branch in &alternation.asts {
                    let part = self.within(branch, &flags, after);
                    if part.as_ref().map(String::len) > longest.as_ref().map(String::len) {
                        longest = part;
                    }
                    // Flags that are set in one branch hold in those behind it.
                    flags.push_str(&self.flags_of(branch));
                }
                longest
            }
            _ => None,
        }
    }

    /// If a beginning matches, so does every shorter one: the longest is found by halving.
    fn within_concat(&mut self, concat: &Concat, before: &str, after: &str) -> Option<String> {
        let head = |source: &str, count: usize| match count.checked_sub(1) {
            Some(last) => {
                let end = concat.asts[last].span().end.offset;
                format!("{before}{}", &source[concat.span.start.offset..end])
            }
            None => before.to_owned(),
        };
        let (mut matching, mut failing) = (0, concat.asts.len());
        while matching + 1 < failing {
            let middle = usize::midpoint(matching, failing);
            let part = head(self.source, middle) + after;
            if self.trial.matches(&part) {
                matching = middle;
            } else {
                failing = middle;
            }
        }
        let part = head(self.source, matching);
        let next = concat.asts.get(matching)?;
        self.within(next, &part, after).or_else(|| {
            let mut matched = concat.asts[..matching].iter();
            let says_anything = matched.any(|item| !matches!(item, Ast::Flags(_)));
            says_anything.then(|| part + after)
        })
    }

    /// Fewer repetitions than were asked for, then the beginning of one more.
    fn within_repetition(
        &mut self,
        repetition: &Repetition,
        before: &str,
        after: &str,
    ) -> Option<String> {
        let operand = self.slice(&repetition.ast);
        let part = |count: u32| match count {
            0 => before.to_owned(),
            _ => format!("{before}{operand}{{{count}}}"),
        };
        let (mut matching, mut failing) = (0, least(&repetition.op.kind));
        while matching + 1 < failing {
            let middle = u32::midpoint(matching, failing);
            if self.trial.matches(&(part(middle) + after)) {
                matching = middle;
            } else {
                failing = middle;
            }
        }
        let part = part(matching);
        self.within(&repetition.ast, &part, after)
            .or_else(|| (matching > 0).then(|| part + after))
    }

    fn slice(&self, ast: &Ast) -> String {
        let span = ast.span();
        self.source[span.start.offset..span.end.offset].to_owned()
    }

    fn flags_of(&self, branch: &Ast) -> String {
        match branch {
            Ast::Flags(_) => self.slice(branch),
            Ast::Concat(concat) => {
                let flags = concat
                    .asts
                    .iter()
                    .filter(|item| matches!(item, Ast::Flags(_)));
                flags.map(|item| self.slice(item)).collect()
            }
            _ => String::new(),
        }
    }
}

/// How many repetitions there must be.
fn least(kind: &RepetitionKind) -> u32 {
    match kind {
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore => 0,
        RepetitionKind::OneOrMore => 1,
        RepetitionKind::Range(
            RepetitionRange::Exactly(least)
            | RepetitionRange::AtLeast(least)
            | RepetitionRange::Bounded(least, _),
        ) => *least,
    }
}
