//! The binary: reads the command line, and hands over to one of the faces.

mod serving;
mod telemetry;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use stakeout::app::Servers;
use stakeout::cli::{self, Arguments, Command, Plan};
use stakeout::tui;

use self::telemetry::Telemetry;

/// How long tasks may take to let go of what they hold.
const FAREWELL: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let command = arguments.command.as_ref();
    let telemetry = Telemetry::start(command.is_none_or(Command::waits));
    if let (Some(command), Some(problem)) = (command, telemetry.problem()) {
        cli::say(command, problem);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return cli::report(&error.into(), false),
    };
    let code = match arguments.command {
        Some(command) => runtime.block_on(cli::execute(command, serving::serve)),
        None => runtime
            .block_on(screen(&arguments))
            .unwrap_or_else(|error| cli::report(&error, arguments.servers.verbose)),
    };
    // Whoever still watches over a child ends it now. A thread that reads stdin, or writes to a
    // reader that doesn't read, is not waited for any longer.
    runtime.shutdown_timeout(FAREWELL);
    telemetry.end();
    code
}

async fn screen(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let recording = arguments.recording()?;
    let plan = match recording {
        Some(_) => None,
        None => arguments.plan()?,
    };
    if !tui::has_terminal() {
        anyhow::bail!("there is no terminal to draw on; use `stakeout run` to wait without one");
    }
    let servers = Servers::load(&arguments.servers.options(None)?).map_err(anyhow::Error::msg)?;
    let given = arguments.servers.give_a_server();
    let start = tui::Start {
        ascii: arguments.ascii,
        recording,
        ..plan
            .map(|plan| start(plan, &servers, given))
            .unwrap_or_default()
    };
    tui::run(servers, start).await.map(ExitCode::from)
}

/// What is on the Bench at first. A call that names no server means the one that `run` would take,
/// where that is clear; the server of the spec itself unless one is `given` on the command line.
fn start(plan: Plan, servers: &Servers, given: bool) -> tui::Start {
    let mut call = plan.wait;
    let named = call["probe"]["server"].as_str();
    let brought = plan.server.map(|entry| servers.bring(entry));
    let resolved = match brought {
        Some(name) if named.is_some() || !given => Ok(name),
        _ => servers.resolve(named, call["probe"]["tool"].as_str()),
    };
    if let (Ok(server), Some(probe)) = (resolved, call["probe"].as_object_mut()) {
        probe.insert("server".to_owned(), server.into());
    }
    tui::Start {
        call: Some(call),
        rounds: plan.rounds,
        saved: plan.saved,
        ..tui::Start::default()
    }
}
