//! What the samples of a wait add up to.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Wait;
use super::runs::error_of;
use crate::wait::{Entry, EntryKind, ToolErrors, Until};

impl Wait {
    /// The median and the longest latency.
    #[must_use]
    pub fn latency(&self) -> Option<(Duration, Duration)> {
        let longest = *self.latencies.last()?;
        let median = *self.latencies.get((self.latencies.len() - 1) / 2)?;
        Some((median, longest))
    }

    /// How long the output has been quiet at the end of the newest sample, and for how long it must
    /// be; `None` where nothing is quiet, or the condition is another one.
    #[must_use]
    pub fn quiet(&self) -> Option<(Duration, Duration)> {
        let Until::QuietForSec(seconds) = self.call.until() else {
            return None;
        };
        let entries = self.history.entries().iter().rev();
        let mut this_round = entries.take_while(|entry| entry.round == self.round);
        let (mut newest, mut since) = (None, None);
        for entry in &mut this_round {
            let EntryKind::Observed {
                changed,
                tool_error,
                ..
            } = &entry.kind
            else {
                break;
            };
            if *tool_error && self.call.tool_errors() != ToolErrors::Observe {
                break;
            }
            let at = entry.at + entry.latency;
            since = Some(at);
            newest.get_or_insert(at);
            if *changed {
                break;
            }
        }
        let quiet = newest?.saturating_sub(since?);
        Some((quiet, Duration::from_secs(*seconds)))
    }

    /// The newest sample that brought an error, and what it says.
    #[must_use]
    pub fn last_error(&self) -> Option<(u64, &str)> {
        let entries = self.history.entries().iter().rev();
        let mut errors = entries.filter_map(|entry| Some((entry.sample, error_of(entry)?)));
        errors.next()
    }

    /// How many samples failed for which cause, the most frequent first.
    #[must_use]
    pub fn failures(&self) -> Vec<(&str, usize)> {
        let mut by_cause: BTreeMap<&str, usize> = BTreeMap::new();
        let failed = self.history.entries().iter();
        for entry in failed.filter(|entry| self.is_failure(entry)) {
            *by_cause
                .entry(error_of(entry).unwrap_or_default())
                .or_default() += 1;
        }
        let mut causes: Vec<_> = by_cause.into_iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        causes
    }

    /// How many samples were tool errors that didn't count as failed.
    #[must_use]
    pub fn tool_errors(&self) -> usize {
        let entries = self.history.entries().iter();
        let tool_error = |entry: &&Entry| {
            let kind = &entry.kind;
            matches!(
                kind,
                EntryKind::Observed {
                    tool_error: true,
                    ..
                }
            ) && !self.is_failure(entry)
        };
        entries.filter(tool_error).count()
    }
}
