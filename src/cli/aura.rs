//! The events of AURA's streaming API, for one call of `wait_for`.
//!
//! Owns their names and fields. Must not know where they go.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::app::wait_id;
use crate::text::{one_line, spoken, telling_line};
use crate::wait::{Answer, Event, Outcome};

/// The variable that says how many characters of a result are told, 0 for all.
pub const RESULT_LENGTH: &str = "TOOL_RESULT_MAX_LENGTH";
/// Characters of a result where nothing else is said.
const RESULT_LENGTH_DEFAULT: usize = 1000;
/// What a result that was cut ends with.
const CUT: &str = "... [truncated]";
/// The tool that is called, from the outside.
const TOOL: &str = "wait_for";
/// There is one agent, and this is what a lone one is called.
const AGENT: &str = "main";
/// What links progress to its call. There is one call in a stream.
const PROGRESS_TOKEN: u64 = 1;
/// What kind of progress it is: that of a tool.
const PHASE: &str = "mcp_progress";
/// Columns of an output's line.
const LINE_WIDTH: usize = 200;

/// A server-sent event.
pub struct ServerSent {
    /// Its name.
    pub name: &'static str,
    /// What it carries, as JSON on one line.
    pub data: String,
}

/// The events of one call.
pub struct AuraEvents {
    correlation: Correlation,
    tool_id: String,
    began: Instant,
    round: Option<Round>,
    result_length: usize,
}

/// The budget that runs.
struct Round {
    began: Duration,
    bound_sec: u64,
}

/// What links the events to each other, to a session and to a trace.
#[derive(Clone, Serialize)]
struct Correlation {
    agent_id: &'static str,
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<String>,
}

/// What every event of a tool begins and ends with.
#[derive(Serialize)]
struct ToolEvent<'a, T> {
    tool_id: &'a str,
    tool_name: &'static str,
    #[serde(flatten)]
    said: T,
    #[serde(flatten)]
    correlation: &'a Correlation,
}

#[derive(Serialize)]
struct Requested<'a> {
    arguments: &'a Value,
}

#[derive(Serialize)]
struct Started {
    progress_token: u64,
}

#[derive(Serialize)]
struct Progress<'a> {
    message: String,
    phase: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u64>,
    progress_token: u64,
    #[serde(flatten)]
    correlation: &'a Correlation,
}

#[derive(Serialize)]
struct Completed {
    duration_ms: u64,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl AuraEvents {
    /// The events of a call that is asked for now, in a session of its own. Where the wait is a
    /// span, `trace_id` is that of its trace. `result_length` is what [`RESULT_LENGTH`] says.
    #[must_use]
    pub fn new(trace_id: Option<String>, result_length: Option<&str>) -> Self {
        let id = wait_id();
        let length = result_length.and_then(|length| length.trim().parse().ok());
        Self {
            tool_id: format!("call_{id}"),
            correlation: Correlation {
                agent_id: AGENT,
                session_id: id,
                trace_id,
            },
            began: Instant::now(),
            round: None,
            result_length: length.unwrap_or(RESULT_LENGTH_DEFAULT),
        }
    }

    /// The event with which a call is asked for.
    ///
    /// # Errors
    /// Where it can't be JSON.
    pub fn requested(&self, arguments: &Value) -> serde_json::Result<ServerSent> {
        self.tool_event("aura.tool_requested", Requested { arguments })
    }

    /// What an event of the wait becomes, if it becomes anything.
    ///
    /// # Errors
    /// Where it can't be JSON.
    pub fn tell(&mut self, event: &Event) -> serde_json::Result<Option<ServerSent>> {
        let told = match event {
            Event::RoundStarted {
                round,
                at_ms,
                effective_max_wait_sec,
            } => {
                self.round = Some(Round {
                    began: at_ms.0,
                    bound_sec: *effective_max_wait_sec,
                });
                if *round > 1 {
                    return Ok(None);
                }
                let progress_token = PROGRESS_TOKEN;
                self.tool_event("aura.tool_start", Started { progress_token })?
            }
            Event::Sample(sample) => {
                let line = sample.text.as_deref().map_or_else(
                    || format!("{} bytes", sample.bytes),
                    |text| one_line(telling_line(text, None), LINE_WIDTH),
                );
                let latency = spoken(sample.latency_ms.0);
                let message = format!("sample {}, {latency}: {line}", sample.sample);
                self.progress(message, sample.completed())?
            }
            Event::SampleFailed {
                sample,
                at_ms,
                latency_ms,
                cause,
                ..
            } => {
                let (latency, cause) = (spoken(latency_ms.0), one_line(cause, LINE_WIDTH));
                let message = format!("sample {sample}, {latency}: failed: {cause}");
                self.progress(message, at_ms.0 + latency_ms.0)?
            }
            Event::WaitEnded { at_ms, outcome } => {
                let lasted = match self.round {
                    Some(_) => at_ms.0,
                    None => self.began.elapsed(),
                };
                self.completed(lasted, outcome)?
            }
            Event::WaitStarted(_)
            | Event::SampleStarted { .. }
            | Event::Note { .. }
            | Event::Sleeping { .. } => return Ok(None),
        };
        Ok(Some(told))
    }

    /// How much of the budget is used, and what a sample brought.
    fn progress(&self, message: String, at: Duration) -> serde_json::Result<ServerSent> {
        let percent = self.round.as_ref().map(|round| {
            let used = at.saturating_sub(round.began).as_millis();
            let whole = u128::from(round.bound_sec) * 1000;
            u64::try_from((used * 100 / whole.max(1)).min(100)).unwrap_or(100)
        });
        let progress = Progress {
            message,
            phase: PHASE,
            percent,
            progress_token: PROGRESS_TOKEN,
            correlation: &self.correlation,
        };
        Ok(ServerSent {
            name: "aura.progress",
            data: serde_json::to_string(&progress)?,
        })
    }

    fn completed(&self, lasted: Duration, outcome: &Outcome) -> serde_json::Result<ServerSent> {
        let duration_ms = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
        let (result, error) = match outcome {
            Outcome::Result(result) => {
                let result = serde_json::to_string(&Answer::Result(result.clone()))?;
                (Some(cut(result, self.result_length)), None)
            }
            Outcome::Error(error) => {
                let part = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
                (None, Some(format!("{}: {}", part("code"), part("message"))))
            }
        };
        let completed = Completed {
            duration_ms,
            success: error.is_none(),
            result,
            error,
        };
        self.tool_event("aura.tool_complete", completed)
    }

    fn tool_event(
        &self,
        name: &'static str,
        said: impl Serialize,
    ) -> serde_json::Result<ServerSent> {
        let event = ToolEvent {
            tool_id: &self.tool_id,
            tool_name: TOOL,
            said,
            correlation: &self.correlation,
        };
        let data = serde_json::to_string(&event)?;
        Ok(ServerSent { name, data })
    }
}

/// `text` whole, or as many characters of it as `limit` allows, and a note that it was cut; 0 is
/// no limit.
fn cut(mut text: String, limit: usize) -> String {
    if limit > 0
        && let Some((at, _)) = text.char_indices().nth(limit)
    {
        text.truncate(at);
        text.push_str(CUT);
    }
    text
}
