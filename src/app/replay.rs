//! A recording that is read to be looked at, a part after the other.
//!
//! Owns how much is read at once, and which samples changed. Must not know how it is played.

use std::path::{Path, PathBuf};

use super::moments;
use crate::store::{RecordedTexts, RecordingError, RecordingReader};
use crate::wait::{Call, Changes, Ending, Event};

/// Bytes of texts, and events, that are read at once.
const MOST_BYTES: usize = 1024 * 1024;
const MOST_EVENTS: usize = 1_000;

/// How much of a recording there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// More of it is being read.
    Reading,
    /// All of it, up to now: the wait still runs, and what it sees is read as it comes.
    Growing,
    /// All of it, with its end.
    Whole,
    /// All of it, but the wait's end is missing.
    CutOff,
    /// What comes before something that can't be read: a sentence.
    Broken(String),
}

/// A recording that is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// The file.
    pub path: PathBuf,
    /// Whose tool.
    pub server: String,
    /// The call.
    pub call: Call,
    /// Budgets that could follow one another.
    pub rounds: u32,
    /// When it began, in local time.
    pub started: String,
}

/// Some of what is recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// What happened, and whether it is a sample that changed.
    pub events: Vec<(Event, bool)>,
    /// How much there is with it.
    pub extent: Extent,
    /// How the wait ended, where the end is among it.
    pub ending: Option<Ending>,
}

/// A recording that is being read.
#[derive(Debug)]
pub struct RecordedWait {
    reader: RecordingReader,
    changes: Changes,
    /// Whether the last event that was read is the end.
    ended: bool,
    /// Whether it was not being written any more when its end was looked for.
    closed: bool,
    told: Extent,
}

impl RecordedWait {
    /// Opens the recording at `path`.
    ///
    /// # Errors
    /// A sentence, where it can't be read, or its call is none.
    pub fn open(path: &Path) -> Result<(Self, Opened), String> {
        let reader = RecordingReader::open(path).map_err(|error| error.problem)?;
        let header = reader.header();
        let call = Call::parse(&header.wait)
            .map_err(|fault| format!("the call that was recorded can't be read: {fault}"))?;
        let opened = Opened {
            path: path.to_owned(),
            server: header.server.clone(),
            call: call.clone(),
            rounds: header.rounds,
            started: moments::to_the_second(&header.started_at),
        };
        let recorded = Self {
            reader,
            changes: Changes::new(call),
            ended: false,
            closed: false,
            told: Extent::Reading,
        };
        Ok((recorded, opened))
    }

    /// The texts of what was read so far, to be read again.
    #[must_use]
    pub fn texts(&self) -> RecordedTexts {
        self.reader.texts().clone()
    }

    /// Reads on. `None` where nothing is new since it was read last, and more may come. Costs what it
    /// reads.
    pub fn read_on(&mut self) -> Option<Batch> {
        let mut batch = Batch {
            events: Vec::new(),
            extent: Extent::Reading,
            ending: None,
        };
        let mut bytes = 0;
        while bytes < MOST_BYTES && batch.events.len() < MOST_EVENTS {
            match self.reader.next_event() {
                Ok(Some(event)) => {
                    bytes += bytes_of(&event);
                    if let Err(problem) = self.add(event, &mut batch) {
                        batch.extent = Extent::Broken(problem);
                        break;
                    }
                }
                Ok(None) if self.ended => {
                    batch.extent = Extent::Whole;
                    break;
                }
                Ok(None) if self.closed => {
                    batch.extent = Extent::CutOff;
                    break;
                }
                Ok(None) if self.reader.is_being_written() => {
                    batch.extent = Extent::Growing;
                    break;
                }
                // What was written before it was closed may have come after the last look.
                Ok(None) => self.closed = true,
                Err(error) => {
                    batch.extent = Extent::Broken(in_place(&error));
                    break;
                }
            }
        }
        let news = !batch.events.is_empty() || batch.extent != self.told;
        self.told = batch.extent.clone();
        news.then_some(batch)
    }

    fn add(&mut self, event: Event, batch: &mut Batch) -> Result<(), String> {
        self.ended = matches!(event, Event::WaitEnded { .. });
        batch.ending = match &event {
            Event::WaitEnded { outcome, .. } => {
                let ending = outcome.to_ending();
                Some(ending.ok_or("the recording ends with an error that is not known here")?)
            }
            _ => None,
        };
        let changed = self.changes.see(&event);
        batch.events.push((event, changed));
        Ok(())
    }
}

/// What is wrong and in which line; the file is known.
fn in_place(error: &RecordingError) -> String {
    match error.line {
        Some(line) => format!("line {line}: {}", error.problem),
        None => error.problem.clone(),
    }
}

fn bytes_of(event: &Event) -> usize {
    match event {
        Event::Sample(sample) => sample.text.as_ref().map_or(0, |text| text.len()),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::store::RecordingWriter;
    use crate::wait::{Header, Millis, Sample};

    #[test]
    fn a_large_recording_is_read_a_part_after_the_other() {
        const SAMPLES: u64 = 12;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let mut writer = RecordingWriter::create(&path).unwrap();
        let call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
        let header = Header {
            version: crate::wait::FORMAT_VERSION,
            started_at: "2026-11-30T20:15:01Z".to_owned(),
            server: "s".to_owned(),
            name: None,
            wait: call,
            rounds: 1,
        };
        writer.append(&Event::WaitStarted(header)).unwrap();
        for sample in 1..=SAMPLES {
            let text: Arc<str> = format!("{sample}").repeat(200_000).into();
            let sample = Sample {
                sample,
                at_ms: Millis::default(),
                latency_ms: Millis::default(),
                bytes: text.len(),
                tool_error: false,
                same_as: None,
                text_left_out: false,
                text: Some(text),
            };
            writer.append(&Event::Sample(sample)).unwrap();
        }
        drop(writer);
        let (mut recorded, _) = RecordedWait::open(&path).unwrap();
        let mut batches = Vec::new();
        while let Some(batch) = recorded.read_on() {
            batches.push(batch);
        }
        let bytes = |batch: &Batch| batch.events.iter().map(|(event, _)| bytes_of(event)).sum();
        let sizes: Vec<usize> = batches.iter().map(bytes).collect();
        assert!(sizes.iter().all(|size| *size < 2 * MOST_BYTES), "{sizes:?}");
        assert!(batches.len() > 2, "{sizes:?}");
        let (last, before) = batches.split_last().unwrap();
        assert_eq!(last.extent, Extent::CutOff);
        assert!(before.iter().all(|batch| batch.extent == Extent::Reading));
        let changed = batches.iter().flat_map(|batch| &batch.events);
        assert_eq!(
            changed.filter(|(_, changed)| *changed).count() as u64,
            SAMPLES - 1
        );
    }
}
