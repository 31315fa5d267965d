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
    /// What callers that want to know are told meanwhile, in order.
    pub(super) progress: Vec<Progress>,
    pub(super) outcome: Outcome,
}

/// How far something has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progress {
    /// When it is told, from the start of the call.
    pub(super) after: Duration,
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
    /// An answer that comes at once.
    pub(super) fn now(outcome: Outcome) -> Self {
        Self {
            latency: Duration::ZERO,
            progress: Vec::new(),
            outcome,
        }
    }

    /// A text that comes at once.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::now(Outcome::Text(text.into()))
    }
}
