//! The servers in other programs' files, brought into the common form.
//!
//! Owns what each program calls its fields, and in which tables its servers are. Must not know
//! where the files lie. A field that only the other program cares about is left alone.

mod forms;
mod spelling;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde_json::Value;

use self::spelling::Spelling;
use super::entry_value::EntryFault;
use super::file::{ParsedFile, RawEntry, Section};
use super::{ConfigFile, ConfigProblem, EntryState, FileReader};
use crate::mcp::entry::Program;

/// Where the operator is: other programs' files speak of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surroundings {
    /// The home folder.
    pub home: PathBuf,
    /// The current folder, absolute.
    pub folder: PathBuf,
}

/// Reads the servers of one of `program`'s files. Only its known tables are looked at, and a file
/// without them has no server, which is no problem. Each bad entry is a problem with its line.
#[must_use]
pub fn parse_program_file(
    program: Program,
    file: &ConfigFile,
    around: &Surroundings,
) -> (Vec<EntryState>, Vec<ConfigProblem>) {
    let mut reader = FileReader::new(file);
    let parse = match program {
        Program::Codex | Program::Aura => ParsedFile::toml,
        _ => ParsedFile::json,
    };
    if let Some(parsed) = reader.parsed(parse) {
        let spelling = spelling(program, around);
        for entries in tables(program, &mut reader, &parsed, around) {
            reader.read(&entries, &|value| common_form(program, spelling, value));
        }
    }
    reader.found()
}

/// Reads a TOML file that somebody named: AURA's or Codex's, whichever it is.
pub(super) fn read_toml(reader: &mut FileReader<'_>) {
    let Some(parsed) = reader.parsed(ParsedFile::toml) else {
        return;
    };
    let kinds = [
        (Program::Aura, &["mcp", "servers"][..], Spelling::Template),
        (Program::Codex, &["mcp_servers"], Spelling::Literal),
    ];
    let mut holds_none = true;
    for (program, path, spelling) in kinds {
        match reader.section(&parsed, path) {
            Some(Section::Entries(entries)) => {
                holds_none = false;
                reader.read(&entries, &|value| common_form(program, spelling, value));
            }
            Some(Section::Absent | Section::Nothing) => {}
            None => holds_none = false,
        }
    }
    if holds_none {
        let message = "there is no `[mcp.servers.NAME]` or `[mcp_servers.NAME]` in this file, \
                       so it adds no server";
        reader.problem(None, None, message.to_owned());
    }
}

/// The tables of a file that hold servers, the most specific first.
fn tables(
    program: Program,
    reader: &mut FileReader<'_>,
    parsed: &ParsedFile<'_>,
    around: &Surroundings,
) -> Vec<Vec<RawEntry>> {
    let folder = around.folder.to_string_lossy();
    let paths: &[&[&str]] = match program {
        Program::ClaudeCode => &[&["projects", &folder, "mcpServers"], &["mcpServers"]],
        Program::Aura => &[&["mcp", "servers"]],
        other => &[&[other.section()]],
    };
    let mut tables = Vec::new();
    for path in paths {
        if let Some(Section::Entries(entries)) = reader.section(parsed, path) {
            tables.push(entries);
        }
    }
    if program == Program::Opencode
        && let Some(inner) = inner_table(reader, parsed, &tables)
    {
        return vec![inner];
    }
    tables
}

/// Newer files of opencode's have the servers one table deeper, in `mcp.servers`.
fn inner_table(
    reader: &mut FileReader<'_>,
    parsed: &ParsedFile<'_>,
    tables: &[Vec<RawEntry>],
) -> Option<Vec<RawEntry>> {
    let servers = tables
        .iter()
        .flatten()
        .find(|entry| entry.name == "servers")?;
    let fields = servers.value.as_ref().ok()?.as_object()?;
    let is_table = fields.values().all(Value::is_object);
    match is_table.then(|| reader.section(parsed, &["mcp", "servers"]))? {
        Some(Section::Entries(entries)) => Some(entries),
        _ => None,
    }
}

fn spelling(program: Program, around: &Surroundings) -> Spelling<'_> {
    match program {
        Program::ClaudeCode => Spelling::Ours,
        Program::ClaudeDesktop | Program::Zed | Program::Codex => Spelling::Literal,
        Program::Cursor | Program::VsCode | Program::Windsurf => Spelling::Editor(around),
        Program::Gemini => Spelling::Dollar,
        Program::Opencode => Spelling::Braces,
        Program::Aura => Spelling::Template,
    }
}

/// An entry in the common form, its variables in our spelling.
fn common_form(
    program: Program,
    spelling: Spelling<'_>,
    value: &Value,
) -> Result<Value, EntryFault> {
    match spelling.respell(value) {
        Value::Object(fields) => forms::common(program, fields).map(Value::Object),
        other => Ok(other),
    }
}
