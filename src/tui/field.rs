//! A field that is typed in: one line, or many for the JSON editor.
//!
//! Owns the text, the cursor and what keys do to them. The widget's own shortcuts are never used:
//! [`super::keys`] decides which key means which [`Edit`]. Must not know what the text is for.

use crossterm::event::KeyCode;
use tui_textarea::{CursorMove, TextArea};

use super::keys::Key;

/// A change that has a key of its own, as readline spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// To the start of the line.
    LineStart,
    /// To its end.
    LineEnd,
    /// Delete the word before the cursor.
    DeleteWord,
    /// Delete up to the start of the line.
    DeleteToStart,
    /// Delete up to its end.
    DeleteToEnd,
    /// Delete the character under the cursor.
    DeleteNext,
    /// Undo the last change.
    Undo,
}

/// An editable text.
#[derive(Debug, Clone)]
pub struct Field {
    area: TextArea<'static>,
    many_lines: bool,
}

impl Field {
    /// A field of one line, the cursor at its end.
    #[must_use]
    pub fn line(text: &str) -> Self {
        let mut field = Self {
            area: TextArea::new(vec![on_one_line(text)]),
            many_lines: false,
        };
        field.area.move_cursor(CursorMove::End);
        field
    }

    /// A field of many lines, the cursor at the start.
    #[must_use]
    pub fn lines(text: &str) -> Self {
        let lines = unix_lines(text).split('\n').map(str::to_owned).collect();
        Self {
            area: TextArea::new(lines),
            many_lines: true,
        }
    }

    /// The text as it is.
    #[must_use]
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Its lines; at least one.
    #[must_use]
    pub fn rows(&self) -> &[String] {
        self.area.lines()
    }

    /// The cursor: line and character, from 0.
    #[must_use]
    pub fn cursor(&self) -> (usize, usize) {
        let cursor = self.area.cursor();
        (cursor.0, cursor.1)
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Makes a change.
    pub fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::LineStart => self.area.move_cursor(CursorMove::Head),
            Edit::LineEnd => self.area.move_cursor(CursorMove::End),
            Edit::DeleteWord => _ = self.area.delete_word(),
            Edit::DeleteToStart => _ = self.area.delete_line_by_head(),
            Edit::DeleteToEnd => _ = self.area.delete_line_by_end(),
            Edit::DeleteNext => _ = self.area.delete_next_char(),
            Edit::Undo => _ = self.area.undo(),
        }
    }

    /// Takes a key that has no action. Answers whether it meant anything here.
    pub fn key(&mut self, key: Key) -> bool {
        let movement = match key.code {
            KeyCode::Char(character) if !key.ctrl => {
                self.area.insert_char(character);
                return true;
            }
            KeyCode::Enter if self.many_lines => {
                self.area.insert_newline();
                return true;
            }
            KeyCode::Backspace if key.ctrl => return self.area.delete_word(),
            KeyCode::Backspace => return self.area.delete_char(),
            KeyCode::Delete => return self.area.delete_next_char(),
            KeyCode::Left if key.ctrl => CursorMove::WordBack,
            KeyCode::Right if key.ctrl => CursorMove::WordForward,
            KeyCode::Left => CursorMove::Back,
            KeyCode::Right => CursorMove::Forward,
            KeyCode::Up => CursorMove::Up,
            KeyCode::Down => CursorMove::Down,
            KeyCode::Home => CursorMove::Head,
            KeyCode::End => CursorMove::End,
            _ => return false,
        };
        self.area.move_cursor(movement);
        true
    }

    /// Inserts a pasted text; in a field of one line, line breaks become spaces.
    pub fn paste(&mut self, text: &str) {
        let text = if self.many_lines {
            unix_lines(text)
        } else {
            on_one_line(text)
        };
        self.area.insert_str(text);
    }
}

fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn on_one_line(text: &str) -> String {
    unix_lines(text.trim_end_matches(['\r', '\n'])).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(field: &mut Field, text: &str) {
        for character in text.chars() {
            field.key(Key::plain(character));
        }
    }

    #[test]
    fn f12_a_draft_stays_text() {
        let mut field = Field::line("");
        typed(&mut field, "1.");
        assert_eq!(field.text(), "1.");
        typed(&mut field, "0e99999999999999999999");
        assert_eq!(field.text(), "1.0e99999999999999999999");
    }

    #[test]
    fn f13_text_is_text_in_the_editor() {
        let mut field = Field::lines("");
        typed(&mut field, r#"{"pattern": "\\d+\n"#);
        field.key(Key::code(KeyCode::Enter));
        typed(&mut field, "\u{e9}状 }");
        assert_eq!(field.text(), "{\"pattern\": \"\\\\d+\\n\né状 }");
    }

    #[test]
    fn readline_edits() {
        let mut field = Field::line("one two three");
        field.edit(Edit::DeleteWord);
        assert_eq!(field.text(), "one two ");
        field.edit(Edit::LineStart);
        field.edit(Edit::DeleteNext);
        assert_eq!(field.text(), "ne two ");
        field.key(Key::code(KeyCode::Right));
        field.edit(Edit::DeleteToEnd);
        assert_eq!(field.text(), "n");
        field.edit(Edit::DeleteToStart);
        assert!(field.is_empty());
    }

    #[test]
    fn a_paste_into_one_line_loses_its_line_breaks() {
        let mut field = Field::line("x");
        field.paste("a\r\nb\rc\n");
        assert_eq!(field.text(), "xa b c");
        field.key(Key::code(KeyCode::Enter));
        assert_eq!(field.rows().len(), 1);
    }

    #[test]
    fn a_paste_into_the_editor_keeps_them() {
        let mut field = Field::lines("");
        field.paste("{\r\n}\r\n");
        assert_eq!(field.text(), "{\n}\n");
    }
}
