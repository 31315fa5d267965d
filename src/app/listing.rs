//! Which servers there are, in the words of a list.
//!
//! Owns reading the configuration files and who must be approved. Nothing is started or contacted.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::discover::discover;
use crate::mcp::{
    self, ConfigFile, ConfigProblem, Configured, EntryState, Listed, ServerEntry, Source,
};
use crate::store::{Folders, Trust, fingerprint, unreadable};

/// The project's own list of servers, in the current folder.
const PROJECT_FILE: &str = ".mcp.json";

/// What a front end says about servers.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// Servers of the command line, or of the spec that is run.
    pub given: Vec<ServerEntry>,
    /// Files given by `--mcp-config`; of two entries with one name the first file's wins.
    pub config_files: Vec<PathBuf>,
    /// Whether other programs' files are looked into.
    pub discover: bool,
    /// Whether every server is approved.
    pub trust: bool,
    /// How long connecting may take, before an entry's own `timeout`, the
    /// configuration's `connect_timeout` and the default of 30 s.
    pub connect_timeout: Option<Duration>,
}

/// A server on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRow {
    /// The name it goes by.
    pub name: String,
    /// Where it was configured.
    pub source: String,
    /// Whether the command line gave it: the operator has chosen it already.
    pub given: bool,
    /// How it is reached, in one line; secrets masked.
    pub reach: String,
    /// Whether a more specific one has its name.
    pub shadowed: bool,
    /// Whether its entry turns it off.
    pub disabled: bool,
    /// What the operator must say yes to before it is used, if anything.
    pub approval: Option<Approval>,
}

/// What an operator is asked to approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// What it would start or contact, and the variables it reads.
    pub would_run: String,
    /// The file that says so.
    pub origin: String,
    /// Tells the entry that was shown from what it may become.
    pub fingerprint: String,
}

/// Reads every configuration file that there is.
///
/// # Errors
/// A sentence, where a file that was named can't be used at all.
pub(super) fn read(options: &ServerOptions, folders: &Folders) -> Result<Configured, String> {
    let given = options.given.iter().map(|entry| (entry.clone(), false));
    let mut entries: Vec<_> = given.collect();
    let mut problems = Vec::new();
    for path in &options.config_files {
        let (good, bad) = read_file(path, Source::ConfigFlag(path.clone()), true);
        // A file that somebody names is meant; running without it would be something else.
        if let Some(whole) = bad.iter().find(|problem| problem.server.is_none()) {
            return Err(format!("--mcp-config {whole}"));
        }
        entries.extend(good);
        problems.extend(bad);
    }
    let project = PathBuf::from(PROJECT_FILE);
    let user = folders.servers();
    for (path, source) in [
        (&project, Source::Project(project.clone())),
        (&user, Source::User(user.clone())),
    ] {
        let (good, bad) = read_file(path, source, false);
        entries.extend(good);
        problems.extend(bad);
    }
    let mut configured = mcp::assemble(entries, problems);
    if options.discover {
        let (entries, problems) = discover()?;
        configured.discovered(entries, problems, &HashSet::new());
    }
    Ok(configured)
}

fn read_file(
    path: &Path,
    source: Source,
    must_exist: bool,
) -> (Vec<EntryState>, Vec<ConfigProblem>) {
    match std::fs::read_to_string(path) {
        Ok(text) => mcp::parse_file(&ConfigFile {
            path: path.to_owned(),
            source,
            text,
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {
            (Vec::new(), Vec::new())
        }
        Err(error) => {
            let problem = ConfigProblem {
                path: path.to_owned(),
                line: None,
                server: None,
                message: unreadable(&error),
            };
            (Vec::new(), vec![problem])
        }
    }
}

/// The file that configures `entry`, where that alone doesn't make it trusted.
pub(super) fn origin(entry: &ServerEntry) -> Option<&Path> {
    match &entry.source {
        Source::Project(path)
        | Source::Spec(path)
        | Source::Program {
            path,
            of_project: true,
            ..
        } => Some(path),
        _ => None,
    }
}

/// What must be approved before `entry` is used, if anything.
pub(super) fn approval(entry: &ServerEntry, trust: &Trust) -> Option<Approval> {
    let origin = origin(entry)?;
    let source = mcp::fingerprint_source(entry);
    (!trust.is_approved(origin, &source)).then(|| Approval {
        would_run: mcp::would_run(entry),
        origin: origin.display().to_string(),
        fingerprint: fingerprint(&source),
    })
}

pub(super) fn row(listed: &Listed, approval: Option<Approval>) -> ServerRow {
    ServerRow {
        name: listed.entry.name.clone(),
        source: source_label(&listed.entry.source),
        given: listed.entry.source == Source::CommandLine,
        reach: mcp::redacted(&listed.entry),
        shadowed: listed.shadowed,
        disabled: listed.disabled,
        approval,
    }
}

fn source_label(source: &Source) -> String {
    match source {
        Source::BuiltIn => "built in".to_owned(),
        Source::CommandLine => "command line".to_owned(),
        Source::Added => "added here".to_owned(),
        Source::Spec(path) => format!("spec {}", path.display()),
        Source::ConfigFlag(path) => format!("--mcp-config {}", path.display()),
        Source::Project(path) => format!("project {}", path.display()),
        Source::User(path) => format!("user {}", path.display()),
        Source::Program { program, path, .. } => format!("{} {}", program.name(), path.display()),
    }
}
