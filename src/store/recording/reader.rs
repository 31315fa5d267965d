//! A recording that is read: whole, while it grows, or up to where it was cut off.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use serde::Deserialize;

use super::super::files::unreadable;
use super::LINE_LIMIT;
use super::texts::{Place, RecordedTexts};
use crate::wait::{Event, FORMAT_VERSION, Header, Sample};

/// Bytes that are looked at to tell a recording from other files.
const HEAD: u64 = 4096;

/// Why a recording can't be read, or not further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct RecordingError {
    /// The file.
    pub path: PathBuf,
    /// The line that is broken, from 1, where it is a line.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub problem: String,
}

/// Reads the events of a recording, one after the other.
#[derive(Debug)]
pub struct RecordingReader {
    path: PathBuf,
    file: BufReader<File>,
    header: Header,
    /// The header, until it was handed out.
    first: Option<Event>,
    lines: Lines,
    texts: RecordedTexts,
    /// Texts that somebody still holds, by the sample that brought them first.
    shared: HashMap<u64, Weak<str>>,
}

/// The line that is being read.
#[derive(Debug, Default)]
struct Lines {
    /// What there is of it.
    begun: Vec<u8>,
    /// Where it begins.
    offset: u64,
    /// Which it is, from 0.
    number: usize,
}

/// The header before it is known that this version is understood.
#[derive(Deserialize)]
struct AnyHeader {
    event: String,
    version: u64,
}

/// Whether the file at `path` is a recording, of whatever version and name: it begins like one. Any
/// other file, and one that can't be read, is none.
#[must_use]
pub fn is_recording(path: &Path) -> bool {
    // Opening anything else could wait for a writer, or take away what another reader is to have.
    let Some(file) = path.is_file().then(|| File::open(path).ok()).flatten() else {
        return false;
    };
    let mut head = Vec::new();
    let read = file.take(HEAD).read_to_end(&mut head);
    read.is_ok() && begins_like_one(&head)
}

fn begins_like_one(head: &[u8]) -> bool {
    head.trim_ascii_start()
        .starts_with(b"{\"event\":\"wait_started\",")
}

impl RecordingReader {
    /// Opens a recording and reads its header.
    ///
    /// # Errors
    /// A sentence, where it can't be read, is no recording, or is of a version that is not known.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let refused = |problem: String| RecordingError {
            path: path.to_owned(),
            line: None,
            problem,
        };
        let texts = RecordedTexts::default();
        let opened = File::open(path).and_then(|file| texts.open(path).map(|()| file));
        let file = opened.map_err(|error| refused(unreadable(&error)))?;
        texts.hold();
        let mut file = BufReader::new(file);
        let mut lines = Lines::default();
        let header = match lines.take(&mut file) {
            Ok(Taken::Line { .. }) => header(&lines.begun).map_err(refused)?,
            Ok(Taken::Nothing) if lines.begun.is_empty() => {
                return Err(refused("it is empty; nothing was recorded".to_owned()));
            }
            Ok(Taken::Nothing) if begins_like_one(&lines.begun) => {
                return Err(refused(
                    "it ends within its first line; nothing was recorded".to_owned(),
                ));
            }
            Ok(Taken::Nothing | Taken::TooLong) => return Err(refused(NO_RECORDING.to_owned())),
            Err(error) => return Err(refused(unreadable(&error))),
        };
        lines.next();
        Ok(Self {
            path: path.to_owned(),
            file,
            first: Some(Event::WaitStarted(header.clone())),
            header,
            lines,
            texts,
            shared: HashMap::new(),
        })
    }

    /// What stands at its head.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The texts of the samples that were read so far, to be read again.
    #[must_use]
    pub fn texts(&self) -> &RecordedTexts {
        &self.texts
    }

    /// The next event, the header first; a sample has its text, whether its line has it or names an
    /// earlier sample. `None` where the file ends, for now: where it has grown, there is more.
    ///
    /// # Errors
    /// A sentence about a line that is broken. Asked again, it says the same.
    pub fn next_event(&mut self) -> Result<Option<Event>, RecordingError> {
        if let Some(header) = self.first.take() {
            return Ok(Some(header));
        }
        loop {
            match self.lines.take(&mut self.file) {
                Ok(Taken::Nothing) => {
                    self.texts.hold();
                    return Ok(None);
                }
                Ok(Taken::TooLong) => {
                    let limit = LINE_LIMIT / (1024 * 1024);
                    return Err(self.broken(format!("the line is longer than {limit} MiB")));
                }
                Ok(Taken::Line { bytes }) => {
                    if let Some(event) = self.event(bytes)? {
                        return Ok(Some(event));
                    }
                }
                Err(error) => return Err(self.broken(unreadable(&error))),
            }
        }
    }

    /// Whether somebody writes it, so that there may be more to come.
    #[must_use]
    pub fn is_being_written(&self) -> bool {
        !self.texts.hold()
    }

    /// Whether bytes of an event are there whose end is not: it is still being written, or was cut
    /// off.
    #[must_use]
    pub fn is_within_a_line(&self) -> bool {
        !self.lines.begun.is_empty()
    }

    /// The event of the line that was read; `None` for an empty one.
    fn event(&mut self, bytes: u64) -> Result<Option<Event>, RecordingError> {
        let line = self.lines.begun.trim_ascii();
        if line.is_empty() {
            self.lines.next();
            return Ok(None);
        }
        let mut event: Event = serde_json::from_slice(line).map_err(|error| {
            let column = error.column();
            let words = error.to_string();
            let words = words
                .rsplit_once(" at line ")
                .map_or(&*words, |(words, _)| words);
            self.broken(format!("column {column}: the line is broken: {words}"))
        })?;
        match &mut event {
            Event::WaitStarted(_) => {
                return Err(self.broken("another recording begins here; split the file".to_owned()));
            }
            Event::Sample(sample) => {
                let offset = self.lines.offset;
                self.resolve(sample, Place { offset, bytes })?;
            }
            _ => {}
        }
        self.lines.next();
        Ok(Some(event))
    }

    /// Gives a sample the text that it has in common with an earlier one.
    fn resolve(&mut self, sample: &mut Sample, place: Place) -> Result<(), RecordingError> {
        if let Some(first) = sample.same_as {
            if !self.texts.knows(first) {
                return Err(self.broken(format!(
                    "sample {} has the text of sample {first}, which isn't before it",
                    sample.sample
                )));
            }
            let shared = self.shared.get(&first).and_then(Weak::upgrade);
            sample.text = shared.or_else(|| self.texts.text(first));
        }
        self.texts.learn(sample, place);
        if let Some(text) = &sample.text {
            let first = sample.same_as.unwrap_or(sample.sample);
            self.shared.insert(first, Arc::downgrade(text));
        }
        Ok(())
    }

    fn broken(&self, problem: String) -> RecordingError {
        RecordingError {
            path: self.path.clone(),
            line: Some(self.lines.number + 1),
            problem,
        }
    }
}

/// What there is of a line.
enum Taken {
    /// All of it, that many bytes.
    Line { bytes: u64 },
    /// Not all of it yet.
    Nothing,
    /// More than a line may have.
    TooLong,
}

impl Lines {
    /// Reads on to the end of the line. The last line of a file needs no line break if it is whole.
    fn take(&mut self, file: &mut BufReader<File>) -> io::Result<Taken> {
        if self.begun.last() == Some(&b'\n') {
            return Ok(self.whole());
        }
        let room = LINE_LIMIT.saturating_sub(self.begun.len() as u64);
        let more = file.take(room).read_until(b'\n', &mut self.begun)?;
        if self.begun.last() == Some(&b'\n') {
            return Ok(self.whole());
        }
        if self.begun.len() as u64 >= LINE_LIMIT {
            return Ok(Taken::TooLong);
        }
        let whole = more > 0 && self.begun.last() == Some(&b'}');
        let whole = whole && serde_json::from_slice::<serde::de::IgnoredAny>(&self.begun).is_ok();
        Ok(if whole { self.whole() } else { Taken::Nothing })
    }

    fn whole(&self) -> Taken {
        Taken::Line {
            bytes: self.begun.len() as u64,
        }
    }

    /// The line is done with. What follows a last line without a line break is still the same line.
    fn next(&mut self) {
        self.offset += self.begun.len() as u64;
        self.number += usize::from(self.begun.last() == Some(&b'\n'));
        self.begun.clear();
    }
}

const NO_RECORDING: &str = "it is no recording: its first line is no wait_started event; a recording is what \
     `stakeout run --record FILE` writes";

/// The header in the first line, if there is one.
fn header(line: &[u8]) -> Result<Header, String> {
    let any: AnyHeader = serde_json::from_slice(line).map_err(|_| NO_RECORDING.to_owned())?;
    if any.event != "wait_started" {
        return Err(NO_RECORDING.to_owned());
    }
    if any.version != u64::from(FORMAT_VERSION) {
        let version = any.version;
        return Err(format!(
            "it is of version {version}, and this stakeout reads version {FORMAT_VERSION}; use a \
             newer one"
        ));
    }
    match serde_json::from_slice(line) {
        Ok(Event::WaitStarted(header)) => Ok(header),
        Ok(_) => Err(NO_RECORDING.to_owned()),
        Err(error) => Err(format!("its header is broken: {error}")),
    }
}
