//! The `[servers]` section of the configuration, and what stands before all sections.

use std::time::Duration;

use crate::store::{SettingValue, Settings};
use crate::text::parse_seconds;

/// Whether waits are recorded, and what is wrong with that setting, a sentence each.
pub(super) fn records(settings: &Settings) -> (bool, Vec<String>) {
    let (mut records, mut problems) = (true, Vec::new());
    for setting in settings.alone() {
        match (setting.name.as_str(), &setting.value) {
            ("record", SettingValue::Flag(flag)) => records = *flag,
            (name, _) => {
                let problem = format!("{name} is true or false");
                problems.push(settings.problem(setting.line, &problem));
            }
        }
    }
    (records, problems)
}

/// What is set for every server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ServerSettings {
    /// How long connecting may take where neither a flag nor the server's own entry says.
    pub(super) connect_timeout: Option<Duration>,
}

impl ServerSettings {
    /// The section, and what is wrong with it and with the file itself, a sentence each.
    pub(super) fn read(settings: &Settings) -> (Self, Vec<String>) {
        let mut read = Self::default();
        let mut problems = settings.problems().to_vec();
        for setting in settings.section("servers") {
            let taken = match (setting.name.as_str(), &setting.value) {
                ("connect_timeout", SettingValue::Text(text)) => match parse_seconds(text) {
                    Ok(0) => Err("nothing is done in no time; give at least 1s".to_owned()),
                    Ok(seconds) => {
                        read.connect_timeout = Some(Duration::from_secs(seconds));
                        Ok(())
                    }
                    Err(problem) => Err(problem),
                },
                ("connect_timeout", _) => {
                    Err("connect_timeout is a duration in quotes, such as \"30s\"".to_owned())
                }
                (name, _) => Err(format!(
                    "[servers] has no setting {name:?}; it has connect_timeout"
                )),
            };
            if let Err(problem) = taken {
                problems.push(settings.problem(setting.line, &problem));
            }
        }
        (read, problems)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> (ServerSettings, Vec<String>) {
        ServerSettings::read(&Settings::parse(text, Path::new("config.toml")))
    }

    #[test]
    fn c11_a_timeout_is_a_duration_or_refused() {
        let (settings, problems) = read("[servers]\nconnect_timeout = \"1m30s\"\n");
        assert_eq!(settings.connect_timeout, Some(Duration::from_secs(90)));
        assert!(problems.is_empty());
        for wrong in ["30", "\"0s\"", "\"soon\"", "true"] {
            let (settings, problems) = read(&format!("[servers]\nconnect_timeout = {wrong}\n"));
            assert_eq!(settings, ServerSettings::default());
            assert!(problems[0].starts_with("config.toml:2: "), "{problems:?}");
        }
    }

    #[test]
    fn waits_are_recorded_unless_the_operator_says_otherwise() {
        let records = |text: &str| super::records(&Settings::parse(text, Path::new("config.toml")));
        assert_eq!(records(""), (true, Vec::new()));
        assert_eq!(records("record = false\n"), (false, Vec::new()));
        let (wrong, problems) = records("# mine\nrecord = \"no\"\n");
        assert!(wrong);
        assert_eq!(problems, ["config.toml:2: record is true or false"]);
    }

    #[test]
    fn an_unknown_setting_is_told() {
        let (_, problems) = read("[servers]\ntimeout = \"3s\"\n");
        let expected =
            "config.toml:2: [servers] has no setting \"timeout\"; it has connect_timeout";
        assert_eq!(problems, [expected]);
    }
}
