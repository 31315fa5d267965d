//! Which sample is looked at, and how one steps from sample to sample.

use super::{Mark, Phase, Position, Wait};
use crate::wait::{Entry, EntryKind, Reason};

impl Wait {
    /// The index of the sample that is looked at.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        let newest = self.history.entries().len().checked_sub(1)?;
        match self.position {
            Position::Follow => Some(newest),
            Position::Hold(index) => Some(index.min(newest)),
        }
    }

    /// How many samples came since the view was held.
    #[must_use]
    pub fn newer(&self) -> usize {
        self.index()
            .map_or(0, |index| self.history.entries().len() - 1 - index)
    }

    /// Looks at the sample at `index`, and stays there.
    pub fn look_at(&mut self, index: usize) {
        if let Some(newest) = self.history.entries().len().checked_sub(1) {
            self.position = Position::Hold(index.min(newest));
        }
    }

    /// Steps by samples, and stays there.
    pub fn step(&mut self, by: isize) {
        if let Some(index) = self.index() {
            self.look_at(index.saturating_add_signed(by));
        }
    }

    /// Steps to the next change in the given direction, or to the end of the story there.
    pub fn step_to_change(&mut self, forward: bool) {
        let Some(index) = self.index() else { return };
        let weighs = |index: &usize| self.weighs(*index);
        let found = if forward {
            (index + 1..self.history.entries().len()).find(weighs)
        } else {
            (0..index).rev().find(weighs)
        };
        let end = if forward { usize::MAX } else { 0 };
        self.look_at(found.unwrap_or(end));
    }

    /// Holds the view where it is, or follows again.
    pub fn toggle_hold(&mut self) {
        match self.position {
            Position::Follow => self.step(0),
            Position::Hold(_) => self.position = Position::Follow,
        }
    }

    /// What the cell of the sample at `index` says.
    #[must_use]
    pub fn mark(&self, index: usize) -> Mark {
        let entries = self.history.entries();
        if index + 1 == entries.len()
            && let Phase::Ended(Ok(result)) = &self.phase
        {
            match result.reason {
                Reason::Matched | Reason::Settled => return Mark::Matched,
                Reason::Failed => return Mark::FailedWhen,
                Reason::Timeout => {}
            }
        }
        match entries.get(index).map(|entry| &entry.kind) {
            Some(EntryKind::Failed { .. }) => Mark::Failed,
            Some(EntryKind::Observed {
                tool_error: true, ..
            }) => Mark::ToolError,
            Some(EntryKind::Observed { changed: true, .. }) => Mark::Changed,
            _ => Mark::Same,
        }
    }

    /// The sample that is looked at.
    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        self.history.entries().get(self.index()?)
    }
}
