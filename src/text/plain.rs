//! Text for other programs: nothing in it moves, hides or reorders anything.

use std::fmt::Write as _;

use super::shown;

/// A JSON text in which every character without a picture of its own is escaped, which JSON allows
/// everywhere. It means the same.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for piece in shown(json) {
        let source = &json[piece.source];
        if piece.symbol {
            for unit in source.encode_utf16() {
                // Writing to a String can't fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push_str(source);
        }
    }
    escaped
}

/// A text without control characters but line feeds and tabs. A carriage return begins a line of its
/// own; the others are left out.
#[must_use]
pub fn without_controls(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' if letters.peek() != Some(&'\n') => plain.push('\n'),
            '\n' | '\t' => plain.push(letter),
            _ if letter.is_control() => {}
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn u10_json_on_a_terminal_escapes_what_a_terminal_would_obey() {
        let hostile = "\u{9b}31m\u{1b}]0;x\u{7}\u{202e}状e\u{301}\u{7f}\u{e0001}";
        let json = serde_json::to_string(hostile).unwrap();
        let escaped = escape_json(&json);
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), hostile);
        let expected = "\"\\u009b31m\\u001b]0;x\\u0007\\u202e状e\u{301}\\u007f\\udb40\\udc01\"";
        assert_eq!(escaped, expected);
    }

    #[test]
    fn only_line_feeds_and_tabs_are_left_of_control_characters() {
        let text = "a\tb\r\n10%\r20%\u{1b}[31m\u{7}\0\u{9b}\u{7f}状\n";
        assert_eq!(without_controls(text), "a\tb\n10%\n20%[31m状\n");
    }
}
