//! A tool of a server, as something the engine can sample.

use serde_json::{Map, Value};

use super::Servers;
use super::permit::Permit;
use super::raw_results::RawResults;
use super::spans::WaitSpans;
use crate::mcp::ToolCall;
use crate::wait::{Note, Notes, Output, Probe, SampleFailure, WaitError};

/// Samples one tool. A server that was lost is connected again as part of the next sample.
pub(super) struct ToolProbe<'a> {
    pub servers: &'a Servers,
    pub server: &'a str,
    pub tool: &'a str,
    pub args: &'a Map<String, Value>,
    pub wait_id: &'a str,
    /// Where the results are kept as they are sent, if anybody may look at them.
    pub raw: Option<&'a RawResults>,
    /// Whether the tool may be probed, where that is to be asked.
    pub permit: Option<&'a Permit>,
    /// The trace that the server is told of.
    pub spans: &'a WaitSpans,
}

impl Probe for ToolProbe<'_> {
    async fn sample(&mut self, number: u64, notes: Notes) -> Result<Output, SampleFailure> {
        let lost = !self.servers.is_connected(self.server).await;
        if lost {
            notes.tell(Note::Reconnecting);
        }
        // A new connection may be to a server with other tools.
        let connection = if lost {
            self.servers
                .connection_with_tool(self.server, self.tool, self.permit)
                .await
        } else {
            self.servers.connection(self.server).await
        };
        let connection = connection.map_err(|unconnected| SampleFailure {
            cause: unconnected.error.to_string(),
            hopeless: unconnected.unauthorized
                || matches!(unconnected.error, WaitError::ProbeNotAllowed { .. }),
        })?;
        if lost {
            notes.tell(Note::Reconnected);
        }
        let trace = self.spans.trace_context();
        let call = ToolCall {
            tool: self.tool,
            args: self.args,
            wait_id: self.wait_id,
            trace: trace.as_ref(),
        };
        match connection.call(call, &notes).await {
            Ok(observation) => {
                if let Some(results) = self.raw {
                    results.keep(number, observation.raw);
                }
                Ok(Output {
                    text: observation.text,
                    tool_error: observation.tool_error,
                })
            }
            Err(failure) => Err(SampleFailure {
                cause: failure.cause,
                hopeless: failure.unauthorized,
            }),
        }
    }
}
