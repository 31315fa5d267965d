//! A key press in one form, however the terminal spelled it.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key, with the modifiers that terminals can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key. Letters carry their case, so they never carry `shift`.
    pub code: KeyCode,
    /// With Ctrl.
    pub ctrl: bool,
    /// With Shift.
    pub shift: bool,
}

impl Key {
    /// A character by itself.
    #[must_use]
    pub const fn plain(character: char) -> Self {
        Self::code(KeyCode::Char(character))
    }

    /// A key by itself.
    #[must_use]
    pub const fn code(code: KeyCode) -> Self {
        Self {
            code,
            ctrl: false,
            shift: false,
        }
    }

    /// A letter with Ctrl.
    #[must_use]
    pub const fn ctrl(letter: char) -> Self {
        Self {
            code: KeyCode::Char(letter),
            ctrl: true,
            shift: false,
        }
    }

    /// A key with Shift.
    #[must_use]
    pub const fn shift(code: KeyCode) -> Self {
        Self {
            code,
            ctrl: false,
            shift: true,
        }
    }

    /// Whether pressing it puts a character where one types.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && !self.ctrl
    }

    /// The keys that `event` stands for: none for a release. An Alt chord is Escape and the key:
    /// that is what terminals send, and after an Escape tmux turns the next key into one.
    #[must_use]
    pub fn read(event: KeyEvent) -> Vec<Self> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let key = Self::normal(event.code, event.modifiers);
        if event.modifiers.contains(KeyModifiers::ALT) {
            vec![Self::code(KeyCode::Esc), key]
        } else {
            vec![key]
        }
    }

    /// What terminals can't tell apart becomes one.
    fn normal(code: KeyCode, modifiers: KeyModifiers) -> Self {
        let ctrl = modifiers.contains(KeyModifiers::CONTROL);
        let shift = modifiers.contains(KeyModifiers::SHIFT);
        match code {
            KeyCode::Char(letter) if ctrl => match letter.to_ascii_lowercase() {
                'i' => Self::code(KeyCode::Tab),
                'j' | 'm' => Self::code(KeyCode::Enter),
                'h' => Self::code(KeyCode::Backspace),
                '[' => Self::code(KeyCode::Esc),
                // The bytes 0x1C to 0x1F, which crossterm calls by their digits.
                '4' => Self::ctrl('\\'),
                '5' => Self::ctrl(']'),
                '6' => Self::ctrl('^'),
                '7' => Self::ctrl('_'),
                letter => Self::ctrl(letter),
            },
            KeyCode::Char(_) => Self::code(code),
            KeyCode::Tab if shift => Self::code(KeyCode::BackTab),
            KeyCode::BackTab | KeyCode::Enter | KeyCode::Esc => Self::code(code),
            _ => Self { code, ctrl, shift },
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            formatter.write_str("Ctrl-")?;
        }
        if self.shift {
            formatter.write_str("Shift-")?;
        }
        match self.code {
            KeyCode::Char(' ') => formatter.write_str("space"),
            KeyCode::Char(letter) if self.ctrl => {
                write!(formatter, "{}", letter.to_ascii_uppercase())
            }
            KeyCode::Char(letter) => write!(formatter, "{letter}"),
            KeyCode::Left => formatter.write_str("←"),
            KeyCode::Right => formatter.write_str("→"),
            KeyCode::Up => formatter.write_str("↑"),
            KeyCode::Down => formatter.write_str("↓"),
            KeyCode::BackTab => formatter.write_str("Shift-Tab"),
            KeyCode::PageUp => formatter.write_str("PgUp"),
            KeyCode::PageDown => formatter.write_str("PgDn"),
            KeyCode::F(number) => write!(formatter, "F{number}"),
            code => write!(formatter, "{code:?}"),
        }
    }
}
