//! The log of this program: what went wrong beside the point, for whoever looks into it later.
//!
//! Nothing is written to the terminal, and the file is made only once there is something to say.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes beyond which a log is put aside when it is opened; the one before is dropped then.
const PUT_ASIDE: u64 = 1024 * 1024;

/// A log file that is opened at its first line. Readable by the user alone.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    file: Mutex<Option<File>>,
}

impl LogFile {
    /// The log at `path`, which need not exist.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: Mutex::new(None),
        }
    }
}

impl Write for &LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match &mut *file {
            Some(file) => file,
            none => none.insert(open(&self.path)?),
        };
        file.write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > PUT_ASIDE) {
        std::fs::rename(path, path.with_extension("log.1"))?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_log_is_made_at_its_first_line_and_put_aside_when_it_is_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/stakeout.log");
        let log = LogFile::new(path.clone());
        assert!(!path.exists());
        (&log).write_all(b"one\n").unwrap();
        (&LogFile::new(path.clone())).write_all(b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        (&log).write_all(&vec![b'x'; 1024 * 1024]).unwrap();
        (&LogFile::new(path.clone())).write_all(b"three\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three\n");
        assert!(path.with_extension("log.1").exists());
    }
}
