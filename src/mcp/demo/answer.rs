//! What a simulation answers.
//!
//! Owns the shapes of an answer. Must not know the protocol's types; the server makes them of it.

use std::time::Duration;

use serde_json::Value;

/// An answer to one call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// How long the caller is kept waiting for it.
    pub(super) latency: Duration,
    /// How far the simulated work has come, told to callers that want to know.
    pub(super) progress: Option<Progress>,
    pub(super) outcome: Outcome,
}

/// How far something has come, in per cent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progress {
    pub(super) percent: u8,
    pub(super) message: String,
}

/// What comes of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    Text(String),
    Structured(Value),
    /// The tool's own failure, a result with `isError`.
    ToolError(String),
    /// The call's failure, a JSON-RPC error.
    FailedCall(String),
}

impl Answer {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Outcome::Text(text.into()).into()
    }
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self {
            latency: Duration::ZERO,
            progress: None,
            outcome,
        }
    }
}
