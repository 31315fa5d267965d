//! Whether a recording is open, in this process or another: whoever writes one holds it alone, and
//! whoever reads one holds it together with other readers.
//!
//! A hold lasts until the file is closed. Where the system or the file system knows no locks, nothing
//! is held, and everything is free.

use std::fs::File;

/// Holds it for writing. Answers whether that worked: somebody may look at it just now.
#[cfg(unix)]
pub(super) fn hold_alone(file: &File) -> bool {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Holds it for reading. Answers whether that worked: it can't as long as it is being written.
#[cfg(unix)]
pub(super) fn hold_together(file: &File) -> bool {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockShared).is_ok()
}

#[cfg(not(unix))]
pub(super) fn hold_alone(_file: &File) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn hold_together(_file: &File) -> bool {
    true
}
