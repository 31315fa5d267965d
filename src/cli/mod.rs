//! The command line: a wait without a screen, and what helps to prepare one.
//!
//! Owns flags, outputs, the live line and exit codes. Must not know the screen.

mod aura;
mod background;
mod busy;
mod call;
mod check;
mod exit;
mod flags;
mod list;
mod live;
mod output;
mod packaging;
mod plan;
mod record;
mod replay;
mod run;
mod saved;
mod signals;
mod stderr;

use std::process::ExitCode;

use anyhow::anyhow;

pub use exit::report;
pub use flags::{Arguments, Command, ServeFlags, ServerFlags};
pub use plan::Plan;
pub use signals::Signals;

use self::stderr::Stderr;
use crate::app::{ServerOptions, Servers};

/// Carries out a subcommand. What it prints and how it exits is the contract of the README. `serve`
/// is what carries out the one that is no business of the command line.
pub async fn execute(
    command: Command,
    serve: impl AsyncFnOnce(ServeFlags) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    let verbose = command.is_verbose();
    let done = match command {
        Command::Run(flags) => run::run(flags).await,
        Command::Call(flags) => call::call(flags).await,
        Command::Tools(flags) => list::tools(flags).await,
        Command::Servers(flags) => list::servers(&flags),
        Command::List(flags) => saved::list(&flags),
        Command::Check(flags) => check::check(&flags),
        Command::Replay(flags) => replay::replay(flags).await,
        Command::Serve(flags) => serve(*flags).await,
        Command::DemoServer => {
            let served = crate::mcp::demo::serve_stdio().await;
            served.map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
        Command::Completions { shell } => packaging::completions(shell).await,
        Command::Man { command } => packaging::man(command.as_deref()).await,
    };
    done.unwrap_or_else(|error| exit::report(&error, verbose))
}

/// The servers that the flags say, and on stderr what is wrong with the configuration.
///
/// # Errors
/// A sentence, where a flag or a file that was named can't be used.
pub fn servers(flags: &ServerFlags) -> anyhow::Result<Servers> {
    load(&flags.options(None)?, stderr::say)
}

/// Says a sentence on stderr.
pub fn say_aloud(sentence: &str) {
    stderr::say(sentence);
}

/// The exit code of a program that ends by a signal.
#[must_use]
pub fn ended_by(signal: u8) -> ExitCode {
    ExitCode::from(exit::by_signal(signal))
}

/// Says a sentence beside what `command` has to say, unless it is to be quiet.
pub fn say(command: &Command, sentence: &str) {
    Stderr::of_process(command.is_quiet()).say(sentence);
}

/// Reads the configuration, and says what is wrong with it.
fn load(options: &ServerOptions, mut say: impl FnMut(&str)) -> anyhow::Result<Servers> {
    let servers = Servers::load(options).map_err(|problem| anyhow!(problem))?;
    for problem in servers.problems() {
        say(&problem);
    }
    Ok(servers)
}
