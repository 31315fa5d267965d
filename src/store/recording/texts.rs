//! Texts that are read back from a recording, one at a time.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::LINE_LIMIT;
use super::held::{hold_together, let_go};
use crate::wait::{Event, Sample};

/// Where a line lies in a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Of its first byte.
    pub(super) offset: u64,
    /// Its length, at most [`LINE_LIMIT`].
    pub(super) bytes: u64,
}

/// The texts of a recording, found by the number of their sample. Cheap to clone; every clone finds
/// what was recorded since, too. The recording is not removed as long as there is one.
#[derive(Debug, Clone, Default)]
pub struct RecordedTexts(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Its own, since reading moves it; none before there is a file.
    file: Mutex<Option<File>>,
    places: Mutex<HashMap<u64, Place>>,
}

impl RecordedTexts {
    /// The texts are in the recording at `path`, which is not held yet.
    pub(super) fn open(&self, path: &Path) -> io::Result<()> {
        *self.file() = Some(File::open(path)?);
        Ok(())
    }

    /// Reads the text of a sample from the disk, however slow that is. `None` where it isn't there:
    /// the sample failed, its text was left out, or it is not recorded yet.
    #[must_use]
    pub fn text(&self, sample: u64) -> Option<Arc<str>> {
        let place = *self.places().get(&sample)?;
        self.hold();
        self.read(place).ok()?
    }

    /// The line of `sample` has a place, or, where it says whose text it has, so has that one's.
    pub(super) fn learn(&self, sample: &Sample, place: Place) {
        let mut places = self.places();
        let place = match sample.same_as {
            Some(first) => places.get(&first).copied(),
            None => (!sample.text_left_out).then_some(place),
        };
        if let Some(place) = place {
            places.insert(sample.sample, place);
        }
    }

    pub(super) fn knows(&self, sample: u64) -> bool {
        self.places().contains_key(&sample)
    }

    /// Holds the recording, which can't be done as long as it is being written. Answers whether it
    /// could.
    pub(super) fn hold(&self) -> bool {
        self.file().as_ref().is_some_and(hold_together)
    }

    /// Lets the recording go, so that it can be written on.
    pub(super) fn let_go(&self) {
        if let Some(file) = self.file().as_ref() {
            let_go(file);
        }
    }

    fn read(&self, place: Place) -> io::Result<Option<Arc<str>>> {
        let mut line = Vec::new();
        {
            let mut file = self.file();
            let Some(file) = &mut *file else {
                return Ok(None);
            };
            file.seek(SeekFrom::Start(place.offset))?;
            let bytes = place.bytes.min(LINE_LIMIT);
            file.take(bytes).read_to_end(&mut line)?;
        }
        match serde_json::from_slice(&line)? {
            Event::Sample(sample) => Ok(sample.text),
            _ => Ok(None),
        }
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        self.0.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> MutexGuard<'_, HashMap<u64, Place>> {
        self.0.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
