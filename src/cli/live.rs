//! What stderr says while a wait runs: one live line on a terminal, a line for each change elsewhere.
//!
//! Owns the words, and when they are said. Must not know the clock: it is told what time it is.

#[cfg(test)]
mod tests;

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::stderr::{Colour, Form, Stderr};
use crate::text::{clock, one_line, spoken, telling_line};
use crate::wait::{AfterSleep, Call, Ending, Event, Note, Reason, Sample, WaitResult, compared};

/// Between two pictures of the spinner.
pub const TICK: Duration = Duration::from_millis(250);
/// Between two signs of life where there is no terminal.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// Between two drawings of the line, however much happens.
const REDRAW: Duration = Duration::from_millis(50);
/// Columns of a line that stays.
const LOG_WIDTH: usize = 200;
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];

/// The teller.
pub struct Live<W: Write> {
    stderr: Stderr<W>,
    call: Call,
    target: String,
    rounds: u32,
    began: Instant,
    round: Option<Round>,
    samples: u64,
    failures: u64,
    newest: Option<Newest>,
    /// The newest observation.
    observed: Option<Arc<str>>,
    /// What was said about the sample in flight, or about the one to come.
    note: Option<String>,
    spinner: usize,
    drawn: Option<Instant>,
    last_word: Instant,
}

struct Round {
    number: u32,
    began: Instant,
}

/// What the newest sample brought, in a line.
enum Newest {
    Line(String),
    Failure(String),
}

impl<W: Write> Live<W> {
    /// A teller for a wait on `server` that begins to connect now.
    pub fn new(stderr: Stderr<W>, call: &Call, server: &str, rounds: u32, now: Instant) -> Self {
        Self {
            stderr,
            call: call.clone(),
            target: format!("{} ▸ {}", one_line(server, 40), one_line(call.tool(), 60)),
            rounds,
            began: now,
            round: None,
            samples: 0,
            failures: 0,
            newest: None,
            observed: None,
            note: None,
            spinner: 0,
            drawn: None,
            last_word: now,
        }
    }

    /// Says a sentence that stays.
    pub fn say(&mut self, sentence: &str) {
        self.stderr.say(sentence);
    }

    /// Takes an event.
    pub fn hear(&mut self, event: &Event, now: Instant) {
        match event {
            Event::RoundStarted { round, .. } => {
                self.round = Some(Round {
                    number: *round,
                    began: now,
                });
                if *round > 1 {
                    self.log(&format!("round {round} of {}", self.rounds), now);
                }
            }
            Event::SampleStarted { .. } => self.note = None,
            Event::Note { note, .. } => self.hear_note(note, now),
            Event::Sample(sample) => self.hear_sample(sample, now),
            Event::SampleFailed {
                sample,
                latency_ms,
                cause,
                ..
            } => {
                self.failures += 1;
                let again = matches!(&self.newest, Some(Newest::Failure(known)) if known == cause);
                self.newest = Some(Newest::Failure(cause.clone()));
                if !again {
                    let latency = spoken(latency_ms.0);
                    self.log(&format!("sample {sample}, {latency}: failed: {cause}"), now);
                }
            }
            Event::Sleeping {
                then: AfterSleep::LastLook,
                ..
            } => {
                self.note = Some("one last look before the budget ends".to_owned());
            }
            Event::WaitStarted(_) => {
                let words = format!("waiting for {}", self.target);
                self.log(&words, now);
            }
            Event::Sleeping { .. } | Event::WaitEnded { .. } => {}
        }
        let due = self
            .drawn
            .is_none_or(|drawn| now.duration_since(drawn) >= REDRAW);
        if due {
            self.draw(now);
        }
    }

    /// Lets time be seen.
    pub fn tick(&mut self, now: Instant) {
        self.spinner += 1;
        if now.duration_since(self.last_word) >= HEARTBEAT {
            let still = if self.round.is_some() {
                "still waiting, "
            } else {
                "still "
            };
            self.log(&format!("{still}{}", self.budget(now)), now);
        }
        self.draw(now);
    }

    /// Says nothing more.
    pub fn hush(&mut self) {
        self.stderr.wipe();
        self.stderr.form = Form::Quiet;
    }

    /// Says how it ended.
    pub fn end(&mut self, ending: &Ending) {
        let (good, sentence) = match ending {
            Ok(result) => (
                matches!(result.reason, Reason::Matched | Reason::Settled),
                self.result(result),
            ),
            Err(failure) => (false, failure.error.to_string()),
        };
        let (mark, colour) = if good {
            ("✔", Colour::Good)
        } else {
            ("✖", Colour::Bad)
        };
        self.stderr
            .say_in(&format!("{mark} {sentence}"), Some(colour));
    }

    fn result(&self, result: &WaitResult) -> String {
        let word = match result.reason {
            Reason::Matched => "matched",
            Reason::Settled => "settled",
            Reason::Failed => "failed: fail_when matched",
            Reason::Timeout => "timeout",
        };
        let mut sentence = format!(
            "{word} after {} s, {}",
            result.elapsed_sec,
            plural(result.samples, "sample")
        );
        if self.rounds > 1
            && let Some(round) = &self.round
        {
            sentence.push_str(&format!(", in round {} of {}", round.number, self.rounds));
        }
        if result.reason == Reason::Timeout
            && let Some(Newest::Failure(cause)) = &self.newest
        {
            sentence.push_str(&format!("; the last sample failed: {cause}"));
        }
        sentence
    }

    fn hear_note(&mut self, note: &Note, now: Instant) {
        let words = said(note);
        if matches!(note, Note::Reconnecting | Note::Reconnected) {
            self.log(&words, now);
        }
        self.note = Some(words);
    }

    /// Where lines stay, each change is one.
    fn hear_sample(&mut self, sample: &Sample, now: Instant) {
        self.samples += 1;
        // An output over the limit has no text, and ends the wait.
        let Some(text) = &sample.text else { return };
        let before = self.observed.replace(Arc::clone(text));
        let changed = before.as_ref().is_some_and(|before| {
            !Arc::ptr_eq(before, text) && compared(&self.call, before) != compared(&self.call, text)
        });
        let line = match &self.newest {
            Some(Newest::Line(line)) if !changed => line.clone(),
            _ => telling_line(text, before.as_deref().filter(|_| changed)).to_owned(),
        };
        let well_again = matches!(self.newest, Some(Newest::Failure(_)));
        if before.is_none() || changed || well_again {
            let change = if changed { "changed: " } else { "" };
            let (number, latency) = (sample.sample, spoken(sample.latency_ms.0));
            self.log(&format!("sample {number}, {latency}: {change}{line}"), now);
        }
        self.newest = Some(Newest::Line(line));
    }

    fn log(&mut self, words: &str, now: Instant) {
        if self.stderr.form == Form::Log {
            self.last_word = now;
            let at = clock(now.duration_since(self.began));
            self.stderr
                .say(&format!("{at:>6}  {}", one_line(words, LOG_WIDTH)));
        }
    }

    fn draw(&mut self, now: Instant) {
        if self.stderr.form != Form::Line {
            return;
        }
        self.drawn = Some(now);
        let spinner = SPINNER[self.spinner % SPINNER.len()];
        let mut line = format!("{spinner} {}  {}", self.target, self.budget(now));
        match (&self.note, &self.newest) {
            (Some(note), _) => line.push_str(&format!("  · {note}")),
            (None, Some(Newest::Failure(cause))) => line.push_str(&format!("  ! {cause}")),
            (None, Some(Newest::Line(newest))) => line.push_str(&format!("  │ {newest}")),
            (None, None) => {}
        }
        self.stderr.draw(&line);
    }

    /// Elapsed and remaining time, and samples.
    fn budget(&self, now: Instant) -> String {
        let Some(round) = &self.round else {
            return format!("connecting, {}", clock(now.duration_since(self.began)));
        };
        let elapsed = now.duration_since(round.began);
        // In whole seconds, so that both add up to the bound.
        let whole = Duration::from_secs(elapsed.as_secs());
        let left = self.call.bound().saturating_sub(whole);
        let mut budget = format!(
            "{}, {} left, {}",
            clock(elapsed),
            clock(left),
            plural(self.samples, "sample")
        );
        if self.failures > 0 {
            budget.push_str(&format!(", {} failed", self.failures));
        }
        if self.rounds > 1 {
            budget.push_str(&format!(", round {} of {}", round.number, self.rounds));
        }
        budget
    }
}

/// A note in a few words.
pub fn said(note: &Note) -> String {
    match note {
        Note::Progress {
            progress,
            total,
            message,
        } => {
            let share = total.map_or_else(
                || format!("{progress}"),
                |total| format!("{progress}/{total}"),
            );
            match message {
                Some(message) => format!("progress {share}: {message}"),
                None => format!("progress {share}"),
            }
        }
        Note::Log { level, text } => format!("{level}: {text}"),
        Note::Reconnecting => "the connection is lost; reconnecting".to_owned(),
        Note::Reconnected => "reconnected".to_owned(),
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 {
        format!("{count} {word}")
    } else {
        format!("{count} {word}s")
    }
}
