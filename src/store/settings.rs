//! `config.toml`: what the operator set, as data.
//!
//! Owns the file's form, its sections, and the line of everything in it. Must not know what a setting
//! means: each room reads its own section.

use std::io;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::files::unreadable;

/// The sections that some room reads.
const SECTIONS: &[&str] = &["keys", "screen", "servers"];
/// The settings that are in no section.
const ALONE: &[&str] = &["record"];

/// The settings of one file. Without the file, nothing is set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    path: PathBuf,
    sections: Vec<(String, Vec<Setting>)>,
    alone: Vec<Setting>,
    problems: Vec<String>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Where it stands, from 1.
    pub line: usize,
    /// What it is set to.
    pub value: SettingValue,
}

/// What something is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingValue {
    /// A string.
    Text(String),
    /// An array of strings.
    Texts(Vec<String>),
    /// `true` or `false`.
    Flag(bool),
    /// Anything else; nothing takes it.
    Other,
}

impl Settings {
    /// Reads the file at `path`, which need not exist.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => Self {
                path: path.to_owned(),
                problems: vec![format!("{}: {}", path.display(), unreadable(&error))],
                ..Self::default()
            },
        }
    }

    /// The settings in `text`, which came from `path`. Where it isn't TOML, nothing is set, and that
    /// is a problem.
    #[must_use]
    pub fn parse(text: &str, path: &Path) -> Self {
        let mut settings = Self {
            path: path.to_owned(),
            ..Self::default()
        };
        let table = match DeTable::parse(text) {
            Ok(table) => table,
            Err(error) => {
                let line = error.span().map_or(1, |span| line_of(text, span.start));
                let message = error.message().replace('\n', ", ");
                let problem = settings.problem(line, &format!("it is not TOML: {message}"));
                settings.problems.push(problem);
                return settings;
            }
        };
        let mut sections: Vec<_> = table.get_ref().iter().collect();
        sections.sort_by_key(|(name, _)| name.span().start);
        for (name, value) in sections {
            let line = line_of(text, name.span().start);
            match (name.get_ref().as_ref(), value.get_ref().as_table()) {
                (name, Some(table)) if SECTIONS.contains(&name) => {
                    settings
                        .sections
                        .push((name.to_owned(), settings_of(table, text)));
                }
                (name, None) if ALONE.contains(&name) => settings.alone.push(Setting {
                    name: name.to_owned(),
                    line,
                    value: value_of(value.get_ref()),
                }),
                (name, section) => {
                    let what = if section.is_some() {
                        "section"
                    } else {
                        "setting"
                    };
                    let known = SECTIONS.join(", ");
                    let alone = ALONE.join(", ");
                    let message = format!(
                        "there is no {what} {name:?}; the sections are {known}, and before them \
                         stands {alone}"
                    );
                    let problem = settings.problem(line, &message);
                    settings.problems.push(problem);
                }
            }
        }
        settings
    }

    /// What a section sets, in the file's order.
    #[must_use]
    pub fn section(&self, name: &str) -> &[Setting] {
        let section = self.sections.iter().find(|(own, _)| own == name);
        section.map_or(&[], |(_, settings)| settings)
    }

    /// What is set before all sections, in the file's order.
    #[must_use]
    pub fn alone(&self) -> &[Setting] {
        &self.alone
    }

    /// What is wrong with the file itself, a sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// A sentence about a line of the file.
    #[must_use]
    pub fn problem(&self, line: usize, message: &str) -> String {
        format!("{}:{line}: {message}", self.path.display())
    }
}

fn settings_of(table: &DeTable<'_>, text: &str) -> Vec<Setting> {
    let mut settings: Vec<Setting> = table
        .iter()
        .map(|(name, value)| Setting {
            name: name.get_ref().clone().into_owned(),
            line: line_of(text, name.span().start),
            value: value_of(value.get_ref()),
        })
        .collect();
    settings.sort_by_key(|setting| setting.line);
    settings
}

fn value_of(value: &DeValue<'_>) -> SettingValue {
    match value {
        DeValue::String(text) => SettingValue::Text(text.clone().into_owned()),
        DeValue::Boolean(flag) => SettingValue::Flag(*flag),
        DeValue::Array(items) => {
            let texts = items.iter().map(|item| item.get_ref().as_str());
            let texts: Option<Vec<String>> = texts.map(|text| text.map(str::to_owned)).collect();
            texts.map_or(SettingValue::Other, SettingValue::Texts)
        }
        _ => SettingValue::Other,
    }
}

fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Settings {
        Settings::parse(text, Path::new("config.toml"))
    }

    #[test]
    fn c3_a_setting_knows_its_line() {
        let settings = parse(
            "# mine\n[keys]\nhold = \"space\"\nrun = [\"r\",\n  \"ctrl-r\"]\n[screen]\nbell = false\n",
        );
        assert_eq!(settings.problems(), [""; 0]);
        let lines = |section| -> Vec<(String, usize)> {
            let settings = settings.section(section).iter();
            settings.map(|own| (own.name.clone(), own.line)).collect()
        };
        assert_eq!(
            lines("keys"),
            [("hold".to_owned(), 3), ("run".to_owned(), 4)]
        );
        assert_eq!(lines("screen"), [("bell".to_owned(), 7)]);
        assert!(settings.section("servers").is_empty());
        let texts = SettingValue::Texts(vec!["r".to_owned(), "ctrl-r".to_owned()]);
        assert_eq!(settings.section("keys")[1].value, texts);
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line_and_sets_nothing() {
        let settings = parse("[keys]\nrun = \"r\"\nhold = \n");
        assert!(settings.section("keys").is_empty());
        let [problem] = settings.problems() else {
            unreachable!("one problem")
        };
        assert!(
            problem.starts_with("config.toml:3: it is not TOML: "),
            "{problem}"
        );
        let twice = parse("[keys]\nrun = \"r\"\nrun = \"x\"\n");
        assert!(
            twice.problems()[0].starts_with("config.toml:3: "),
            "{twice:?}"
        );
    }

    #[test]
    fn c4_an_unknown_section_is_told_and_the_others_are_read() {
        let settings = parse("colour = true\n[keyz]\nrun = \"r\"\n[screen]\nbell = false\n");
        let expected = [
            "config.toml:1: there is no setting \"colour\"; the sections are keys, screen, servers, \
             and before them stands record",
            "config.toml:2: there is no section \"keyz\"; the sections are keys, screen, servers, \
             and before them stands record",
        ];
        assert_eq!(settings.problems(), expected);
        assert_eq!(settings.section("screen").len(), 1);
    }

    #[test]
    fn without_a_file_nothing_is_set() {
        assert_eq!(
            Settings::read(Path::new("/no/such/file")),
            Settings::default()
        );
    }
}
