//! How a wait ended well, badly, or at its bound: the five fields that an agent sees.
//!
//! Owns the result, and the form in which it or an error is handed out; errors are in
//! [`super::error`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::WaitFailure;

/// Why a wait stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The condition on the output holds.
    Matched,
    /// The output was quiet for the window.
    Settled,
    /// The budget ended.
    Timeout,
    /// `fail_when` matched.
    Failed,
}

impl Reason {
    /// The reason as the result spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Matched => "matched",
            Self::Settled => "settled",
            Self::Timeout => "timeout",
            Self::Failed => "failed",
        }
    }
}

/// The result of a wait: exactly these fields, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitResult {
    /// Why it stopped.
    pub reason: Reason,
    /// The newest completed sample's output, whole.
    pub last_observation: Arc<str>,
    /// Whole seconds, rounded down.
    pub elapsed_sec: u64,
    /// Samples that completed with an observation.
    pub samples: u64,
    /// The bound that was enforced, in seconds.
    pub effective_max_wait_sec: u64,
}

/// A result, or an error with what was seen before it.
pub type Ending = Result<WaitResult, WaitFailure>;

/// An ending as it is handed out: the result as it is, or the error under `error`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The five fields.
    Result(WaitResult),
    /// Code, message, what the code carries, and what was seen so far.
    Error {
        /// All of it.
        error: Map<String, Value>,
    },
}

impl From<&Ending> for Answer {
    fn from(ending: &Ending) -> Self {
        match ending {
            Ok(result) => Self::Result(result.clone()),
            Err(failure) => Self::Error {
                error: failure.to_map(),
            },
        }
    }
}
