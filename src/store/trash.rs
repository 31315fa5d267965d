//! Deleted files, so that they can be brought back.
//!
//! Owns the folder that they are moved to, and how many it keeps.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::{move_new, private_folder, unwritable};

/// Why a deleted file is not brought back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// It was removed to make room, or by somebody else; to try again is in vain.
    #[error("{0} is gone for good")]
    GoneForGood(String),
    /// Another has its place, or it can't be done now: a sentence. It can be tried again.
    #[error("{0}")]
    Failed(String),
}

/// A folder of deleted files.
pub(super) struct Trash {
    folder: PathBuf,
    most: usize,
}

impl Trash {
    /// The trash in `folder`, which need not exist; beyond `most` files the oldest are gone for good.
    pub(super) fn new(folder: PathBuf, most: usize) -> Self {
        Self { folder, most }
    }

    /// Moves a file here. Answers where it is then.
    ///
    /// # Errors
    /// What the file system says.
    pub(super) fn take(&self, path: &Path) -> io::Result<PathBuf> {
        private_folder(&self.folder)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let numbers = self.kept().last().map_or(1, |(last, _)| last + 1);
        for number in numbers.. {
            let kept_at = self.folder.join(format!("{number}-{file}"));
            match move_new(path, &kept_at) {
                Ok(()) => {
                    self.forget_oldest();
                    return Ok(kept_at);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::StorageFull.into())
    }

    /// Brings a file back to `path`, never over another one.
    ///
    /// # Errors
    /// Where it is gone for good, another has its place meanwhile, or it can't be done.
    pub(super) fn give_back(kept_at: &Path, path: &Path) -> Result<(), RestoreError> {
        let place = path.file_name().unwrap_or_default().display();
        if matches!(kept_at.try_exists(), Ok(false)) {
            return Err(RestoreError::GoneForGood(place.to_string()));
        }
        move_new(kept_at, path).map_err(|error| {
            RestoreError::Failed(match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    format!("there is another {place} by now; rename that one first")
                }
                _ => format!("{place}: {}", unwritable(&error)),
            })
        })
    }

    /// What was moved here, the oldest first, each with its number.
    pub(super) fn kept(&self) -> Vec<(u64, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let numbered = |entry: fs::DirEntry| {
            let name = entry.file_name();
            let (number, _) = name.to_str()?.split_once('-')?;
            Some((number.parse().ok()?, entry.path()))
        };
        let mut kept: Vec<(u64, PathBuf)> = entries.filter_map(numbered).collect();
        kept.sort();
        kept
    }

    fn forget_oldest(&self) {
        let kept = self.kept();
        let too_many = kept.len().saturating_sub(self.most);
        for (_, path) in &kept[..too_many] {
            // It is in nobody's way if it stays.
            let _ = fs::remove_file(path);
        }
    }
}
