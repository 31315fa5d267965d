//! Which servers there are: `mcpServers` files, flags, and the demo.
//!
//! Owns what a configuration file means and which of two servers with one name wins. Must not know
//! where the files lie or read them: it is handed their text. Nothing is expanded here; `${VAR}`
//! stays until the server is used.

mod entry_value;
mod file;
mod flags;
mod programs;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use serde_json::Value;

use self::entry_value::EntryFault;
use self::file::{FileFault, ParsedFile, RawEntry, Section};
use super::entry::{DEMO, Reach, ServerEntry, Source};

pub use entry_value::{entry_warnings, parse_entry};
pub use flags::{
    from_stdio_flag, from_typed_line, from_url_flag, parse_env_flag, parse_header_flag,
};
pub use programs::{Surroundings, parse_program_file};

/// A server beside whether its entry says `disabled: true`.
pub type EntryState = (ServerEntry, bool);

/// Every server that was configured, and what was wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configured {
    /// The most specific source first, then in the file's order; the demo last.
    pub servers: Vec<Listed>,
    /// What could not be read, and what was left out.
    pub problems: Vec<ConfigProblem>,
    /// The same of other programs' files.
    pub elsewhere: Vec<ConfigProblem>,
}

impl Configured {
    /// Adds a server that was typed on the screen, and answers the name that it goes by: one that
    /// nobody else has. One that is reached in the same way as another that was given by hand is
    /// that one.
    pub fn add(&mut self, mut entry: ServerEntry) -> String {
        let by_hand = |source: &Source| matches!(source, Source::CommandLine | Source::Added);
        let same =
            |listed: &&Listed| by_hand(&listed.entry.source) && listed.entry.reach == entry.reach;
        if let Some(listed) = self.servers.iter().find(same) {
            return listed.entry.name.clone();
        }
        let taken = self.servers.iter().map(|listed| listed.entry.name.clone());
        entry.name = distinct_name(entry.name, &taken.collect());
        let name = entry.name.clone();
        let listed = Listed {
            entry,
            shadowed: false,
            disabled: false,
        };
        self.servers.insert(0, listed);
        name
    }

    /// Adds the server of a spec, and answers the name that it goes by: one that nobody else has, so
    /// that whoever means another server by that name still gets that one.
    pub fn bring(&mut self, mut entry: ServerEntry, in_use: &HashSet<String>) -> String {
        let same = |listed: &&Listed| {
            let own = &listed.entry;
            own.source == entry.source && own.reach == entry.reach && !listed.shadowed
        };
        if let Some(listed) = self.servers.iter().find(same) {
            return listed.entry.name.clone();
        }
        let (source, used) = (entry.source.clone(), in_use.clone());
        self.servers
            .retain(|listed| listed.entry.source != source || used.contains(&listed.entry.name));
        let names = self.servers.iter().map(|listed| &listed.entry.name);
        let taken = in_use.iter().chain(names).cloned().collect();
        entry.name = distinct_name(entry.name, &taken);
        let name = entry.name.clone();
        let before = self.servers.drain(..);
        let before = before.filter(|listed| listed.entry.source != Source::BuiltIn);
        let before = before.map(|listed| (listed.entry, listed.disabled));
        let all: Vec<EntryState> = std::iter::once((entry, false)).chain(before).collect();
        *self = Self {
            elsewhere: std::mem::take(&mut self.elsewhere),
            ..assemble(all, std::mem::take(&mut self.problems))
        };
        name
    }

    /// Takes the servers of other programs' files in place of those that were found before. One that
    /// is in use stays what it is, whatever its file says by now.
    pub fn discovered(
        &mut self,
        entries: Vec<EntryState>,
        problems: Vec<ConfigProblem>,
        in_use: &HashSet<String>,
    ) {
        let kept = self
            .servers
            .drain(..)
            .filter(|listed| match listed.entry.source {
                Source::Program { .. } => !listed.shadowed && in_use.contains(&listed.entry.name),
                Source::BuiltIn => false,
                _ => true,
            });
        let mut all: Vec<EntryState> = kept.map(|listed| (listed.entry, listed.disabled)).collect();
        let is_kept = |new: &ServerEntry, all: &[EntryState]| {
            let same = |(own, _): &EntryState| own.name == new.name && own.source == new.source;
            all.iter().any(same)
        };
        let mut new = entries;
        new.retain(|(entry, _)| !is_kept(entry, &all));
        all.extend(new);
        *self = Self {
            elsewhere: problems,
            ..assemble(all, std::mem::take(&mut self.problems))
        };
    }
}

/// A server on the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The server.
    pub entry: ServerEntry,
    /// Whether a more specific one has its name, so that this one can't be reached.
    pub shadowed: bool,
    /// Whether its entry says `disabled: true`. It shadows all the same: that is how a project
    /// turns a server of the user's off.
    pub disabled: bool,
}

/// Something wrong with a configuration file. Good entries of the file are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
    /// The server whose entry it is.
    pub server: Option<String>,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
        }
        if let Some(server) = &self.server {
            write!(out, ": server `{server}`")?;
        }
        write!(out, ": {}", self.message)
    }
}

/// A configuration file whose text the caller has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// Where it lies, for messages.
    pub path: PathBuf,
    /// The source its servers are labelled with.
    pub source: Source,
    /// Its text: JSON, with comments and trailing commas.
    pub text: String,
}

/// The demo server's entry.
#[must_use]
pub fn demo_entry() -> ServerEntry {
    ServerEntry {
        name: DEMO.to_owned(),
        source: Source::BuiltIn,
        reach: Reach::Demo,
        connect_timeout: None,
    }
}

/// Reads the servers of one file. Only `mcpServers` is looked at; in TOML, AURA's `mcp.servers` and
/// Codex's `mcp_servers`. Each bad entry is a problem with its line and never hides a good one; a
/// file that can't be read is one problem. Where one file names a server twice, the last counts, as
/// in other programs.
#[must_use]
pub fn parse_file(file: &ConfigFile) -> (Vec<EntryState>, Vec<ConfigProblem>) {
    let mut reader = FileReader::new(file);
    if file.path.extension().is_some_and(|ending| ending == "toml") {
        programs::read_toml(&mut reader);
    } else if let Some(parsed) = reader.parsed(ParsedFile::json) {
        match reader.section(&parsed, &["mcpServers"]) {
            Some(Section::Entries(entries)) => {
                reader.read(&entries, &|value| Ok(value.clone()));
            }
            Some(Section::Absent) => {
                let message = "there is no `mcpServers` in this file, so it adds no server";
                reader.problem(None, None, message.to_owned());
            }
            Some(Section::Nothing) | None => {}
        }
    }
    reader.found()
}

/// Puts the servers of all sources together: added here, command line, spec, `--mcp-config`,
/// project, user, other programs, and the demo last. Of two with one name the more specific wins, and of two from equal sources
/// the one handed in first, such as the first of several `--mcp-config`; the other is shadowed.
/// Servers from the command line are named by us, so they are given distinct names instead.
/// `demo` always names the demo.
#[must_use]
pub fn assemble(entries: Vec<EntryState>, problems: Vec<ConfigProblem>) -> Configured {
    let mut entries = entries;
    entries.sort_by_key(|(entry, _)| specificity(&entry.source));
    let mut taken = HashSet::from([DEMO.to_owned()]);
    let mut servers = Vec::with_capacity(entries.len() + 1);
    for (mut entry, disabled) in entries {
        if entry.source == Source::CommandLine {
            entry.name = distinct_name(entry.name, &taken);
        }
        let shadowed = !taken.insert(entry.name.clone());
        servers.push(Listed {
            entry,
            shadowed,
            disabled,
        });
    }
    servers.push(Listed {
        entry: demo_entry(),
        shadowed: false,
        disabled: false,
    });
    Configured {
        servers,
        problems,
        elsewhere: Vec::new(),
    }
}

/// The smaller, the more specific.
fn specificity(source: &Source) -> u8 {
    match source {
        Source::CommandLine | Source::Added => 0,
        Source::Spec(_) => 1,
        Source::ConfigFlag(_) => 2,
        Source::Project(_) => 3,
        Source::User(_) => 4,
        Source::Program { .. } => 5,
        Source::BuiltIn => 6,
    }
}

/// `name`, or `name-2` and so on where it is taken.
fn distinct_name(name: String, taken: &HashSet<String>) -> String {
    if !taken.contains(&name) {
        return name;
    }
    (2_usize..)
        .map(|number| format!("{name}-{number}"))
        .find(|candidate| !taken.contains(candidate))
        .unwrap_or(name)
}

/// Reads one file, collecting entries and problems as it goes.
struct FileReader<'a> {
    file: &'a ConfigFile,
    entries: Vec<EntryState>,
    problems: Vec<ConfigProblem>,
}

impl<'a> FileReader<'a> {
    fn new(file: &'a ConfigFile) -> Self {
        Self {
            file,
            entries: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The file, where its syntax is sound.
    fn parsed(
        &mut self,
        parse: impl FnOnce(&'a str) -> Result<ParsedFile<'a>, FileFault>,
    ) -> Option<ParsedFile<'a>> {
        let parsed = parse(self.file.text.trim_start_matches('\u{feff}'));
        self.or_problem(parsed)
    }

    /// The table at `path`, where it can be read.
    fn section(&mut self, parsed: &ParsedFile<'_>, path: &[&str]) -> Option<Section> {
        self.or_problem(parsed.section(path))
    }

    fn or_problem<T>(&mut self, read: Result<T, FileFault>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(fault) => {
                self.problem(fault.line, None, fault.message);
                None
            }
        }
    }

    /// Reads entries, each brought into the common form first.
    fn read(&mut self, entries: &[RawEntry], common: &dyn Fn(&Value) -> Result<Value, EntryFault>) {
        for (index, entry) in entries.iter().enumerate() {
            let mut later = entries[index + 1..].iter();
            if let Some(later) = later.find(|later| later.name == entry.name) {
                let message = format!(
                    "the name is used again on line {}, and that entry counts; rename one of them",
                    later.line
                );
                self.problem(Some(entry.line), Some(&entry.name), message);
            } else {
                self.read_entry(entry, common);
            }
        }
    }

    fn read_entry(&mut self, raw: &RawEntry, common: &dyn Fn(&Value) -> Result<Value, EntryFault>) {
        let name = Some(raw.name.as_str());
        let value = match &raw.value {
            Ok(value) => value,
            Err(message) => return self.problem(Some(raw.line), name, message.clone()),
        };
        let entry = common(value)
            .and_then(|common| entry_value::read(&raw.name, &common, self.file.source.clone()));
        match entry {
            Ok(entry) => {
                for message in entry_warnings(value) {
                    self.problem(Some(raw.line), name, message);
                }
                self.entries.push(entry);
            }
            Err(fault) => {
                self.problem(Some(raw.line_of(fault.field)), name, fault.message);
            }
        }
    }

    fn problem(&mut self, line: Option<usize>, server: Option<&str>, message: String) {
        self.problems.push(ConfigProblem {
            path: self.file.path.clone(),
            line,
            server: server.map(str::to_owned),
            message,
        });
    }

    fn found(self) -> (Vec<EntryState>, Vec<ConfigProblem>) {
        (self.entries, self.problems)
    }
}
