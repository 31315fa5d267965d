//! Why a pattern doesn't match a text: how far it gets, and which usual slip would explain it.
//!
//! Owns the search for both, bounded by patterns and bytes tried. Nothing is guessed: what is told
//! has matched. Must not know the screen.

mod reach;
mod slips;

use regex_syntax::ast::parse::Parser;

use crate::wait::Pattern;

pub use reach::Reached;
pub use slips::{Slip, SlipKind};

/// Patterns that are tried for each of the two questions.
const MOST_PATTERNS: usize = 48;
/// Bytes of text that they may read.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Why a pattern doesn't match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WhyNot {
    /// How far it gets; `None` where its beginning matches nowhere.
    pub reached: Option<Reached>,
    /// What may have been meant, the likeliest first.
    pub slips: Vec<Slip>,
}

/// Looks for what keeps `pattern` from matching in `text`, as long as `go_on` says so. Empty where
/// it does match.
#[must_use]
pub fn why_not(pattern: &Pattern, text: &str, go_on: &dyn Fn() -> bool) -> WhyNot {
    let source = pattern.source();
    if pattern.is_match(text) {
        return WhyNot::default();
    }
    let Ok(ast) = Parser::new().parse(source) else {
        return WhyNot::default();
    };
    WhyNot {
        reached: reach::reached(source, &ast, &mut Trial::new(text, go_on)),
        slips: slips::slips(pattern, &ast, &mut Trial::new(text, go_on)),
    }
}

/// Tries patterns on one text until its budget is used up; then nothing matches any more.
struct Trial<'t> {
    text: &'t str,
    go_on: &'t dyn Fn() -> bool,
    patterns_left: usize,
    bytes_left: usize,
}

impl<'t> Trial<'t> {
    fn new(text: &'t str, go_on: &'t dyn Fn() -> bool) -> Self {
        Self {
            text,
            go_on,
            patterns_left: MOST_PATTERNS,
            bytes_left: MOST_BYTES,
        }
    }

    /// Whether `source` is a pattern that matches.
    fn matches(&mut self, source: &str) -> bool {
        let within = self.patterns_left > 0 && self.bytes_left >= self.text.len() && (self.go_on)();
        if !within {
            return false;
        }
        self.patterns_left -= 1;
        self.bytes_left -= self.text.len();
        Pattern::new(source).is_ok_and(|pattern| pattern.is_match(self.text))
    }
}

#[cfg(test)]
mod tests;
