//! What is looked at of a result: what the condition sees, or what the server sent.
//!
//! Owns the texts of the other aspects. They cost the whole result, so they are made beside the loop.
//! Must not know where they are drawn.

use std::sync::Arc;

use serde_json::Value;

use super::message::Id;
use crate::app::RAW_RESULTS_LIMIT;
use crate::{mcp, text};

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aspect {
    /// The observation, as the condition sees it.
    #[default]
    Observation,
    /// What a terminal would be left with, where lines are written over.
    FinalState,
    /// The content blocks.
    Blocks,
    /// The result as the server sent it.
    Raw,
}

impl Aspect {
    /// What the title of a pane calls it; nothing for the observation, which it is about anyway.
    #[must_use]
    pub fn title(self) -> Option<&'static str> {
        match self {
            Self::Observation => None,
            Self::FinalState => Some("final state"),
            Self::Blocks => Some("content blocks"),
            Self::Raw => Some("raw result"),
        }
    }

    /// The next one. A final state is worth a look only where the observation is written over.
    #[must_use]
    pub fn next(self, overwritten: bool) -> Self {
        match self {
            Self::Observation if overwritten => Self::FinalState,
            Self::Observation | Self::FinalState => Self::Blocks,
            Self::Blocks => Self::Raw,
            Self::Raw => Self::Observation,
        }
    }

    /// The text of this aspect. `kept` finds the result of a sample as long as there is one. Costs
    /// the whole result.
    #[must_use]
    pub fn read(self, source: &Source, kept: &dyn Fn(u64) -> Option<Arc<Value>>) -> Arc<str> {
        match source {
            Source::Observation(text) => text::final_state(text).into(),
            Source::Result(result) => self.of(result).into(),
            Source::Sample { sample, .. } => match kept(*sample) {
                Some(result) => self.of(&result).into(),
                None => not_kept(*sample).into(),
            },
        }
    }

    fn of(self, result: &Value) -> String {
        match self {
            Self::Blocks => mcp::blocks_in_full(result),
            _ => format!("{result:#}"),
        }
    }
}

/// What an aspect is taken from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// An observation.
    Observation(Arc<str>),
    /// A result as the server sent it.
    Result(Arc<Value>),
    /// The result of a wait's sample, where it is still kept.
    Sample {
        /// Which wait.
        wait: Id,
        /// Which sample.
        sample: u64,
    },
}

/// What is said where a result is no longer kept.
fn not_kept(sample: u64) -> String {
    let limit = RAW_RESULTS_LIMIT / (1024 * 1024);
    format!(
        "The result of sample {sample} is no longer kept as it was sent: only the newest {limit} MiB \
         of a wait are."
    )
}
