//! The text of the sample that is looked at, as it is read: laid out, scrolled, revealed.

use std::sync::Arc;

use super::super::aspect::{Aspect, Source};
use super::super::document::first_difference;
use super::super::outcome;
use super::{GUTTER, Phase, Position, Wait};
use crate::text::Diff;
use crate::wait::{Entry, EntryKind, Reason};

impl Wait {
    /// Sees to it that the sample that is looked at is read, in that many columns and rows.
    pub fn show_sample(&mut self, columns: usize, height: usize) {
        if self.lacks_text() {
            // What is read stays where it is, so that the place in it isn't lost.
            return;
        }
        let diff = self.diff().map(|diff| Arc::clone(&diff.text));
        let signs = diff.as_ref().map_or(0, |_| usize::from(GUTTER));
        let shown = match (self.entry(), &self.phase) {
            (Some(entry), _) => {
                let other = self.aspect_source();
                let other = other.and_then(|(sample, _)| self.reading.aspect_or_before(sample));
                let text = other.or(diff).unwrap_or_else(|| text_of(entry));
                Some((entry.sample, text))
            }
            // An error before the first sample may be long, and has no other place.
            (None, Phase::Ended(Err(failure))) => {
                let words = outcome::error_in_words(&failure.error);
                Some((0, Arc::from(words)))
            }
            (None, _) => None,
        };
        let Some((sample, text)) = shown else {
            self.reading.document = None;
            return;
        };
        let before = self.reading.document.as_ref();
        let before = before.map(|document| Arc::clone(document.text()));
        let other_sample = std::mem::replace(&mut self.shown, sample) != sample;
        let columns = columns.saturating_sub(signs);
        self.reading.show(&text, columns, height);
        let coloured = match self.reading.aspect {
            Aspect::Observation => self.observation().cloned(),
            _ => Some(Arc::clone(&text)),
        };
        self.reading.colour(coloured.as_ref());
        let follows = (self.position == Position::Follow || self.plays()) && !self.scrolled;
        if follows
            && let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &text))
            && before != text
        {
            let change = self.diff().and_then(Diff::first_change);
            let new = other_sample.then(|| first_difference(&before, &text));
            self.reading.reveal(change.or(new));
        }
        self.reveal_match();
    }

    /// The text that is looked at, whole and without what a comparison adds to it, where it is held.
    #[must_use]
    pub fn text_in_view(&self) -> Option<Arc<str>> {
        let document = self.reading.document.as_ref();
        match (self.entry().map(|entry| (entry, &entry.kind)), &self.phase) {
            (Some((_, EntryKind::Observed { .. })), _)
                if self.reading.aspect != Aspect::Observation =>
            {
                document.map(|document| Arc::clone(document.text()))
            }
            (Some((_, EntryKind::Observed { text, .. })), _) => text.clone(),
            (Some((entry, EntryKind::Failed { .. })), _) => Some(text_of(entry)),
            (None, Phase::Ended(Err(failure))) => {
                Some(outcome::error_in_words(&failure.error).into())
            }
            (None, _) => None,
        }
    }

    /// What the aspect that is looked at is taken from, and of which sample.
    #[must_use]
    pub fn aspect_source(&self) -> Option<(u64, Source)> {
        let entry = self.entry()?;
        let EntryKind::Observed { text, .. } = &entry.kind else {
            return None;
        };
        let (wait, sample) = (self.id, entry.sample);
        let source = match self.reading.aspect {
            Aspect::Observation => return None,
            Aspect::FinalState => Source::Observation(text.clone()?),
            Aspect::Blocks | Aspect::Raw => Source::Sample { wait, sample },
        };
        Some((sample, source))
    }

    /// What ended the wait is in view, as long as nobody has scrolled.
    fn reveal_match(&mut self) {
        let Phase::Ended(Ok(result)) = &self.phase else {
            return;
        };
        let reason = result.reason;
        if self.scrolled || self.position != Position::Follow {
            return;
        }
        let ranges = self.matched().map(|found| match reason {
            Reason::Failed => &found.fail_when,
            _ => &found.until,
        });
        let first = ranges.and_then(|ranges| ranges.first());
        let first = first.map(|range| range.start);
        let place = match self.diff() {
            Some(diff) => first.and_then(|at| diff.place_of_new(at)),
            None => first,
        };
        self.reading.reveal(place);
    }
}

/// The observation of a sample, or why there is none.
fn text_of(entry: &Entry) -> Arc<str> {
    match &entry.kind {
        EntryKind::Failed { cause, .. } => Arc::from(cause.as_str()),
        EntryKind::Observed {
            text: Some(text), ..
        } => Arc::clone(text),
        EntryKind::Observed {
            text: None, bytes, ..
        } => Arc::from(format!("{bytes} bytes, no longer held in memory")),
    }
}
