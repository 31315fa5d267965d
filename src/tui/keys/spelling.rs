//! How keys and actions are written in the configuration.
//!
//! Owns the spelling, and which keys no terminal can tell from others. Must not know what a key
//! does.

use crossterm::event::KeyCode;

use super::{Action, Key};

/// Keys that have a name, in their usual spellings.
const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("escape", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pageup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("pagedown", KeyCode::PageDown),
];
/// What Ctrl goes with beside the letters.
const WITH_CTRL: &str = " \\]^_";

impl Key {
    /// The key that `text` spells: `r`, `ctrl-r`, `space`, `shift-left`, `f5`.
    ///
    /// # Errors
    /// A sentence, where it spells none, or one that terminals don't tell apart from another.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut characters = text.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            return match character {
                ' ' => Ok(Self::plain(' ')),
                character if character.is_control() || character.is_whitespace() => {
                    Err(unknown(text))
                }
                character => Ok(Self::plain(character)),
            };
        }
        let (mut ctrl, mut shift) = (false, false);
        let mut rest = text;
        while let Some((modifier, after)) = rest.split_once('-').filter(|(_, key)| !key.is_empty())
        {
            match modifier.to_ascii_lowercase().as_str() {
                "ctrl" | "control" if !ctrl => ctrl = true,
                "shift" if !shift => shift = true,
                "alt" | "meta" | "option" => {
                    return Err(format!(
                        "{text:?} is Escape and a key to a terminal; choose one without Alt"
                    ));
                }
                _ => return Err(unknown(text)),
            }
            rest = after;
        }
        let code = code(rest).ok_or_else(|| unknown(text))?;
        match (ctrl, shift) {
            (false, false) => Ok(Self::code(code)),
            (true, false) => with_ctrl(text, code),
            (false, true) => with_shift(text, code),
            (true, true) => Err(format!(
                "few terminals tell {text:?} apart; choose a key with one modifier"
            )),
        }
    }
}

fn unknown(text: &str) -> String {
    format!("{text:?} is no key; write one such as r, ctrl-r, space, enter, shift-left or f5")
}

fn code(name: &str) -> Option<KeyCode> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Some(KeyCode::Char(character));
    }
    let name = name.to_ascii_lowercase();
    if let Some(number) = name
        .strip_prefix('f')
        .and_then(|number| number.parse().ok())
    {
        return (1..=12).contains(&number).then_some(KeyCode::F(number));
    }
    let known = NAMES.iter().find(|(own, _)| *own == name);
    known.map(|(_, code)| *code)
}

fn with_ctrl(text: &str, code: KeyCode) -> Result<Key, String> {
    let same = |other: &str| {
        Err(format!(
            "{text:?} and {other} are one key to a terminal; write {other}, or choose another"
        ))
    };
    match code {
        KeyCode::Char(letter) => match letter.to_ascii_lowercase() {
            'i' => same("tab"),
            'j' | 'm' => same("enter"),
            'h' => same("backspace"),
            '[' => same("esc"),
            'z' => Err(format!("{text:?} suspends stakeout; choose another")),
            letter if letter.is_ascii_lowercase() || WITH_CTRL.contains(letter) => {
                Ok(Key::ctrl(letter))
            }
            _ => Err(format!(
                "no terminal sends {text:?}; Ctrl goes with letters, arrows and space"
            )),
        },
        KeyCode::Enter => same("enter"),
        KeyCode::Tab => same("tab"),
        KeyCode::Esc => same("esc"),
        KeyCode::Backspace => same("backspace"),
        code => Ok(Key {
            ctrl: true,
            ..Key::code(code)
        }),
    }
}

fn with_shift(text: &str, code: KeyCode) -> Result<Key, String> {
    match code {
        KeyCode::Tab => Ok(Key::code(KeyCode::BackTab)),
        KeyCode::Char(' ') => Err(format!("{text:?} and space are one key to a terminal")),
        KeyCode::Char(_) => Err(format!(
            "{text:?} is a character; write the one that it types"
        )),
        KeyCode::Enter | KeyCode::Esc | KeyCode::Backspace => Err(format!(
            "few terminals tell {text:?} apart; choose it without Shift"
        )),
        code => Ok(Key::shift(code)),
    }
}

impl Action {
    /// Its name in the configuration and among the commands: `step-back`.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }

    /// The action of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let known = Self::ALL.iter().find(|action| action.name() == name);
        known.copied()
    }
}
