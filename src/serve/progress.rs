//! What a caller hears while it waits.
//!
//! Owns when something is told and in which words. A caller that reads slowly misses some of it; the
//! wait never waits for him.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use crate::mcp::without_stderr;
use crate::text::{clock, one_line, telling_line};
use crate::wait::{Call, Changes, Event};

/// The longest silence.
const HEARTBEAT: Duration = Duration::from_secs(8);
/// Events that are kept for a caller that reads slowly; each may hold a whole output.
pub const BACKLOG: usize = 8;
/// Columns of a message.
const WIDTH: usize = 200;
/// By how much the number grows where nothing else makes it grow.
const STEP: f64 = 0.001;

/// Whether an event is worth being kept for a caller.
pub fn is_told(event: &Event) -> bool {
    matches!(
        event,
        Event::RoundStarted { .. } | Event::Sample(_) | Event::SampleFailed { .. }
    )
}

/// Tells one caller about one wait.
pub struct Progress {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    server: String,
    call: Call,
    changes: Changes,
    began: Instant,
    /// When the first sample started.
    sampling: Option<Instant>,
    before: Option<Arc<str>>,
    newest: Option<String>,
    /// The number that was told last; the protocol wants the next one to be larger.
    told: f64,
}

impl Progress {
    /// Progress of a call for the tool of `server`, told under the caller's token.
    pub fn new(peer: Peer<RoleServer>, token: ProgressToken, server: String, call: Call) -> Self {
        Self {
            peer,
            token,
            server,
            changes: Changes::new(call.clone()),
            call,
            began: Instant::now(),
            sampling: None,
            before: None,
            newest: None,
            told: -STEP,
        }
    }

    /// Tells what is heard until there is nothing more to hear, or nobody to tell it to.
    pub async fn tell(mut self, mut events: mpsc::Receiver<Box<Event>>) {
        if self.send(self.still()).await.is_err() {
            return;
        }
        loop {
            let silence = Instant::now() + HEARTBEAT;
            let words = loop {
                tokio::select! {
                    event = events.recv() => match event {
                        None => return,
                        Some(event) => if let Some(words) = self.hear(&event) { break words },
                    },
                    () = sleep_until(silence) => break self.still(),
                }
            };
            if self.send(words).await.is_err() {
                return;
            }
        }
    }

    /// What an event has to say, if it is told by itself.
    fn hear(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::RoundStarted { .. } => {
                self.sampling = Some(Instant::now());
                None
            }
            Event::Sample(sample) => {
                self.completed(sample.completed());
                let changed = self.changes.see(event);
                let Some(text) = sample.text.clone() else {
                    let (sample, bytes) = (sample.sample, sample.bytes);
                    return Some(format!("sample {sample}: {bytes} bytes, which is too much"));
                };
                let before = self.before.replace(Arc::clone(&text));
                let change = match (&before, changed) {
                    (None, _) => "",
                    (Some(_), true) => ", changed",
                    (Some(_), false) => ", unchanged",
                };
                let line = telling_line(&text, before.as_deref().filter(|_| changed));
                let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
                let words = format!("sample {}{change}: {line}", sample.sample);
                self.newest = Some(line);
                Some(words)
            }
            Event::SampleFailed {
                sample,
                at_ms,
                latency_ms,
                cause,
                ..
            } => {
                self.completed(at_ms.0 + latency_ms.0);
                let cause = without_stderr(cause);
                Some(format!("sample {sample} failed: {cause}"))
            }
            _ => None,
        }
    }

    /// A sample completed `after` the first one started. Events may be heard late, so that the
    /// earliest start that fits is the true one.
    fn completed(&mut self, after: Duration) {
        let start = Instant::now().checked_sub(after);
        self.sampling = start.into_iter().chain(self.sampling).min();
    }

    /// What is said where nothing happened.
    fn still(&self) -> String {
        match (self.sampling, &self.newest) {
            (None, _) => format!("reaching {}", self.server),
            (Some(_), None) => "waiting for the first sample".to_owned(),
            (Some(_), Some(newest)) => format!("still waiting: {newest}"),
        }
    }

    async fn send(&mut self, words: String) -> Result<(), rmcp::ServiceError> {
        let elapsed = self
            .sampling
            .map_or(Duration::ZERO, |start| start.elapsed());
        let bound = self.call.bound();
        let budget = match self.sampling {
            None => clock(self.began.elapsed()),
            Some(_) => {
                // In whole seconds, so that both add up to the bound.
                let left = bound.saturating_sub(Duration::from_secs(elapsed.as_secs()));
                format!("{}, {} left", clock(elapsed), clock(left))
            }
        };
        self.told = elapsed.as_secs_f64().max(self.told + STEP);
        let message = one_line(&format!("{budget}: {words}"), WIDTH);
        let told = ProgressNotificationParam::new(self.token.clone(), self.told)
            .with_total(bound.as_secs_f64())
            .with_message(message);
        // On the heap, since it is there for a moment, and the wait for long.
        Box::pin(self.peer.notify_progress(told)).await
    }
}
