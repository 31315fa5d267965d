//! What is worked out beside the loop about the sample that is looked at, where it is known.

use std::sync::Arc;

use super::super::aspect::Aspect;
use super::super::document::{Highlights, Patterns};
use super::super::why::Why;
use super::{REMEMBERED, Wait};
use crate::text::{Diff, Difference};
use crate::wait::{Entry, EntryKind};

impl Wait {
    /// The patterns whose matches are highlighted.
    #[must_use]
    pub fn patterns(&self) -> Patterns {
        Patterns {
            until: self.call.until().pattern().cloned(),
            fail_when: self.call.fail_when().cloned(),
            ignore: self.call.ignore().cloned(),
        }
    }

    /// What was found in `text`, if it was looked for.
    #[must_use]
    pub fn highlights(&self, text: &Arc<str>) -> Option<&Arc<Highlights>> {
        let known = self
            .highlights
            .iter()
            .find(|(known, _)| Arc::ptr_eq(known, text));
        known.map(|(_, highlights)| highlights)
    }

    /// What was found in the observation that is looked at, where that is known.
    #[must_use]
    pub fn matched(&self) -> Option<&Highlights> {
        let found = self.observation().and_then(|text| self.highlights(text));
        found.map(|found| &**found)
    }

    /// Remembers what was found in `text`.
    pub fn found(&mut self, text: Arc<str>, highlights: Highlights) {
        if self.highlights.len() == REMEMBERED {
            self.highlights.pop_front();
        }
        self.highlights.push_back((text, Arc::new(highlights)));
    }

    /// The observation, where that is what is looked at and it is held.
    #[must_use]
    pub fn observation(&self) -> Option<&Arc<str>> {
        let entry = self.entry()?;
        entry
            .text()
            .filter(|_| self.reading.aspect == Aspect::Observation)
    }

    /// Why the condition doesn't hold for the sample that is looked at, where that is known.
    #[must_use]
    pub fn why(&self) -> Option<&Why> {
        self.whys.answer([self.observation()?])?.as_ref()
    }

    /// The sample that the one that is looked at is to be compared with: the observation before it,
    /// where it changed.
    #[must_use]
    pub fn compared_with(&self) -> Option<&Entry> {
        let alone = self.reading.aspect == Aspect::Observation;
        let index = self.index().filter(|_| self.diffs && alone)?;
        let (before, from) = self.history.entries().split_at_checked(index)?;
        let EntryKind::Observed { changed: true, .. } = &from.first()?.kind else {
            return None;
        };
        let mut before = before.iter().rev();
        before.find(|entry| matches!(entry.kind, EntryKind::Observed { .. }))
    }

    /// The texts of both.
    #[must_use]
    pub fn compared(&self) -> Option<[&Arc<str>; 2]> {
        let before = self.compared_with()?;
        Some([before.text()?, self.entry()?.text()?])
    }

    /// How they differ, where that is known.
    #[must_use]
    pub fn difference(&self) -> Option<&Difference> {
        self.differences.answer(self.compared()?)
    }

    /// The lines of both, where they are shown.
    #[must_use]
    pub fn diff(&self) -> Option<&Diff> {
        match self.difference()? {
            Difference::Lines(diff) => Some(diff),
            Difference::TooDifferent => None,
        }
    }
}
