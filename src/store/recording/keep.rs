//! What the operator does with recordings: naming, deleting and bringing back.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::super::files::{Lock, move_new, private_folder, unreadable, unwritable};
use super::super::specs::naming::{name_of_stem, safe_stem};
use super::super::trash::{RestoreError, Trash};
use super::held::hold_together;
use super::name;

/// Deleted recordings that can be brought back; they may be large.
const MOST_DELETED: usize = 10;

/// The recordings of a folder.
#[derive(Debug, Clone)]
pub struct KeptRecordings {
    folder: PathBuf,
}

/// A recording that was deleted, to be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedRecording {
    /// Where it lay.
    pub path: PathBuf,
    kept_at: PathBuf,
}

impl KeptRecordings {
    /// The recordings in `folder`, which need not exist.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The name that the operator gave a recording; `None` where it was named by itself.
    #[must_use]
    pub fn name_of(path: &Path) -> Option<String> {
        let file = path.file_name()?.to_str()?;
        let stem = file.strip_suffix(name::SUFFIX).unwrap_or(file);
        (!name::is_automatic(file)).then(|| name_of_stem(stem))
    }

    /// What tells a recording from all others in its folder: its name, or else its file's.
    #[must_use]
    pub fn handle(path: &Path) -> String {
        Self::name_of(path).unwrap_or_else(|| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.strip_suffix(name::SUFFIX).unwrap_or(&file).to_owned()
        })
    }

    /// Where a recording of that name is.
    #[must_use]
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(safe_stem(name) + name::SUFFIX)
    }

    /// Gives a recording a name, so that it is never removed to make room. Answers where it is then.
    ///
    /// # Errors
    /// A sentence, where another has the name, it looks like one that a recording is given by itself,
    /// its wait is still running, or it can't be done.
    pub fn rename(&self, path: &Path, name: &str) -> Result<PathBuf, String> {
        if name.trim().is_empty() {
            return Err("a recording needs a name".to_owned());
        }
        let file = safe_stem(name) + name::SUFFIX;
        if name::is_automatic(&file) {
            return Err(
                "recordings whose name begins with a time like this one are removed to make room; \
                 choose another name"
                    .to_owned(),
            );
        }
        let new = path.with_file_name(file);
        if new == path {
            return Ok(new);
        }
        let _lock = lock(path)?;
        is_complete(path)?;
        match move_new(path, &new) {
            Ok(()) => Ok(new),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(format!(
                "there is another recording called {name:?}; choose another name"
            )),
            Err(error) => Err(format!("{}: {}", path.display(), unwritable(&error))),
        }
    }

    /// Moves a recording aside, so that it can be brought back.
    ///
    /// # Errors
    /// A sentence, where its wait is still running, or it can't be done.
    pub fn delete(&self, path: &Path) -> Result<DeletedRecording, String> {
        let _lock = lock(path)?;
        is_complete(path)?;
        let path = path.to_owned();
        match self.trash().take(&path) {
            Ok(kept_at) => Ok(DeletedRecording { path, kept_at }),
            Err(error) => Err(format!("{}: {}", path.display(), unwritable(&error))),
        }
    }

    /// Brings a deleted recording back to where it lay.
    ///
    /// # Errors
    /// Where it is gone for good, another has its place meanwhile, or it can't be done.
    pub fn restore(&self, deleted: &DeletedRecording) -> Result<(), RestoreError> {
        let _lock = lock(&deleted.path).map_err(RestoreError::Failed)?;
        Trash::give_back(&deleted.kept_at, &deleted.path)
    }

    fn trash(&self) -> Trash {
        Trash::new(
            self.folder.with_file_name("deleted-recordings"),
            MOST_DELETED,
        )
    }
}

fn lock(path: &Path) -> Result<Lock, String> {
    let folder = path.parent().map_or(Ok(()), private_folder);
    let locked = folder.and_then(|()| Lock::beside(path));
    locked.map_err(|error| format!("{}: {}", path.display(), unwritable(&error)))
}

fn is_complete(path: &Path) -> Result<(), String> {
    let file = File::open(path);
    let file = file.map_err(|error| format!("{}: {}", path.display(), unreadable(&error)))?;
    if hold_together(&file) {
        Ok(())
    } else {
        Err("its wait is still running and writes it; wait for its end, or stop it".to_owned())
    }
}
