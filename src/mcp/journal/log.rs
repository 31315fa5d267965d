//! What a server said beside the protocol, and what happened to it.
//!
//! Owns the ring of lines. Must not know who writes them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::{Page, name};

/// Lines that are kept.
const KEPT_LINES: usize = 1_000;
/// Bytes of all lines of a server that are kept: enough for that many of the server's.
const KEPT_BYTES: usize = 5 * 1024 * 1024;
/// Lines of stderr that are kept besides, however much else is said.
const LAST_WORDS: usize = 20;

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

impl LogEntry {
    /// What it costs to keep it.
    fn cost(&self) -> usize {
        let logger = match &self.kind {
            LogKind::Message { logger, .. } => logger.as_ref().map_or(0, String::len),
            _ => 0,
        };
        self.text.len() + logger
    }
}

#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<Arc<LogEntry>>,
    next: u64,
    bytes: usize,
    /// The last lines of stderr of the connection that aren't blank.
    last_words: VecDeque<Arc<LogEntry>>,
    pub(super) noise: u64,
}

impl Log {
    pub(super) fn add(&mut self, at: Duration, mut kind: LogKind, text: String) {
        if let LogKind::Message { logger, .. } = &mut kind {
            *logger = logger.take().map(name);
        }
        self.noise += u64::from(kind == LogKind::Noise);
        let entry = Arc::new(LogEntry {
            number: self.next,
            at,
            kind,
            text,
        });
        self.next += 1;
        if entry.kind == LogKind::Stderr && !entry.text.trim().is_empty() {
            if self.last_words.len() == LAST_WORDS {
                self.last_words.pop_front();
            }
            self.last_words.push_back(Arc::clone(&entry));
        }
        self.bytes += entry.cost();
        self.entries.push_back(entry);
        while (self.entries.len() > KEPT_LINES || self.bytes > KEPT_BYTES)
            && let Some(dropped) = self.entries.pop_front()
        {
            self.bytes -= dropped.cost();
        }
    }

    pub(super) fn begin(&mut self) {
        self.last_words.clear();
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

    /// At most the last twenty.
    pub(super) fn last_stderr(&self, count: usize) -> Vec<String> {
        let skip = self.last_words.len().saturating_sub(count);
        let last = self.last_words.iter().skip(skip);
        last.map(|entry| entry.text.clone()).collect()
    }
}
