//! What can end a wait without a result.
//!
//! Owns the stable codes, the words, and the numbers that go with them. Errors of connecting are
//! here as well, since one table of codes serves every front end; what a server is stays unknown.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::Refusal;

/// Bytes that one observation may have, its error prefix counted.
pub const OBSERVATION_LIMIT: usize = 262_144;
/// Bytes that a cause may have; of a longer one the head and the tail are kept.
pub const CAUSE_LIMIT: usize = 8 * 1024;

/// An error of the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// The call was refused before the first sample.
    #[error(transparent)]
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
