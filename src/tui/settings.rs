//! What the operator set for the screen: the `[keys]` and `[screen]` sections of the configuration.
//!
//! Owns their names and what they take. Must not know how the file is read.

use super::keys::{Action, Key, Keymap};
use super::look::Theme;
use super::model::Options;
use crate::store::{self, Setting, SettingValue};

/// What the operator set for the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// The keys.
    pub keymap: Keymap,
    /// The colours.
    pub theme: Option<Theme>,
    /// The bell and the title.
    pub options: Options,
    /// Whether to draw with ASCII alone, whatever the locale says.
    pub ascii: Option<bool>,
}

impl Settings {
    /// The sections of `file`, and what is wrong with them, a sentence each. Keys depend on one
    /// another: with one mistake in them, they are those of the table.
    #[must_use]
    pub fn read(file: &store::Settings) -> (Self, Vec<String>) {
        let mut settings = Self::default();
        let mut problems = Vec::new();
        match keys(file) {
            Ok(keymap) => settings.keymap = keymap,
            Err(wrong) => problems.extend(wrong),
        }
        for setting in file.section("screen") {
            if let Err(problem) = settings.take(setting) {
                problems.push(file.problem(setting.line, &problem));
            }
        }
        (settings, problems)
    }

    fn take(&mut self, setting: &Setting) -> Result<(), String> {
        match setting.name.as_str() {
            "theme" => {
                let named = |theme: &Theme| matches!(&setting.value, SettingValue::Text(text) if text == theme.name());
                let theme = Theme::ALL.into_iter().find(named);
                let theme = theme.ok_or("theme is \"dark\", \"light\" or \"mono\"")?;
                self.theme = Some(theme);
            }
            "ascii" => self.ascii = Some(flag(setting)?),
            "bell" => self.options.bell = flag(setting)?,
            "title" => self.options.title = flag(setting)?,
            name => {
                return Err(format!(
                    "[screen] has no setting {name:?}; it has theme, ascii, bell, title"
                ));
            }
        }
        Ok(())
    }
}

fn flag(setting: &Setting) -> Result<bool, String> {
    match setting.value {
        SettingValue::Flag(flag) => Ok(flag),
        _ => Err(format!("{} is true or false", setting.name)),
    }
}

/// The keymap, or every reason why it is that of the table.
fn keys(file: &store::Settings) -> Result<Keymap, Vec<String>> {
    let (mut own, mut lines, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let told = |line: usize, why: &str| {
        file.problem(
            line,
            &format!("{why}; until then, the keys are the usual ones"),
        )
    };
    for setting in file.section("keys") {
        match keys_of(setting) {
            Ok((action, keys)) => {
                lines.push((action, setting.line));
                own.push((action, keys));
            }
            Err(why) => wrong.push(told(setting.line, &why)),
        }
    }
    let keymap = Keymap::with(&own);
    for refused in keymap.as_ref().err().into_iter().flatten() {
        let line = lines.iter().find(|(action, _)| *action == refused.action);
        wrong.push(told(line.map_or(1, |(_, line)| *line), &refused.why));
    }
    match keymap {
        Ok(keymap) if wrong.is_empty() => Ok(keymap),
        _ => Err(wrong),
    }
}

fn keys_of(setting: &Setting) -> Result<(Action, Vec<Key>), String> {
    let name = &setting.name;
    let action = Action::named(name).ok_or_else(|| {
        format!("there is no action {name:?}; the table of keys in the README has their names")
    })?;
    let texts = match &setting.value {
        SettingValue::Text(text) => std::slice::from_ref(text),
        SettingValue::Texts(texts) => texts.as_slice(),
        _ => {
            return Err(format!(
                "{name} takes a key in quotes, or several in brackets, such as [\"r\", \"ctrl-r\"]"
            ));
        }
    };
    let keys: Result<Vec<Key>, String> = texts.iter().map(|text| Key::parse(text)).collect();
    keys.map(|keys| (action, keys))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::keys::Context;
    use super::*;

    fn read(text: &str) -> (Settings, Vec<String>) {
        Settings::read(&store::Settings::parse(text, Path::new("config.toml")))
    }

    #[test]
    fn keys_and_looks_are_read() {
        let (settings, problems) = read(
            "[keys]\nrun = [\"o\", \"f9\"]\nhold = \"p\"\n[screen]\ntheme = \"light\"\nascii = true\nbell = false\ntitle = false\n",
        );
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            (settings.theme, settings.ascii),
            (Some(Theme::Light), Some(true))
        );
        assert!(!settings.options.bell && !settings.options.title);
        let hold = settings.keymap.action(Context::Watch, Key::plain('p'));
        assert_eq!(hold, Some(Action::Hold));
    }

    #[test]
    fn c3_a_mistake_is_told_with_its_line_and_the_keys_are_the_usual_ones() {
        let refused = [
            ("hld = \"p\"", "there is no action \"hld\""),
            ("hold = \"pp\"", "\"pp\" is no key"),
            ("hold = 3", "hold takes a key in quotes"),
            ("hold = [1]", "hold takes a key in quotes"),
            ("hold = \"ctrl-i\"", "are one key to a terminal"),
            ("hold = \"d\"", "hold and diff are both on d in: Watch"),
            ("quit = []", "quit needs a key"),
        ];
        for (line, expected) in refused {
            let (settings, problems) = read(&format!("[keys]\nrun = \"o\"\n{line}\n"));
            assert_eq!(settings, Settings::default(), "{line}");
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].starts_with("config.toml:3: "), "{problems:?}");
            assert!(problems[0].contains(expected), "{problems:?}");
        }
    }

    #[test]
    fn c4_an_unknown_setting_is_told_and_the_others_are_in_force() {
        let (settings, problems) =
            read("[screen]\nmouse = true\nascii = \"yes\"\ntheme = \"mono\"\n");
        assert_eq!(settings.theme, Some(Theme::Mono));
        let expected = [
            "config.toml:2: [screen] has no setting \"mouse\"; it has theme, ascii, bell, title",
            "config.toml:3: ascii is true or false",
        ];
        assert_eq!(problems, expected);
        let (settings, problems) = read("[screen]\ntheme = \"solarized\"\n");
        assert_eq!(settings, Settings::default());
        assert!(problems[0].ends_with("theme is \"dark\", \"light\" or \"mono\""));
    }
}
