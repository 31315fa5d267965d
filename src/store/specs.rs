//! Spec files: those of the library by name, and any by path.
//!
//! Owns where a spec is written and that nobody's work is overwritten. Must not know what is in a
//! spec beyond its name and its call.

pub(super) mod naming;
mod renaming;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::files::{Lock, move_new, unreadable, unwritable, write_new, write_shared};
use super::spec::{Spec, SpecError};
use super::trash::{RestoreError, Trash};
use super::trust::fingerprint;
use crate::text::near_names;
use crate::wait::Call;
use naming::file_name;
use naming::name_in;
pub use naming::name_of;

/// Bytes of a spec file; a larger one is something else.
const LARGEST: u64 = 1024 * 1024;
/// Deleted specs that can be brought back; beyond that the oldest are gone for good.
const MOST_DELETED: usize = 100;

/// A spec file as it was last read or written, to tell whether somebody else has changed it since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFile {
    /// Where it lies.
    pub path: PathBuf,
    sha256: String,
}

/// What a spec may be written over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over<'f> {
    /// Nothing: a file that is there stays.
    Nothing,
    /// That file, if it is as it was then, or gone.
    Known(&'f SpecFile),
    /// Whatever is there.
    Anything,
}

/// Where a spec is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecPlace {
    /// In the library, by its name.
    Library,
    /// In the current folder, by its name.
    Folder,
    /// At a path that was typed: a file, or a folder in which it has its name.
    Path(String),
    /// In that very file.
    File(PathBuf),
    /// Beside that file, by its name.
    Beside(PathBuf),
}

/// Why a spec was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SaveError {
    /// There is a file already.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Somebody else has changed the file since.
    #[error("{} was changed meanwhile by another program", .0.display())]
    Changed(PathBuf),
    /// The file system says no.
    #[error("{}: {problem}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What it says.
        problem: String,
    },
}

impl SpecFile {
    /// Reads a spec, and remembers how it was.
    ///
    /// # Errors
    /// Where it can't be read, or is no spec.
    pub fn open(path: &Path) -> Result<(Spec, Self), SpecError> {
        read(path).map(|(_, spec, file)| (spec, file))
    }

    /// The file at `path` that holds `text`.
    #[must_use]
    pub fn of(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            sha256: fingerprint(text),
        }
    }

    /// Writes `spec` to `path`, whole, and remembers how it is then.
    ///
    /// # Errors
    /// Where something is there that `over` doesn't allow for, or it can't be written.
    pub fn save(spec: &Spec, path: &Path, over: Over<'_>) -> Result<Self, SaveError> {
        let text = spec.to_text();
        let failed = |error: &io::Error| SaveError::Failed {
            path: path.to_owned(),
            problem: unwritable(error),
        };
        let _lock = Lock::beside(path).map_err(|error| failed(&error))?;
        if let Over::Known(known) = over {
            match fs::read(path) {
                Ok(now) if fingerprint(&String::from_utf8_lossy(&now)) == known.sha256 => {}
                Ok(_) => return Err(SaveError::Changed(path.to_owned())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(&error)),
            }
        }
        let written = match over {
            Over::Nothing => write_new(path, &text),
            Over::Known(_) | Over::Anything => write_shared(path, &text),
        };
        match written {
            Ok(()) => Ok(Self::of(path, &text)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(SaveError::Exists(path.to_owned()))
            }
            Err(error) => Err(failed(&error)),
        }
    }
}

/// The specs of the library folder.
#[derive(Debug, Clone)]
pub struct Specs {
    folder: PathBuf,
}

/// A spec of the library.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedSpec {
    /// The file.
    pub path: PathBuf,
    /// What it is called: as it says, or else as its file is.
    pub name: String,
    /// What it is for, where it says.
    pub description: Option<String>,
    /// How many budgets may follow one another, from 1.
    pub rounds: u32,
    /// When it was last changed, where the file system says.
    pub modified: Option<SystemTime>,
    /// Whether it says how its server is reached.
    pub brings_server: bool,
    /// Its call, or why it can't be run.
    pub call: Result<Call, String>,
}

/// A spec that was deleted, to be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedSpec {
    /// Where it lay.
    pub path: PathBuf,
    kept_at: PathBuf,
}

impl Specs {
    /// The specs in `folder`, which need not exist.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Every spec, by name; one that is broken as well, with its sentence.
    ///
    /// # Errors
    /// A sentence, where the folder can't be read.
    pub fn list(&self) -> Result<Vec<ListedSpec>, String> {
        let mut specs: Vec<ListedSpec> = self.files()?.into_iter().filter_map(listed).collect();
        specs.sort_by(|a, b| {
            (a.name.to_lowercase(), &a.path).cmp(&(b.name.to_lowercase(), &b.path))
        });
        Ok(specs)
    }

    /// Where a spec of that name is written.
    #[must_use]
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(file_name(name))
    }

    /// Where a spec of that name is written if it is to be in `place`. A path without an extension
    /// gets that of specs; one that begins with `~/` is in `home`.
    ///
    /// # Errors
    /// A sentence, where a name or a path is missing.
    pub fn path_in(&self, place: &SpecPlace, name: &str, home: &Path) -> Result<PathBuf, String> {
        let named = |folder: &Path| match name {
            "" => Err("a saved wait needs a name".to_owned()),
            name => Ok(folder.join(file_name(name))),
        };
        match place {
            SpecPlace::Library => named(&self.folder),
            SpecPlace::Folder => named(Path::new(".")),
            SpecPlace::File(path) => Ok(path.clone()),
            SpecPlace::Beside(path) => named(path.parent().unwrap_or(Path::new("."))),
            SpecPlace::Path(path) if path.trim().is_empty() => Err("a path is missing".to_owned()),
            SpecPlace::Path(path) => {
                let below_home = path.strip_prefix("~/").map(|rest| home.join(rest));
                let path = below_home.unwrap_or_else(|| PathBuf::from(path));
                if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                    return named(&path);
                }
                let bare = path.extension().is_none();
                Ok(if bare { with_suffix(path) } else { path })
            }
        }
    }

    /// The folder of the library.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that is meant by what an operator gives: a file, if it is one; else the spec of the
    /// library that is called so; else the path, if it has a separator or ends in `.json`.
    ///
    /// # Errors
    /// A sentence, where it is a name that no spec has, or several have.
    pub fn locate(&self, given: &Path) -> Result<PathBuf, String> {
        let is_path = |name: &str| {
            name.is_empty() || name.contains(std::path::is_separator) || name.ends_with(".json")
        };
        match given.to_str().filter(|_| !given.is_file()) {
            Some(name) => match self.find(name) {
                Err(_) if is_path(name) || given.exists() => Ok(given.to_owned()),
                found => found,
            },
            None => Ok(given.to_owned()),
        }
    }

    /// The file of the spec called `name`.
    ///
    /// # Errors
    /// A sentence that tells the near names, or the files that all have it.
    pub fn find(&self, name: &str) -> Result<PathBuf, String> {
        let specs = self.list()?;
        let named: Vec<&ListedSpec> = specs.iter().filter(|spec| spec.name == name).collect();
        let by_file = || {
            specs
                .iter()
                .find(|spec| name_in(&spec.path).as_deref() == Some(name))
        };
        match named[..] {
            [only] => Ok(only.path.clone()),
            [] => by_file()
                .map(|spec| spec.path.clone())
                .ok_or_else(|| missing(name, &specs)),
            _ => {
                let paths = named.iter().map(|spec| spec.path.display().to_string());
                let paths: Vec<String> = paths.collect();
                let paths = paths.join(" and ");
                Err(format!(
                    "several saved waits are called {name:?}; give the path: {paths}"
                ))
            }
        }
    }

    /// Gives a spec another name, and its file as well. Answers where it is then.
    ///
    /// # Errors
    /// A sentence, where another has the name, or it can't be done.
    pub fn rename(&self, path: &Path, name: &str) -> Result<PathBuf, String> {
        if name.trim().is_empty() {
            return Err("a saved wait needs a name".to_owned());
        }
        let failed =
            |path: &Path, error: &io::Error| format!("{}: {}", path.display(), unwritable(error));
        let _lock = Lock::beside(path).map_err(|error| failed(path, &error))?;
        let (text, spec, _) = read(path).map_err(|error| error.to_string())?;
        let text = match spec {
            // Its file is all the name that it has.
            Spec { bare: true, .. }
            | Spec {
                found_at: Some(_),
                name: None,
                ..
            } => None,
            Spec {
                found_at: Some(at), ..
            } => {
                let path = path.display();
                return Err(format!(
                    "{path}: the saved wait at {at} has its name inside a larger text"
                ));
            }
            _ => renaming::with_name(&text, name),
        };
        let new = path.with_file_name(file_name(name));
        let is_same =
            matches!((new.canonicalize(), path.canonicalize()), (Ok(new), Ok(old)) if new == old);
        let renamed = match text {
            Some(text) if is_same => {
                write_shared(path, &text).and_then(|()| fs::rename(path, &new))
            }
            // Moved first, so that it stays the file or the link that it is, with its permissions.
            Some(text) => move_new(path, &new).and_then(|()| {
                write_shared(&new, &text).inspect_err(|_| {
                    let _ = move_new(&new, path);
                })
            }),
            None if is_same => fs::rename(path, &new),
            None => move_new(path, &new),
        };
        match renamed {
            Ok(()) => Ok(new),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(format!(
                "there is another {}; choose another name",
                new.display()
            )),
            Err(error) => Err(failed(&new, &error)),
        }
    }

    /// Moves a spec aside, so that it can be brought back.
    ///
    /// # Errors
    /// A sentence, where it can't be done.
    pub fn delete(&self, path: &Path) -> Result<DeletedSpec, String> {
        let failed = |error: &io::Error| format!("{}: {}", path.display(), unwritable(error));
        let _lock = Lock::beside(path).map_err(|error| failed(&error))?;
        let path = path.to_owned();
        match self.trash().take(&path) {
            Ok(kept_at) => Ok(DeletedSpec { path, kept_at }),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Brings a deleted spec back to where it lay.
    ///
    /// # Errors
    /// Where it is gone for good, another has its place meanwhile, or it can't be done.
    pub fn restore(&self, deleted: &DeletedSpec) -> Result<(), RestoreError> {
        let failed =
            |error: &io::Error| format!("{}: {}", deleted.path.display(), unwritable(error));
        let _lock =
            Lock::beside(&deleted.path).map_err(|error| RestoreError::Failed(failed(&error)))?;
        Trash::give_back(&deleted.kept_at, &deleted.path)
    }

    fn files(&self) -> Result<Vec<PathBuf>, String> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(format!("{}: {}", self.folder.display(), unreadable(&error))),
        };
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        Ok(paths.filter(|path| name_in(path).is_some()).collect())
    }

    fn trash(&self) -> Trash {
        Trash::new(self.folder.with_file_name("deleted"), MOST_DELETED)
    }
}

fn read(path: &Path) -> Result<(String, Spec, SpecFile), SpecError> {
    let text = read_text(path).map_err(|problem| SpecError {
        path: path.to_owned(),
        problem,
    })?;
    let file = SpecFile::of(path, &text);
    Spec::parse(&text, path).map(|spec| (text, spec, file))
}

/// `None` for a file that is gone by now.
fn listed(path: PathBuf) -> Option<ListedSpec> {
    let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
    let of_file = name_in(&path)?;
    let broken = |problem: String| ListedSpec {
        path: path.clone(),
        name: of_file.clone(),
        description: None,
        rounds: 1,
        modified: metadata.modified().ok(),
        brings_server: false,
        call: Err(problem),
    };
    Some(match SpecFile::open(&path) {
        Err(error) => broken(error.problem),
        Ok((spec, _)) => {
            let call = Call::parse(&spec.wait.clone().into());
            let call = call.map_err(|fault| fault.within(spec.call_path()));
            ListedSpec {
                name: spec
                    .name
                    .filter(|name| !name.trim().is_empty())
                    .unwrap_or_else(|| of_file.clone()),
                description: spec.description,
                rounds: spec.rounds,
                brings_server: spec.server.is_some(),
                call,
                ..broken(String::new())
            }
        }
    })
}

fn with_suffix(path: PathBuf) -> PathBuf {
    let mut path = path.into_os_string();
    path.push(naming::SUFFIX);
    path.into()
}

fn read_text(path: &Path) -> Result<String, String> {
    let size = fs::metadata(path).map(|metadata| metadata.len());
    match size {
        Ok(size) if size > LARGEST => Err(format!(
            "it has {size} bytes, and a spec at most {LARGEST}; it must be something else"
        )),
        _ => fs::read_to_string(path).map_err(|error| unreadable(&error)),
    }
}

fn missing(name: &str, specs: &[ListedSpec]) -> String {
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let near = near_names(name, &names, 3);
    let near: Vec<String> = near.iter().map(|name| format!("{name:?}")).collect();
    let way_out = if specs.is_empty() {
        "nothing is saved yet, so give the path of a file".to_owned()
    } else if near.is_empty() {
        "`stakeout list` tells those that there are".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    format!("neither a file nor a saved wait is called {name:?}; {way_out}")
}
