//! The binary: reads the command line, and hands over to one of the faces.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use stakeout::app::Servers;
use stakeout::cli::{self, Arguments, ServerFlags};
use stakeout::tui;

/// How long tasks may take to let go of what they hold.
const FAREWELL: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return cli::report(&error.into(), false),
    };
    let code = match arguments.command {
        Some(command) => runtime.block_on(cli::execute(command)),
        None => runtime
            .block_on(screen(&arguments.servers))
            .unwrap_or_else(|error| cli::report(&error, arguments.servers.verbose)),
    };
    // Whoever still watches over a child ends it now. A thread that reads stdin, or writes to a
    // reader that doesn't read, is not waited for any longer.
    runtime.shutdown_timeout(FAREWELL);
    code
}

async fn screen(flags: &ServerFlags) -> anyhow::Result<ExitCode> {
    if !tui::has_terminal() {
        anyhow::bail!("there is no terminal to draw on; use `stakeout run` to wait without one");
    }
    let servers = Servers::load(&flags.options(None)?).map_err(anyhow::Error::msg)?;
    tui::run(servers, tui::Start::default())
        .await
        .map(ExitCode::from)
}
