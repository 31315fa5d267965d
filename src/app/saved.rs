//! Saved waits with their servers: opening one, and saving one so that it can be opened elsewhere.
//!
//! Owns what becomes of a spec's `server`. Must not know how a file is written.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Servers;
use super::secrets::Secrets;
use crate::mcp::{self, ServerEntry, Source};
use crate::store::{
    Folders, Over, SCHEMA_FILE, SaveError, Spec, SpecFile, SpecPlace, Specs, write_schema,
};

/// The name of a spec's own server where the call doesn't name one.
const SPEC_SERVER: &str = "spec";

/// Whether a server's entry belongs into a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryOffer {
    /// No: whoever opens the spec has the server already.
    Needless,
    /// It may: the server is configured for this user alone.
    Possible {
        /// Whether the spec is of no use to others without it.
        advised: bool,
        /// The variables that stand in the place of its secrets.
        variables: Vec<String>,
        /// What would be put in, in one line.
        reach: String,
    },
}

/// What saving would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveLook {
    /// Where it would be written, or what is missing.
    pub path: Result<PathBuf, String>,
    /// Whether a file is there already.
    pub exists: bool,
    /// Whether the server's entry could be put in.
    pub entry: EntryOffer,
}

/// What is to be saved, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveRequest {
    /// The spec. A `server` that it has stays, if there is to be one.
    pub spec: Spec,
    /// Where.
    pub place: SpecPlace,
    /// Whose tool it calls.
    pub server: String,
    /// Whether the server's entry is put in, as the operator says; else what the spec brings along
    /// stays, and one that brings none gets it where that is advised.
    pub with_entry: Option<bool>,
    /// What it was read from, or last written to: that file is written over as long as nobody else
    /// has changed it.
    pub known: Option<SpecFile>,
    /// Whether whatever is there may be written over.
    pub over_anything: bool,
}

/// What was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedSpec {
    /// The file as it was written.
    pub file: SpecFile,
    /// The spec as it is in it.
    pub spec: Spec,
    /// Variables that stand in it for secrets, to be set before it is run elsewhere.
    pub variables: Vec<String>,
}

impl Servers {
    /// What saving a wait on `server` under `name` in `place` would do.
    #[must_use]
    pub fn look_at_saving(&self, server: &str, place: &SpecPlace, name: &str) -> SaveLook {
        let mut in_library = *place == SpecPlace::Library;
        let path = specs().and_then(|(specs, home)| {
            let path = specs.path_in(place, name, &home)?;
            in_library = path.parent() == Some(specs.folder());
            Ok(path)
        });
        let exists = path
            .as_ref()
            .is_ok_and(|path| path.symlink_metadata().is_ok());
        SaveLook {
            path,
            exists,
            entry: self.entry_offer(server, in_library),
        }
    }

    fn entry_offer(&self, server: &str, in_library: bool) -> EntryOffer {
        let Some(entry) = self.entry_of(server) else {
            return EntryOffer::Needless;
        };
        let advised = match entry.source {
            Source::BuiltIn | Source::Project(_) => return EntryOffer::Needless,
            Source::User(_) | Source::Program { .. } => !in_library,
            Source::CommandLine | Source::Added | Source::Spec(_) | Source::ConfigFlag(_) => true,
        };
        let mut secrets = Secrets::default();
        let written = secrets.entry(&entry).unwrap_or_default();
        let written = mcp::parse_entry(server, &written, Source::Added).unwrap_or(entry);
        EntryOffer::Possible {
            advised,
            variables: secrets.variables,
            reach: mcp::redacted(&written),
        }
    }

    /// Saves a spec. A server of it that the operator uses already is approved for that file.
    ///
    /// # Errors
    /// Where something is there that may not be written over, or it can't be written.
    pub fn save_spec(&self, request: SaveRequest) -> Result<SavedSpec, SaveError> {
        let failed = |problem: String| SaveError::Failed {
            path: PathBuf::from("the wait"),
            problem,
        };
        let (specs, home) = specs().map_err(failed)?;
        let mut spec = request.spec;
        let name = spec.name.clone().unwrap_or_default();
        let path = specs.path_in(&request.place, &name, &home);
        let path = path.map_err(failed)?;
        let mut secrets = Secrets::default();
        let entry = self.entry_of(&request.server);
        let in_library = path.parent() == Some(specs.folder());
        let wanted = request.with_entry.unwrap_or_else(|| {
            let offer = self.entry_offer(&request.server, in_library);
            spec.server.is_some() || matches!(offer, EntryOffer::Possible { advised: true, .. })
        });
        match &entry {
            _ if !wanted => spec.server = None,
            Some(entry) if spec.server.is_none() => spec.server = secrets.entry(entry),
            _ => {}
        }
        spec.schema = schema_for(&path, specs.folder(), spec.schema);
        let known = request.known.filter(|known| is_same(&known.path, &path));
        let over = match &known {
            _ if request.over_anything => Over::Anything,
            Some(known) => Over::Known(known),
            None => Over::Nothing,
        };
        let file = SpecFile::save(&spec, &path, over)?;
        if entry.is_some_and(|entry| wanted && self.is_approved_for_good(&entry)) {
            self.approve_spec(&spec, &path);
        }
        Ok(SavedSpec {
            file,
            spec,
            variables: secrets.variables,
        })
    }

    fn approve_spec(&self, spec: &Spec, path: &Path) {
        let Ok(Some(own)) = spec_entry(spec, path) else {
            return;
        };
        if let Err(error) = self.approve_own(&own) {
            tracing::warn!(%error, "an approval is not remembered");
        }
    }
}

/// The saved waits of this user, and their home folder.
fn specs() -> Result<(Specs, PathBuf), String> {
    let folders = Folders::of_user()?;
    Ok((Specs::new(folders.library()), folders.home))
}

/// The server that a spec brings along.
///
/// # Errors
/// A sentence, for an entry that can't be used.
pub fn spec_entry(spec: &Spec, path: &Path) -> Result<Option<ServerEntry>, String> {
    let Some(server) = &spec.server else {
        return Ok(None);
    };
    let probe = spec.wait.get("probe");
    let named = probe
        .and_then(|probe| probe.get("server"))
        .and_then(Value::as_str);
    let name = named.unwrap_or(SPEC_SERVER);
    mcp::parse_entry(name, server, Source::Spec(path.to_owned())).map(Some)
}

/// Where a spec's schema is for editors: beside it, if it is there, as it is in the library; else
/// where the spec itself says.
fn schema_for(path: &Path, library: &Path, own: Option<String>) -> Option<String> {
    let beside = path.with_file_name(SCHEMA_FILE);
    if path.parent() == Some(library)
        && let Err(error) = write_schema(&beside)
    {
        tracing::warn!(%error, "the schema of saved waits is not written");
    }
    let reference = format!("./{SCHEMA_FILE}");
    if beside.exists() {
        Some(reference)
    } else {
        own.filter(|own| *own != reference)
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
