//! A wait as a trace shows it: one span, and below it one for each sample.
//!
//! Owns their names and attributes, which are those of AURA, and their place in a trace that goes
//! on from a caller and to the server. Made of the same events that everybody hears. Arguments are
//! never recorded, and what a server said only on request. Must not know whether anybody exports
//! them: without a subscriber that wants them, all of this is nothing.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use serde_json::Value;
use tracing::field::Empty;
use tracing::{Span, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::WaitRequest;
use crate::mcp::TraceContext;
use crate::text::head_and_tail;
use crate::wait::{Event, Outcome, Sample};

/// The target of every span of ours, by which a subscriber tells them from those of libraries.
pub const SPANS: &str = "stakeout::spans";
/// `true` has what a server said recorded.
const RECORD_CONTENT: &str = "OTEL_RECORD_CONTENT";
/// Bytes of it.
const CONTENT_LENGTH: &str = "OTEL_CONTENT_MAX_LENGTH";
/// Bytes of it where nothing else is said.
const CONTENT_LENGTH_DEFAULT: usize = 1000;

/// The spans of one wait.
pub(super) struct WaitSpans {
    wait: Span,
    tool: String,
    server: String,
    /// Where the wait belongs in a caller's trace.
    parent: Option<TraceContext>,
    /// How many bytes of what a server says are recorded, if any are.
    content: Option<usize>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The sample in flight.
    sample: Option<Span>,
    /// Samples that were answered, well or badly.
    polls: i64,
    /// When the first budget began, on the wait's own clock.
    began: Option<Duration>,
}

impl WaitSpans {
    /// The span of a wait that begins now, below `parent` where there is one.
    pub(super) fn begin(request: &WaitRequest, parent: Option<TraceContext>) -> Self {
        let tool = request.call.tool();
        let wait = info_span!(
            target: SPANS,
            parent: None,
            "orchestration.wait_for",
            orchestration.probe_tool = tool,
            orchestration.wait_condition = %request.call.until().to_value(),
            orchestration.poll_count = Empty,
            orchestration.stop_reason = Empty,
            orchestration.elapsed_ms = Empty,
            "error.type" = Empty,
            otel.status_code = Empty,
            otel.status_description = Empty,
        );
        // Written anew, so that what is passed on is well-formed and short.
        let parent = parent.and_then(|parent| of_context(&context(&parent)));
        if let Some(parent) = &parent {
            // Fails where nobody exports, and then there is nothing to do.
            let _ = wait.set_parent(context(parent));
        }
        Self {
            content: content_length(|name| std::env::var(name).ok()),
            wait,
            tool: tool.to_owned(),
            server: request.server.clone(),
            parent,
            state: Mutex::default(),
        }
    }

    /// The trace that the wait belongs to, if there is one.
    pub(super) fn trace_id(&self) -> Option<String> {
        let traced = |context: Context| {
            let span = context.span().span_context().clone();
            span.is_valid().then(|| span.trace_id().to_string())
        };
        traced(self.wait.context()).or_else(|| traced(context(self.parent.as_ref()?)))
    }

    /// What the server is told of the trace: the sample in flight, or else what we were told.
    pub(super) fn trace_context(&self) -> Option<TraceContext> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let sample = state.sample.as_ref();
        sample
            .and_then(|sample| of_context(&sample.context()))
            .or_else(|| self.parent.clone())
    }

    /// Takes an event.
    pub(super) fn hear(&self, event: &Event) {
        if self.wait.is_disabled() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::RoundStarted { at_ms, .. } => {
                state.began.get_or_insert(at_ms.0);
            }
            Event::SampleStarted { sample, .. } => state.sample = Some(self.sample(*sample)),
            Event::Sample(sample) => {
                state.polls += 1;
                if let Some(span) = state.sample.take() {
                    self.completed(&span, sample);
                }
            }
            Event::SampleFailed {
                latency_ms, cause, ..
            } => {
                state.polls += 1;
                if let Some(span) = state.sample.take() {
                    span.record("sample.latency_ms", millis(latency_ms.0));
                    span.record("sample.status", "failed");
                    self.fails(&span, "the call brought no observation", cause);
                }
            }
            Event::WaitEnded { at_ms, outcome } => {
                if let Some(span) = state.sample.take() {
                    span.record("sample.status", "cancelled");
                    span.record("tool.cancelled", true);
                    self.fails(&span, "cancelled", "");
                }
                let elapsed = at_ms.0.saturating_sub(state.began.unwrap_or_default());
                self.ended(elapsed, state.polls, outcome);
            }
            Event::WaitStarted(_) | Event::Note { .. } | Event::Sleeping { .. } => {}
        }
    }

    fn sample(&self, number: u64) -> Span {
        info_span!(
            target: SPANS,
            parent: &self.wait,
            "mcp.tool_call",
            otel.kind = "client",
            tool.name = self.tool,
            mcp.server.name = self.server,
            sample.number = count(number),
            sample.latency_ms = Empty,
            sample.status = Empty,
            tool.result.length = Empty,
            tool.result = Empty,
            tool.cancelled = Empty,
            otel.status_code = Empty,
            otel.status_description = Empty,
        )
    }

    fn completed(&self, span: &Span, sample: &Sample) {
        span.record("sample.latency_ms", millis(sample.latency_ms.0));
        span.record("tool.result.length", count(sample.bytes as u64));
        if let (Some(limit), Some(text)) = (self.content, &sample.text) {
            span.record("tool.result", head_and_tail(text, limit));
        }
        if sample.tool_error {
            span.record("sample.status", "tool_error");
            let text = sample.text.as_deref().unwrap_or_default();
            self.fails(span, "the tool returned an error", text);
        } else {
            span.record("sample.status", "ok");
        }
    }

    fn ended(&self, elapsed: Duration, polls: i64, outcome: &Outcome) {
        let wait = &self.wait;
        let millis = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
        wait.record("orchestration.elapsed_ms", millis);
        wait.record("orchestration.poll_count", polls);
        match outcome {
            Outcome::Result(result) => {
                wait.record("orchestration.stop_reason", result.reason.as_str());
            }
            Outcome::Error(error) => {
                let part = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
                wait.record("orchestration.stop_reason", part("code"));
                wait.record("error.type", part("code"));
                self.fails(wait, part("code"), part("message"));
            }
        }
    }

    /// Marks a span as failed: because of `kind`, and on request also in the words of whoever said
    /// why.
    fn fails(&self, span: &Span, kind: &str, said: &str) {
        span.record("otel.status_code", "ERROR");
        let description = match self.content {
            Some(limit) if !said.is_empty() => head_and_tail(said, limit),
            _ => kind.to_owned(),
        };
        span.record("otel.status_description", description);
    }
}

/// How many bytes of what a server says are recorded, if any are.
fn content_length(read: impl Fn(&str) -> Option<String>) -> Option<usize> {
    let wanted = read(RECORD_CONTENT)?;
    let length = read(CONTENT_LENGTH).and_then(|length| length.trim().parse().ok());
    wanted
        .trim()
        .eq_ignore_ascii_case("true")
        .then(|| length.unwrap_or(CONTENT_LENGTH_DEFAULT))
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// A place in a trace as OpenTelemetry takes it; an invalid one where it means nothing. Of the state
/// it takes what W3C Trace Context allows: 32 members of at most 256 bytes on each side.
fn context(given: &TraceContext) -> Context {
    let mut carrier = HashMap::from([("traceparent".to_owned(), given.traceparent.clone())]);
    let printable = |state: &&String| {
        state
            .bytes()
            .all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
    };
    if let Some(state) = given.tracestate.as_ref().filter(printable) {
        carrier.insert("tracestate".to_owned(), state.clone());
    }
    TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier)
}

/// The same the other way; none where there is no trace.
fn of_context(context: &Context) -> Option<TraceContext> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(context, &mut carrier);
    TraceContext::read(|key| carrier.get(key).cloned())
}
