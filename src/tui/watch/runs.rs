//! Samples in a row that brought the same: how many, since when, and what is to be said of them.

use std::time::Duration;

use super::{Mark, Phase, Wait};
use crate::wait::{Entry, EntryKind, Reason, ToolErrors, Until};

/// Errors in a row that are called out.
const CALLED_OUT: usize = 3;

/// Samples in a row that brought the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Which of them is meant, from 1.
    pub place: usize,
    /// How many there are.
    pub length: usize,
    /// When the first of them was complete, since the first sample started.
    pub from: Duration,
    /// When the last of them was.
    pub to: Duration,
}

impl Wait {
    /// Whether the sample at `index` brought what the one before brought.
    fn repeats(&self, index: usize) -> bool {
        let entries = self.history.entries();
        let before = index.checked_sub(1).and_then(|before| entries.get(before));
        match (before.map(|entry| &entry.kind), entries.get(index)) {
            (Some(before), Some(entry)) => match (before, &entry.kind) {
                (EntryKind::Failed { cause: before, .. }, EntryKind::Failed { cause, .. }) => {
                    before == cause
                }
                (
                    EntryKind::Observed {
                        tool_error: before, ..
                    },
                    EntryKind::Observed {
                        tool_error,
                        changed: false,
                        ..
                    },
                ) => before == tool_error,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether one stops at the sample at `index` when one steps by change: it brought something
    /// else than the one before, or ended the wait.
    #[must_use]
    pub fn weighs(&self, index: usize) -> bool {
        !self.repeats(index) || matches!(self.mark(index), Mark::Matched | Mark::FailedWhen)
    }

    /// The run that the sample at `index` is of; `None` where it is alone.
    #[must_use]
    pub fn run_of(&self, index: usize) -> Option<Run> {
        let entries = self.history.entries();
        let back = (1..=index).rev().take_while(|at| self.repeats(*at)).count();
        let on = (index + 1..entries.len()).take_while(|at| self.repeats(*at));
        let (first, last) = (index - back, index + on.count());
        let when = |at: usize| entries.get(at).map(|entry| entry.at + entry.latency);
        (last > first).then_some(Run {
            place: back + 1,
            length: last - first + 1,
            from: when(first)?,
            to: when(last)?,
        })
    }

    /// The error that the newest samples brought again and again, and how often: the tool is
    /// probably asked the wrong thing.
    #[must_use]
    pub fn repeated_error(&self) -> Option<(usize, &str)> {
        let newest = self.history.entries().len().checked_sub(1)?;
        let error = self.history.entries().get(newest).and_then(error_of)?;
        let length = self.run_of(newest).map_or(1, |run| run.length);
        (length >= CALLED_OUT).then_some((length, error))
    }

    /// What looks wrong about how the condition was met.
    #[must_use]
    pub fn odd_match(&self) -> Option<&'static str> {
        let Phase::Ended(Ok(result)) = &self.phase else {
            return None;
        };
        let newest = self.history.entries().last()?;
        let error = matches!(
            newest.kind,
            EntryKind::Observed {
                tool_error: true,
                ..
            }
        );
        match result.reason {
            Reason::Matched if error => Some("met by a tool error: is that what you meant?"),
            Reason::Settled if error => Some("settled on a tool error: is that what you meant?"),
            Reason::Matched if result.last_observation.trim().is_empty() => {
                Some("met by an empty output: is that what you meant?")
            }
            _ => None,
        }
    }

    /// What the sample that is looked at means for the wait, where it brought an error.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let (index, entry) = self.index().zip(self.entry())?;
        let restarts = match self.call.until() {
            Until::QuietForSec(_) => "; the quiet window starts again",
            _ => "",
        };
        let failed = || {
            let failures = self.failures_up_to(index);
            match self.call.retry_errors() {
                0 => "a failed sample: without retries it ends the wait".to_owned(),
                most if failures > most => {
                    format!("a failed sample, {failures} in a row: retries are set to {most}")
                }
                most => {
                    format!("a failed sample, {failures} in a row; {most} are tolerated{restarts}")
                }
            }
        };
        match &entry.kind {
            EntryKind::Failed { .. } => Some(failed()),
            EntryKind::Observed {
                tool_error: true, ..
            } => Some(match (self.call.tool_errors(), self.call.until()) {
                (ToolErrors::Fail, _) => format!("a tool error counts as {}", failed()),
                (ToolErrors::Observe, _) => {
                    "a tool error, judged like any output (tool errors: observe)".to_owned()
                }
                (ToolErrors::Guard, Until::Matches(_)) => {
                    "a tool error: what it says can still match".to_owned()
                }
                (ToolErrors::Guard, Until::NotMatches(_)) => {
                    "a tool error: it can't satisfy not_matches".to_owned()
                }
                (ToolErrors::Guard, Until::QuietForSec(_)) => {
                    format!("a tool error proves no quiet{restarts}")
                }
            }),
            EntryKind::Observed { .. } => None,
        }
    }

    /// How many samples failed in a row in one round, the one at `index` the last of them.
    fn failures_up_to(&self, index: usize) -> u64 {
        let entries = self.history.entries();
        let round = entries.get(index).map(|entry| entry.round);
        let fails = |entry: &&Entry| Some(entry.round) == round && self.is_failure(entry);
        let in_a_row = entries[..=index].iter().rev().take_while(fails).count();
        u64::try_from(in_a_row).unwrap_or(u64::MAX)
    }

    /// Whether a sample counts as failed.
    #[must_use]
    pub fn is_failure(&self, entry: &Entry) -> bool {
        match &entry.kind {
            EntryKind::Failed { .. } => true,
            EntryKind::Observed { tool_error, .. } => {
                *tool_error && self.call.tool_errors() == ToolErrors::Fail
            }
        }
    }
}

/// What a sample says of an error: the cause of a failed one, or the text of a tool error.
#[must_use]
pub fn error_of(entry: &Entry) -> Option<&str> {
    match &entry.kind {
        EntryKind::Failed { cause, .. } => Some(cause),
        EntryKind::Observed {
            tool_error: true,
            text,
            ..
        } => text.as_deref(),
        EntryKind::Observed { .. } => None,
    }
}
