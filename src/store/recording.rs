//! A wait on disk: a line an event, readable by the user alone, since outputs can hold secrets.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::wait::Event;

/// A recording that grows.
#[derive(Debug)]
pub struct Recording {
    file: File,
}

impl Recording {
    /// A new recording.
    ///
    /// # Errors
    /// What the file system says; `AlreadyExists` where the file exists, which is never overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self {
            file: options.open(path)?,
        })
    }

    /// Appends an event as one line, whole.
    ///
    /// # Errors
    /// What the file system says.
    pub fn append(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}
