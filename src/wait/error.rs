//! What can end a wait without a result.
//!
//! Owns the stable codes, the words, and the numbers that go with them. Errors of connecting are
//! here as well, since one table of codes serves every front end; what a server is stays unknown.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Refusal;

/// Bytes that one observation may have, its error prefix counted.
pub const OBSERVATION_LIMIT: usize = 262_144;
/// Bytes that a cause may have; of a longer one the head and the tail are kept.
pub const CAUSE_LIMIT: usize = 8 * 1024;

/// An error of the contract. It is read back from what [`WaitError::to_map`] makes of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum WaitError {
    /// The call was refused before the first sample.
    #[error(transparent)]
    #[serde(skip)]
    Refused(#[from] Refusal),
    /// The server could not be started, reached or spoken to.
    #[error("server {server:?} is not available: {step} failed: {cause}")]
    ServerUnavailable {
        /// Its name.
        server: String,
        /// Such as `starting` or `initialize`.
        step: String,
        /// The cause, with exit code and last stderr lines where there are any.
        cause: String,
    },
    /// Nothing says which server was meant.
    #[error("no server was named; {}", pick(candidates))]
    ServerAmbiguous {
        /// The servers it could be.
        candidates: Vec<String>,
    },
    /// Nobody approved the server.
    #[error(
        "server {server:?} is not trusted yet; it would use {would_run}; run again with --trust if you trust {origin}"
    )]
    UntrustedServer {
        /// Its name.
        server: String,
        /// What it would start or contact.
        would_run: String,
        /// The file that configures it.
        origin: String,
        /// Tells its entry from what the entry may become. It is shown to nobody.
        #[serde(default)]
        fingerprint: Box<str>,
    },
    /// The server has no such tool.
    #[error("server {server:?} has no tool {tool:?}{}", hints(near, elsewhere))]
    UnknownProbeTool {
        /// The server that was asked.
        server: String,
        /// The tool that was named.
        tool: String,
        /// Names like it.
        near: Box<[String]>,
        /// Other servers that have it.
        elsewhere: Box<[String]>,
    },
    /// The tool may not be probed by this caller.
    #[error("{tool:?} of server {server:?} may not be probed: {reason}")]
    ProbeNotAllowed {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// Why, and who can allow it.
        reason: String,
    },
    /// A sample failed, and no retry was left.
    #[error("sample {sample} of {tool:?} failed: {cause}")]
    ProbeFailed {
        /// The tool.
        tool: String,
        /// Which attempt, every one counted.
        sample: u64,
        /// The cause.
        cause: String,
    },
    /// The budget ended during a sample, and there has been no observation.
    #[error("{tool:?} gave no answer within the bound of {effective_max_wait_sec} s{}; raise max_wait_sec, or look at the server",
        last_failure.as_ref().map(|cause| format!(" (the last failure: {cause})")).unwrap_or_default())]
    ProbeTimedOut {
        /// The tool.
        tool: String,
        /// The bound in seconds.
        effective_max_wait_sec: u64,
        /// The last failure, if any.
        last_failure: Option<String>,
    },
    /// An output over the limit.
    #[error(
        "sample {sample} of {tool:?} returned {bytes} bytes, over the limit of {limit}; ask the tool for less"
    )]
    ObservationTooLarge {
        /// The tool.
        tool: String,
        /// Which attempt.
        sample: u64,
        /// Bytes of the observation.
        bytes: usize,
        /// Bytes that are allowed.
        limit: usize,
    },
    /// The operator stopped the wait.
    #[error("the wait was cancelled after {samples} {}", if *samples == 1 { "sample" } else { "samples" })]
    Cancelled {
        /// Samples with an observation so far.
        samples: u64,
    },
    /// A recording ended, and the condition that was asked about was undecided.
    #[error("{} after {samples} {}, before the condition was decided; run the wait to see more",
        match recorded {
            Some(how) => format!("the recorded wait ended ({how})"),
            None => "the recording ends".to_owned(),
        },
        if *samples == 1 { "sample" } else { "samples" })]
    RecordingEnded {
        /// Samples with an observation in it.
        samples: u64,
        /// How the recorded wait ended: a reason or a code; `None` where the recording has no end.
        recorded: Option<String>,
    },
}

impl WaitError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::ServerUnavailable { .. } => "server_unavailable",
            Self::ServerAmbiguous { .. } => "server_ambiguous",
            Self::UntrustedServer { .. } => "untrusted_server",
            Self::UnknownProbeTool { .. } => "unknown_probe_tool",
            Self::ProbeNotAllowed { .. } => "probe_not_allowed",
            Self::ProbeFailed { .. } => "probe_failed",
            Self::ProbeTimedOut { .. } => "probe_timed_out",
            Self::ObservationTooLarge { .. } => "observation_too_large",
            Self::Cancelled { .. } => "cancelled",
            Self::RecordingEnded { .. } => "recording_ended",
        }
    }

    /// `code`, `message`, and the fields that the code carries.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("code".to_owned(), json!(self.code()));
        fields.insert("message".to_owned(), json!(self.to_string()));
        let carried = match self {
            Self::Refused(refusal) => Value::Object(refusal.details()),
            Self::ServerUnavailable {
                server,
                step,
                cause,
            } => {
                json!({ "server": server, "step": step, "cause": cause })
            }
            Self::ServerAmbiguous { candidates } => json!({ "candidates": candidates }),
            Self::UntrustedServer {
                server,
                would_run,
                origin,
                ..
            } => {
                json!({ "server": server, "would_run": would_run, "origin": origin })
            }
            Self::UnknownProbeTool {
                server,
                tool,
                near,
                elsewhere,
            } => {
                json!({ "server": server, "tool": tool, "near": near, "elsewhere": elsewhere })
            }
            Self::ProbeNotAllowed {
                server,
                tool,
                reason,
            } => {
                json!({ "server": server, "tool": tool, "reason": reason })
            }
            Self::ProbeFailed {
                tool,
                sample,
                cause,
            } => {
                json!({ "tool": tool, "sample": sample, "cause": cause })
            }
            Self::ProbeTimedOut {
                tool,
                effective_max_wait_sec,
                last_failure,
            } => json!({
                "tool": tool,
                "effective_max_wait_sec": effective_max_wait_sec,
                "last_failure": last_failure,
            }),
            Self::ObservationTooLarge {
                tool,
                sample,
                bytes,
                limit,
            } => {
                json!({ "tool": tool, "sample": sample, "bytes": bytes, "limit": limit })
            }
            Self::Cancelled { samples } => json!({ "samples": samples }),
            Self::RecordingEnded { samples, recorded } => {
                json!({ "samples": samples, "recorded": recorded })
            }
        };
        if let Value::Object(carried) = carried {
            fields.extend(carried);
        }
        fields
    }
}

fn pick(candidates: &[String]) -> String {
    if candidates.is_empty() {
        "no server is configured: give one with --server demo, --stdio, --url or --mcp-config"
            .to_owned()
    } else {
        format!("name one with --server: {}", candidates.join(", "))
    }
}

fn hints(near: &[String], elsewhere: &[String]) -> String {
    let mut hints = String::new();
    if !near.is_empty() {
        hints.push_str(&format!("; did you mean {}?", near.join(", ")));
    }
    if !elsewhere.is_empty() {
        hints.push_str(&format!("; it is a tool of {}", elsewhere.join(", ")));
    }
    if hints.is_empty() {
        hints.push_str("; list its tools with `stakeout tools`");
    }
    hints
}

/// An error, with what was seen before it: an error loses nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitFailure {
    /// What went wrong.
    pub error: WaitError,
    /// Whole seconds since the first sample started, rounded down.
    pub elapsed_sec: u64,
    /// Samples with an observation.
    pub samples: u64,
    /// The newest observation, if there was one.
    pub last_observation: Option<Arc<str>>,
}

impl WaitFailure {
    /// The failure of a wait that had not begun.
    #[must_use]
    pub fn before_the_first_sample(error: WaitError) -> Self {
        Self {
            error,
            elapsed_sec: 0,
            samples: 0,
            last_observation: None,
        }
    }

    /// The failure that [`Self::to_map`] made `fields` of; `None` for a code that isn't known.
    #[must_use]
    pub fn from_map(fields: &Map<String, Value>) -> Option<Self> {
        let number = |name: &str| fields.get(name).and_then(Value::as_u64);
        let last_observation = fields.get("last_observation").and_then(Value::as_str);
        Some(Self {
            error: WaitError::deserialize(&Value::Object(fields.clone())).ok()?,
            elapsed_sec: number("elapsed_sec")?,
            samples: number("samples")?,
            last_observation: last_observation.map(Arc::from),
        })
    }

    /// `code`, `message`, what the code carries, and what was seen so far.
    #[must_use]
    pub fn to_map(&self) -> Map<String, Value> {
        let mut fields = self.error.to_map();
        fields.insert("elapsed_sec".to_owned(), json!(self.elapsed_sec));
        fields.insert("samples".to_owned(), json!(self.samples));
        fields.insert("last_observation".to_owned(), json!(self.last_observation));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_read_back_from_its_fields() {
        let text = || "text".to_owned();
        let errors = [
            WaitError::ServerUnavailable {
                server: text(),
                step: text(),
                cause: text(),
            },
            WaitError::ServerAmbiguous {
                candidates: vec![text()],
            },
            WaitError::UntrustedServer {
                server: text(),
                would_run: text(),
                origin: text(),
                // It is shown to nobody, and so not told.
                fingerprint: Box::default(),
            },
            WaitError::UnknownProbeTool {
                server: text(),
                tool: text(),
                near: Box::new([text()]),
                elsewhere: Box::default(),
            },
            WaitError::ProbeNotAllowed {
                server: text(),
                tool: text(),
                reason: text(),
            },
            WaitError::ProbeFailed {
                tool: text(),
                sample: 3,
                cause: text(),
            },
            WaitError::ProbeTimedOut {
                tool: text(),
                effective_max_wait_sec: 5,
                last_failure: Some(text()),
            },
            WaitError::ObservationTooLarge {
                tool: text(),
                sample: 2,
                bytes: 300_000,
                limit: OBSERVATION_LIMIT,
            },
            WaitError::Cancelled { samples: 4 },
            WaitError::RecordingEnded {
                samples: 4,
                recorded: None,
            },
        ];
        for error in errors {
            let failure = WaitFailure {
                error,
                elapsed_sec: 7,
                samples: 4,
                last_observation: Some("seen".into()),
            };
            let read = WaitFailure::from_map(&failure.to_map());
            assert_eq!(read, Some(failure));
        }
        let newer = json!({ "code": "of_a_later_version", "elapsed_sec": 0, "samples": 0 });
        assert_eq!(newer.as_object().and_then(WaitFailure::from_map), None);
    }
}
