//! Whether a recording is open, in this process or another: whoever writes one holds it alone, and
//! whoever reads one holds it together with other readers.
//!
//! A hold lasts until it is let go or the file is closed. Where the system or the file system knows no
//! locks, nothing is held, and everything is free.

use std::fs::File;

#[cfg(unix)]
use rustix::fs::{FlockOperation, flock};

/// Holds it for writing. Answers whether that worked: somebody may look at it just now.
#[cfg(unix)]
pub(super) fn hold_alone(file: &File) -> bool {
    is_free(file, FlockOperation::NonBlockingLockExclusive)
}

/// Holds it for reading. Answers whether that worked: it can't as long as it is being written.
#[cfg(unix)]
pub(super) fn hold_together(file: &File) -> bool {
    is_free(file, FlockOperation::NonBlockingLockShared)
}

/// Lets it go.
#[cfg(unix)]
pub(super) fn let_go(file: &File) {
    // What could not be held can't be let go either.
    let _ = flock(file, FlockOperation::Unlock);
}

/// Only another's hold is in the way: not every file system has locks.
#[cfg(unix)]
fn is_free(file: &File, hold: FlockOperation) -> bool {
    flock(file, hold) != Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(not(unix))]
pub(super) fn hold_alone(_file: &File) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn hold_together(_file: &File) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn let_go(_file: &File) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rustix::fs::{Mode, OFlags, open};

    use super::*;

    #[test]
    fn what_can_not_be_held_is_free() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let other = File::open(file.path()).unwrap();
        assert!(hold_alone(file.as_file()) && !hold_together(&other));
        // A file that is only named has no locks.
        let named = open(file.path(), OFlags::PATH, Mode::empty()).unwrap();
        let named = File::from(named);
        assert!(hold_alone(&named) && hold_together(&named));
        let_go(file.as_file());
        assert!(hold_together(&other));
    }
}
