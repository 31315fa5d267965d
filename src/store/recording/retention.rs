//! Old recordings give way to new ones.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::held::hold_alone;
use super::name;

/// Recordings that are kept; beyond that, the oldest are removed.
const MOST: usize = 200;
/// Bytes of all of them.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// Longer than it takes to make a recording.
const MAKING: Duration = Duration::from_secs(60);

/// Removes the oldest recordings of a folder beyond 200 or 1 GiB. One that is open anywhere stays,
/// and so does one that the operator named; these count for nothing. What was left of a recording
/// whose process was killed before it had a name goes as well.
///
/// # Errors
/// What the file system says of the folder, or of the first file that can't be removed.
pub fn make_room(folder: &Path) -> io::Result<()> {
    make_room_for(folder, MOST, MOST_BYTES)
}

pub(super) fn make_room_for(folder: &Path, most: usize, most_bytes: u64) -> io::Result<()> {
    let mut kept: Vec<(String, PathBuf, u64)> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // It may have been removed meanwhile.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_file() && name::is_automatic(&name) {
            kept.push((name, entry.path(), metadata.len()));
        } else if name.starts_with(name::UNNAMED) && is_old(&metadata) {
            // One that is still wanted is open.
            remove(&entry.path())?;
        }
    }
    kept.sort();
    let (mut count, mut bytes) = (
        kept.len(),
        kept.iter().map(|(.., bytes)| bytes).sum::<u64>(),
    );
    let mut refused = Ok(());
    for (_, path, own) in kept {
        if count <= most && bytes <= most_bytes {
            break;
        }
        match remove(&path) {
            Ok(true) => {
                count -= 1;
                bytes -= own;
            }
            Ok(false) => {}
            Err(error) => refused = refused.and(Err(error)),
        }
    }
    refused
}

/// Whether it is older than it takes to make a recording.
fn is_old(metadata: &Metadata) -> bool {
    let age = metadata
        .modified()
        .ok()
        .and_then(|then| then.elapsed().ok());
    age.is_some_and(|age| age > MAKING)
}

/// Answers whether it is gone; one that is open stays.
fn remove(path: &Path) -> io::Result<bool> {
    let gone = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Ok(true),
        _ => Err(error),
    };
    match File::open(path) {
        Ok(file) if hold_alone(&file) => std::fs::remove_file(path).map(|()| true).or_else(gone),
        Ok(_) => Ok(false),
        Err(error) => gone(error),
    }
}
