//! What the samples of a wait add up to.

use std::sync::Arc;
use std::time::Duration;

use super::Wait;
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

    /// How many of the newest samples were one and the same tool error: the tool is probably asked
    /// the wrong thing.
    #[must_use]
    pub fn same_tool_error(&self) -> usize {
        let mut newest = None;
        let same = |entry: &&Entry| match &entry.kind {
            EntryKind::Observed {
                tool_error: true,
                text: Some(text),
                ..
            } => Arc::ptr_eq(newest.get_or_insert_with(|| Arc::clone(text)), text),
            _ => false,
        };
        self.history.entries().iter().rev().take_while(same).count()
    }

    /// The cause of the newest failed sample.
    #[must_use]
    pub fn last_failure(&self) -> Option<(u64, &str)> {
        self.history
            .entries()
            .iter()
            .rev()
            .find_map(|entry| match &entry.kind {
                EntryKind::Failed { cause } => Some((entry.sample, cause.as_str())),
                EntryKind::Observed { .. } => None,
            })
    }
}
