//! The entries of a configuration file as they stand there, with their lines: JSON with comments,
//! or TOML.
//!
//! Owns the two syntaxes. Must not know what an entry means.

mod json;
mod toml;

use serde_json::Value;

/// A named table of a file, such as `mcpServers`.
pub(super) enum Section {
    /// There is none, and nothing else is there either.
    Nothing,
    /// There is none, but the file holds something else.
    Absent,
    /// Its entries, in the file's order.
    Entries(Vec<RawEntry>),
}

/// An entry as it stands in a file.
pub(super) struct RawEntry {
    pub(super) name: String,
    /// The line of its name, from 1.
    pub(super) line: usize,
    /// Its fields, each with its line.
    pub(super) fields: Vec<(String, usize)>,
    /// What it is, or why it can't be read.
    pub(super) value: Result<Value, String>,
}

impl RawEntry {
    /// The line of a field, or of the entry.
    pub(super) fn line_of(&self, field: Option<&str>) -> usize {
        let known = |field| self.fields.iter().find(|(name, _)| name == field);
        field.and_then(known).map_or(self.line, |(_, line)| *line)
    }
}

/// What makes a whole file or section unreadable.
pub(super) struct FileFault {
    /// From 1, where it is known.
    pub(super) line: Option<usize>,
    pub(super) message: String,
}

/// A file whose syntax is sound.
pub(super) enum ParsedFile<'a> {
    Json(json::JsonFile<'a>),
    Toml(toml::TomlFile<'a>),
}

impl<'a> ParsedFile<'a> {
    /// Reads JSON with comments and trailing commas.
    pub(super) fn json(text: &'a str) -> Result<Self, FileFault> {
        json::JsonFile::parse(text).map(Self::Json)
    }

    /// Reads TOML.
    pub(super) fn toml(text: &'a str) -> Result<Self, FileFault> {
        toml::TomlFile::parse(text).map(Self::Toml)
    }

    /// The table at `path`.
    pub(super) fn section(&self, path: &[&str]) -> Result<Section, FileFault> {
        match self {
            Self::Json(file) => file.section(path),
            Self::Toml(file) => file.section(path),
        }
    }
}

/// What a table that isn't one is told.
fn no_table(path: &[&str]) -> String {
    format!(
        "`{}` must be an object that maps names to servers",
        path.join(".")
    )
}

/// The line on which byte `offset` of `text` lies, from 1.
fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}
