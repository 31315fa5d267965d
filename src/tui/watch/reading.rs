//! The text of the sample that is looked at, as it is read: laid out, scrolled, revealed.

use std::sync::Arc;

use super::super::document::{Document, first_difference};
use super::super::outcome;
use super::{GUTTER, Phase, Position, Wait};
use crate::text::Diff;
use crate::wait::{Entry, EntryKind, Reason};

impl Wait {
    /// Sees to it that the document is the sample that is looked at, at `width`.
    pub fn sync_document(&mut self, width: usize, height: usize) {
        let diff = self.diff().map(|diff| Arc::clone(&diff.text));
        let change = self.diff().and_then(Diff::first_change);
        let gutter = diff.as_ref().map_or(0, |_| usize::from(GUTTER));
        let width = self.wrap.then(|| width.saturating_sub(gutter).max(1));
        let shown = match (self.entry(), &self.phase) {
            (Some(entry), _) => Some((entry.sample, diff.unwrap_or_else(|| text_of(entry)))),
            // An error before the first sample may be long, and has no other place.
            (None, Phase::Ended(Err(failure))) => {
                let words = outcome::error_in_words(&failure.error);
                Some((0, Arc::from(words)))
            }
            (None, _) => None,
        };
        let Some((sample, text)) = shown else {
            self.document = None;
            return;
        };
        match &mut self.document {
            Some((shown, document))
                if *shown == sample
                    && document.width() == width
                    && (Arc::ptr_eq(document.text(), &text) || *document.text() == text) =>
            {
                document.settle(height);
            }
            before => {
                let follows = self.position == Position::Follow && !self.scrolled;
                let mut next = match &*before {
                    Some((_, document)) => document.become_text(Arc::clone(&text), width),
                    None => Document::new(Arc::clone(&text), width),
                };
                next.settle(height);
                if let Some((shown, document)) = before
                    && follows
                    && document.text() != &text
                {
                    let new = (*shown != sample).then(|| first_difference(document.text(), &text));
                    if let Some(at) = change.or(new) {
                        next.reveal(at);
                    }
                }
                self.document = Some((sample, next));
            }
        }
        self.reveal_match();
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
        let found = self.observation().and_then(|text| self.highlights(text));
        let ranges = found.map(|found| match reason {
            Reason::Failed => &found.fail_when,
            _ => &found.until,
        });
        let first = ranges.and_then(|ranges| ranges.first());
        let first = first.map(|range| range.start);
        let place = match self.diff() {
            Some(diff) => first.and_then(|at| diff.place_of_new(at)),
            None => first,
        };
        if let Some(at) = place
            && let Some((_, document)) = &mut self.document
        {
            document.reveal(at);
        }
    }
}

/// The observation of a sample, or why there is none.
fn text_of(entry: &Entry) -> Arc<str> {
    match &entry.kind {
        EntryKind::Failed { cause } => Arc::from(cause.as_str()),
        EntryKind::Observed {
            text: Some(text), ..
        } => Arc::clone(text),
        EntryKind::Observed {
            text: None, bytes, ..
        } => Arc::from(format!("{bytes} bytes, no longer held in memory")),
    }
}
