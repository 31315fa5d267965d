//! The engine's only view of the world: something that can be sampled.
//!
//! Owns the [`Probe`] trait and what travels through it. Must not know what stands behind a
//! probe: MCP, a script in a test, or a recording.

use std::future::Future;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

/// Notes beyond this many, not yet taken by the engine, are dropped: a server that floods
/// progress must cost neither memory nor time.
const NOTE_BACKLOG: usize = 256;

/// Something that can be sampled, one sample at a time.
///
/// Dropping the future of a sample cancels the request that is in flight; an implementation must
/// see to that without making the dropper wait.
pub trait Probe: Send {
    /// Takes one sample. `number` counts every attempt of the wait from 1. Notes about the sample
    /// while it is in flight go to `notes`.
    ///
    /// # Errors
    /// A [`SampleFailure`] where no observation could be had.
    fn sample(
        &mut self,
        number: u64,
        notes: Notes,
    ) -> impl Future<Output = Result<Output, SampleFailure>> + Send;
}

/// What a sample that completed has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The observation, whole, with its error prefix where it is a tool error.
    pub text: String,
    /// Whether the tool itself reported an error.
    pub tool_error: bool,
}

/// Why a sample brought no observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleFailure {
    /// One sentence or more, for the operator.
    pub cause: String,
    /// Whether no other attempt can fare better, so that none is made: the server refuses us.
    pub hopeless: bool,
}

/// What a probe can say about the sample in flight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// The server reported progress on this very call.
    Progress {
        /// How far, in the server's own unit.
        progress: f64,
        /// Of how much, where the server says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        /// The server's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A log notification of the server.
    Log {
        /// The server's level, such as `warning`.
        level: String,
        /// The text, or the data as JSON.
        text: String,
    },
    /// The connection was lost and is being made again.
    Reconnecting,
    /// The connection was made again; state on the server's side may be fresh.
    Reconnected,
}

/// Where notes about one sample go. Cheap to clone; never blocks.
#[derive(Debug, Clone)]
pub struct Notes(mpsc::Sender<Note>);

impl Notes {
    /// A sender of notes and the end at which they arrive.
    #[must_use]
    pub fn channel() -> (Self, mpsc::Receiver<Note>) {
        let (sender, receiver) = mpsc::channel(NOTE_BACKLOG);
        (Self(sender), receiver)
    }

    /// Tells a note. It is dropped where nobody listens or the backlog is full.
    pub fn tell(&self, note: Note) {
        let _ = self.0.try_send(note);
    }
}
