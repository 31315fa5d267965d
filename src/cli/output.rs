//! What goes to stdout: the result only.
//!
//! Owns its forms. Must not know what is written.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use super::background::Background;
use super::exit::CantPrint;
use super::stderr::CLEAR_LINE;
use crate::text;

/// `value` as one JSON line. On a terminal, what would move, hide or reorder characters is
/// escaped, which JSON allows everywhere.
///
/// # Errors
/// Where it can't be JSON.
pub fn json_line(value: &impl Serialize) -> Result<String, CantPrint> {
    let mut line = serde_json::to_string(value).map_err(io::Error::from)?;
    if io::stdout().is_terminal() {
        line = escaped(&line);
    }
    line.push('\n');
    Ok(line)
}

/// A text that a server made: cleaned on a terminal, as it came elsewhere. A final line break is
/// added where there is none.
#[must_use]
pub fn foreign_text(text: &str) -> String {
    let mut shown = if io::stdout().is_terminal() {
        text::lines(text)
    } else {
        text.to_owned()
    };
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown
}

/// Writes to stdout, beside everything else.
///
/// # Errors
/// What the pipe says.
pub async fn print(text: String) -> Result<(), CantPrint> {
    let written = tokio::task::spawn_blocking(move || write(&text)).await;
    Ok(written.map_err(io::Error::from)??)
}

/// Writes to stdout.
///
/// # Errors
/// What the pipe says.
pub fn print_now(text: &str) -> Result<(), CantPrint> {
    Ok(write(text)?)
}

/// JSON lines to stdout, beside everything else.
pub fn json_lines<T: Serialize + Send + 'static>() -> Background<T> {
    // The live line on stderr gives way where both are the same terminal.
    let terminals = io::stdout().is_terminal() && io::stderr().is_terminal();
    let before = if terminals { CLEAR_LINE } else { "" };
    Background::new(move |value| {
        let line = json_line(&value).map_err(|CantPrint(error)| error)?;
        write(&format!("{before}{line}"))
    })
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// A JSON text in which every character without a picture of its own is escaped.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for piece in text::shown(json) {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn u10_json_on_a_terminal_escapes_what_a_terminal_would_obey() {
        let hostile = "\u{9b}31m\u{1b}]0;x\u{7}\u{202e}状e\u{301}\u{7f}\u{e0001}";
        let json = serde_json::to_string(hostile).unwrap();
        let escaped = escaped(&json);
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), hostile);
        let expected = "\"\\u009b31m\\u001b]0;x\\u0007\\u202e状e\u{301}\\u007f\\udb40\\udc01\"";
        assert_eq!(escaped, expected);
    }
}
