//! What a server said beside the protocol: its stderr, and the stdout lines that are no messages.
//!
//! Owns the bounded rings and their snapshot. Must not know processes or the protocol.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lines of stderr that are kept.
const KEPT_LINES: usize = 1_000;
/// Skipped lines of stdout that are kept.
const KEPT_SKIPPED: usize = 20;
/// Bytes of one line that are kept.
pub(super) const KEPT_LINE_BYTES: usize = 4 * 1024;

/// A snapshot of what a server said beside the protocol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerLog {
    /// The last lines of stderr, the oldest first, at most 1,000; a line is cut at 4 KiB.
    pub stderr: Vec<String>,
    /// How many lines of stderr came in all.
    pub stderr_total: u64,
    /// How many lines of stdout were no JSON-RPC messages.
    pub skipped: u64,
    /// The last of those lines, the oldest first, at most 20; a line is cut at 4 KiB.
    pub skipped_lines: Vec<String>,
}

/// The log of one server while it fills. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Log(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    stderr: VecDeque<String>,
    stderr_total: u64,
    skipped: VecDeque<String>,
    skipped_total: u64,
}

impl Log {
    /// Adds a line of stderr.
    pub(super) fn stderr(&self, line: &[u8]) {
        let mut kept = self.lock();
        kept.stderr_total += 1;
        push_bounded(&mut kept.stderr, readable(line), KEPT_LINES);
    }

    /// Adds a line of stdout that was no message.
    pub(super) fn skipped(&self, line: &[u8]) {
        let mut kept = self.lock();
        kept.skipped_total += 1;
        push_bounded(&mut kept.skipped, readable(line), KEPT_SKIPPED);
    }

    /// The last `count` lines of stderr that aren't blank, the oldest first.
    pub(super) fn last_stderr(&self, count: usize) -> Vec<String> {
        let kept = self.lock();
        let mut lines: Vec<String> = kept
            .stderr
            .iter()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(count)
            .cloned()
            .collect();
        lines.reverse();
        lines
    }

    /// What there is by now.
    pub(super) fn snapshot(&self) -> ServerLog {
        let kept = self.lock();
        ServerLog {
            stderr: kept.stderr.iter().cloned().collect(),
            stderr_total: kept.stderr_total,
            skipped: kept.skipped_total,
            skipped_lines: kept.skipped.iter().cloned().collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn push_bounded(lines: &mut VecDeque<String>, line: String, bound: usize) {
    if lines.len() == bound {
        lines.pop_front();
    }
    lines.push_back(line);
}

/// A line as text: cut, invalid UTF-8 replaced, the line's end dropped.
fn readable(line: &[u8]) -> String {
    let cut = line.len() > KEPT_LINE_BYTES;
    let line = &line[..line.len().min(KEPT_LINE_BYTES)];
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches(['\r', '\n']);
    if cut {
        format!("{text}…")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_the_ring_keeps_the_last_thousand_lines() {
        let log = Log::default();
        for number in 0..1_500 {
            log.stderr(format!("line {number}").as_bytes());
        }
        let snapshot = log.snapshot();
        assert_eq!(snapshot.stderr.len(), 1_000);
        assert_eq!(snapshot.stderr_total, 1_500);
        assert_eq!(snapshot.stderr[0], "line 500");
        assert_eq!(log.last_stderr(2), ["line 1498", "line 1499"]);
    }

    #[test]
    fn a_line_is_cut_and_made_readable() {
        let log = Log::default();
        log.skipped(&[0xff; 5_000]);
        log.skipped(b"plain\r");
        let snapshot = log.snapshot();
        assert_eq!(snapshot.skipped, 2);
        assert!(snapshot.skipped_lines[0].ends_with('…'));
        assert_eq!(snapshot.skipped_lines[0].chars().count(), 4_097);
        assert_eq!(snapshot.skipped_lines[1], "plain");
    }
}
