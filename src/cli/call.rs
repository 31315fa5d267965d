//! `stakeout call`: one sample.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;

use super::busy::with_a_line;
use super::flags::CallFlags;
use super::signals::Signals;
use super::{exit, load, output, plan, stderr};
use crate::app::{Servers, Tried};
use crate::text::one_line;
use crate::wait::{Notes, WaitError};

pub async fn call(flags: CallFlags) -> anyhow::Result<ExitCode> {
    let args = plan::arguments_of(&flags.arguments)?;
    let mut signals = Signals::listen().context("signals can't be listened to")?;
    let servers = load(&flags.servers.options(None)?, stderr::say)?;
    let server = servers.resolve(flags.server.as_deref(), Some(&flags.tool))?;
    let words = format!(
        "calling {} ▸ {}",
        one_line(&server, 40),
        one_line(&flags.tool, 60)
    );
    let (notes, heard) = Notes::channel();
    let trying = one_sample(&servers, &server, &flags, &args, &notes);
    let tried = signals
        .unless_one_comes(with_a_line(&words, Some(heard), trying))
        .await;
    servers.close().await;
    let tried = match tried {
        Ok(tried) => tried?,
        Err(signal) => return Ok(ExitCode::from(exit::by_signal(signal))),
    };
    let text = if flags.json {
        output::json_line(&tried.raw)?
    } else {
        output::foreign_text(&tried.text)
    };
    match signals.unless_one_comes(output::print(text)).await {
        Ok(printed) => printed?,
        Err(signal) => return Ok(ExitCode::from(exit::by_signal(signal))),
    }
    Ok(if tried.tool_error {
        ExitCode::from(exit::FAILED)
    } else {
        ExitCode::SUCCESS
    })
}

async fn one_sample(
    servers: &Servers,
    server: &str,
    flags: &CallFlags,
    args: &serde_json::Map<String, serde_json::Value>,
    notes: &Notes,
) -> Result<Tried, WaitError> {
    let trying = servers.try_once(server, &flags.tool, args, notes);
    let Some(seconds) = flags.probe_timeout else {
        return trying.await;
    };
    // The limit is the call's own: connecting has another.
    servers.connect(server).await?;
    tokio::time::timeout(Duration::from_secs(seconds), trying)
        .await
        .unwrap_or_else(|_| {
            Err(WaitError::ProbeFailed {
                tool: flags.tool.clone(),
                sample: 1,
                cause: format!("no answer within {seconds} s (--probe-timeout)"),
            })
        })
}
