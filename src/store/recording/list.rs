//! The recordings in a folder, told from the first lines and the last ones.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::super::files::unreadable;
use super::held::hold_together;
use super::reader::{RecordingError, RecordingReader};
use super::{LINE_LIMIT, name};
use crate::wait::{Event, Header, Outcome};

/// Bytes that are read from the end at first; four times as many at every further attempt.
const TAIL: u64 = 16 * 1024;

/// A file that is a recording by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRecording {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Whether the operator named it, so that it is never removed to make room.
    pub named: bool,
    /// What is in it, or why that can't be told.
    pub summary: Result<RecordingSummary, RecordingError>,
}

/// What a recording is about.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingSummary {
    /// What was waited for, with whom and since when.
    pub header: Header,
    /// How it ends.
    pub end: RecordingEnd,
    /// Attempts, every one counted.
    pub samples: u64,
}

/// How a recording ends.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordingEnd {
    /// With the end of the wait.
    Ended(Outcome),
    /// It is still being written.
    Running,
    /// In the middle: whoever wrote it was killed, or couldn't go on.
    CutOff,
}

/// The recordings in a folder, the newest first; none where there is no folder.
///
/// # Errors
/// A sentence, where the folder can't be read. A file that can't be read hides no other.
pub fn list_recordings(folder: &Path) -> Result<Vec<ListedRecording>, String> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{}: {}", folder.display(), unreadable(&error))),
    };
    let mut listed: Vec<_> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| of_file(entry.path(), &entry.file_name().to_string_lossy()))
        .collect();
    let started = |listed: &ListedRecording| match &listed.summary {
        Ok(summary) => summary.header.started_at.parse().ok(),
        Err(_) => None::<jiff::Timestamp>,
    };
    listed.sort_by_cached_key(|listed| (started(listed), listed.path.clone()));
    listed.reverse();
    Ok(listed)
}

fn of_file(path: PathBuf, file_name: &str) -> Option<ListedRecording> {
    let metadata = std::fs::metadata(&path).ok()?;
    (metadata.is_file() && file_name.ends_with(name::SUFFIX)).then(|| ListedRecording {
        bytes: metadata.len(),
        named: !name::is_automatic(file_name),
        summary: RecordingSummary::of(&path),
        path,
    })
}

impl RecordingSummary {
    /// What the recording at `path` is about. Its middle is not read.
    ///
    /// # Errors
    /// As [`RecordingReader::open`].
    pub fn of(path: &Path) -> Result<Self, RecordingError> {
        let header = {
            let reader = RecordingReader::open(path)?;
            reader.header().clone()
        };
        let end = File::open(path).and_then(|mut file| end(&mut file));
        let (end, samples) = end.map_err(|error| RecordingError {
            path: path.to_owned(),
            line: None,
            problem: unreadable(&error),
        })?;
        Ok(Self {
            header,
            end,
            samples,
        })
    }
}

/// What a line says about how far the wait has come.
#[derive(Deserialize)]
struct Numbered {
    sample: Option<u64>,
}

fn end(file: &mut File) -> io::Result<(RecordingEnd, u64)> {
    let length = file.metadata()?.len();
    let mut window = TAIL;
    loop {
        let window_begins = length.saturating_sub(window);
        file.seek(SeekFrom::Start(window_begins))?;
        let mut tail = Vec::new();
        file.take(length - window_begins).read_to_end(&mut tail)?;
        let all = window_begins == 0;
        let (outcome, samples) = read_backwards(&tail, all);
        if let (Some(outcome), Some(samples)) = (outcome, samples) {
            let end = match outcome {
                Some(outcome) => RecordingEnd::Ended(outcome),
                None if hold_together(file) => RecordingEnd::CutOff,
                None => RecordingEnd::Running,
            };
            return Ok((end, samples));
        }
        if all || window > 2 * LINE_LIMIT {
            return Ok((RecordingEnd::CutOff, samples.unwrap_or(0)));
        }
        window *= 4;
    }
}

/// What the last line says, and the last one that has a number, as far as they are in `tail`, which
/// may begin within a line.
fn read_backwards(tail: &[u8], all: bool) -> (Option<Option<Outcome>>, Option<u64>) {
    let mut lines: Vec<&[u8]> = tail.split(|byte| *byte == b'\n').collect();
    if !all {
        // Its beginning may be missing.
        lines = lines.split_off(1);
    }
    let (mut last, mut samples) = (None, all.then_some(0));
    for line in lines.into_iter().rev() {
        // The last line may be cut off.
        let Ok(numbered) = serde_json::from_slice::<Numbered>(line) else {
            continue;
        };
        if last.is_none() {
            last = Some(match serde_json::from_slice(line) {
                Ok(Event::WaitEnded { outcome, .. }) => Some(outcome),
                _ => None,
            });
        }
        if let Some(sample) = numbered.sample {
            samples = Some(sample);
            break;
        }
    }
    (last, samples)
}
