//! The recordings of the waits on the screen: writing them while they run, and reading their texts
//! again, beside everything else.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::task::spawn_blocking;

use super::super::message::{Id, Msg};
use crate::app::{Recorder, WaitRecording};
use crate::store::RecordedTexts;

/// How long the disk may take when we leave.
const ENDING: Duration = Duration::from_secs(1);

/// What is recorded of which wait.
pub(super) struct Recordings {
    /// Nothing is recorded without.
    recorder: Option<Recorder>,
    texts: HashMap<Id, RecordedTexts>,
    tell: UnboundedSender<Msg>,
}

impl Recordings {
    pub(super) fn new(recorder: Option<Recorder>, tell: UnboundedSender<Msg>) -> Self {
        Self {
            recorder,
            texts: HashMap::new(),
            tell,
        }
    }

    /// The recording of a new wait; nothing where nothing is recorded.
    pub(super) fn begin(&mut self, wait: Id) -> Option<WaitRecording> {
        let tell = self.tell.clone();
        let recording = self.recorder.as_ref()?.record(move |news| {
            // Nobody is told any more once we leave.
            let _ = tell.send(Msg::Recording { wait, news });
        });
        self.texts.insert(wait, recording.texts());
        Some(recording)
    }

    /// The texts of a wait that are on disk, to be read beside the loop.
    pub(super) fn texts(&self, wait: Id) -> Option<RecordedTexts> {
        self.texts.get(&wait).cloned()
    }

    /// Reads the text of a sample.
    pub(super) fn read(&self, id: Id, wait: Id, sample: u64) {
        let (texts, tell) = (self.texts(wait), self.tell.clone());
        spawn_blocking(move || {
            let text = texts.and_then(|texts| texts.text(sample));
            let _ = tell.send(Msg::TextRead { id, text });
        });
    }

    /// The wait is forgotten; its recording stays where it is.
    pub(super) fn forget(&mut self, wait: Id) {
        self.texts.remove(&wait);
    }

    /// Ends once everything is written, or the disk took too long.
    pub(super) async fn end(self) {
        if let Some(recorder) = self.recorder {
            let _ = tokio::time::timeout(ENDING, recorder.flush()).await;
        }
    }
}
