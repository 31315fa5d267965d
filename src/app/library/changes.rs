//! Changing what is saved, and taking a wait out of a saved file.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::{Servers, spec_entry};
use super::{Gone, GoneFile, Kept, KeptWait, LibraryChange, LibraryChanged};
use crate::mcp;
use crate::store::{
    Folders, KeptRecordings, RecordingReader, RestoreError, SpecFile, Specs, copy_new, unreadable,
    unwritable,
};

/// Changes what is saved.
///
/// # Errors
/// A sentence, where it can't be done.
pub fn change_library(folders: &Folders, change: LibraryChange) -> Result<LibraryChanged, String> {
    let specs = Specs::new(folders.library());
    let recordings = KeptRecordings::new(folders.recordings());
    Ok(match change {
        LibraryChange::Rename {
            kind,
            path: from,
            name,
        } => {
            let path = match kind {
                Kept::Spec => specs.rename(&from, &name)?,
                Kept::Recording => recordings.rename(&from, &name)?,
            };
            let saved = match kind {
                Kept::Spec => SpecFile::open(&path).ok(),
                Kept::Recording => None,
            };
            LibraryChanged::Renamed {
                from,
                path,
                name,
                saved: saved.map(|(spec, file)| Box::new((file, spec))),
            }
        }
        LibraryChange::Delete { kind, path, name } => {
            let file = match kind {
                Kept::Spec => GoneFile::Spec(specs.delete(&path)?),
                Kept::Recording => GoneFile::Recording(recordings.delete(&path)?),
            };
            LibraryChanged::Deleted(Gone { name, file })
        }
        LibraryChange::Restore(Gone { name, file }) => {
            let (restored, path) = match file {
                GoneFile::Spec(deleted) => (specs.restore(&deleted), deleted.path),
                GoneFile::Recording(deleted) => (recordings.restore(&deleted), deleted.path),
            };
            match restored {
                Ok(()) => LibraryChanged::Restored { path, name },
                Err(RestoreError::GoneForGood(_)) => LibraryChanged::GoneForGood { name },
                Err(RestoreError::Failed(problem)) => return Err(problem),
            }
        }
        LibraryChange::Export { path, to } => LibraryChanged::Exported {
            to: export(folders, &path, &to)?,
        },
    })
}

fn export(folders: &Folders, path: &Path, to: &str) -> Result<PathBuf, String> {
    let mut place = match to.strip_prefix("~/") {
        Some(rest) => folders.home.join(rest),
        None => PathBuf::from(to),
    };
    if place.is_dir() {
        place.push(path.file_name().unwrap_or_default());
    }
    if let Err(error) = std::fs::File::open(path) {
        return Err(format!("{}: {}", path.display(), unreadable(&error)));
    }
    match copy_new(path, &place) {
        Ok(()) => Ok(place),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(format!(
            "{} exists already; choose another path",
            place.display()
        )),
        Err(error) => Err(format!("{}: {}", place.display(), unwritable(&error))),
    }
}

impl Servers {
    /// The wait in a saved file. A server that a spec brings along is there from now on, to be asked
    /// about before it is used.
    ///
    /// # Errors
    /// A sentence, where the file can't be read, or its server is none.
    pub fn read_kept(&self, kind: Kept, path: &Path) -> Result<KeptWait, String> {
        match kind {
            Kept::Spec => self.read_spec(path),
            Kept::Recording => {
                let reader = RecordingReader::open(path).map_err(|error| error.problem)?;
                let header = reader.header();
                let mut call = header.wait.clone();
                name_server(&mut call, &header.server);
                Ok(KeptWait {
                    call,
                    rounds: header.rounds,
                    saved: None,
                    notices: Vec::new(),
                })
            }
        }
    }

    fn read_spec(&self, path: &Path) -> Result<KeptWait, String> {
        let (spec, file) = SpecFile::open(path).map_err(|error| error.problem)?;
        let found = spec.found_at.iter();
        let mut notices: Vec<String> = found.map(|at| format!("found a call at {at}")).collect();
        let warnings = spec.server.iter().flat_map(mcp::entry_warnings);
        notices.extend(warnings.map(|warning| format!("server: {warning}")));
        let mut call = Value::Object(spec.wait.clone());
        let entry = spec_entry(&spec, path);
        if let Some(entry) = entry.map_err(|problem| format!("server: {problem}"))? {
            let name = self.bring(entry);
            name_server(&mut call, &name);
        }
        let rounds = spec.rounds;
        let saved = spec.found_at.is_none().then(|| Box::new((file, spec)));
        Ok(KeptWait {
            call,
            rounds,
            saved,
            notices,
        })
    }
}

fn name_server(call: &mut Value, name: &str) {
    if let Some(probe) = call.get_mut("probe").and_then(Value::as_object_mut) {
        probe.insert("server".to_owned(), name.into());
    }
}
