//! What a server said beside the protocol, and what happened to it.
//!
//! Owns the ring of lines. Must not know who writes them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::Page;

/// Lines that are kept.
const KEPT_LINES: usize = 1_000;

/// Where a line of a server's log comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogKind {
    /// Its stderr.
    Stderr,
    /// Its stdout, where it was no message.
    Noise,
    /// A log notification.
    Message {
        /// Its level, such as `warning`.
        level: String,
        /// Which part of the server says so, where it tells.
        logger: Option<String>,
    },
    /// Something happened to the server or to the connection.
    Event,
    /// The same, and it went wrong.
    Trouble,
}

/// A line of a server's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Its number, from 0, across the connections to a server.
    pub number: u64,
    /// When it was written, since the journals were begun.
    pub at: Duration,
    /// Where it comes from.
    pub kind: LogKind,
    /// The line; one of the server's is cut at 4 KiB. A sentence of ours may have several lines.
    pub text: String,
}

#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<Arc<LogEntry>>,
    next: u64,
    /// The first line of the connection.
    begun: u64,
    pub(super) noise: u64,
}

impl Log {
    pub(super) fn add(&mut self, at: Duration, kind: LogKind, text: String) {
        if self.entries.len() == KEPT_LINES {
            self.entries.pop_front();
        }
        self.noise += u64::from(kind == LogKind::Noise);
        self.entries.push_back(Arc::new(LogEntry {
            number: self.next,
            at,
            kind,
            text,
        }));
        self.next += 1;
    }

    pub(super) fn begin(&mut self) {
        self.begun = self.next;
    }

    pub(super) fn page(&self, from: u64) -> Page<LogEntry> {
        let oldest = self.next - self.entries.len() as u64;
        let known = usize::try_from(from.saturating_sub(oldest)).unwrap_or(usize::MAX);
        Page {
            entries: self.entries.iter().skip(known).cloned().collect(),
            next: self.next,
            oldest,
        }
    }

    pub(super) fn last_stderr(&self, count: usize) -> Vec<String> {
        let mut lines: Vec<String> = self
            .entries
            .iter()
            .rev()
            .take_while(|entry| entry.number >= self.begun)
            .filter(|entry| entry.kind == LogKind::Stderr && !entry.text.trim().is_empty())
            .take(count)
            .map(|entry| entry.text.clone())
            .collect();
        lines.reverse();
        lines
    }
}
