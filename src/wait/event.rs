//! The story of a wait: one serde type, which is also the line of `--output jsonl` and of a
//! recording.
//!
//! Owns raw facts only, never verdicts, so that any other condition can be asked of them later.
//! Times are milliseconds since the first sample started, to the microsecond.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Ending, Note, WaitFailure, WaitResult};

/// The version of the line format.
pub const FORMAT_VERSION: u32 = 1;

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The header: what is waited for, and with whom.
    WaitStarted(Header),
    /// A budget begins.
    RoundStarted {
        /// Which one, from 1.
        round: u32,
        /// When.
        at_ms: Millis,
        /// The bound that is enforced in it, in seconds.
        effective_max_wait_sec: u64,
    },
    /// A request goes out.
    SampleStarted {
        /// Which attempt, every one counted, from 1.
        sample: u64,
        /// When.
        at_ms: Millis,
    },
    /// Something was said about the sample in flight.
    Note {
        /// Which attempt.
        sample: u64,
        /// When.
        at_ms: Millis,
        /// What.
        #[serde(flatten)]
        note: Note,
    },
    /// A sample completed.
    Sample(Sample),
    /// A sample brought no observation.
    SampleFailed {
        /// Which attempt.
        sample: u64,
        /// When it started.
        at_ms: Millis,
        /// How long it took.
        latency_ms: Millis,
        /// Why.
        cause: String,
        /// Whether no other attempt could have fared better, so that none is made.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hopeless: bool,
    },
    /// The wait sleeps until the next sample, or until the budget ends.
    Sleeping {
        /// Since when.
        at_ms: Millis,
        /// For how long.
        for_ms: Millis,
        /// What comes after.
        then: AfterSleep,
    },
    /// The end.
    WaitEnded {
        /// When.
        at_ms: Millis,
        /// The result, or the error.
        #[serde(flatten)]
        outcome: Outcome,
    },
}

impl Event {
    /// When it was told, since the first sample started.
    #[must_use]
    pub fn at(&self) -> Duration {
        match self {
            Self::WaitStarted(_) => Duration::ZERO,
            Self::Sample(sample) => sample.completed(),
            Self::SampleFailed {
                at_ms, latency_ms, ..
            } => at_ms.0 + latency_ms.0,
            Self::RoundStarted { at_ms, .. }
            | Self::SampleStarted { at_ms, .. }
            | Self::Note { at_ms, .. }
            | Self::Sleeping { at_ms, .. }
            | Self::WaitEnded { at_ms, .. } => at_ms.0,
        }
    }
}

/// What a sleep ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterSleep {
    /// The next sample.
    Sample,
    /// The last sample that fits into the budget.
    LastLook,
    /// The end of the budget.
    BudgetEnds,
}

/// What stands at the head of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the line format.
    pub version: u32,
    /// The wall clock at the first sample, RFC 3339.
    pub started_at: String,
    /// The server's name.
    pub server: String,
    /// The name of the spec, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The call.
    pub wait: Value,
    /// How many budgets may follow one another.
    pub rounds: u32,
}

/// A sample with an observation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Sample {
    /// Which attempt, every one counted, from 1.
    pub sample: u64,
    /// When it started.
    pub at_ms: Millis,
    /// How long it took.
    pub latency_ms: Millis,
    /// Bytes of the text.
    pub bytes: usize,
    /// Whether the tool reported an error.
    pub tool_error: bool,
    /// An earlier sample with the very same text, where there is one nearby. The line then has no
    /// text of its own.
    #[serde(default)]
    pub same_as: Option<u64>,
    /// Whether the text was left out of a recording because the disk couldn't keep up.
    #[serde(default)]
    pub text_left_out: bool,
    /// The text. In memory always, unless it is over the limit of an observation or was left out; on
    /// a line only without `same_as`.
    #[serde(default)]
    pub text: Option<Arc<str>>,
}

impl Sample {
    /// When it completed.
    #[must_use]
    pub fn completed(&self) -> Duration {
        self.at_ms.0 + self.latency_ms.0
    }
}

impl Serialize for Sample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Line<'a> {
            sample: u64,
            at_ms: Millis,
            latency_ms: Millis,
            bytes: usize,
            tool_error: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            same_as: Option<u64>,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            text_left_out: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'a str>,
        }
        let text = if self.same_as.is_some() {
            None
        } else {
            self.text.as_deref()
        };
        Line {
            sample: self.sample,
            at_ms: self.at_ms,
            latency_ms: self.latency_ms,
            bytes: self.bytes,
            tool_error: self.tool_error,
            same_as: self.same_as,
            text_left_out: self.text_left_out,
            text,
        }
        .serialize(serializer)
    }
}

/// A duration that is written as milliseconds with up to three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Millis(pub Duration);

impl Millis {
    /// `duration` without what is finer than a microsecond.
    #[must_use]
    pub fn floor(duration: Duration) -> Self {
        Self(Duration::from_micros(
            u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
        ))
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let micros = u64::try_from(self.0.as_micros()).unwrap_or(u64::MAX);
        if micros.is_multiple_of(1000) {
            serializer.serialize_u64(micros / 1000)
        } else {
            // Exact to the microsecond for the first 285 years of a wait.
            #[allow(clippy::cast_precision_loss)]
            serializer.serialize_f64(micros as f64 / 1000.0)
        }
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(millis / 1000.0)
            .map(|duration| {
                Self(Duration::from_micros(
                    (duration.as_secs_f64() * 1e6).round() as u64,
                ))
            })
            .map_err(serde::de::Error::custom)
    }
}

/// How the wait ended, as a line carries it: under `result` or under `error`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The five fields.
    Result(WaitResult),
    /// Code, message, what the code carries, and what was seen so far.
    Error(Map<String, Value>),
}

impl From<&Ending> for Outcome {
    fn from(ending: &Ending) -> Self {
        match ending {
            Ok(result) => Self::Result(result.clone()),
            Err(failure) => Self::Error(failure.to_map()),
        }
    }
}

impl Outcome {
    /// The ending that a line tells of; `None` for an error that this version doesn't know.
    #[must_use]
    pub fn to_ending(&self) -> Option<Ending> {
        match self {
            Self::Result(result) => Some(Ok(result.clone())),
            Self::Error(error) => WaitFailure::from_map(error).map(Err),
        }
    }
}
