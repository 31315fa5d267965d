//! The command line: a wait without a screen, and what helps to prepare one.
//!
//! Owns flags, outputs, the live line and exit codes. Must not know the screen.

mod call;
mod check;
mod exit;
mod flags;
mod list;
mod live;
mod output;
mod plan;
mod run;
mod signals;

use std::process::ExitCode;

pub use exit::report;
pub use flags::{Arguments, Command, ServerFlags};

/// Carries out a subcommand. What it prints and how it exits is the contract of the README.
pub async fn execute(command: Command) -> ExitCode {
    let verbose = command.is_verbose();
    let done = match command {
        Command::Run(flags) => run::run(flags).await,
        Command::Call(flags) => call::call(flags).await,
        Command::Tools(flags) => list::tools(flags).await,
        Command::Servers(flags) => list::servers(&flags),
        Command::Check(flags) => check::check(&flags),
        Command::DemoServer => {
            crate::mcp::demo::serve_stdio().await.map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
    };
    done.unwrap_or_else(|error| exit::report(&error, verbose))
}
