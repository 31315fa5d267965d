//! Puts a probe, an engine and a server together: what every front end calls.
//!
//! Must not know the screen or clap.

mod answers;
pub mod arguments;
mod copies;
mod discover;
pub mod form;
mod library;
mod listing;
mod moments;
mod permit;
mod probe;
mod raw_results;
mod recorder;
mod replay;
mod resolve;
mod run;
mod saved;
mod secrets;
mod servers;
mod settings;
mod spans;
mod states;
mod try_once;
mod unfolding;
pub mod why_not;

pub use answers::answer;
pub use copies::{CopiedText, CopyOf, command_line};
pub use library::{
    Gone, GoneFile, Kept, KeptOutcome, KeptWait, LibraryChange, LibraryChanged, LibraryList,
    LibraryRow, Preview, change_library, list_library, preview,
};
pub use listing::{Approval, ServerOptions, ServerRow};
pub use permit::{Candidate, Permit};
pub use raw_results::{RAW_RESULTS_LIMIT, RawPool, RawResults};
pub use recorder::{Recorder, RecordingNews, WaitRecording};
pub use replay::{Batch, Extent, Opened, RecordedWait};
pub use run::{WaitRequest, WaitRun, wait_id};
pub use saved::{EntryOffer, SaveLook, SaveRequest, SavedSpec, spec_entry};
pub use servers::{Connected, Servers};
pub use spans::SPANS;
pub use states::{ServerState, ServerStates, StatesFollower};
pub use try_once::Tried;

use serde_json::Value;

/// A whole call that the demo server's `tool` will meet, to start from.
#[must_use]
pub fn suggestion(server: &str, tool: &str) -> Option<Value> {
    (server == crate::mcp::DEMO)
        .then(|| crate::mcp::demo::suggestion(tool))
        .flatten()
}
