//! stakeout as an MCP server: what it offers, and who carries a call out.
//!
//! Owns what all callers share. It holds nothing of one caller between two of his requests.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::allow::{AllowList, SOFTWARE};
use super::list_probes::list_probes;
use super::schema::{self, LIST_PROBES, WAIT_FOR};
use super::wait_for::wait_for;
use crate::app::{Permit, Recorder, RecordingNews, Servers, WaitRecording};
use crate::wait::Bounds;

/// What a client is told about the whole of it.
const INSTRUCTIONS: &str = "stakeout waits for you: wait_for watches one tool of another MCP server \
until its output says what you are waiting for. list_probes lists the tools that it can watch.";

/// What the operator decided.
#[derive(Debug, Clone)]
pub struct Rules {
    /// What may be probed beside the tools that only read.
    pub allow: AllowList,
    /// How long one call may wait.
    pub bounds: Bounds,
    /// How many waits may run at once.
    pub most_waits: usize,
    /// The folder in which waits are recorded, if they are.
    pub record: Option<PathBuf>,
}

/// The server. Clones are one.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    servers: Servers,
    rules: Rules,
    places: Arc<Semaphore>,
    recorder: Option<Recorder>,
    stop: CancellationToken,
    tools: [Tool; 2],
}

impl Server {
    /// A server whose probes are the tools of `servers`. `stop` ends all waits.
    pub fn new(servers: Servers, rules: Rules, stop: CancellationToken) -> Self {
        let wait_for = schema::wait_for(rules.bounds, rules.allow.is_empty());
        Self(Arc::new(Shared {
            servers,
            places: Arc::new(Semaphore::new(rules.most_waits)),
            recorder: rules.record.clone().map(Recorder::new),
            rules,
            stop,
            tools: [wait_for, schema::list_probes()],
        }))
    }

    pub(super) fn servers(&self) -> &Servers {
        &self.0.servers
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.0.rules.bounds
    }

    pub(super) fn allow(&self) -> &AllowList {
        &self.0.rules.allow
    }

    pub(super) fn most_waits(&self) -> usize {
        self.0.rules.most_waits
    }

    /// Cancelled when waits must end.
    pub(super) fn stop(&self) -> &CancellationToken {
        &self.0.stop
    }

    /// Decides which tools may be probed.
    pub(super) fn permit(&self) -> Permit {
        let server = self.clone();
        Arc::new(move |candidate| server.allow().check(candidate))
    }

    /// A place for one more wait, if there is one. It is free again when this is dropped.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).try_acquire_owned().ok()
    }

    /// A recording of one more wait, if waits are recorded. What becomes of it is logged.
    pub(super) fn recording(&self) -> Option<WaitRecording> {
        let recorder = self.0.recorder.as_ref()?;
        Some(recorder.record(|news| match news {
            RecordingNews::Begun(_) => {}
            RecordingNews::HasGaps => tracing::warn!("a recording lacks outputs: the disk is slow"),
            RecordingNews::Failed(sentence) => tracing::warn!("{sentence}"),
        }))
    }

    /// Waits until no wait runs any more, and all of them are recorded.
    pub(super) async fn idle(&self) {
        let all = u32::try_from(self.most_waits()).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        let _ = self.0.places.acquire_many(all).await;
        if let Some(recorder) = &self.0.recorder {
            recorder.flush().await;
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let software = Implementation::new(SOFTWARE, env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(software)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match request.name.as_ref() {
            // On the heap, since the protocol's library keeps two places for what it is answered by.
            WAIT_FOR => Box::pin(wait_for(self, arguments, &context)).await?,
            LIST_PROBES => Box::pin(list_probes(self, &arguments, &context)).await,
            other => {
                let message = format!("Unknown tool: {other}");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(result.into())
    }
}
