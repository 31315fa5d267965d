//! The call: what is probed, what it is waited for, and for how long.
//!
//! Owns types that can't hold a bad call: the only way to one is [`Call::check`], in
//! [`super::parse`]. Must not know what the arguments mean or where the tool lives.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::Pattern;

/// Seconds between samples where the call doesn't say.
pub const DEFAULT_POLL_SEC: u64 = 2;
/// Seconds in all where the call doesn't say.
pub const DEFAULT_MAX_WAIT_SEC: u64 = 120;
/// Seconds that no single wait may pass; a longer one is clamped, never refused.
pub const MAX_WAIT_CAP_SEC: u64 = 300;

/// The bounds that whoever runs a call sets for it, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How long it may take where the call doesn't say.
    pub default_max_wait_sec: u64,
    /// How long it may take at most; longer ones are clamped. At most [`MAX_WAIT_CAP_SEC`].
    pub max_wait_cap_sec: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            default_max_wait_sec: DEFAULT_MAX_WAIT_SEC,
            max_wait_cap_sec: MAX_WAIT_CAP_SEC,
        }
    }
}

/// A call that can be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub(super) server: Option<String>,
    pub(super) tool: String,
    pub(super) args: Map<String, Value>,
    pub(super) until: Until,
    pub(super) poll_sec: u64,
    pub(super) requested_max_wait_sec: u64,
    pub(super) max_wait_cap_sec: u64,
    pub(super) fail_when: Option<Pattern>,
    pub(super) tool_errors: ToolErrors,
    pub(super) retry_errors: u64,
    pub(super) probe_timeout_sec: Option<u64>,
    pub(super) ignore: Option<Pattern>,
}

/// What ends a wait well.
#[derive(Debug, Clone, PartialEq)]
pub enum Until {
    /// The output matches.
    Matches(Pattern),
    /// The output no longer matches.
    NotMatches(Pattern),
    /// The output has not changed for that many seconds.
    QuietForSec(u64),
}

/// What a tool error may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolErrors {
    /// It can satisfy `matches` and `fail_when`, never `not_matches`, and restarts the quiet window.
    #[default]
    Guard,
    /// It is output like any other.
    Observe,
    /// It is a failed sample.
    Fail,
}

impl ToolErrors {
    /// Every value, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Guard, Self::Observe, Self::Fail];

    /// The value as a call spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Observe => "observe",
            Self::Fail => "fail",
        }
    }
}

impl Until {
    /// The condition as a call spells it: an object with one key.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Matches(pattern) => json!({ "matches": pattern.source() }),
            Self::NotMatches(pattern) => json!({ "not_matches": pattern.source() }),
            Self::QuietForSec(seconds) => json!({ "quiet_for_sec": seconds }),
        }
    }

    /// The condition in words: how it is met, and the pattern or the window.
    #[must_use]
    pub fn words(&self) -> (&'static str, String) {
        match self {
            Self::Matches(pattern) => ("matches", pattern.source().to_owned()),
            Self::NotMatches(pattern) => ("no longer matches", pattern.source().to_owned()),
            Self::QuietForSec(seconds) => ("quiet for", format!("{seconds} s")),
        }
    }

    /// The pattern, where the condition has one.
    #[must_use]
    pub fn pattern(&self) -> Option<&Pattern> {
        match self {
            Self::Matches(pattern) | Self::NotMatches(pattern) => Some(pattern),
            Self::QuietForSec(_) => None,
        }
    }
}

impl Call {
    /// The same call of that server's tool.
    #[must_use]
    pub fn on_server(self, server: &str) -> Self {
        let server = Some(server.to_owned());
        Self { server, ..self }
    }

    /// Which server's tool, where the call says.
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        self.server.as_deref()
    }

    /// The tool; never empty.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments, sent with every sample exactly as written.
    #[must_use]
    pub fn args(&self) -> &Map<String, Value> {
        &self.args
    }

    /// What ends the wait well.
    #[must_use]
    pub fn until(&self) -> &Until {
        &self.until
    }

    /// From the end of one sample to the start of the next.
    #[must_use]
    pub fn poll(&self) -> Duration {
        Duration::from_secs(self.poll_sec)
    }

    /// The bound that is enforced: what was asked for, clamped to the cap.
    #[must_use]
    pub fn bound(&self) -> Duration {
        Duration::from_secs(self.effective_max_wait_sec())
    }

    /// The bound that is enforced, in seconds.
    #[must_use]
    pub fn effective_max_wait_sec(&self) -> u64 {
        self.requested_max_wait_sec.min(self.max_wait_cap_sec)
    }

    /// The bound that was asked for, in seconds.
    #[must_use]
    pub fn requested_max_wait_sec(&self) -> u64 {
        self.requested_max_wait_sec
    }

    /// What ends the wait badly, where the call says.
    #[must_use]
    pub fn fail_when(&self) -> Option<&Pattern> {
        self.fail_when.as_ref()
    }

    /// What a tool error may do.
    #[must_use]
    pub fn tool_errors(&self) -> ToolErrors {
        self.tool_errors
    }

    /// How many failed samples in a row are tolerated.
    #[must_use]
    pub fn retry_errors(&self) -> u64 {
        self.retry_errors
    }

    /// How long one sample may take, where the call says.
    #[must_use]
    pub fn probe_timeout(&self) -> Option<Duration> {
        self.probe_timeout_sec.map(Duration::from_secs)
    }

    /// What is left out when outputs are compared.
    #[must_use]
    pub fn ignore(&self) -> Option<&Pattern> {
        self.ignore.as_ref()
    }

    /// The names of the extensions that this call uses; a call without any is portable to every
    /// implementation of the contract.
    #[must_use]
    pub fn extensions(&self) -> Vec<&'static str> {
        let mut used = Vec::new();
        let mut note = |name, present: bool| {
            if present {
                used.push(name);
            }
        };
        note("probe.server", self.server.is_some());
        note("fail_when", self.fail_when.is_some());
        note("tool_errors", self.tool_errors != ToolErrors::Guard);
        note("retry_errors", self.retry_errors > 0);
        note("probe_timeout_sec", self.probe_timeout_sec.is_some());
        note("ignore", self.ignore.is_some());
        used
    }

    /// What is valid but will surprise: one sentence each.
    #[must_use]
    pub fn oddities(&self) -> Vec<String> {
        let mut odd = Vec::new();
        if self.requested_max_wait_sec > MAX_WAIT_CAP_SEC {
            odd.push(format!(
                "{} s clamped to {MAX_WAIT_CAP_SEC} s; use --rounds {}",
                self.requested_max_wait_sec,
                self.requested_max_wait_sec.div_ceil(MAX_WAIT_CAP_SEC)
            ));
        }
        if let Until::QuietForSec(seconds) = self.until
            && seconds == self.effective_max_wait_sec()
        {
            let raise = if seconds < MAX_WAIT_CAP_SEC {
                " or raise max_wait_sec"
            } else {
                ""
            };
            odd.push(format!(
                "a quiet window of {seconds} s equals the bound, and no real probe can settle it: \
                 the first sample opens the window only once it has arrived; lower quiet_for_sec{raise}"
            ));
        }
        if let Some(pattern) = self.until.pattern()
            && pattern.source().is_empty()
        {
            odd.push(
                "an empty pattern matches everything, so the first sample decides the wait"
                    .to_owned(),
            );
        }
        odd
    }

    /// The call as JSON, with optional fields only where they differ from their defaults.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut probe = Map::new();
        if let Some(server) = &self.server {
            probe.insert("server".to_owned(), json!(server));
        }
        probe.insert("tool".to_owned(), json!(self.tool));
        probe.insert("args".to_owned(), Value::Object(self.args.clone()));
        let mut call = Map::new();
        call.insert("probe".to_owned(), Value::Object(probe));
        call.insert("until".to_owned(), self.until.to_value());
        call.insert("poll_sec".to_owned(), json!(self.poll_sec));
        call.insert(
            "max_wait_sec".to_owned(),
            json!(self.requested_max_wait_sec),
        );
        if let Some(pattern) = &self.fail_when {
            call.insert("fail_when".to_owned(), json!(pattern.source()));
        }
        if self.tool_errors != ToolErrors::Guard {
            call.insert("tool_errors".to_owned(), json!(self.tool_errors.as_str()));
        }
        if self.retry_errors > 0 {
            call.insert("retry_errors".to_owned(), json!(self.retry_errors));
        }
        if let Some(seconds) = self.probe_timeout_sec {
            call.insert("probe_timeout_sec".to_owned(), json!(seconds));
        }
        if let Some(pattern) = &self.ignore {
            call.insert("ignore".to_owned(), json!(pattern.source()));
        }
        Value::Object(call)
    }
}
