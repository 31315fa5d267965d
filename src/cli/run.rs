//! `stakeout run`: a wait without a screen.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::aura::{AuraEvents, RESULT_LENGTH};
use super::background::Background;
use super::flags::{OutputForm, RunFlags};
use super::live::{Live, TICK};
use super::plan::{Plan, oddities};
use super::signals::Signals;
use super::stderr::Stderr;
use super::{exit, load, output};
use crate::app::{Servers, WaitRequest, WaitRun};
use crate::mcp::TraceContext;
use crate::store::{RecordingWriter, unreadable};
use crate::wait::{Call, Ending, Event, Millis, Outcome, WaitError, WaitFailure};

pub async fn run(flags: Box<RunFlags>) -> anyhow::Result<ExitCode> {
    let plan = Plan::of(&flags)?;
    let mut signals = Signals::listen().context("signals can't be listened to")?;
    let mut stderr = Stderr::of_process(flags.quiet);
    let servers = load(&flags.servers.options(plan.server.clone())?, |problem| {
        stderr.say(problem)
    })?;
    for notice in &plan.notices {
        stderr.say(notice);
    }
    let request = match request(&plan, &servers) {
        Ok(request) => request,
        Err(error) => {
            let stream = stream(flags.output, plan.wait, None);
            return refused(error, &mut stderr, flags.output, stream, &mut signals).await;
        }
    };
    let mut wait = WaitRun::new(request.clone());
    if let Some(trace) = TraceContext::read(|key| std::env::var(key.to_uppercase()).ok()) {
        wait.continue_trace(trace);
    }
    let sinks = Sinks {
        stdout: stream(flags.output, request.call.to_value(), wait.trace_id()),
        recording: flags.record.as_deref().map(record).transpose()?,
    };
    for oddity in oddities(&request.call, request.rounds) {
        stderr.say(&oddity);
    }
    let mut live = Live::new(
        stderr,
        &request.call,
        &request.server,
        request.rounds,
        Instant::now(),
    );
    let (ending, heard) = listen(wait, &servers, &mut live, sinks, &mut signals).await?;
    servers.close().await;
    if heard.pipe.as_ref().is_some_and(is_closed_pipe) {
        live.hush();
    }
    live.end(&ending);
    let printed = match heard.pipe {
        Some(error) => Ok(Err(exit::CantPrint(error))),
        None => {
            signals
                .unless_one_comes(print(&ending, flags.output, heard.sinks.stdout))
                .await
        }
    };
    if let Some(recording) = heard.sinks.recording
        && let Err(error) = recording.finish().await
    {
        live.say(&recording_ends(&error));
    }
    match (heard.signal, printed) {
        (_, Err(second)) => Ok(ExitCode::from(exit::by_signal(second))),
        (None, Ok(Err(error))) => Err(error.into()),
        (signal, _) => Ok(ExitCode::from(exit::of_ending(&ending, signal))),
    }
}

fn request(plan: &Plan, servers: &Servers) -> Result<WaitRequest, WaitError> {
    let call = Call::parse(&plan.wait)?;
    let server = servers.resolve(call.server(), Some(call.tool()))?;
    Ok(WaitRequest {
        call,
        server,
        name: plan.name.clone(),
        rounds: plan.rounds,
    })
}

/// A wait that never began still answers in the form that was asked for.
async fn refused<W: io::Write>(
    error: WaitError,
    stderr: &mut Stderr<W>,
    form: OutputForm,
    stream: Option<Background<Event>>,
    signals: &mut Signals,
) -> anyhow::Result<ExitCode> {
    stderr.say(&format!("stakeout: {error}"));
    let ending: Ending = Err(WaitFailure::before_the_first_sample(error));
    if let Some(stream) = &stream {
        stream.add(Event::WaitEnded {
            at_ms: Millis::default(),
            outcome: Outcome::from(&ending),
        });
    }
    match signals.unless_one_comes(print(&ending, form, stream)).await {
        Ok(printed) => printed?,
        Err(signal) => return Ok(ExitCode::from(exit::by_signal(signal))),
    }
    Ok(ExitCode::from(exit::of_ending(&ending, None)))
}

/// Where `form` shows events as they happen. `call` is what was asked for, and `trace_id` the trace
/// that the wait belongs to.
fn stream(form: OutputForm, call: Value, trace_id: Option<String>) -> Option<Background<Event>> {
    match form {
        OutputForm::Jsonl => Some(output::json_lines()),
        OutputForm::Aura => {
            let length = std::env::var(RESULT_LENGTH).ok();
            let events = AuraEvents::new(trace_id, length.as_deref());
            Some(output::server_sent_events(events, call))
        }
        OutputForm::Json | OutputForm::Text | OutputForm::None => None,
    }
}

/// Prints what is left to print.
async fn print(
    ending: &Ending,
    form: OutputForm,
    stream: Option<Background<Event>>,
) -> Result<(), exit::CantPrint> {
    match stream {
        Some(stream) => Ok(stream.finish().await?),
        None => output::print_ending(ending, form).await,
    }
}

/// Where events go, beside the live line.
struct Sinks {
    stdout: Option<Background<Event>>,
    recording: Option<Background<Event>>,
}

/// What happened around a wait.
struct Heard {
    /// Where events went and still go.
    sinks: Sinks,
    /// The signal that stopped it, if one did.
    signal: Option<u8>,
    /// Why stdout can't be written to, if it can't.
    pipe: Option<io::Error>,
}

/// Runs the wait and hears its story to its end. A signal stops it, and so does a stdout that
/// can't be written to; a recording that can't does not.
async fn listen<W: io::Write>(
    mut wait: WaitRun,
    servers: &Servers,
    live: &mut Live<W>,
    sinks: Sinks,
    signals: &mut Signals,
) -> anyhow::Result<(Ending, Heard)> {
    let stop = CancellationToken::new();
    let (tell, mut events) = mpsc::unbounded_channel();
    let wait = {
        let (servers, stop) = (servers.clone(), stop.clone());
        tokio::spawn(async move {
            // A listener that is gone has stopped the wait already.
            let mut tell = |event| drop(tell.send(event));
            wait.run(&servers, &mut tell, &stop).await
        })
    };
    let mut heard = Heard {
        sinks,
        signal: None,
        pipe: None,
    };
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { break };
                live.hear(&event, Instant::now());
                for sink in [&heard.sinks.stdout, &heard.sinks.recording].into_iter().flatten() {
                    sink.add(event.clone());
                }
            }
            error = Background::failure_of(&mut heard.sinks.stdout) => {
                heard.pipe = Some(error);
                stop.cancel();
            }
            error = Background::failure_of(&mut heard.sinks.recording) => {
                live.say(&format!("{}; the wait goes on", recording_ends(&error)));
            }
            _ = tick.tick() => live.tick(Instant::now()),
            number = signals.next(), if heard.signal.is_none() => {
                heard.signal = Some(number);
                stop.cancel();
            }
        }
    }
    Ok((
        wait.await
            .context("the wait broke off; this is a fault of stakeout's")?,
        heard,
    ))
}

/// Starts a recording.
fn record(path: &Path) -> anyhow::Result<Background<Event>> {
    let recording = RecordingWriter::create(path).map_err(|error| {
        let place = path.display();
        let sentence = match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("--record {place}: the file exists already; name a new one")
            }
            _ => format!(
                "--record {place}: it can't be created: {}",
                unreadable(&error)
            ),
        };
        anyhow!(error).context(sentence)
    });
    let mut recording = recording?;
    Ok(Background::new(move |event| recording.append(&event)))
}

fn recording_ends(error: &io::Error) -> String {
    format!("the recording can't be written ({error}), and ends early")
}

fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
