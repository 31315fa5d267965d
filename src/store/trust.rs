//! Which servers of projects and specs the operator approved, by path and by a hash of the entry.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::files::{Lock, write_whole};

/// The approvals in one file.
#[derive(Debug, Clone)]
pub struct Trust {
    file: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Approvals {
    approved: Vec<Approved>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Approved {
    path: PathBuf,
    sha256: String,
}

impl Trust {
    /// The approvals in `file`, which need not exist.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self { file }
    }

    /// Whether `entry`, configured in `origin`, was approved as it stands now. A file that can't be
    /// read approves nothing.
    #[must_use]
    pub fn is_approved(&self, origin: &Path, entry: &str) -> bool {
        self.read()
            .unwrap_or_default()
            .approved
            .contains(&approved(origin, entry))
    }

    /// Remembers that `entry`, configured in `origin`, is approved.
    ///
    /// # Errors
    /// What the file system says; also where the file holds something else, which is not overwritten.
    pub fn approve(&self, origin: &Path, entry: &str) -> io::Result<()> {
        let _lock = Lock::beside(&self.file)?;
        let mut approvals = self.read()?;
        let new = approved(origin, entry);
        if !approvals.approved.contains(&new) {
            approvals.approved.push(new);
            write_whole(&self.file, &serde_json::to_string_pretty(&approvals)?)?;
        }
        Ok(())
    }

    fn read(&self) -> io::Result<Approvals> {
        match std::fs::read_to_string(&self.file) {
            Ok(text) => Ok(serde_json::from_str(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Approvals::default()),
            Err(error) => Err(error),
        }
    }
}

fn approved(origin: &Path, entry: &str) -> Approved {
    let path = origin.canonicalize().unwrap_or_else(|_| origin.to_owned());
    let sha256 = fingerprint(entry);
    Approved { path, sha256 }
}

/// The SHA-256 of an entry, in hexadecimal digits.
#[must_use]
pub fn fingerprint(entry: &str) -> String {
    let mut sha256 = String::new();
    for byte in Sha256::digest(entry.as_bytes()) {
        // Writing to a String can't fail.
        let _ = write!(sha256, "{byte:02x}");
    }
    sha256
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_approval_holds_for_this_path_and_this_entry_alone() {
        let folder = tempfile::tempdir().unwrap();
        let trust = Trust::new(folder.path().join("state/trust.json"));
        let project = folder.path().join(".mcp.json");
        assert!(!trust.is_approved(&project, "entry"));
        trust.approve(&project, "entry").unwrap();
        assert!(trust.is_approved(&project, "entry"));
        assert!(!trust.is_approved(&project, "entry, changed"));
        assert!(!trust.is_approved(&folder.path().join("other.json"), "entry"));
    }

    #[test]
    fn a_file_that_is_something_else_approves_nothing_and_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trust.json");
        std::fs::write(&file, "not ours").unwrap();
        let trust = Trust::new(file.clone());
        assert!(!trust.is_approved(Path::new("p"), "e"));
        assert!(trust.approve(Path::new("p"), "e").is_err());
        assert_eq!(std::fs::read_to_string(file).unwrap(), "not ours");
    }
}
