//! The recordings of the waits on the screen: writing them while they run, and reading their texts
//! again, beside everything else.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::task::spawn_blocking;

use super::super::message::{Id, Msg};
use crate::app::{Recorder, WaitRecording};
use crate::store::RecordedTexts;

/// How long the disk may take when we leave.
const ENDING: Duration = Duration::from_secs(1);

/// The texts that are on disk, by wait, to be read beside the loop. Every clone finds the same.
#[derive(Clone, Default)]
pub(super) struct TextsOfWaits(Arc<Mutex<HashMap<Id, RecordedTexts>>>);

impl TextsOfWaits {
    /// Those of `wait` are found from now on.
    pub(super) fn insert(&self, wait: Id, texts: RecordedTexts) {
        self.all().insert(wait, texts);
    }

    /// Those of `wait`, where it is recorded.
    pub(super) fn of(&self, wait: Id) -> Option<RecordedTexts> {
        self.all().get(&wait).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Id, RecordedTexts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is recorded of which wait.
pub(super) struct Recordings {
    /// Nothing is recorded without.
    recorder: Option<Recorder>,
    texts: TextsOfWaits,
    tell: UnboundedSender<Msg>,
}

impl Recordings {
    pub(super) fn new(recorder: Option<Recorder>, tell: UnboundedSender<Msg>) -> Self {
        Self {
            recorder,
            texts: TextsOfWaits::default(),
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

    /// The texts that are on disk.
    pub(super) fn texts(&self) -> &TextsOfWaits {
        &self.texts
    }

    /// Reads the text of a sample.
    pub(super) fn read(&self, id: Id, wait: Id, sample: u64) {
        let (texts, tell) = (self.texts.of(wait), self.tell.clone());
        spawn_blocking(move || {
            let text = texts.and_then(|texts| texts.text(sample));
            let _ = tell.send(Msg::TextRead { id, text });
        });
    }

    /// The wait is forgotten; its recording stays where it is.
    pub(super) fn forget(&mut self, wait: Id) {
        self.texts.all().remove(&wait);
    }

    /// Ends once everything is written, or the disk took too long.
    pub(super) async fn end(self) {
        if let Some(recorder) = self.recorder {
            let _ = tokio::time::timeout(ENDING, recorder.flush()).await;
        }
    }
}
