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

/// A text without control characters but line feeds and tabs, and without what turns the order of
/// letters around. A carriage return begins a line of its own; the others are left out.
#[must_use]
pub fn without_controls(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\r' if letters.peek() != Some(&'\n') => plain.push('\n'),
            '\n' | '\t' => plain.push(letter),
            _ if letter.is_control() => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ => plain.push(letter),
        }
    }
    plain
}

/// A pattern in which every character without a picture of its own is written as the regex's escape.
/// It means the same, but for one that ignores its own white space.
#[must_use]
pub fn escape_pattern(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len());
    // Whether a backslash stands before, with no partner.
    let mut after_backslash = false;
    for piece in shown(pattern) {
        for letter in pattern[piece.source].chars() {
            if piece.symbol && !matches!(letter, '\n' | '\t') {
                if after_backslash {
                    escaped.pop();
                }
                // Writing to a String can't fail.
                let _ = write!(escaped, "\\x{{{:x}}}", u32::from(letter));
                after_backslash = false;
            } else {
                escaped.push(letter);
                after_backslash = letter == '\\' && !after_backslash;
            }
        }
    }
    escaped
}

/// Whether every character of a text has a picture of its own, or is a line feed or a tab.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    shown(text).all(|piece| !piece.symbol || matches!(&text[piece.source], "\n" | "\t"))
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
        let text = "a\tb\r\n10%\r20%\u{1b}[31m\u{7}\0\u{9b}\u{7f}\u{202e}\u{2066}状\n";
        assert_eq!(without_controls(text), "a\tb\n10%\n20%[31m状\n");
    }
}
