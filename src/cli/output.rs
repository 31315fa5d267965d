//! What goes to stdout: the result only.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::text;

/// Writes `value` as one JSON line.
///
/// # Errors
/// What the pipe says.
pub fn json_line(value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    write(&line)
}

/// Writes a text that a server made: cleaned on a terminal, as it came elsewhere. A final line
/// break is added where there is none.
///
/// # Errors
/// What the pipe says.
pub fn foreign_text(text: &str) -> io::Result<()> {
    let mut shown =
        if io::stdout().is_terminal() { text::lines(text) } else { text.to_owned() };
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    write(shown.as_bytes())
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}
