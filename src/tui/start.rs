//! What the screen opens with.
//!
//! Owns plain data that whoever opens it fills in. Must not know where it came from.

use std::path::PathBuf;

use serde_json::Value;

use crate::store::{Spec, SpecFile};

/// What is on the Bench and on the Watch at first. Without a call it is the server that the command line gave, or
/// else the demo's rollout.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Start {
    /// A call in the form of the contract, not yet checked.
    pub call: Option<Value>,
    /// How many budgets may follow one another; 0 is 1.
    pub rounds: u32,
    /// The file that it was read from, and the spec in it.
    pub saved: Option<Box<(SpecFile, Spec)>>,
    /// A recording that is put on the Watch.
    pub recording: Option<PathBuf>,
    /// Whether to draw with ASCII alone.
    pub ascii: bool,
}
