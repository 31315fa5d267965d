//! The demo server: simulated things to wait for, over the real protocol, with nothing to install.
//!
//! Owns the six tools, their simulations and what to wait for in each. Must not know who asks: it
//! is an MCP server like any other, in this process or over stdio. Everything is determined by the
//! arguments, their `seed` and Tokio's clock.

mod answer;
mod arguments;
mod build_status;
mod flaky_status;
mod job_logs;
mod pod_delete;
mod queue_depth;
mod rollout_status;
mod server;
mod simulation;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use answer::Answer;
use arguments::{Arguments, Parameter};
use simulation::Moment;

pub use server::{DemoServer, serve_stdio, server};

/// The tool that a new user is shown first.
pub const FIRST_TOOL: &str = "rollout_status";

/// A tool of the demo: a pure function of its arguments and the moment.
struct DemoTool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
    /// The schema of its structured output, where it has any.
    output_schema: Option<fn() -> Value>,
    look: fn(&Arguments, &Moment) -> Answer,
    /// The fields of a whole call beside the probe's server and tool: `args`, `until` and so on.
    suggestion: fn() -> Suggestion,
}

/// What to wait for, so that the wait is met within 20 s.
struct Suggestion {
    args: Value,
    until: Value,
    /// Fields of the call beside `probe`, `until`, `poll_sec` and `max_wait_sec`.
    extensions: Value,
}

const TOOLS: [DemoTool; 6] = [
    build_status::TOOL,
    rollout_status::TOOL,
    job_logs::TOOL,
    queue_depth::TOOL,
    flaky_status::TOOL,
    pod_delete::TOOL,
];

/// A whole call that waits for the right thing with this tool, in the form of a `wait_for` call:
/// `probe` with `server`, `tool` and `args`, `until`, `poll_sec` 1, `max_wait_sec`, and extensions
/// where the tool needs them. It is met within 20 s. `None` for a tool that isn't the demo's.
#[must_use]
pub fn suggestion(tool: &str) -> Option<Value> {
    let tool = find(tool)?;
    let suggestion = (tool.suggestion)();
    let mut call = json!({
        "probe": { "server": super::DEMO, "tool": tool.name, "args": suggestion.args },
        "until": suggestion.until,
        "poll_sec": 1,
        "max_wait_sec": 120,
    });
    if let (Some(call), Value::Object(extensions)) = (call.as_object_mut(), suggestion.extensions) {
        call.extend(extensions);
    }
    Some(call)
}

/// The names of the demo's tools, in the order in which it lists them.
#[must_use]
pub fn tool_names() -> Vec<&'static str> {
    TOOLS.iter().map(|tool| tool.name).collect()
}

fn find(name: &str) -> Option<DemoTool> {
    TOOLS.into_iter().find(|tool| tool.name == name)
}
