//! The binary: reads the command line, and hands over to one of the faces.

use std::process::ExitCode;

use clap::Parser;
use stakeout::cli::{self, Arguments};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return start_failed(&error),
    };
    match arguments.command {
        Some(command) => runtime.block_on(cli::execute(command)),
        None => ExitCode::from(2),
    }
}

#[allow(clippy::print_stderr)]
fn start_failed(error: &std::io::Error) -> ExitCode {
    eprintln!("stakeout: the runtime could not be started: {error}");
    ExitCode::FAILURE
}
