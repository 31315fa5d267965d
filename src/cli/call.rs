//! `stakeout call`: one sample.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::anyhow;

use super::flags::CallFlags;
use super::{exit, output, plan, signals};
use crate::app::Servers;
use crate::wait::{Notes, WaitError};

pub async fn call(flags: CallFlags) -> anyhow::Result<ExitCode> {
    let args = plan::arguments_of(&flags.arguments)?;
    let servers = Servers::load(&flags.servers.options(None)?).map_err(|problem| anyhow!(problem))?;
    let server = servers.resolve(flags.server.as_deref(), Some(&flags.tool))?;
    let (notes, _unheard) = Notes::channel();
    let limit = flags.probe_timeout.map(Duration::from_secs);
    let tried = tokio::select! {
        tried = servers.try_once(&server, &flags.tool, &args, &notes) => tried,
        () = over(limit) => Err(WaitError::ProbeFailed {
            tool: flags.tool.clone(),
            sample: 1,
            cause: format!("no answer within {} s (--probe-timeout)", flags.probe_timeout.unwrap_or_default()),
        }),
        signal = signals::first() => {
            let signal = signal?;
            servers.close().await;
            return Ok(ExitCode::from(exit::by_signal(signal)));
        }
    };
    servers.close().await;
    let tried = tried?;
    if flags.json {
        output::json_line(&tried.raw)?;
    } else {
        output::foreign_text(&tried.text)?;
    }
    Ok(if tried.tool_error { ExitCode::from(exit::FAILED) } else { ExitCode::SUCCESS })
}

/// Ends when the limit is over; never without one.
async fn over(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}
