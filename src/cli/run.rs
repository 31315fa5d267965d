//! `stakeout run`: a wait without a screen.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::aura::{AuraEvents, RESULT_LENGTH};
use super::background::Background;
use super::flags::{OutputForm, RunFlags};
use super::live::{Live, TICK};
use super::plan::{Plan, oddities};
use super::record::Recording;
use super::signals::Signals;
use super::stderr::Stderr;
use super::{exit, load, output};
use crate::app::{RecordingNews, Servers, WaitRequest, WaitRun};
use crate::mcp::TraceContext;
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
    let mut recording = Recording::begin(&flags, &servers)?;
    let mut wait = WaitRun::new(request.clone());
    if let Some(trace) = TraceContext::read(|key| std::env::var(key.to_uppercase()).ok()) {
        wait.continue_trace(trace);
    }
    if let Some(recording) = recording.as_mut().and_then(Recording::take) {
        wait.record(recording);
    }
    let stdout = stream(flags.output, request.call.to_value(), wait.trace_id());
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
    let heard = Heard::new(stdout);
    let news = recording.as_mut().map(|recording| &mut recording.news);
    let (ending, mut heard) = listen(wait, &servers, &mut live, heard, news, &mut signals).await?;
    servers.close().await;
    if heard.pipe.as_ref().is_some_and(is_closed_pipe) {
        live.hush();
    }
    live.end(&ending);
    let printed = match heard.pipe {
        Some(error) => Ok(Err(exit::CantPrint(error))),
        None => {
            signals
                .unless_one_comes(print(&ending, flags.output, heard.stdout))
                .await
        }
    };
    if let Some(recording) = recording {
        // A disk that doesn't answer is left alone at a second signal.
        let _ = signals
            .unless_one_comes(recording.end(&mut live, &mut heard.recorded))
            .await;
    }
    if let Some(path) = heard.recorded.filter(|_| flags.servers.verbose) {
        live.say(&format!("recorded in {}", path.display()));
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

/// What happened around a wait.
struct Heard {
    /// Where events went and still go, beside the live line.
    stdout: Option<Background<Event>>,
    /// The file among the recordings, once there is one.
    recorded: Option<PathBuf>,
    /// The signal that stopped it, if one did.
    signal: Option<u8>,
    /// Why stdout can't be written to, if it can't.
    pipe: Option<io::Error>,
}

impl Heard {
    fn new(stdout: Option<Background<Event>>) -> Self {
        Self {
            stdout,
            recorded: None,
            signal: None,
            pipe: None,
        }
    }
}

/// Runs the wait and hears its story to its end. A signal stops it, and so does a stdout that
/// can't be written to; a recording that can't does not.
async fn listen<W: io::Write>(
    mut wait: WaitRun,
    servers: &Servers,
    live: &mut Live<W>,
    mut heard: Heard,
    mut news: Option<&mut mpsc::UnboundedReceiver<RecordingNews>>,
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
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { break };
                live.hear(&event, Instant::now());
                if let Some(stdout) = &heard.stdout {
                    stdout.add(event);
                }
            }
            error = Background::failure_of(&mut heard.stdout) => {
                heard.pipe = Some(error);
                stop.cancel();
            }
            Some(news) = next(&mut news) => {
                if let Some(trouble) = news.trouble() {
                    live.say(&format!("{trouble}; the wait goes on"));
                }
                heard.recorded = news.path().or(heard.recorded);
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

/// What becomes of the recording; never, where there is none.
async fn next(
    news: &mut Option<&mut mpsc::UnboundedReceiver<RecordingNews>>,
) -> Option<RecordingNews> {
    match news {
        Some(news) => news.recv().await,
        None => std::future::pending().await,
    }
}

fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
