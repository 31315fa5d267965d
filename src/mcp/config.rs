//! Which servers there are: `mcpServers` files, flags, and the demo.
//!
//! Owns what a configuration file means and which of two servers with one name wins. Must not know
//! where the files lie or read them: it is handed their text. Nothing is expanded here; `${VAR}`
//! stays until the server is used.

mod entry_value;
mod flags;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use jsonc_parser::ast::{Object, ObjectProp, Value as Syntax};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast, parse_to_serde_value};

use super::entry::{DEMO, Reach, ServerEntry, Source};

pub use entry_value::{entry_warnings, parse_entry};
pub use flags::{from_stdio_flag, from_url_flag, parse_env_flag, parse_header_flag};

/// A server beside whether its entry says `disabled: true`.
pub type EntryState = (ServerEntry, bool);

/// Every server that was configured, and what was wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Configured {
    /// The most specific source first, then in the file's order; the demo last.
    pub servers: Vec<Listed>,
    /// What could not be read, and what was left out.
    pub problems: Vec<ConfigProblem>,
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

/// Reads the servers of one file. Only `mcpServers` is looked at. Each bad entry is a problem with
/// its line and never hides a good one; a file that is no JSON is one problem. Where one file
/// names a server twice, the last counts, as in other programs.
#[must_use]
pub fn parse_file(file: &ConfigFile) -> (Vec<EntryState>, Vec<ConfigProblem>) {
    let text = file.text.trim_start_matches('\u{feff}');
    let mut reader = FileReader {
        file,
        text,
        entries: Vec::new(),
        problems: Vec::new(),
    };
    match parse_to_ast(text, &CollectOptions::default(), &syntax()) {
        Ok(parsed) => reader.read_file(parsed.value.as_ref()),
        Err(error) => {
            let message = format!(
                "this is not valid JSON: {} (column {})",
                lower_first(&error.kind().to_string()),
                error.column_display()
            );
            reader.problem(Some(error.line_display()), None, message);
        }
    }
    (reader.entries, reader.problems)
}

/// Puts the servers of all sources together: command line, spec, `--mcp-config`, project, user,
/// and the demo last. Of two with one name the more specific wins, and of two from equal sources
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
    Configured { servers, problems }
}

/// The smaller, the more specific.
fn specificity(source: &Source) -> u8 {
    match source {
        Source::CommandLine => 0,
        Source::Spec(_) => 1,
        Source::ConfigFlag(_) => 2,
        Source::Project(_) => 3,
        Source::User(_) => 4,
        Source::BuiltIn => 5,
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

/// JSON with comments and trailing commas, and nothing else of JSON5.
fn syntax() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Reads one file, collecting entries and problems as it goes.
struct FileReader<'a> {
    file: &'a ConfigFile,
    /// The file's text without a byte order mark; syntax ranges are offsets into it.
    text: &'a str,
    entries: Vec<EntryState>,
    problems: Vec<ConfigProblem>,
}

impl FileReader<'_> {
    fn read_file(&mut self, root: Option<&Syntax<'_>>) {
        // An empty file configures nothing, and that is no fault.
        let Some(root) = root else { return };
        let Some(object) = root.as_object() else {
            let message = "this must be a JSON object with `mcpServers` in it".to_owned();
            return self.problem(Some(self.line(root)), None, message);
        };
        match object.get("mcpServers").map(|property| &property.value) {
            Some(Syntax::Object(servers)) => self.read_servers(servers),
            Some(Syntax::NullKeyword(_)) => {}
            Some(other) => {
                let message =
                    "`mcpServers` must be an object that maps names to servers".to_owned();
                self.problem(Some(self.line(other)), None, message);
            }
            None if object.properties.is_empty() => {}
            None => {
                let message =
                    "there is no `mcpServers` in this file, so it adds no server".to_owned();
                self.problem(None, None, message);
            }
        }
    }

    fn read_servers(&mut self, servers: &Object<'_>) {
        for (index, property) in servers.properties.iter().enumerate() {
            let name = property.name.as_str();
            let later = servers.properties[index + 1..]
                .iter()
                .find(|other| other.name.as_str() == name);
            if let Some(later) = later {
                let message = format!(
                    "the name is used again on line {}, and that entry counts; rename one of them",
                    self.line(later)
                );
                self.problem(Some(self.line(property)), Some(name), message);
            } else {
                self.read_server(name, property);
            }
        }
    }

    fn read_server(&mut self, name: &str, property: &ObjectProp<'_>) {
        let line = self.line(property);
        let range = property.value.range();
        let value = match parse_to_serde_value(&self.text[range.start..range.end], &syntax()) {
            Ok(value) => value,
            Err(error) => return self.problem(Some(line), Some(name), error.kind().to_string()),
        };
        match entry_value::read(name, &value, self.file.source.clone()) {
            Ok(entry) => {
                for message in entry_warnings(&value) {
                    self.problem(Some(line), Some(name), message);
                }
                self.entries.push(entry);
            }
            Err(fault) => {
                let field = fault
                    .field
                    .and_then(|field| property.value.as_object()?.get(field))
                    .map_or(line, |field| self.line(field));
                self.problem(Some(field), Some(name), fault.message);
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

    /// The line on which something starts, from 1.
    fn line(&self, node: &impl Ranged) -> usize {
        let before = &self.text[..node.range().start];
        before.matches('\n').count() + 1
    }
}

fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
