//! What is saved, in the words of a list: specs and recordings.
//!
//! Owns the rows and the previews as plain data. Must not know how they are drawn.

mod changes;
mod listing;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::store::{DeletedRecording, DeletedSpec, Spec, SpecFile};

pub use changes::change_library;
pub use listing::{list_library, preview};

/// What a saved file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kept {
    /// A wait that can be run again.
    Spec,
    /// What a wait saw.
    Recording,
}

/// A saved file on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryRow {
    /// What it is.
    pub kind: Kept,
    /// Where it lies.
    pub path: PathBuf,
    /// What it is called.
    pub name: String,
    /// Whose tool, where it says.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// What is waited for, in a few words.
    pub condition: String,
    /// How a recording ended, or the newest recording of a spec.
    pub outcome: Option<KeptOutcome>,
    /// When that was, or when a spec was written, in local time; empty where nobody knows.
    pub when: String,
    /// Why the file can't be read, where it can't: a sentence.
    pub problem: Option<String>,
}

/// How a wait that was recorded ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptOutcome {
    /// With its condition met: the reason.
    Met(String),
    /// Otherwise: the reason, or the code of the error.
    Unmet(String),
    /// It is still being written.
    Running,
    /// The recording was cut off.
    CutOff,
}

impl KeptOutcome {
    /// It in a word or two.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Met(reason) | Self::Unmet(reason) => reason,
            Self::Running => "running",
            Self::CutOff => "cut off",
        }
    }
}

/// Everything that is saved.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LibraryList {
    /// Specs by their names, then recordings, the newest first.
    pub rows: Vec<LibraryRow>,
    /// Why a folder can't be read, a sentence each.
    pub problems: Vec<String>,
}

/// What is told of a saved file beside the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// Labels and what they say, a line each.
    pub facts: Vec<(String, String)>,
    /// The call of a spec, or the last observation of a recording.
    pub text: Arc<str>,
}

/// A change of what is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryChange {
    /// A file gets another name.
    Rename {
        /// What it is.
        kind: Kept,
        /// Where it lies.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A file is deleted, so that it can be brought back.
    Delete {
        /// What it is.
        kind: Kept,
        /// Where it lies.
        path: PathBuf,
        /// What it is called.
        name: String,
    },
    /// A deleted file is brought back.
    Restore(Gone),
    /// A copy of a file goes elsewhere.
    Export {
        /// Where the file lies.
        path: PathBuf,
        /// Where the copy goes, as it was typed.
        to: String,
    },
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum LibraryChanged {
    /// The file has another name.
    Renamed {
        /// Where it lay.
        from: PathBuf,
        /// Where it lies now.
        path: PathBuf,
        /// The name.
        name: String,
        /// The file of a spec as it is now, and what is in it.
        saved: Option<Box<(SpecFile, Spec)>>,
    },
    /// The file is gone.
    Deleted(Gone),
    /// The file is back.
    Restored {
        /// Where it lies.
        path: PathBuf,
        /// What it is called.
        name: String,
    },
    /// What was deleted can't be brought back any more.
    GoneForGood {
        /// What it was called.
        name: String,
    },
    /// There is a copy.
    Exported {
        /// Where it lies.
        to: PathBuf,
    },
}

/// A deleted file, to be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// What it was called.
    pub name: String,
    /// The file.
    pub file: GoneFile,
}

/// Where a deleted file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoneFile {
    /// A wait that could be run again.
    Spec(DeletedSpec),
    /// What a wait saw.
    Recording(DeletedRecording),
}

/// A wait out of a saved file, to be put on the Bench.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptWait {
    /// The call, not yet checked.
    pub call: Value,
    /// How many budgets may follow one another.
    pub rounds: u32,
    /// The file of a spec as it was read, and what is in it; not where a call was found in a larger
    /// text.
    pub saved: Option<Box<(SpecFile, Spec)>>,
    /// What the operator should know about the file, a sentence each.
    pub notices: Vec<String>,
}
