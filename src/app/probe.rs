//! A tool of a server, as something the engine can sample.

use serde_json::{Map, Value};

use super::Servers;
use super::permit::Permit;
use super::raw_results::RawResults;
use super::servers::Unconnected;
use super::spans::WaitSpans;
use crate::mcp::{Connection, ToolCall};
use crate::wait::{Note, Notes, Output, Probe, SampleFailure, WaitError, WaitFailure};

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
    /// The connection for which it was, and how many changes of its tools had been announced then.
    pub admitted: Option<(Connection, u64)>,
    /// Why the tool may no longer be probed.
    pub refused: Option<WaitError>,
    /// The trace that the server is told of.
    pub spans: &'a WaitSpans,
}

impl ToolProbe<'_> {
    /// A connection on which the tool may be probed. What was allowed on another one, or before the
    /// server announced a change of its tools, is asked again.
    async fn connection(&mut self, lost: bool) -> Result<Connection, Unconnected> {
        // A new connection may be to a server with other tools.
        if !lost {
            let connection = self.servers.connection(self.server).await?;
            let announced = *connection.tools_changed().borrow();
            let is_admitted = self.permit.is_none()
                || (self.admitted.as_ref())
                    .is_some_and(|(known, then)| connection.is(known) && *then == announced);
            if is_admitted {
                return Ok(connection);
            }
        }
        let asked = self
            .servers
            .connection_with_tool(self.server, self.tool, self.permit);
        let (connection, announced) = asked.await?;
        self.admitted = Some((connection.clone(), announced));
        Ok(connection)
    }

    /// The failure of a wait that ended since its tool may no longer be probed.
    pub fn explain(&mut self, mut failure: WaitFailure) -> WaitFailure {
        if let Some(refused) = self.refused.take() {
            failure.error = refused;
        }
        failure
    }
}

impl Probe for ToolProbe<'_> {
    async fn sample(&mut self, number: u64, notes: Notes) -> Result<Output, SampleFailure> {
        let lost = !self.servers.is_connected(self.server).await;
        if lost {
            notes.tell(Note::Reconnecting);
        }
        let connection = self.connection(lost).await.map_err(|unconnected| {
            let cause = unconnected.error.to_string();
            let refused = matches!(unconnected.error, WaitError::ProbeNotAllowed { .. });
            let hopeless = unconnected.unauthorized || refused;
            self.refused = refused.then_some(unconnected.error);
            SampleFailure { cause, hopeless }
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
