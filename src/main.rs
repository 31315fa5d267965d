//! The binary: reads the command line, and hands over to one of the faces.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use stakeout::app::Servers;
use stakeout::cli::{self, Arguments, ServerFlags};
use stakeout::store::{Folders, LogFile};
use stakeout::tui;
use tracing_subscriber::filter::LevelFilter;

/// How long tasks may take to let go of what they hold.
const FAREWELL: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_to_file();
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

/// Logs go to a file in the state folder, warnings and worse, or as much as `STAKEOUT_LOG` says.
/// Without a home folder nothing is logged; what needs one says so itself.
fn log_to_file() {
    let Ok(folders) = Folders::of_user() else {
        return;
    };
    let level = std::env::var("STAKEOUT_LOG").ok();
    let level = level.and_then(|level| level.parse().ok());
    // It is the only subscriber, so nothing can be in its way.
    let _ = tracing_subscriber::fmt()
        .with_max_level(level.unwrap_or(LevelFilter::WARN))
        .with_ansi(false)
        .with_writer(Arc::new(LogFile::new(folders.log())))
        .try_init();
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
