//! Writing so that a crash at any moment leaves a readable file and other copies of this program
//! lose nothing, and why reading failed.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::{Builder, NamedTempFile, PersistError};

/// How long another copy of this program is waited for; it needs some milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// Writes `text` to a temporary file beside `path` and renames it over `path`. Readable by the
/// user alone.
///
/// # Errors
/// What the file system says.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(folder_of(path)?)?;
    fill(&mut file, text)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// As [`write_whole`], for a file that others may read as well: over an existing file it keeps its
/// permissions, and what a link leads to is written, not the link.
///
/// # Errors
/// What the file system says.
pub(super) fn write_shared(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut file = shared_file(&path)?;
    if let Ok(before) = fs::metadata(&path) {
        file.as_file().set_permissions(before.permissions())?;
    }
    fill(&mut file, text)?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// As [`write_shared`], but never over anything.
///
/// # Errors
/// `AlreadyExists`, and what else the file system says.
pub(super) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = shared_file(path)?;
    fill(&mut file, text)?;
    name_new(file, path)?;
    Ok(())
}

/// Gives a temporary file its name, never over anything.
///
/// # Errors
/// `AlreadyExists`, and what else the file system says; with the file, which can get another name.
pub(super) fn name_new(file: NamedTempFile, path: &Path) -> Result<File, PersistError> {
    match file.persist_noclobber(path) {
        // Not every file system can tell by itself, or has links.
        Err(error)
            if error.error.kind() != io::ErrorKind::AlreadyExists
                && path.symlink_metadata().is_err() =>
        {
            error.file.persist(path)
        }
        named => named,
    }
}

/// Moves a file within a file system, never over anything.
///
/// # Errors
/// `AlreadyExists`, and what else the file system says.
pub(super) fn move_new(from: &Path, to: &Path) -> io::Result<()> {
    folder_of(to)?;
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Not every file system has links; whoever moves holds the lock.
        Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// Copies a file, with its permissions, never over anything. A folder is made where there is none.
///
/// # Errors
/// `AlreadyExists`, and what else the file system says.
pub fn copy_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut file = NamedTempFile::new_in(folder_of(to)?)?;
    io::copy(&mut source, &mut file)?;
    (file.as_file()).set_permissions(source.metadata()?.permissions())?;
    file.as_file().sync_all()?;
    name_new(file, to)?;
    Ok(())
}

fn shared_file(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask applies, as to any file of theirs.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path)?)
}

fn fill(file: &mut NamedTempFile, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()
}

/// The folder that `path` lies in, made where there is none.
fn folder_of(path: &Path) -> io::Result<PathBuf> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(not_a_folder)?;
    Ok(folder.to_owned())
}

/// Makes a folder where there is none, with those it lies in, for the user alone.
///
/// # Errors
/// What the file system says.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(not_a_folder)
}

/// Where a folder can't be made since a file is in its place.
pub(super) fn not_a_folder(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    }
}

/// Holds every other copy of this program off the folder of a file for as long as it lives, so that
/// what is read there can be changed and written. Readers need none: files change as a whole.
pub(super) struct Lock {
    _folder: Option<File>,
}

impl Lock {
    /// The lock of the folder that `path` lies in, which is made where there is none.
    ///
    /// # Errors
    /// Where another copy keeps it for too long, and what the file system says.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path)?;
        Self::of(&folder)
    }

    #[cfg(unix)]
    fn of(folder: &Path) -> io::Result<Self> {
        use rustix::fs::{FlockOperation, flock};
        let file = File::open(folder)?;
        let began = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {
                    return Ok(Self {
                        _folder: Some(file),
                    });
                }
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
                // Some file systems of other machines know no locks; writing is whole all the same.
                Err(_) => return Ok(Self { _folder: None }),
            }
            if began.elapsed() > PATIENCE {
                let words = format!(
                    "another program keeps {} to itself; try again",
                    folder.display()
                );
                return Err(io::Error::new(io::ErrorKind::TimedOut, words));
            }
            std::thread::sleep(BETWEEN_TRIES);
        }
    }

    /// Elsewhere a folder can't be locked; writing is whole all the same.
    #[cfg(not(unix))]
    fn of(_folder: &Path) -> io::Result<Self> {
        Ok(Self { _folder: None })
    }
}

/// Why a file can't be read or made, in words that say what to do.
#[must_use]
pub fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "access is denied; check its permissions".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder; name a file".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text; save it as UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// Why a file can't be written or made, in words that say what to do.
#[must_use]
pub fn unwritable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full; make room".to_owned(),
        io::ErrorKind::QuotaExceeded => "your quota of the disk is used up; make room".to_owned(),
        io::ErrorKind::FileTooLarge => "the file may not be larger; raise the limit".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => {
            "the file system is read-only; write elsewhere".to_owned()
        }
        io::ErrorKind::NotADirectory => "a part of its path is no folder; move it away".to_owned(),
        _ => unreadable(error),
    }
}
