//! What is known of a wait's recording, and which of its texts are to be read again.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::message::Id;
use super::Wait;
use crate::app::RecordingNews;
use crate::wait::{Entry, EntryKind};

/// The recording of a wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The file, once there is one.
    pub path: Option<PathBuf>,
    /// Whether some outputs are missing in it.
    pub has_gaps: bool,
    /// Whether the operator deleted it; what is written meanwhile is there once it is brought back.
    pub deleted: bool,
    /// Whether it can't be written.
    pub failed: bool,
    /// The text that is being read, and of which sample.
    asked: Option<(Id, u64)>,
    /// Samples whose texts are not in it.
    missing: HashSet<u64>,
}

impl Recorded {
    /// Takes what became of the recording.
    pub fn take(&mut self, news: RecordingNews) {
        match news {
            RecordingNews::Begun(path) => self.path = Some(path),
            RecordingNews::HasGaps => self.has_gaps = true,
            RecordingNews::Failed(_) => self.failed = true,
        }
    }

    /// What is wrong with it, in a few words.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        if self.deleted {
            return Some("recording deleted");
        }
        match (&self.path, self.failed, self.has_gaps) {
            (None, true, _) => Some("not recorded"),
            (Some(_), true, _) => Some("recording ends early"),
            (_, false, true) => Some("recording has gaps"),
            (_, false, false) => None,
        }
    }
}

impl Wait {
    /// Whether the text of `entry` is still to be read from the recording.
    #[must_use]
    pub fn is_on_disk(&self, entry: &Entry) -> bool {
        let dropped = matches!(entry.kind, EntryKind::Observed { text: None, .. });
        dropped && self.recorded.path.is_some() && !self.recorded.missing.contains(&entry.sample)
    }

    /// Whether the text of the sample that is looked at is still to be read from the recording.
    #[must_use]
    pub fn lacks_text(&self) -> bool {
        self.entry().is_some_and(|entry| self.is_on_disk(entry))
    }

    /// The sample whose text is to be read now, if one is: the one that is looked at, or the one that
    /// it is compared with.
    #[must_use]
    pub fn wants_text(&self) -> Option<u64> {
        let free = self.recorded.asked.is_none();
        let entry = self.entry().filter(|_| free)?;
        let mut wanted = std::iter::once(entry).chain(self.compared_with());
        let wanted = wanted.find(|entry| self.is_on_disk(entry))?;
        Some(wanted.sample)
    }

    /// The text of a sample is being read.
    pub fn ask_text(&mut self, id: Id, sample: u64) {
        self.recorded.asked = Some((id, sample));
    }

    /// Takes a text that was read, or that it is not there; an answer that nobody waits for is
    /// dropped. Answers whether it was waited for.
    pub fn take_text(&mut self, id: Id, text: Option<&Arc<str>>) -> bool {
        let Some((_, sample)) = self.recorded.asked.take_if(|(own, _)| *own == id) else {
            return false;
        };
        match text {
            Some(text) => self.history.restore(sample, text),
            None => _ = self.recorded.missing.insert(sample),
        }
        true
    }
}
