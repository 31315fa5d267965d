//! What the events of a wait mean for it: the evaluator that the engine and what if share.
//!
//! Owns the condition's memory: the round, its quiet window, its streak of failures, and what was
//! seen. Must not know the clock: events say when they happened.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::error::{CAUSE_LIMIT, OBSERVATION_LIMIT};
use super::{
    Call, Ending, Event, Reason, Sample, ToolErrors, Until, WaitError, WaitFailure, WaitResult,
};
use crate::text::head_and_tail;

/// What to do after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    GoOn,
    /// The wait is over.
    Stop(Reason),
    /// The wait is over without a result.
    GiveUp(WaitError),
}

/// Judges a wait by its events, through all its rounds.
#[derive(Debug, Clone)]
pub struct Evaluator {
    call: Call,
    /// When the round began, since the first sample started.
    began: Duration,
    /// Whether a sample has started that has not ended.
    in_flight: bool,
    window: Option<QuietWindow>,
    failures_in_a_row: u64,
    last_failure: Option<LastFailure>,
    round: Seen,
    /// In the rounds before.
    before: Seen,
}

/// What was seen: an error loses nothing of it.
#[derive(Debug, Clone, Default)]
struct Seen {
    samples: u64,
    last_observation: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
struct QuietWindow {
    since: Duration,
    compared: String,
}

#[derive(Debug, Clone)]
struct LastFailure {
    sample: u64,
    cause: String,
}

impl Evaluator {
    /// An evaluator that has seen nothing.
    #[must_use]
    pub fn new(call: Call) -> Self {
        Self {
            call,
            began: Duration::ZERO,
            in_flight: false,
            window: None,
            failures_in_a_row: 0,
            last_failure: None,
            round: Seen::default(),
            before: Seen::default(),
        }
    }

    /// The call that it judges by.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// When the round began, since the first sample started.
    #[must_use]
    pub fn began(&self) -> Duration {
        self.began
    }

    /// Takes an event, and says what it means.
    pub fn hear(&mut self, event: &Event) -> Verdict {
        match event {
            Event::RoundStarted { at_ms, .. } => self.begin_round(at_ms.0),
            Event::SampleStarted { .. } => self.in_flight = true,
            Event::Sample(sample) => {
                self.in_flight = false;
                return self.observed(sample);
            }
            Event::SampleFailed {
                sample,
                cause,
                hopeless,
                ..
            } => {
                self.in_flight = false;
                return self.failed(*sample, cause, *hopeless);
            }
            Event::WaitStarted(_)
            | Event::Note { .. }
            | Event::Sleeping { .. }
            | Event::WaitEnded { .. } => {}
        }
        Verdict::GoOn
    }

    /// The end of the budget: between two samples, or with one in flight.
    ///
    /// # Errors
    /// Where there has been no observation.
    pub fn budget_ended(&self) -> Result<Reason, WaitError> {
        match (&self.round.last_observation, &self.last_failure) {
            (Some(_), _) => Ok(Reason::Timeout),
            (None, Some(failure)) if !self.in_flight => {
                Err(self.probe_failed(failure.sample, &failure.cause))
            }
            (None, failure) => Err(WaitError::ProbeTimedOut {
                tool: self.call.tool.clone(),
                effective_max_wait_sec: self.call.effective_max_wait_sec(),
                last_failure: failure.as_ref().map(|failure| failure.cause.clone()),
            }),
        }
    }

    /// The end of the wait in the form that its caller sees, `at` a time since the first sample
    /// started. A result tells of its round, an error of all rounds.
    ///
    /// # Errors
    /// The error that was given, with what was seen before it.
    pub fn ending(&self, verdict: Result<Reason, WaitError>, at: Duration) -> Ending {
        match verdict {
            Ok(reason) => Ok(WaitResult {
                reason,
                last_observation: (self.round.last_observation.clone())
                    .unwrap_or_else(|| Arc::from("")),
                elapsed_sec: at.saturating_sub(self.began).as_secs(),
                samples: self.round.samples,
                effective_max_wait_sec: self.call.effective_max_wait_sec(),
            }),
            Err(error) => Err(self.failure(error, at)),
        }
    }

    /// `error` with what was seen before it, in all rounds; `at` is a time since the first sample
    /// started.
    #[must_use]
    pub fn failure(&self, mut error: WaitError, at: Duration) -> WaitFailure {
        let samples = self.samples();
        if let WaitError::Cancelled { samples: counted } = &mut error {
            *counted = samples;
        }
        let last_observation = self.round.last_observation.as_ref();
        let last_observation = last_observation.or(self.before.last_observation.as_ref());
        WaitFailure {
            error,
            elapsed_sec: at.as_secs(),
            samples,
            last_observation: last_observation.cloned(),
        }
    }

    /// Samples with an observation so far, in all rounds.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.before.samples + self.round.samples
    }

    fn begin_round(&mut self, at: Duration) {
        let over = std::mem::take(&mut self.round);
        self.before.samples += over.samples;
        if over.last_observation.is_some() {
            self.before.last_observation = over.last_observation;
        }
        self.began = at;
        self.in_flight = false;
        self.window = None;
        self.failures_in_a_row = 0;
        self.last_failure = None;
    }

    /// Judges a sample that completed. One whose text is on record nowhere proves neither a match
    /// nor quiet.
    fn observed(&mut self, sample: &Sample) -> Verdict {
        if sample.bytes > OBSERVATION_LIMIT {
            return Verdict::GiveUp(WaitError::ObservationTooLarge {
                tool: self.call.tool.clone(),
                sample: sample.sample,
                bytes: sample.bytes,
                limit: OBSERVATION_LIMIT,
            });
        }
        if sample.tool_error && self.call.tool_errors == ToolErrors::Fail {
            let cause = sample.text.as_deref().unwrap_or_default();
            return self.failed(sample.sample, cause, false);
        }
        self.round.samples += 1;
        self.failures_in_a_row = 0;
        let Some(text) = &sample.text else {
            self.window = None;
            let lost = format!("[{} bytes, not on record]", sample.bytes);
            self.round.last_observation = Some(Arc::from(lost));
            return Verdict::GoOn;
        };
        self.round.last_observation = Some(Arc::clone(text));
        if let Some(pattern) = &self.call.fail_when
            && pattern.is_match(text)
        {
            return Verdict::Stop(Reason::Failed);
        }
        let guarded = sample.tool_error && self.call.tool_errors == ToolErrors::Guard;
        let reason = match &self.call.until {
            Until::Matches(pattern) => pattern.is_match(text).then_some(Reason::Matched),
            Until::NotMatches(pattern) => {
                (!guarded && !pattern.is_match(text)).then_some(Reason::Matched)
            }
            Until::QuietForSec(_) if guarded => {
                self.window = None;
                None
            }
            Until::QuietForSec(seconds) => {
                self.settles(text, sample.completed(), Duration::from_secs(*seconds))
            }
        };
        reason.map_or(Verdict::GoOn, Verdict::Stop)
    }

    /// Judges a sample that failed. The cause may be as long as an observation: it is cut.
    fn failed(&mut self, sample: u64, cause: &str, hopeless: bool) -> Verdict {
        let cause = head_and_tail(cause, CAUSE_LIMIT);
        self.window = None;
        self.failures_in_a_row += 1;
        if hopeless || self.failures_in_a_row > self.call.retry_errors {
            return Verdict::GiveUp(self.probe_failed(sample, &cause));
        }
        self.last_failure = Some(LastFailure { sample, cause });
        Verdict::GoOn
    }

    fn settles(&mut self, text: &str, at: Duration, quiet: Duration) -> Option<Reason> {
        let compared = compared(&self.call, text);
        match &self.window {
            Some(window) if window.compared == compared => {
                (at.saturating_sub(window.since) >= quiet).then_some(Reason::Settled)
            }
            _ => {
                self.window = Some(QuietWindow {
                    since: at,
                    compared: compared.into_owned(),
                });
                None
            }
        }
    }

    fn probe_failed(&self, sample: u64, cause: &str) -> WaitError {
        WaitError::ProbeFailed {
            tool: self.call.tool.clone(),
            sample,
            cause: cause.to_owned(),
        }
    }
}

/// What of an output is compared for quiet and change: all but what `ignore` matches.
#[must_use]
pub fn compared<'t>(call: &Call, text: &'t str) -> Cow<'t, str> {
    match &call.ignore {
        Some(pattern) => pattern.regex().replace_all(text, ""),
        None => Cow::Borrowed(text),
    }
}
