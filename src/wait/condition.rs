//! What a sample means for the wait: the evaluator that the engine and a replay share.
//!
//! Owns the condition's memory (quiet window, streak of failures, what was seen). Must not know the
//! clock: it is told when a sample completed.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::error::{CAUSE_LIMIT, OBSERVATION_LIMIT};
use super::{Call, Ending, Reason, ToolErrors, Until, WaitError, WaitFailure, WaitResult};
use crate::text::head_and_tail;

/// What to do after a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Sample again.
    GoOn,
    /// The wait is over.
    Stop(Reason),
    /// The wait is over without a result.
    GiveUp(WaitError),
}

/// One sample that completed.
#[derive(Debug, Clone, Copy)]
pub struct Completed<'a> {
    /// Which attempt.
    pub sample: u64,
    /// The observation.
    pub text: &'a Arc<str>,
    /// Whether the tool reported an error.
    pub tool_error: bool,
    /// When it completed, on a monotonic clock of the wait's own.
    pub at: Duration,
}

/// Judges the samples of one budget.
#[derive(Debug)]
pub struct Evaluator<'c> {
    call: &'c Call,
    window: Option<QuietWindow>,
    failures_in_a_row: u64,
    last_failure: Option<LastFailure>,
    samples: u64,
    last_observation: Option<Arc<str>>,
}

#[derive(Debug)]
struct QuietWindow {
    since: Duration,
    compared: String,
}

#[derive(Debug)]
struct LastFailure {
    sample: u64,
    cause: String,
}

impl<'c> Evaluator<'c> {
    /// An evaluator that has seen nothing.
    #[must_use]
    pub fn new(call: &'c Call) -> Self {
        Self {
            call,
            window: None,
            failures_in_a_row: 0,
            last_failure: None,
            samples: 0,
            last_observation: None,
        }
    }

    /// Judges a sample that completed.
    pub fn completed(&mut self, completed: Completed<'_>) -> Verdict {
        if completed.text.len() > OBSERVATION_LIMIT {
            return Verdict::GiveUp(WaitError::ObservationTooLarge {
                tool: self.call.tool.clone(),
                sample: completed.sample,
                bytes: completed.text.len(),
                limit: OBSERVATION_LIMIT,
            });
        }
        if completed.tool_error && self.call.tool_errors == ToolErrors::Fail {
            return self.failed(completed.sample, completed.text);
        }
        self.samples += 1;
        self.failures_in_a_row = 0;
        self.last_observation = Some(Arc::clone(completed.text));
        if self
            .call
            .fail_when
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(completed.text))
        {
            return Verdict::Stop(Reason::Failed);
        }
        let guarded = completed.tool_error && self.call.tool_errors == ToolErrors::Guard;
        let reason = match &self.call.until {
            Until::Matches(pattern) => pattern.is_match(completed.text).then_some(Reason::Matched),
            Until::NotMatches(pattern) => {
                (!guarded && !pattern.is_match(completed.text)).then_some(Reason::Matched)
            }
            Until::QuietForSec(_) if guarded => {
                self.window = None;
                None
            }
            Until::QuietForSec(seconds) => self.settles(completed, Duration::from_secs(*seconds)),
        };
        reason.map_or(Verdict::GoOn, Verdict::Stop)
    }

    /// Judges a sample that failed. The cause may be as long as an observation: it is cut.
    pub fn failed(&mut self, sample: u64, cause: &str) -> Verdict {
        let cause = head_and_tail(cause, CAUSE_LIMIT);
        self.window = None;
        self.failures_in_a_row += 1;
        if self.failures_in_a_row > self.call.retry_errors {
            return Verdict::GiveUp(self.probe_failed(sample, &cause));
        }
        self.last_failure = Some(LastFailure { sample, cause });
        Verdict::GoOn
    }

    /// A sample brought no observation, and no other can.
    #[must_use]
    pub fn hopeless(&self, sample: u64, cause: &str) -> WaitError {
        self.probe_failed(sample, &head_and_tail(cause, CAUSE_LIMIT))
    }

    /// The end of the budget: between two samples, or with one `in_flight`.
    ///
    /// # Errors
    /// Where there has been no observation.
    pub fn budget_ended(&self, in_flight: bool) -> Result<Reason, WaitError> {
        match (&self.last_observation, &self.last_failure) {
            (Some(_), _) => Ok(Reason::Timeout),
            (None, Some(failure)) if !in_flight => {
                Err(self.probe_failed(failure.sample, &failure.cause))
            }
            (None, failure) => Err(WaitError::ProbeTimedOut {
                tool: self.call.tool.clone(),
                effective_max_wait_sec: self.call.effective_max_wait_sec(),
                last_failure: failure.as_ref().map(|failure| failure.cause.clone()),
            }),
        }
    }

    /// The end of the wait in the form that its caller sees.
    ///
    /// # Errors
    /// The error that was given, with what was seen before it.
    pub fn ending(&self, verdict: Result<Reason, WaitError>, elapsed: Duration) -> Ending {
        let elapsed_sec = elapsed.as_secs();
        match verdict {
            Ok(reason) => Ok(WaitResult {
                reason,
                last_observation: self
                    .last_observation
                    .clone()
                    .unwrap_or_else(|| Arc::from("")),
                elapsed_sec,
                samples: self.samples,
                effective_max_wait_sec: self.call.effective_max_wait_sec(),
            }),
            Err(error) => Err(WaitFailure {
                error,
                elapsed_sec,
                samples: self.samples,
                last_observation: self.last_observation.clone(),
            }),
        }
    }

    /// Samples with an observation so far.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    fn settles(&mut self, completed: Completed<'_>, quiet: Duration) -> Option<Reason> {
        let compared = compared(self.call, completed.text);
        match &self.window {
            Some(window) if window.compared == compared => {
                (completed.at.saturating_sub(window.since) >= quiet).then_some(Reason::Settled)
            }
            _ => {
                self.window = Some(QuietWindow {
                    since: completed.at,
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
