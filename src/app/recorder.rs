//! Recording waits while they run.
//!
//! Owns the thread that writes all recordings of this process, and how far it may be behind: neither
//! the engine nor a front end ever waits for the disk. Must not know who is told what became of a
//! recording.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::store::{RecordedTexts, RecordingWriter, make_room, unwritable};
use crate::wait::{Event, Header, Note, Sample};

/// Bytes of texts that wait for the disk, of all waits of this process together. Beyond that, texts
/// are left out.
const BACKLOG: usize = 32 * 1024 * 1024;

/// What becomes of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordingNews {
    /// It is being written, to this file.
    Begun(PathBuf),
    /// The disk can't keep up: from here on some outputs are missing in it. Told once.
    HasGaps,
    /// It can't be written, and ends: a sentence. The wait goes on.
    Failed(String),
}

impl RecordingNews {
    /// The file, where it has just been made.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::Begun(path) => Some(path.clone()),
            Self::HasGaps | Self::Failed(_) => None,
        }
    }

    /// What is wrong with the recording, a sentence, where something is.
    #[must_use]
    pub fn trouble(&self) -> Option<&str> {
        match self {
            Self::Begun(_) => None,
            Self::HasGaps => {
                Some("the disk can't keep up; some outputs are left out of the recording")
            }
            Self::Failed(sentence) => Some(sentence),
        }
    }
}

/// Records the waits of this process. Cheap to clone; every clone writes on the same thread.
#[derive(Debug, Clone)]
pub struct Recorder {
    folder: PathBuf,
    jobs: Sender<Job>,
    backlog: Arc<Backlog>,
}

/// The recording of one wait.
pub struct WaitRecording {
    file: Arc<Mutex<Recorded>>,
    texts: RecordedTexts,
    jobs: Sender<Job>,
    backlog: Arc<Backlog>,
    tell: Tell,
    /// Texts that were left out, by the sample that brought each first, and the later sample that
    /// has it in the recording, if one does.
    left_out: HashMap<u64, Option<u64>>,
    has_gaps: bool,
    /// Whether nobody writes.
    is_over: bool,
}

type Tell = Arc<dyn Fn(RecordingNews) + Send + Sync>;

/// What the thread is to do.
enum Job {
    /// Write an event.
    Write {
        file: Arc<Mutex<Recorded>>,
        event: Event,
        /// Of its texts, to be taken off the backlog.
        bytes: usize,
    },
    /// Say that everything before is done.
    Flush(oneshot::Sender<()>),
}

/// A recording, as far as the thread has come.
struct Recorded {
    state: State,
    tell: Tell,
}

enum State {
    /// Not yet there: a wait that ends before its first sample leaves nothing behind.
    Expected {
        folder: PathBuf,
        texts: RecordedTexts,
        header: Option<Header>,
    },
    /// Being written.
    Open {
        file: RecordingWriter,
        /// Where it makes room for itself. A file that the operator asked for makes none.
        folder: Option<PathBuf>,
    },
    /// Nothing more is written.
    Over,
}

/// Bytes that wait for the disk.
#[derive(Debug)]
struct Backlog {
    bytes: AtomicUsize,
    limit: usize,
}

impl Recorder {
    /// Records in `folder`, which is made when it is needed.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self::with_backlog(folder, BACKLOG)
    }

    fn with_backlog(folder: PathBuf, limit: usize) -> Self {
        let backlog = Arc::new(Backlog {
            bytes: AtomicUsize::new(0),
            limit,
        });
        let (jobs, todo) = channel();
        let behind = Arc::clone(&backlog);
        // Not one of Tokio's, whose paused clock would stand still for it. Where there can't be another
        // thread, nobody takes the jobs, and that is told.
        let writes = move || {
            for job in todo {
                match job {
                    Job::Write { file, event, bytes } => {
                        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                        file.write(event);
                        behind.release(bytes);
                    }
                    // Whoever asked may have left.
                    Job::Flush(done) => drop(done.send(())),
                }
            }
        };
        let _ = thread::Builder::new()
            .name("recorder".to_owned())
            .spawn(writes);
        Self {
            folder,
            jobs,
            backlog,
        }
    }

    /// A recording of a wait that has not begun, in the folder. `tell` hears what becomes of it, and
    /// must not wait for anything.
    #[must_use]
    pub fn record(&self, tell: impl Fn(RecordingNews) + Send + Sync + 'static) -> WaitRecording {
        let texts = RecordedTexts::default();
        let state = State::Expected {
            folder: self.folder.clone(),
            texts: texts.clone(),
            header: None,
        };
        self.recording(state, texts, Arc::new(tell))
    }

    /// The same into a file that was made for it.
    #[must_use]
    pub fn record_into(
        &self,
        file: RecordingWriter,
        tell: impl Fn(RecordingNews) + Send + Sync + 'static,
    ) -> WaitRecording {
        let texts = file.texts().clone();
        let state = State::Open { file, folder: None };
        self.recording(state, texts, Arc::new(tell))
    }

    fn recording(&self, state: State, texts: RecordedTexts, tell: Tell) -> WaitRecording {
        let file = Recorded {
            state,
            tell: Arc::clone(&tell),
        };
        WaitRecording {
            file: Arc::new(Mutex::new(file)),
            texts,
            jobs: self.jobs.clone(),
            backlog: Arc::clone(&self.backlog),
            tell,
            left_out: HashMap::new(),
            has_gaps: false,
            is_over: false,
        }
    }

    /// Ends once everything that was told so far is written, or can't be.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        if self.jobs.send(Job::Flush(done)).is_ok() {
            let _ = flushed.await;
        }
    }
}

impl WaitRecording {
    /// The texts that are in it, to be read again.
    #[must_use]
    pub fn texts(&self) -> RecordedTexts {
        self.texts.clone()
    }

    /// Has an event written. Never waits.
    pub fn add(&mut self, event: &Event) {
        let (event, bytes) = match event {
            Event::Sample(sample) => {
                let (sample, bytes) = self.with_room(sample.clone());
                (Event::Sample(sample), bytes)
            }
            Event::Note { note, .. } => {
                let bytes = weight(note);
                if !self.backlog.reserve(bytes) {
                    self.gap();
                    return;
                }
                (event.clone(), bytes)
            }
            event => (event.clone(), 0),
        };
        let file = Arc::clone(&self.file);
        let job = Job::Write { file, event, bytes };
        if self.jobs.send(job).is_err() && !std::mem::replace(&mut self.is_over, true) {
            let sentence = "the wait is not recorded: no thread can be started for it";
            (self.tell)(RecordingNews::Failed(sentence.to_owned()));
        }
    }

    /// The sample as it is to be written, and the bytes of its own text: without its text where there
    /// is no room for it, and with it where it is not where the sample says.
    fn with_room(&mut self, mut sample: Sample) -> (Sample, usize) {
        let Some(text) = sample.text.as_ref().map(Arc::clone) else {
            return (sample, 0);
        };
        let first = sample.same_as.unwrap_or(sample.sample);
        match self.left_out.get(&first) {
            Some(Some(later)) => sample.same_as = Some(*later),
            None if sample.same_as.is_some() => {}
            elsewhere => {
                let again = elsewhere.is_some();
                let room = self.backlog.reserve(text.len());
                if again || !room {
                    let here = room.then_some(sample.sample);
                    self.left_out.insert(first, here);
                }
                sample.same_as = None;
                if room {
                    return (sample, text.len());
                }
                sample.text_left_out = true;
                self.gap();
            }
        }
        sample.text = None;
        (sample, 0)
    }

    fn gap(&mut self) {
        if !std::mem::replace(&mut self.has_gaps, true) {
            (self.tell)(RecordingNews::HasGaps);
        }
    }
}

impl Recorded {
    fn write(&mut self, event: Event) {
        if let State::Expected { header, .. } = &mut self.state {
            match event {
                Event::WaitStarted(own) => {
                    *header = Some(own);
                    return;
                }
                Event::WaitEnded { .. } => return self.state = State::Over,
                _ => self.begin(),
            }
        }
        let State::Open { file, folder } = &mut self.state else {
            return;
        };
        if let Err(error) = file.append(&event) {
            let why = unwritable(&error);
            let sentence = format!("the recording can't be written ({why}), and ends early");
            (self.tell)(RecordingNews::Failed(sentence));
            self.state = State::Over;
        } else if let (Event::WaitEnded { .. }, Some(folder)) = (&event, folder) {
            clear(folder);
        }
    }

    /// Makes the file that was expected.
    fn begin(&mut self) {
        let State::Expected {
            folder,
            texts,
            header,
        } = std::mem::replace(&mut self.state, State::Over)
        else {
            return;
        };
        let Some(header) = header else { return };
        match RecordingWriter::create_in(&folder, &header, texts) {
            Ok(file) => {
                (self.tell)(RecordingNews::Begun(file.path().to_owned()));
                clear(&folder);
                self.state = State::Open {
                    file,
                    folder: Some(folder),
                };
            }
            Err(error) => {
                let (folder, why) = (folder.display(), unwritable(&error));
                let sentence = format!("the wait is not recorded: {folder}: {why}");
                (self.tell)(RecordingNews::Failed(sentence));
            }
        }
    }
}

/// Old recordings give way to new ones.
fn clear(folder: &Path) {
    if let Err(error) = make_room(folder) {
        tracing::warn!(%error, "old recordings are not removed");
    }
}

impl Backlog {
    /// Whether there is room for that many bytes more; they are counted then.
    fn reserve(&self, bytes: usize) -> bool {
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let fits = before + bytes <= self.limit;
        if !fits {
            self.release(bytes);
        }
        fits
    }

    fn release(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Bytes that a note holds.
fn weight(note: &Note) -> usize {
    match note {
        Note::Progress { message, .. } => message.as_ref().map_or(0, String::len),
        Note::Log { level, text } => level.len() + text.len(),
        Note::Reconnecting | Note::Reconnected => 0,
    }
}
