//! What a wait would have come to under another condition: its story, judged once more.
//!
//! Owns where that wait would have stopped. Judging is the engine's own [`Evaluator`]'s. Must not
//! know where the story comes from: a file, or a wait that still runs.

use std::time::Duration;

use serde_json::Value;

use super::condition::{Evaluator, Verdict};
use super::error::OBSERVATION_LIMIT;
use super::{Call, Changes, Ending, Event, Outcome, Reason, WaitError, WaitFailure};

/// What one sample would have meant, whether or not the wait had stopped before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Which attempt.
    pub sample: u64,
    /// What the wait would have done.
    pub verdict: Verdict,
    /// Whether it differs from the observation before, after `ignore`; the first never does.
    pub changed: bool,
    /// Whether it could not be judged, since its text is on record nowhere.
    pub lost: bool,
}

/// Where a wait would have stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// The sample that decided it; `None` where that was the end of the budget or of the wait itself.
    pub sample: Option<u64>,
    /// When, since the first sample started.
    pub at: Duration,
    /// With which result or error.
    pub ending: Ending,
}

/// Asks what if, an event at a time, in the order in which they were told.
#[derive(Debug)]
pub struct WhatIf {
    evaluator: Evaluator,
    changes: Changes,
    /// How many rounds may follow one another.
    rounds: u32,
    /// How many may still follow.
    left: u32,
    begun: bool,
    /// When the newest event happened.
    at: Duration,
    stop: Option<Stop>,
    /// How the wait itself ended, in a word.
    recorded: Option<String>,
    without_text: u64,
}

impl WhatIf {
    /// A question that has heard nothing. `call` is the wait's own, with another condition.
    #[must_use]
    pub fn new(call: Call) -> Self {
        Self {
            changes: Changes::new(call.clone()),
            evaluator: Evaluator::new(call),
            rounds: 1,
            left: 1,
            begun: false,
            at: Duration::ZERO,
            stop: None,
            recorded: None,
            without_text: 0,
        }
    }

    /// Takes the next event; answers what it would have meant, where it is a sample.
    pub fn hear(&mut self, event: &Event) -> Option<Judged> {
        self.at = self.at.max(event.at());
        match event {
            Event::WaitStarted(header) => {
                self.rounds = header.rounds;
                self.left = header.rounds;
            }
            Event::RoundStarted { .. } => self.next_round(),
            Event::WaitEnded { outcome, .. } => self.end(outcome),
            _ => {}
        }
        let verdict = self.evaluator.hear(event);
        let (sample, lost) = match event {
            Event::Sample(sample) => {
                let lost = sample.text.is_none() && sample.bytes <= OBSERVATION_LIMIT;
                (sample.sample, lost)
            }
            Event::SampleFailed { sample, .. } => (*sample, false),
            _ => return None,
        };
        self.without_text += u64::from(lost);
        match verdict.clone() {
            Verdict::GoOn => {}
            Verdict::Stop(reason) => self.stop(Some(sample), Ok(reason)),
            Verdict::GiveUp(error) => self.stop(Some(sample), Err(error)),
        }
        Some(Judged {
            sample,
            verdict,
            changed: self.changes.see(event),
            lost,
        })
    }

    /// Where the wait would have stopped; `None` where it is undecided so far.
    #[must_use]
    pub fn stopped(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// How the wait would have ended, as far as it was heard.
    ///
    /// # Errors
    /// The error that the wait would have ended with; `recording_ended` where it is undecided.
    pub fn ending(&self) -> Ending {
        match &self.stop {
            Some(stop) => stop.ending.clone(),
            None => Err(self.undecided()),
        }
    }

    /// The error `recording_ended`, with what was seen.
    #[must_use]
    pub fn undecided(&self) -> WaitFailure {
        let error = WaitError::RecordingEnded {
            samples: self.evaluator.samples(),
            recorded: self.recorded.clone(),
        };
        self.evaluator.failure(error, self.at)
    }

    /// When the newest event happened, since the first sample started.
    #[must_use]
    pub fn at(&self) -> Duration {
        self.at
    }

    /// How many samples could not be judged, since their texts are on record nowhere.
    #[must_use]
    pub fn without_text(&self) -> u64 {
        self.without_text
    }

    /// The budget before has ended, undecided.
    fn next_round(&mut self) {
        if self.begun {
            let verdict = self.evaluator.budget_ended();
            self.stop(None, verdict);
        }
        self.begun = true;
        self.left = self.left.saturating_sub(1);
        self.recorded = None;
        self.reopen();
    }

    fn end(&mut self, outcome: &Outcome) {
        self.recorded = Some(match outcome {
            Outcome::Result(result) => result.reason.as_str().to_owned(),
            Outcome::Error(error) => {
                let code = error.get("code").and_then(Value::as_str);
                code.unwrap_or_default().to_owned()
            }
        });
        let ending = outcome.to_ending();
        let last = self.left == 0 || ending.as_ref().is_some_and(is_timeout);
        let bound = self.evaluator.call().bound();
        if let Some(Err(failure)) = ending
            && !is_of_the_probe(&failure.error)
        {
            self.reopen();
            self.stop(None, Err(failure.error));
        } else if self.begun && self.at.saturating_sub(self.evaluator.began()) >= bound {
            match self.evaluator.budget_ended() {
                // Another round would have followed.
                Ok(_) if !last => {}
                verdict => self.stop(None, verdict),
            }
        }
        // Whoever continues the wait asks for as many rounds again.
        self.left = self.rounds;
    }

    /// A timeout isn't the end where the wait went on, whichever condition one asks.
    fn reopen(&mut self) {
        self.stop.take_if(|stop| is_timeout(&stop.ending));
    }

    /// The first stop counts.
    fn stop(&mut self, sample: Option<u64>, verdict: Result<Reason, WaitError>) {
        if self.stop.is_none() {
            self.stop = Some(Stop {
                sample,
                at: self.at,
                ending: self.evaluator.ending(verdict, self.at),
            });
        }
    }
}

fn is_timeout(ending: &Ending) -> bool {
    matches!(ending, Ok(result) if result.reason == Reason::Timeout)
}

/// Whether the evaluator comes to this error by itself, where the condition is one that does.
fn is_of_the_probe(error: &WaitError) -> bool {
    matches!(
        error,
        WaitError::ProbeFailed { .. }
            | WaitError::ProbeTimedOut { .. }
            | WaitError::ObservationTooLarge { .. }
    )
}
