//! A wait on disk: a line an event, readable by the user alone, since outputs can hold secrets.
//!
//! Owns the file: how it is named, written, read while it grows or after it was cut off, listed, and
//! how a single text is read back from it. Must not know what a wait means to whoever looks at it.

mod held;
mod keep;
mod list;
mod name;
mod reader;
mod retention;
#[cfg(test)]
mod tests;
mod texts;
mod writer;

pub use keep::{DeletedRecording, KeptRecordings};
pub use list::{ListedRecording, RecordingEnd, RecordingSummary, list_recordings};
pub use name::SUFFIX as RECORDING_SUFFIX;
pub use reader::{RecordingError, RecordingReader, is_recording};
pub use retention::make_room;
pub use texts::RecordedTexts;
pub use writer::RecordingWriter;

/// Bytes of the longest line: an observation at its limit, every character of it escaped, takes a
/// tenth of that.
const LINE_LIMIT: u64 = 16 * 1024 * 1024;
