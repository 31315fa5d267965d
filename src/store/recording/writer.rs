//! A recording that grows.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::super::files::{name_new, not_a_folder, private_folder};
use super::held::{hold_alone, hold_together};
use super::name;
use super::texts::{Place, RecordedTexts};
use crate::wait::{Event, Header};

/// Names that are tried for a wait in the same millisecond with the same tool.
const MOST_NAMES: u32 = 1_000;

/// A recording that grows. As long as it is open, it is not removed to make room. Between the end of
/// a wait and its continuation it can be renamed and deleted; it is written on wherever it is then.
#[derive(Debug)]
pub struct RecordingWriter {
    path: PathBuf,
    file: File,
    held: bool,
    offset: u64,
    texts: RecordedTexts,
}

impl RecordingWriter {
    /// A new recording.
    ///
    /// # Errors
    /// What the file system says; `AlreadyExists` where the file exists, which is never overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        let texts = RecordedTexts::default();
        texts.open(path)?;
        Ok(Self {
            path: path.to_owned(),
            held: hold_alone(&file),
            file,
            offset: 0,
            texts,
        })
    }

    /// A new recording of the wait with that header, in a folder that is made if need be, under a
    /// name that sorts by time. `texts`, which are of no recording yet, become the texts of this one.
    /// It gets its name once the header is in it, so that no moment leaves an empty recording.
    ///
    /// # Errors
    /// What the file system says.
    pub fn create_in(folder: &Path, header: &Header, texts: RecordedTexts) -> io::Result<Self> {
        let mut unnamed = unnamed_in(folder)?;
        let held = hold_alone(unnamed.as_file());
        let began = Event::WaitStarted(header.clone());
        let offset = write_line(unnamed.as_file_mut(), 0, &began)?;
        texts.open(unnamed.path())?;
        let mut taken = io::ErrorKind::AlreadyExists.into();
        for number in 1..=MOST_NAMES {
            let path = folder.join(name::of_wait(header, number));
            match name_new(unnamed, &path) {
                Ok(file) => {
                    return Ok(Self {
                        path,
                        file,
                        held,
                        offset,
                        texts,
                    });
                }
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    (unnamed, taken) = (error.file, error.error);
                }
                Err(error) => return Err(error.error),
            }
        }
        Err(taken)
    }

    /// Tries whether recordings can be made in a folder, which is made if need be.
    ///
    /// # Errors
    /// What the file system says.
    pub fn try_in(folder: &Path) -> io::Result<()> {
        unnamed_in(folder).map(drop)
    }

    /// Appends an event as one line, whole or not at all.
    ///
    /// # Errors
    /// What the file system says.
    pub fn append(&mut self, event: &Event) -> io::Result<()> {
        if !self.held {
            self.texts.let_go();
            self.held = hold_alone(&self.file);
        }
        let bytes = write_line(&mut self.file, self.offset, event)?;
        match event {
            Event::Sample(sample) => {
                let offset = self.offset;
                self.texts.learn(sample, Place { offset, bytes });
            }
            Event::WaitEnded { .. } => {
                hold_together(&self.file);
                self.held = false;
            }
            _ => {}
        }
        self.offset += bytes;
        Ok(())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The texts that it holds.
    #[must_use]
    pub fn texts(&self) -> &RecordedTexts {
        &self.texts
    }
}

fn unnamed_in(folder: &Path) -> io::Result<NamedTempFile> {
    if let Some(parent) = folder.parent() {
        std::fs::create_dir_all(parent).map_err(not_a_folder)?;
    }
    private_folder(folder)?;
    let mut builder = Builder::new();
    builder.prefix(name::UNNAMED).append(true);
    builder.tempfile_in(folder)
}

/// Appends an event at `offset`, whole or not at all, and answers the bytes of its line.
fn write_line(file: &mut File, offset: u64, event: &Event) -> io::Result<u64> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    if let Err(error) = file.write_all(&line) {
        // A part of it may have found room.
        let _ = file.set_len(offset);
        return Err(error);
    }
    Ok(line.len() as u64)
}
