//! The terminal: taken, drawn on, and always given back as it was.
//!
//! Owns raw mode, the alternate screen, bracketed paste, the cursor and the title. They are restored when the
//! [`Screen`] is dropped, and by the panic hook before it reports. Must not know what is drawn.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stdin, stdout};
use std::mem::ManuallyDrop;
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Position, Rect};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio_util::sync::CancellationToken;

use super::super::model::Model;
use super::super::view;

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync + 'static;

/// Whether there is a terminal to draw on and keys to read, be stdin what it may.
#[must_use]
pub fn has_terminal() -> bool {
    stdout().is_terminal() && (stdin().is_terminal() || File::open("/dev/tty").is_ok())
}

/// The terminal while it is ours.
pub struct Screen {
    /// Never dropped: dropping it shows the cursor, and panics where the terminal went away.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
    taken: Arc<Taken>,
    /// Whether the terminal takes titles.
    titles: bool,
    crashed: CancellationToken,
    hook: Arc<Hook>,
}

/// What has to be given back.
#[derive(Default)]
struct Taken {
    /// Modes, the alternate screen, the cursor.
    raised: AtomicBool,
    /// The title that stood there before.
    title: AtomicBool,
}

/// Whether a terminal of that name takes commands beside drawing: a title, a text for its clipboard.
/// The console of Linux and what calls itself dumb would print them.
pub(super) fn takes_commands(term: Option<&str>) -> bool {
    !matches!(term, None | Some("" | "dumb" | "linux"))
}

/// Puts the title away, and takes it out again.
const PUSH_TITLE: &str = "\u{1b}[22;0t";
const POP_TITLE: &str = "\u{1b}[23;0t";

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// Where it can't be put into the modes that a screen needs; it is then as it was.
    pub fn open() -> io::Result<Self> {
        let terminal = Terminal::new(CrosstermBackend::new(BufWriter::new(stdout())))?;
        let terminal = ManuallyDrop::new(terminal);
        let taken = Arc::new(Taken::default());
        let term = std::env::var("TERM").ok();
        let crashed = CancellationToken::new();
        let hook: Arc<Hook> = panic::take_hook().into();
        panic::set_hook(restoring_hook(
            Arc::clone(&hook),
            Arc::clone(&taken),
            crashed.clone(),
        ));
        let mut screen = Self {
            terminal,
            taken,
            titles: takes_commands(term.as_deref()),
            crashed,
            hook,
        };
        screen.raise()?;
        Ok(screen)
    }

    /// Cancelled as soon as any thread has panicked: by then the terminal is no longer ours.
    #[must_use]
    pub fn crashed(&self) -> CancellationToken {
        self.crashed.clone()
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// Where the terminal doesn't say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.terminal.size()?;
        Ok((size.width, size.height))
    }

    /// Whether the terminal still answers. One that went away can neither be read nor drawn on, and
    /// reading it would find nothing for ever.
    #[must_use]
    pub fn is_there(&self) -> bool {
        tcgetattr(stdout()).is_ok()
    }

    /// The terminal's settings as they are.
    ///
    /// # Errors
    /// Where the terminal doesn't say.
    pub fn modes(&self) -> io::Result<Termios> {
        Ok(tcgetattr(stdout())?)
    }

    /// Puts the terminal's settings back.
    ///
    /// # Errors
    /// Where the terminal doesn't take them.
    pub fn set_modes(&self, modes: &Termios) -> io::Result<()> {
        Ok(tcsetattr(stdout(), OptionalActions::Now, modes)?)
    }

    /// Draws, unless the terminal was given back meanwhile.
    ///
    /// # Errors
    /// Where the terminal can't be written to.
    pub fn draw(&mut self, model: &Model) -> io::Result<()> {
        if self.taken.raised.load(Ordering::Acquire) {
            self.terminal.draw(|frame| view::draw(model, frame))?;
        }
        Ok(())
    }

    /// Rings the bell, unless the terminal was given back meanwhile.
    ///
    /// # Errors
    /// Where the terminal can't be written to.
    pub fn ring(&mut self) -> io::Result<()> {
        self.command("\u{7}")
    }

    fn command(&mut self, command: &str) -> io::Result<()> {
        if self.taken.raised.load(Ordering::Acquire) {
            execute!(self.terminal.backend_mut(), Print(command))?;
        }
        Ok(())
    }

    /// Sets the title, where the terminal takes one. The one before comes back with the terminal.
    ///
    /// # Errors
    /// Where the terminal can't be written to.
    pub fn set_title(&mut self, title: &str) -> io::Result<()> {
        if !self.titles || !self.taken.raised.load(Ordering::Acquire) {
            return Ok(());
        }
        if !self.taken.title.swap(true, Ordering::AcqRel) {
            execute!(self.terminal.backend_mut(), Print(PUSH_TITLE))?;
        }
        execute!(self.terminal.backend_mut(), SetTitle(title))
    }

    /// Asks the terminal by OSC 52 to take a text, which is in base64, into its clipboard, unless
    /// it was given back meanwhile.
    ///
    /// # Errors
    /// Where the terminal can't be written to.
    pub fn set_clipboard(&mut self, encoded: &str) -> io::Result<()> {
        self.command(&format!("\u{1b}]52;c;{encoded}\u{7}"))
    }

    /// Takes the terminal again after [`Self::lower`]. The next drawing is whole.
    ///
    /// # Errors
    /// Where it can't be put into the modes that a screen needs.
    pub fn raise(&mut self) -> io::Result<()> {
        self.taken.raised.store(true, Ordering::Release);
        enable_raw_mode()?;
        execute!(
            self.terminal.backend_mut(),
            EnterAlternateScreen,
            EnableBracketedPaste
        )?;
        self.forget()
    }

    /// Takes it that nothing is on the terminal, if it is still ours. The next drawing is whole.
    ///
    /// # Errors
    /// Where the terminal doesn't say its size, or can't be written to.
    pub fn forget(&mut self) -> io::Result<()> {
        if !self.taken.raised.load(Ordering::Acquire) {
            return Ok(());
        }
        // Not `clear`: that asks the terminal where its cursor is, and waits for the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Gives the terminal back.
    ///
    /// # Errors
    /// Where it can't be written to.
    pub fn lower(&mut self) -> io::Result<()> {
        restore(&self.taken)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that went away can't be restored, and needn't be.
        let _ = restore(&self.taken);
        if !std::thread::panicking() {
            let hook = Arc::clone(&self.hook);
            panic::set_hook(Box::new(move |info| hook(info)));
        }
    }
}

/// Puts the terminal back as it was, once, whoever comes first.
fn restore(taken: &Taken) -> io::Result<()> {
    if !taken.raised.swap(false, Ordering::AcqRel) {
        return Ok(());
    }
    let mut out = stdout();
    let title = match taken.title.swap(false, Ordering::AcqRel) {
        true => execute!(out, Print(POP_TITLE)),
        false => Ok(()),
    };
    let modes = execute!(out, DisableBracketedPaste, LeaveAlternateScreen, Show);
    let raw = disable_raw_mode();
    out.flush()?;
    title.and(modes).and(raw)
}

/// Restores first and reports then, so that the report is read on the terminal that the shell has.
fn restoring_hook(before: Arc<Hook>, taken: Arc<Taken>, crashed: CancellationToken) -> Box<Hook> {
    Box::new(move |info| {
        let _ = restore(&taken);
        before(info);
        crashed.cancel();
    })
}
