//! One sample of a tool, taken by hand.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::Servers;
use crate::mcp::ToolCall;
use crate::wait::{Notes, WaitError};

/// One sample, taken by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The observation.
    pub text: Arc<str>,
    /// Whether the tool reported an error.
    pub tool_error: bool,
    /// How long it took.
    pub latency: Duration,
    /// The result as it came.
    pub raw: Value,
}

impl Servers {
    /// Takes one sample. Dropping the future cancels the request.
    ///
    /// # Errors
    /// `server_unavailable`, `untrusted_server`, `unknown_probe_tool` or `probe_failed`.
    pub async fn try_once(
        &self,
        server: &str,
        tool: &str,
        args: &Map<String, Value>,
        notes: &Notes,
    ) -> Result<Tried, WaitError> {
        let (connection, _) = self.connection_with_tool(server, tool, None).await?;
        let wait_id = super::run::wait_id();
        let started = Instant::now();
        let call = ToolCall {
            tool,
            args,
            wait_id: &wait_id,
            trace: None,
        };
        let observation =
            connection
                .call(call, notes)
                .await
                .map_err(|failure| match failure.unknown_tool {
                    true => self.unknown_tool(server, tool, &[]),
                    false => WaitError::ProbeFailed {
                        tool: tool.to_owned(),
                        sample: 1,
                        cause: failure.cause,
                    },
                })?;
        Ok(Tried {
            text: observation.text.into(),
            tool_error: observation.tool_error,
            latency: started.elapsed(),
            raw: observation.raw,
        })
    }
}
