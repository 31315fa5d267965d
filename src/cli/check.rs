//! `stakeout check`: is a spec valid, portable, complete, odd?

use std::process::ExitCode;

use anyhow::anyhow;

use super::flags::CheckFlags;
use super::plan::Plan;
use super::{exit, live, output};
use crate::app::Servers;
use crate::mcp;
use crate::wait::{Call, WaitError};

pub fn check(flags: &CheckFlags) -> anyhow::Result<ExitCode> {
    let plan = Plan::of_spec(&flags.spec)?;
    let place = flags.spec.display();
    let call = match Call::check(&plan.wait) {
        Ok(call) => call,
        Err(faults) => {
            for fault in &faults {
                live::say(&format!("{place}: {}: {fault}", fault.code()));
            }
            return Ok(ExitCode::from(exit::USAGE));
        }
    };
    let servers = Servers::load(&flags.servers.options(plan.server.clone())?).map_err(|problem| anyhow!(problem))?;
    let mut report = vec![format!("{place}: valid")];
    let mut line = |label: &str, words: &str| report.push(format!("  {label:<10}{words}"));
    line("until", &call.until().to_value().to_string());
    line("budget", &budget(&call, plan.rounds));
    line("portable", &portable(&call));
    match servers.resolve(call.server(), Some(call.tool())) {
        Ok(server) => {
            line("server", &server_words(&server, &servers));
            for variable in servers.entry_of(&server).map(mcp::variables).unwrap_or_default() {
                let state = if std::env::var_os(&variable).is_some() { "set" } else { "not set" };
                line("variable", &format!("{variable} ({state})"));
            }
        }
        Err(WaitError::ServerAmbiguous { candidates }) => {
            line("server", &format!("not named; it could be {}", candidates.join(", ")));
        }
        Err(error) => line("server", &error.to_string()),
    }
    for oddity in call.oddities() {
        line("odd", &oddity);
    }
    output::foreign_text(&report.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn budget(call: &Call, rounds: u32) -> String {
    let each = format!(
        "a sample every {} s for at most {} s",
        call.poll().as_secs(),
        call.effective_max_wait_sec()
    );
    if rounds > 1 { format!("{each}, {rounds} rounds") } else { each }
}

fn portable(call: &Call) -> String {
    let extensions = call.extensions();
    if extensions.is_empty() {
        "yes: it uses nothing but the contract's core".to_owned()
    } else {
        format!("no: it uses {}", extensions.join(", "))
    }
}

fn server_words(server: &str, servers: &Servers) -> String {
    match servers.rows().into_iter().find(|row| row.name == server && !row.shadowed) {
        None => format!("{server} (not configured here)"),
        Some(row) if row.disabled => format!("{server}, {} (disabled)", row.source),
        Some(row) if row.approval.is_some() => {
            format!("{server}, {}: {} (not trusted yet)", row.source, row.reach)
        }
        Some(row) => format!("{server}, {}: {}", row.source, row.reach),
    }
}
