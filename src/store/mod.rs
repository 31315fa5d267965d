//! Our own files: where they are, settings, specs, recordings, the log, what the operator approved,
//! and what is remembered.
//!
//! Must not know MCP or the screen. A spec's `server` is raw JSON here.

mod drafts;
mod embedded;
mod files;
mod folders;
mod log;
mod numbers;
mod programs;
mod recording;
mod remembered;
mod settings;
mod spec;
mod specs;
mod trash;
mod trust;

pub use drafts::{Drafts, KeptDraft};
pub use embedded::mentions_a_call;
pub use files::{copy_new, unreadable, unwritable};
pub use folders::Folders;
pub use log::LogFile;
pub use numbers::{RoundedInteger, rounded_integer};
pub use programs::ProgramFolders;
pub use recording::{
    DeletedRecording, KeptRecordings, ListedRecording, RECORDING_SUFFIX, RecordedTexts,
    RecordingEnd, RecordingError, RecordingReader, RecordingSummary, RecordingWriter, is_recording,
    list_recordings, make_room,
};
pub use remembered::RememberedTools;
pub use settings::{Setting, SettingValue, Settings};
pub use spec::{MAX_ROUNDS, SCHEMA_FILE, Spec, SpecError, spec_schema, write_schema};
pub use specs::{DeletedSpec, ListedSpec, Over, SaveError, SpecFile, SpecPlace, Specs, name_of};
pub use trash::RestoreError;
pub use trust::{Trust, fingerprint};
