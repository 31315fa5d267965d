//! What happens between us and one server beside the results: its log, and the protocol's trace.
//!
//! Owns the bounded rings, which live as long as somebody holds the journal: across the connections
//! to one server. Must not know processes, transports or who reads. Writing costs little and never
//! waits; whoever reads asks for what came after what it knows.

mod log;
#[cfg(test)]
mod tests;
mod trace;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use tokio::sync::watch;
use tokio::time::Instant;

use log::Log;
pub use log::{LogEntry, LogKind};
use trace::Trace;
pub use trace::{Direction, TraceEntry, TraceKind};

/// Bytes of a name in a journal that are kept: a logger, a method, an id.
const KEPT_NAME_BYTES: usize = 256;
/// Bytes of one line of the log that are kept.
pub(super) const KEPT_LINE_BYTES: usize = 4 * 1024;

/// The journal of one server. Cheap to clone; all clones are one journal.
#[derive(Debug, Clone)]
pub struct Journal(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    began: Instant,
    log: Mutex<Log>,
    /// Where somebody may look at it.
    trace: Option<Mutex<Trace>>,
    written: watch::Sender<u64>,
}

/// What a journal has that a reader didn't know yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<E> {
    /// The entries, the oldest first.
    pub entries: Vec<Arc<E>>,
    /// The number of the next entry that will be written.
    pub next: u64,
    /// The number of the oldest entry that is kept; those before it were dropped.
    pub oldest: u64,
}

impl<E> Default for Page<E> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            next: 0,
            oldest: 0,
        }
    }
}

impl Default for Journal {
    fn default() -> Self {
        Self::since(Instant::now())
    }
}

impl Journal {
    /// An empty journal whose times count from `began`. It keeps the log alone.
    #[must_use]
    pub fn since(began: Instant) -> Self {
        Self::new(began, None)
    }

    /// An empty journal whose times count from `began`. It keeps the trace as well.
    #[must_use]
    pub fn with_trace(began: Instant) -> Self {
        Self::new(began, Some(Mutex::default()))
    }

    fn new(began: Instant, trace: Option<Mutex<Trace>>) -> Self {
        Self(Arc::new(Shared {
            began,
            log: Mutex::default(),
            trace,
            written: watch::Sender::new(0),
        }))
    }

    /// Entries of the log from number `from` on.
    #[must_use]
    pub fn log(&self, from: u64) -> Page<LogEntry> {
        lock(&self.0.log).page(from)
    }

    /// Entries of the trace from number `from` on; none where it isn't kept.
    #[must_use]
    pub fn trace(&self, from: u64) -> Page<TraceEntry> {
        let trace = self.0.trace.as_ref();
        trace
            .map(|trace| lock(trace).page(from))
            .unwrap_or_default()
    }

    /// How many lines of stdout were no messages.
    #[must_use]
    pub fn noise(&self) -> u64 {
        lock(&self.0.log).noise
    }

    /// Counts what is written, in both.
    #[must_use]
    pub fn written(&self) -> watch::Receiver<u64> {
        self.0.written.subscribe()
    }

    /// Adds a line of the log.
    pub(super) fn line(&self, kind: LogKind, line: &[u8]) {
        let text = readable(line, KEPT_LINE_BYTES);
        self.write(|log, at| log.add(at, kind, text));
    }

    /// Adds a sentence of ours: something happened.
    pub(super) fn event(&self, sentence: impl Into<String>) {
        let text = sentence.into();
        self.write(|log, at| log.add(at, LogKind::Event, text));
    }

    /// Adds a sentence of ours: something went wrong.
    pub(super) fn trouble(&self, sentence: impl Into<String>) {
        let text = sentence.into();
        self.write(|log, at| log.add(at, LogKind::Trouble, text));
    }

    /// A connection is begun: what was said before isn't about it, and what was asked before is
    /// never answered.
    pub(super) fn begin(&self, sentence: impl Into<String>) {
        let text = sentence.into();
        if let Some(trace) = &self.0.trace {
            lock(trace).begin();
        }
        self.write(|log, at| {
            log.begin();
            log.add(at, LogKind::Event, text);
        });
    }

    /// Adds a message on its way out, with its bytes.
    pub(super) fn sent(&self, message: &ClientJsonRpcMessage, bytes: &[u8]) {
        self.trace_message(Direction::Sent, bytes, || {
            trace::Head::of_sent(message, bytes)
        });
    }

    /// Adds a message that came, with its bytes.
    pub(super) fn received(&self, message: &ServerJsonRpcMessage, bytes: &[u8]) {
        self.trace_message(Direction::Received, bytes, || {
            trace::Head::of_received(message, bytes)
        });
    }

    fn trace_message(&self, way: Direction, bytes: &[u8], head: impl FnOnce() -> trace::Head) {
        if let Some(trace) = &self.0.trace {
            let (head, at) = (head(), self.0.began.elapsed());
            lock(trace).add(at, way, head, bytes);
            self.tell_of_writing();
        }
    }

    /// The last `count` lines of stderr of this connection that aren't blank, the oldest first.
    pub(super) fn last_stderr(&self, count: usize) -> Vec<String> {
        lock(&self.0.log).last_stderr(count)
    }

    fn write(&self, add: impl FnOnce(&mut Log, std::time::Duration)) {
        let at = self.0.began.elapsed();
        add(&mut lock(&self.0.log), at);
        self.tell_of_writing();
    }

    fn tell_of_writing(&self) {
        self.0.written.send_modify(|written| *written += 1);
    }
}

fn lock<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line as text: cut at `limit` bytes, invalid UTF-8 replaced, the line's end dropped.
fn readable(line: &[u8], limit: usize) -> String {
    let cut = line.len() > limit;
    let line = &line[..line.len().min(limit)];
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches(['\r', '\n']);
    if cut {
        format!("{text}…")
    } else {
        text.to_owned()
    }
}

/// A name, which is short unless somebody means harm.
fn name(name: String) -> String {
    if name.len() <= KEPT_NAME_BYTES {
        return name;
    }
    readable(name.as_bytes(), KEPT_NAME_BYTES)
}
