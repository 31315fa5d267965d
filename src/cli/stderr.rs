//! Stderr: sentences that stay, and one line that is drawn again and again.
//!
//! Owns what the terminal can do. Must not know what is said. A stderr that is gone is no reason
//! to end anything, so nothing here fails.

use std::env::var_os;
use std::io::{self, IsTerminal, Write};

use crossterm::style::Stylize;

use crate::text;

/// Back to the first column, and nothing on the line.
pub const CLEAR_LINE: &str = "\r\x1b[2K";
/// Columns where the terminal doesn't say.
const WIDTH: usize = 80;

/// What stderr is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Nothing.
    Quiet,
    /// Sentences, and a line that is drawn again and again.
    Line,
    /// Sentences alone.
    Log,
}

/// The colour of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// It ended well.
    Good,
    /// It did not.
    Bad,
}

/// Stderr, or what stands for it in a test.
pub struct Stderr<W: Write> {
    pub(super) out: W,
    pub(super) form: Form,
    pub(super) colours: bool,
    /// Columns of the terminal, asked for at each drawing, since windows change their size.
    pub(super) width: fn() -> usize,
    /// Whether the line is on screen.
    pub(super) drawn: bool,
}

impl Stderr<io::Stderr> {
    /// The stderr of this process.
    #[must_use]
    pub fn of_process(quiet: bool) -> Self {
        let terminal =
            io::stderr().is_terminal() && var_os("TERM").is_none_or(|term| term != "dumb");
        let set = |name| var_os(name).is_some_and(|value| !value.is_empty());
        let forced =
            set("CLICOLOR_FORCE") && var_os("CLICOLOR_FORCE").is_none_or(|value| value != "0");
        let form = match (quiet, terminal) {
            (true, _) => Form::Quiet,
            (false, true) => Form::Line,
            (false, false) => Form::Log,
        };
        let colours = !set("NO_COLOR") && (terminal || forced);
        Self {
            out: io::stderr(),
            form,
            colours,
            width: terminal_width,
            drawn: false,
        }
    }
}

impl<W: Write> Stderr<W> {
    /// Says a sentence that stays. What others wrote in it is made safe to print.
    pub fn say(&mut self, sentence: &str) {
        self.say_in(sentence, None);
    }

    /// Says a sentence that stays, in a colour where there are colours.
    pub fn say_in(&mut self, sentence: &str, colour: Option<Colour>) {
        if self.form == Form::Quiet {
            return;
        }
        self.wipe();
        let sentence = text::lines(sentence.trim_end());
        let sentence = match colour.filter(|_| self.colours) {
            Some(Colour::Good) => sentence.green().to_string(),
            Some(Colour::Bad) => sentence.red().to_string(),
            None => sentence,
        };
        self.write(&format!("{sentence}\n"));
    }

    /// Draws the line, cut to the width of the terminal, where there is one.
    pub fn draw(&mut self, line: &str) {
        if self.form == Form::Line {
            // A line as wide as the terminal would wrap.
            let line = text::one_line(line, (self.width)().saturating_sub(1));
            self.drawn = true;
            self.write(&format!("{CLEAR_LINE}{line}"));
        }
    }

    /// Takes the line away.
    pub fn wipe(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.write(CLEAR_LINE);
        }
    }

    fn write(&mut self, text: &str) {
        let _ = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
    }
}

/// A line is never left behind, however what drew it ended.
impl<W: Write> Drop for Stderr<W> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Says a sentence where nothing else is said.
pub fn say(sentence: &str) {
    Stderr::of_process(false).say(sentence);
}

#[cfg(unix)]
fn terminal_width() -> usize {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stderr());
    size.map(|size| usize::from(size.ws_col))
        .ok()
        .filter(|columns| *columns > 0)
        .unwrap_or(WIDTH)
}

#[cfg(not(unix))]
fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(WIDTH, |(columns, _)| usize::from(columns))
}
