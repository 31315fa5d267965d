//! `stakeout run`: a wait without a screen.

use std::process::ExitCode;

use anyhow::{Context, anyhow};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::flags::{OutputForm, RunFlags};
use super::live::{self, Live, TICK};
use super::plan::Plan;
use super::{exit, output, signals};
use crate::app::{Servers, WaitRequest, WaitRun};
use crate::store::Recording;
use crate::wait::{Call, Ending, Event, Outcome, WaitError, WaitFailure};

pub async fn run(flags: Box<RunFlags>) -> anyhow::Result<ExitCode> {
    let plan = Plan::of(&flags)?;
    let servers = Servers::load(&flags.servers.options(plan.server.clone())?).map_err(|problem| anyhow!(problem))?;
    let request = match request(&plan, &servers) {
        Ok(request) => request,
        Err(error) => return refused(error, &flags),
    };
    let recording = flags.record.as_deref().map(record).transpose()?;
    let mut live = Live::new(&request.call, &request.server, flags.quiet);
    for problem in servers.problems() {
        live.say(&crate::text::line(problem));
    }
    for oddity in request.call.oddities() {
        live.say(&oddity);
    }
    let stop = CancellationToken::new();
    let (tell, heard) = mpsc::unbounded_channel();
    let wait = {
        let (servers, stop) = (servers.clone(), stop.clone());
        let mut wait = WaitRun::new(request);
        tokio::spawn(async move {
            // A listener that is gone has stopped the wait already.
            let mut tell = |event| drop(tell.send(event));
            wait.run(&servers, &mut tell, &stop).await
        })
    };
    let listened = listen(heard, &mut live, recording, flags.output, &stop).await;
    let ending = wait.await.context("the wait broke off")?;
    servers.close().await;
    live.end(&ending);
    let signal = listened?;
    match flags.output {
        OutputForm::Json => output::json_line(&Printed::from(&ending))?,
        OutputForm::Text => {
            let last = match &ending {
                Ok(result) => Some(&result.last_observation),
                Err(failure) => failure.last_observation.as_ref(),
            };
            last.map_or(Ok(()), |text| output::foreign_text(text))?;
        }
        OutputForm::Jsonl | OutputForm::None => {}
    }
    if flags.quiet && let Err(failure) = &ending {
        live::say(&format!("stakeout: {}", failure.error));
    }
    Ok(ExitCode::from(exit::of_ending(&ending, signal)))
}

fn request(plan: &Plan, servers: &Servers) -> Result<WaitRequest, WaitError> {
    let call = Call::parse(&plan.wait)?;
    let server = servers.resolve(call.server(), Some(call.tool()))?;
    Ok(WaitRequest { call, server, name: plan.name.clone(), rounds: plan.rounds })
}

/// A wait that never began still answers in the form that was asked for.
fn refused(error: WaitError, flags: &RunFlags) -> anyhow::Result<ExitCode> {
    live::say(&format!("stakeout: {error}"));
    let failure: Ending = Err(WaitFailure::before_the_first_sample(error));
    match flags.output {
        OutputForm::Json => output::json_line(&Printed::from(&failure))?,
        OutputForm::Jsonl => output::json_line(&Event::WaitEnded {
            at_ms: crate::wait::Millis::default(),
            outcome: Outcome::from(&failure),
        })?,
        OutputForm::Text | OutputForm::None => {}
    }
    Ok(ExitCode::from(exit::of_ending(&failure, None)))
}

/// The result as it is, or the error under `error`.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Printed {
    Result(crate::wait::WaitResult),
    Error { error: serde_json::Map<String, serde_json::Value> },
}

impl From<&Ending> for Printed {
    fn from(ending: &Ending) -> Self {
        match ending {
            Ok(result) => Self::Result(result.clone()),
            Err(failure) => Self::Error { error: failure.to_map() },
        }
    }
}

/// Hears the story to its end, and gives the signal that stopped it, if one did.
async fn listen(
    mut heard: mpsc::UnboundedReceiver<Event>,
    live: &mut Live,
    mut recording: Option<std::sync::mpsc::Sender<Event>>,
    form: OutputForm,
    stop: &CancellationToken,
) -> anyhow::Result<Option<u8>> {
    let mut tick = tokio::time::interval(TICK);
    let mut signal = None;
    let mut pipe = Ok(());
    let mut asked = std::pin::pin!(signals::first());
    loop {
        tokio::select! {
            event = heard.recv() => {
                let Some(event) = event else { break };
                live.hear(&event);
                if form == OutputForm::Jsonl && pipe.is_ok() {
                    pipe = output::json_line(&event);
                    if pipe.is_err() {
                        stop.cancel();
                    }
                }
                if recording.as_ref().is_some_and(|lines| lines.send(event).is_err()) {
                    recording = None;
                    live.say("the recording could not be written, and ends here; the wait goes on");
                }
            }
            _ = tick.tick() => live.tick(),
            number = &mut asked, if signal.is_none() => {
                signal = Some(number?);
                stop.cancel();
            }
        }
    }
    pipe?;
    Ok(signal)
}

/// Starts a recording. Its lines are written beside the wait, which never waits for the disk.
fn record(path: &std::path::Path) -> anyhow::Result<std::sync::mpsc::Sender<Event>> {
    let mut recording = Recording::create(path).with_context(|| {
        format!("--record {}: it can't be created; name a file that doesn't exist yet", path.display())
    })?;
    let (lines, written) = std::sync::mpsc::channel::<Event>();
    tokio::task::spawn_blocking(move || {
        for event in written {
            if let Err(error) = recording.append(&event) {
                tracing::warn!(%error, "the recording ends early");
                return;
            }
        }
    });
    Ok(lines)
}
