//! `stakeout replay`: a recording played back, or judged by another condition.
//!
//! Owns when its events are told and which ending they come to. What that is under another
//! condition, [`WhatIf`] says.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use super::aura::{AuraEvents, RESULT_LENGTH};
use super::flags::{ConditionFlags, OutputForm, ReplayFlags};
use super::live::{Live, TICK};
use super::plan::override_condition;
use super::signals::Signals;
use super::stderr::Stderr;
use super::{exit, output};
use crate::store::{Folders, KeptRecordings, RecordingEnd, RecordingReader, RecordingSummary};
use crate::wait::{Call, Ending, Event, Header, Millis, Outcome, Reason, WaitError, WhatIf};

/// The number of the signal that Ctrl-C sends.
const INTERRUPT: u8 = 2;

pub async fn replay(flags: ReplayFlags) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen().context("signals can't be listened to")?;
    match signals.unless_one_comes(play(&flags)).await {
        Ok(played) => played,
        Err(signal) => Ok(ExitCode::from(exit::by_signal(signal))),
    }
}

async fn play(flags: &ReplayFlags) -> anyhow::Result<ExitCode> {
    let path = find(&flags.recording)?;
    let mut reader = RecordingReader::open(&path)?;
    let asks = !flags.condition.is_empty();
    let mut header = reader.header().clone();
    let call = call(&mut header, &flags.condition, &path)?;
    let mut stderr = Stderr::of_process(flags.quiet);
    if let Some(notice) = notice(&path) {
        stderr.say(&notice);
    }
    let form = flags.output.unwrap_or(if asks {
        OutputForm::Json
    } else {
        OutputForm::Jsonl
    });
    let clock = Clock {
        began: Instant::now(),
        speed: flags.speed,
    };
    let mut stdout = Stdout::open(form, &header.wait).await?;
    let mut live = Live::new(stderr, &call, &header.server, header.rounds, clock.began);
    let mut story = Story::new(call, asks.then_some(header));
    while !story.is_decided()
        && let Some(event) = reader.next_event()?
    {
        clock.wait_for(event.at(), &mut live).await;
        for event in story.hear(event) {
            live.hear(&event, clock.of(event.at()));
            stdout.tell(&event).await?;
        }
    }
    let ending = story.ending(&path)?;
    if let Some(end) = story.end_of(&ending) {
        stdout.tell(&end).await?;
    }
    if let Some(notice) = story.without_texts() {
        live.say(&notice);
    }
    live.end(&ending);
    stdout.end(&ending).await?;
    // A wait that the operator stopped ends as by Ctrl-C, whatever stopped it.
    Ok(ExitCode::from(exit::of_ending(&ending, Some(INTERRUPT))))
}

/// The recording that is meant: a file, or one in the folder where stakeout keeps its own.
fn find(given: &Path) -> anyhow::Result<PathBuf> {
    let place = given.display();
    if given.as_os_str() == "-" {
        bail!("a recording is read from a file; write standard input to one first");
    }
    if given.is_file() {
        return Ok(given.to_owned());
    }
    let folder = Folders::of_user().map_err(|problem| anyhow!(problem))?;
    let folder = folder.recordings();
    let named = KeptRecordings::new(folder.clone());
    let mut found: Vec<PathBuf> = given
        .to_str()
        .map(|name| named.path_of(name))
        .into_iter()
        .collect();
    let mut parts = given.components();
    if let (Some(Component::Normal(name)), None) = (parts.next(), parts.next()) {
        found.push(folder.join(name));
    }
    if let Some(found) = found.into_iter().find(|path| path.is_file()) {
        return Ok(found);
    }
    if given.exists() {
        bail!("{place}: it is no file; name the recording itself");
    }
    bail!("{place}: there is no such recording; check the path, or see stakeout list");
}

/// The call by which the recording is judged, which is what the header says from now on.
fn call(header: &mut Header, condition: &ConditionFlags, path: &Path) -> anyhow::Result<Call> {
    let own = Call::parse(&header.wait);
    own.map_err(|refusal| anyhow!("{}: its call can't be used: {refusal}", path.display()))?;
    if let Value::Object(wait) = &mut header.wait {
        override_condition(wait, condition);
    }
    let call = Call::parse(&header.wait).map_err(WaitError::from)?;
    header.wait = call.to_value();
    Ok(call)
}

/// What is to be said of a recording without an end.
fn notice(path: &Path) -> Option<String> {
    let place = path.display();
    match RecordingSummary::of(path).ok()?.end {
        RecordingEnd::Ended(_) => None,
        RecordingEnd::Running => Some(format!(
            "{place}: the wait is still running; this is what it has recorded so far"
        )),
        RecordingEnd::CutOff => Some(format!(
            "{place}: the recording was cut off; this is what there is of it"
        )),
    }
}

/// When events are told.
struct Clock {
    began: Instant,
    speed: Option<f64>,
}

impl Clock {
    /// The moment of the recording at `at`, as the live line counts time.
    fn of(&self, at: Duration) -> Instant {
        self.began.checked_add(at).unwrap_or(self.began)
    }

    /// Waits until what happened at `at` is to be told; the live line ticks meanwhile.
    async fn wait_for<W: io::Write>(&self, at: Duration, live: &mut Live<W>) {
        // A signal is heard between two events, however fast they come.
        tokio::task::yield_now().await;
        let Some(speed) = self.speed else { return };
        loop {
            let played = self.began.elapsed().as_secs_f64() * speed;
            let left = (at.as_secs_f64() - played) / speed;
            let Ok(left) = Duration::try_from_secs_f64(left) else {
                return;
            };
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(TICK)).await;
            let played = self.began.elapsed().as_secs_f64() * speed;
            live.tick(self.of(Duration::try_from_secs_f64(played).unwrap_or(at).min(at)));
        }
    }
}

/// What is told of a recording: all of it, or with another condition what that wait would have told.
struct Story {
    what_if: WhatIf,
    /// The header with the other condition, where another is asked about.
    asked: Option<Header>,
    /// How the recording ends, if nothing came after that.
    recorded: Option<Outcome>,
    /// How that wait would have ended, to be told if it was continued.
    end: Option<Event>,
}

impl Story {
    fn new(call: Call, asked: Option<Header>) -> Self {
        Self {
            what_if: WhatIf::new(call),
            asked,
            recorded: None,
            end: None,
        }
    }

    /// Takes an event; answers those that are to be told.
    fn hear(&mut self, event: Event) -> Vec<Event> {
        self.what_if.hear(&event);
        self.recorded = match &event {
            Event::WaitEnded { outcome, .. } => Some(outcome.clone()),
            _ => None,
        };
        let Some(header) = &self.asked else {
            return vec![event];
        };
        match event {
            Event::WaitStarted(_) => vec![Event::WaitStarted(header.clone())],
            Event::WaitEnded { .. } => {
                self.end = self.end_of(&self.what_if.ending());
                Vec::new()
            }
            // It was over in the round before.
            Event::RoundStarted { .. } if self.is_decided() => Vec::new(),
            event => self.end.take().into_iter().chain([event]).collect(),
        }
    }

    /// Whether another condition has decided the wait, whatever comes.
    fn is_decided(&self) -> bool {
        let stop = self.what_if.stopped().filter(|_| self.asked.is_some());
        stop.is_some_and(
            |stop| !matches!(&stop.ending, Ok(result) if result.reason == Reason::Timeout),
        )
    }

    /// How it ends: as it was recorded, or as it would have ended.
    fn ending(&self, path: &Path) -> anyhow::Result<Ending> {
        match &self.recorded {
            _ if self.asked.is_some() => Ok(self.what_if.ending()),
            None => Ok(Err(self.what_if.undecided())),
            Some(outcome) => outcome.to_ending().with_context(|| {
                let place = path.display();
                format!(
                    "{place}: it ends with an error that this version doesn't know; use a newer one"
                )
            }),
        }
    }

    /// The end that is told last, where it isn't that of the recording.
    fn end_of(&self, ending: &Ending) -> Option<Event> {
        self.asked.as_ref()?;
        let at = self.what_if.stopped().map(|stop| stop.at);
        Some(Event::WaitEnded {
            at_ms: Millis(at.unwrap_or(self.what_if.at())),
            outcome: Outcome::from(ending),
        })
    }

    /// What couldn't be judged, in a sentence.
    fn without_texts(&self) -> Option<String> {
        let verb = match self.what_if.without_text() {
            0 => return None,
            1 => "the text of 1 sample is",
            count => {
                return Some(format!(
                    "the texts of {count} samples are not on record, so they were not judged"
                ));
            }
        };
        Some(format!("{verb} not on record, so it was not judged"))
    }
}

/// Standard output, in one of its forms.
enum Stdout {
    Lines,
    Aura(AuraEvents),
    /// Nothing but the end.
    End(OutputForm),
}

impl Stdout {
    async fn open(form: OutputForm, call: &Value) -> Result<Self, exit::CantPrint> {
        Ok(match form {
            OutputForm::Jsonl => Self::Lines,
            OutputForm::Aura => {
                let length = std::env::var(RESULT_LENGTH).ok();
                let events = AuraEvents::new(None, length.as_deref());
                let requested = events.requested(call).map_err(io::Error::from)?;
                output::print(output::server_sent(requested)).await?;
                Self::Aura(events)
            }
            form => Self::End(form),
        })
    }

    /// Prints an event; whoever reads slowly is waited for.
    async fn tell(&mut self, event: &Event) -> Result<(), exit::CantPrint> {
        match self {
            Self::Lines => output::print(output::event_line(event)?).await,
            Self::Aura(events) => match events.tell(event).map_err(io::Error::from)? {
                Some(sent) => output::print(output::server_sent(sent)).await,
                None => Ok(()),
            },
            Self::End(_) => Ok(()),
        }
    }

    async fn end(self, ending: &Ending) -> Result<(), exit::CantPrint> {
        match self {
            Self::End(form) => output::print_ending(ending, form).await,
            Self::Lines | Self::Aura(_) => Ok(()),
        }
    }
}
