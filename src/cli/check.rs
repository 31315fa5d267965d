//! `stakeout check`: is a spec valid, portable, complete, odd?

use std::process::ExitCode;

use super::flags::CheckFlags;
use super::plan::{Plan, oddities};
use super::{exit, load, output, stderr};
use crate::app::Servers;
use crate::mcp::{self, ServerEntry};
use crate::text::line;
use crate::wait::{Call, WaitError};

pub fn check(flags: &CheckFlags) -> anyhow::Result<ExitCode> {
    let plan = Plan::of_spec(&flags.spec)?;
    let place = plan.saved.as_ref();
    let place = place.map_or(&*flags.spec, |saved| &saved.0.path).display();
    let call = match Call::check(&plan.wait) {
        Ok(call) => call,
        Err(faults) => {
            for fault in &faults {
                let words = fault.within(plan.call_path);
                stderr::say(&format!("{place}: {}: {words}", fault.code()));
            }
            return Ok(ExitCode::from(exit::USAGE));
        }
    };
    let servers = load(&flags.servers.options(plan.server.clone())?, stderr::say)?;
    let mut report = vec![format!("{place}: valid")];
    let mut tell = |label: &str, words: &str| report.push(format!("  {label:<10}{}", line(words)));
    tell("until", &call.until().to_value().to_string());
    tell("budget", &budget(&call, plan.rounds));
    tell("portable", &portable(&call));
    match servers.resolve(call.server(), Some(call.tool())) {
        Ok(server) => {
            tell("server", &server_words(&server, &servers));
            if let Some(entry) = servers.entry_of(&server) {
                for variable in mcp::variables(&entry) {
                    tell("variable", &variable_words(&variable, &entry));
                }
            }
        }
        Err(WaitError::ServerAmbiguous { candidates }) if !candidates.is_empty() => {
            tell(
                "server",
                &format!("not named; it could be {}", candidates.join(", ")),
            );
        }
        Err(error) => tell("server", &error.to_string()),
    }
    for notice in &plan.notices {
        tell("note", notice);
    }
    for oddity in oddities(&call, plan.rounds) {
        tell("odd", &oddity);
    }
    report.push(String::new());
    output::print_now(&report.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn budget(call: &Call, rounds: u32) -> String {
    let each = format!(
        "a sample every {} s for at most {} s",
        call.poll().as_secs(),
        call.effective_max_wait_sec()
    );
    if rounds > 1 {
        format!("{each}, {rounds} rounds")
    } else {
        each
    }
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
    match servers
        .rows()
        .into_iter()
        .find(|row| row.name == server && !row.shadowed)
    {
        None => format!("{server} (not configured here)"),
        Some(row) if row.disabled => format!("{server}, {} (disabled)", row.source),
        Some(row) if row.approval.is_some() => {
            format!("{server}, {}: {} (not trusted yet)", row.source, row.reach)
        }
        Some(row) => format!("{server}, {}: {}", row.source, row.reach),
    }
}

fn variable_words(variable: &str, entry: &ServerEntry) -> String {
    if std::env::var_os(variable).is_some() {
        return format!("{variable} (set)");
    }
    let all_but_this = |name: &str| (name != variable).then(String::new);
    match mcp::expand(entry, &all_but_this) {
        Ok(_) => format!("{variable} (not set; its default is used)"),
        Err(_) => format!("{variable} (not set)"),
    }
}
