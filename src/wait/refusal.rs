//! Why a call can't be run, before anything has been sampled.
//!
//! Owns the stable codes and the words. The words name the field, the value and the way out.

use std::fmt;

use serde_json::{Map, Value, json};

/// One fault of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// `probe.tool` is the empty text.
    EmptyProbeTool,
    /// `probe.args` is missing or no object; `found` says what it is.
    ArgsNotObject {
        /// Such as `a list`.
        found: &'static str,
    },
    /// A pattern that doesn't compile.
    InvalidPattern {
        /// The path of the field.
        field: String,
        /// The pattern as written.
        pattern: String,
        /// What is wrong with it.
        cause: String,
    },
    /// `poll_sec` is 0.
    ZeroPoll,
    /// `until.quiet_for_sec` is 0.
    ZeroQuiet,
    /// `max_wait_sec` is 0.
    ZeroMaxWait {
        /// Seconds that a wait may take at most.
        cap_sec: u64,
    },
    /// `poll_sec` leaves no room for a second sample.
    PollExceedsBound {
        /// Seconds between samples.
        poll_sec: u64,
        /// Seconds that were asked for in all.
        max_wait_sec: u64,
        /// Seconds that a wait may take at most.
        cap_sec: u64,
    },
    /// The quiet window is longer than the wait.
    QuietExceedsBound {
        /// Seconds of quiet.
        quiet_for_sec: u64,
        /// Seconds that were asked for in all.
        max_wait_sec: u64,
        /// Seconds that a wait may take at most.
        cap_sec: u64,
    },
    /// `until` holds none or several of its three keys.
    UntilNotExactlyOne {
        /// The keys it holds.
        found: Vec<&'static str>,
    },
    /// `probe_timeout_sec` is 0.
    ZeroProbeTimeout,
    /// A field that the call doesn't have.
    UnknownField {
        /// The path of the field.
        field: String,
        /// The fields that its object has.
        known: &'static [&'static str],
    },
    /// A field that is missing or of the wrong type.
    Malformed {
        /// The path of the field; empty for the call itself.
        field: String,
        /// What is wrong and what it must be.
        problem: String,
    },
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyProbeTool => "empty_probe_tool",
            Self::ArgsNotObject { .. } => "args_not_object",
            Self::InvalidPattern { .. } => "invalid_pattern",
            Self::ZeroPoll => "zero_poll",
            Self::ZeroQuiet => "zero_quiet",
            Self::ZeroMaxWait { .. } => "zero_max_wait",
            Self::PollExceedsBound { .. } => "poll_exceeds_bound",
            Self::QuietExceedsBound { .. } => "quiet_exceeds_bound",
            Self::UntilNotExactlyOne { .. } => "until_not_exactly_one",
            Self::ZeroProbeTimeout => "zero_probe_timeout",
            Self::UnknownField { .. } => "unknown_field",
            Self::Malformed { .. } => "malformed",
        }
    }

    /// The path of the field beside which the fault belongs; empty for the call itself.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            Self::EmptyProbeTool => "probe.tool",
            Self::ArgsNotObject { .. } => "probe.args",
            Self::ZeroPoll | Self::PollExceedsBound { .. } => "poll_sec",
            Self::ZeroQuiet | Self::QuietExceedsBound { .. } => "until.quiet_for_sec",
            Self::ZeroMaxWait { .. } => "max_wait_sec",
            Self::UntilNotExactlyOne { .. } => "until",
            Self::ZeroProbeTimeout => "probe_timeout_sec",
            Self::InvalidPattern { field, .. }
            | Self::UnknownField { field, .. }
            | Self::Malformed { field, .. } => field,
        }
    }

    /// The fault in words, its field named as a file has it whose object `parent` is the call.
    #[must_use]
    pub fn within(&self, parent: &str) -> String {
        match (parent, self.field()) {
            ("", _) => self.to_string(),
            (parent, "") => match self {
                Self::Malformed { problem, .. } => format!("{parent} {problem}"),
                _ => format!("{parent}: {self}"),
            },
            // The words begin with the field.
            (parent, _) => format!("{parent}.{self}"),
        }
    }

    /// The numbers that belong to the fault, for machines.
    #[must_use]
    pub fn details(&self) -> Map<String, Value> {
        let mut details = Map::new();
        details.insert("field".to_owned(), json!(self.field()));
        match self {
            Self::PollExceedsBound {
                poll_sec,
                max_wait_sec,
                cap_sec,
            } => {
                details.insert("poll_sec".to_owned(), json!(poll_sec));
                details.insert(
                    "effective_max_wait_sec".to_owned(),
                    json!(max_wait_sec.min(cap_sec)),
                );
            }
            Self::QuietExceedsBound {
                quiet_for_sec,
                max_wait_sec,
                cap_sec,
            } => {
                details.insert("quiet_for_sec".to_owned(), json!(quiet_for_sec));
                details.insert(
                    "effective_max_wait_sec".to_owned(),
                    json!(max_wait_sec.min(cap_sec)),
                );
            }
            _ => {}
        }
        details
    }
}

/// The bound in words, with the cap where it played a part.
fn bound_in_words(max_wait_sec: u64, cap_sec: u64) -> String {
    if max_wait_sec > cap_sec {
        format!("the bound of {cap_sec} s (max_wait_sec {max_wait_sec} is capped at {cap_sec})")
    } else {
        format!("the bound of {max_wait_sec} s (max_wait_sec)")
    }
}

fn raise_or_lower(field: &str, max_wait_sec: u64, cap_sec: u64) -> String {
    if max_wait_sec >= cap_sec {
        format!("lower {field}; a bound can't be over {cap_sec} s")
    } else {
        format!("lower {field} or raise max_wait_sec (at most {cap_sec})")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyProbeTool => {
                write!(
                    formatter,
                    "probe.tool is empty; name the MCP tool to sample"
                )
            }
            Self::ArgsNotObject { found } => write!(
                formatter,
                "probe.args is {found}; it must be a JSON object, such as {{}}"
            ),
            Self::InvalidPattern {
                field,
                pattern,
                cause,
            } => write!(formatter, "{field} {pattern:?} is no valid regex: {cause}"),
            Self::ZeroPoll => write!(formatter, "poll_sec is 0; it must be at least 1"),
            Self::ZeroQuiet => {
                write!(formatter, "until.quiet_for_sec is 0; it must be at least 1")
            }
            Self::ZeroMaxWait { cap_sec } => write!(
                formatter,
                "max_wait_sec is 0; it must be from 1 to {cap_sec}"
            ),
            Self::PollExceedsBound {
                poll_sec,
                max_wait_sec,
                cap_sec,
            } => write!(
                formatter,
                "poll_sec {poll_sec} is not below {}; {}",
                bound_in_words(*max_wait_sec, *cap_sec),
                raise_or_lower("poll_sec", *max_wait_sec, *cap_sec)
            ),
            Self::QuietExceedsBound {
                quiet_for_sec,
                max_wait_sec,
                cap_sec,
            } => write!(
                formatter,
                "until.quiet_for_sec {quiet_for_sec} is over {}; {}",
                bound_in_words(*max_wait_sec, *cap_sec),
                raise_or_lower("quiet_for_sec", *max_wait_sec, *cap_sec)
            ),
            Self::UntilNotExactlyOne { found } if found.is_empty() => write!(
                formatter,
                "until has no condition; give one of matches, not_matches or quiet_for_sec"
            ),
            Self::UntilNotExactlyOne { found } => write!(
                formatter,
                "until has {} conditions ({}); keep exactly one",
                found.len(),
                found.join(", ")
            ),
            Self::ZeroProbeTimeout => {
                write!(
                    formatter,
                    "probe_timeout_sec is 0; it must be at least 1, or absent"
                )
            }
            Self::UnknownField { field, known } => write!(
                formatter,
                "{field} is no field of the call; use one of {}",
                known.join(", ")
            ),
            Self::Malformed { field, problem } if field.is_empty() => {
                write!(formatter, "the call {problem}")
            }
            Self::Malformed { field, problem } => write!(formatter, "{field} {problem}"),
        }
    }
}

impl std::error::Error for Refusal {}
