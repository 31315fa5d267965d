//! Why the condition doesn't hold for a text, and the patterns that are offered instead.
//!
//! Owns a pure function that may take its time, and what has been taken of its offers. Must not
//! know where it is shown.

use crate::app::why_not::{Reached, Slip, why_not};
use crate::wait::{Pattern, Until};

/// Fixes that are shown.
const MOST_OFFERS: usize = 3;

/// Why the condition doesn't hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// How the pattern stands to the text; `None` where only a slip is to be told.
    pub stands: Option<Stands>,
    /// What may have been meant, the likeliest first.
    pub slips: Vec<Slip>,
}

/// How a pattern stands to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// Its beginning matches, up to there.
    UpTo(Reached),
    /// Not even its beginning does.
    Nowhere,
    /// It still matches, and should not.
    Still {
        /// The line of its first match, from 1.
        line: usize,
        /// What matched.
        found: String,
    },
}

/// Looks for why `until` doesn't hold for `text`, as long as `go_on` says so. Where it holds
/// because a pattern is absent, a slip may be the reason, and is told.
#[must_use]
pub fn why(until: &Until, text: &str, go_on: &dyn Fn() -> bool) -> Option<Why> {
    let (Until::Matches(pattern) | Until::NotMatches(pattern)) = until else {
        return None;
    };
    let absence = matches!(until, Until::NotMatches(_));
    if pattern.source().is_empty() {
        return None;
    }
    if pattern.is_match(text) {
        let stands = absence.then(|| still(pattern, text)).flatten()?;
        return Some(Why {
            stands: Some(stands),
            slips: Vec::new(),
        });
    }
    let found = why_not(pattern, text, go_on);
    let stands = (!absence).then(|| found.reached.map_or(Stands::Nowhere, Stands::UpTo));
    let why = Why {
        stands,
        slips: found.slips,
    };
    (why.rows() > 0).then_some(why)
}

fn still(pattern: &Pattern, text: &str) -> Option<Stands> {
    let found = pattern.regex().find(text)?;
    let before = &text[..found.start()];
    Some(Stands::Still {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        found: found.as_str().to_owned(),
    })
}

impl Why {
    /// Rows that it fills.
    #[must_use]
    pub fn rows(&self) -> usize {
        usize::from(self.stands.is_some()) + self.offers().len()
    }

    /// The slips that are offered.
    #[must_use]
    pub fn offers(&self) -> &[Slip] {
        &self.slips[..self.slips.len().min(MOST_OFFERS)]
    }
}

/// Patterns to take in turn, the one that was written as the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixes {
    written: String,
    slips: Vec<Slip>,
    taken: Option<usize>,
}

impl Fixes {
    /// The offers of `why` for the pattern that was `written`; `None` where there are none.
    #[must_use]
    pub fn new(written: String, why: &Why) -> Option<Self> {
        let slips = why.offers().to_vec();
        (!slips.is_empty()).then_some(Self {
            written,
            slips,
            taken: None,
        })
    }

    /// Whether `pattern` is what was taken last.
    #[must_use]
    pub fn holds(&self, pattern: &str) -> bool {
        self.taken().is_some_and(|slip| slip.offer == pattern)
    }

    /// Takes the next; answers the pattern, and a sentence about it.
    pub fn take(&mut self) -> (String, String) {
        let next = self.taken.map_or(0, |taken| taken + 1);
        self.taken = Some(next).filter(|next| *next < self.slips.len());
        let after = match self.slips.get(next + 1) {
            Some(slip) => format!("again: {}", slip.kind.label()),
            None => "again: as it was".to_owned(),
        };
        match self.taken() {
            Some(slip) => (
                slip.offer.clone(),
                format!("the pattern {}; {after}", slip.kind.label()),
            ),
            None => (self.written.clone(), "the pattern as it was".to_owned()),
        }
    }

    fn taken(&self) -> Option<&Slip> {
        self.slips.get(self.taken?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn ask(until: fn(Pattern) -> Until, pattern: &str, text: &str) -> Option<Why> {
        why(&until(Pattern::new(pattern).unwrap()), text, &|| true)
    }

    #[test]
    fn a_condition_that_holds_needs_no_reason() {
        assert_eq!(ask(Until::Matches, "a", "a"), None);
        assert_eq!(ask(Until::NotMatches, "b", "a"), None);
        assert_eq!(ask(Until::Matches, "", "a"), None);
        assert_eq!(why(&Until::QuietForSec(3), "a", &|| true), None);
    }

    #[test]
    fn what_still_matches_is_quoted_with_its_line() {
        let found = "Pending".to_owned();
        let expected = Why {
            stands: Some(Stands::Still { line: 2, found }),
            slips: Vec::new(),
        };
        let asked = ask(Until::NotMatches, "P[a-z]+", "x\nPending");
        assert_eq!(asked, Some(expected));
    }

    #[test]
    fn an_absence_that_is_a_slip_is_told() {
        let told = ask(Until::NotMatches, "pending", "Pending").unwrap();
        assert_eq!((told.stands.clone(), told.rows()), (None, 1));
        assert_eq!(told.slips[0].offer, "(?i)pending");
    }

    #[test]
    fn offers_are_taken_in_turn_and_given_back() {
        let told = ask(Until::Matches, "^b", "a\nb").unwrap();
        let mut offers = Fixes::new("^b".to_owned(), &told).unwrap();
        assert!(!offers.holds("^b"));
        let (pattern, said) = offers.take();
        assert_eq!(pattern, "(?m)^b");
        assert!(said.ends_with("again: without ^"), "{said}");
        assert!(offers.holds("(?m)^b"));
        assert_eq!(offers.take().0, "b");
        assert_eq!(offers.take().0, "^b");
        assert_eq!(offers.take().0, "(?m)^b");
    }
}
