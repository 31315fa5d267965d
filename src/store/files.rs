//! Writing so that a crash at any moment leaves a readable file, and why reading failed.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `text` to a temporary file beside `path` and renames it over `path`. Readable by the
/// user alone.
///
/// # Errors
/// What the file system says.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
