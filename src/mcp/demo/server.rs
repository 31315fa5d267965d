//! The demo as an MCP server.
//!
//! Owns listing, calling and serving. Must not know what the simulations play.

use std::borrow::Cow;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode,
    Implementation, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::answer::{Answer, Outcome, Progress};
use super::arguments::{Arguments, input_schema};
use super::simulation::{Key, Moment, Simulations};
use super::{DemoTool, TOOLS, find};
use crate::mcp::streams::serve_streams;

/// The key of a call's `_meta` that holds the id of the wait it belongs to.
const WAIT: &str = "stakeout/wait";

/// The code of a simulated failed call. Any but -32603 and -32000 will do, which servers use for
/// a tool's own failure; this one is the server's to define.
const FAILED_CALL: ErrorCode = ErrorCode(-32010);

/// The demo server of one connection. Clones share its simulations.
#[derive(Debug, Clone, Default)]
pub struct DemoServer {
    simulations: Arc<Mutex<Simulations>>,
}

/// A demo server for one connection.
#[must_use]
pub fn server() -> DemoServer {
    DemoServer::default()
}

/// Serves the demo over this process's stdin and stdout until stdin ends. Nothing else may write
/// to stdout meanwhile. A client that goes away is a quiet end.
///
/// # Errors
/// Where a client opened the session with something else than MCP.
pub async fn serve_stdio() -> io::Result<()> {
    serve(tokio::io::stdin(), tokio::io::stdout()).await
}

/// Serves the demo over any pair of streams.
pub(super) async fn serve<R, W>(input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
    serve_streams(server(), input, output, &stop, &ended).await
}

impl ServerHandler for DemoServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(
                "stakeout-demo",
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions(
                "Simulated things to wait for. Nothing is real and nothing is changed. Poll a \
                 tool with the same arguments to watch its story; the same seed plays the same one.",
            )
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            TOOLS.iter().map(describe).collect(),
        ))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        find(name).as_ref().map(describe)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = find(&request.name) else {
            let message = format!("Unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let sent = request.arguments.unwrap_or_default();
        let arguments = match Arguments::check(tool.parameters, &sent) {
            Ok(arguments) => arguments,
            Err(message) => {
                let result = CallToolResult::error(vec![ContentBlock::text(message)]);
                return Ok(result.into());
            }
        };
        let answer = (tool.look)(&arguments, &self.moment(&tool, &arguments, &context));
        deliver(answer, &context).await.map(Into::into)
    }
}

impl DemoServer {
    /// Where the simulation of this call is.
    fn moment(
        &self,
        tool: &DemoTool,
        arguments: &Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Moment {
        let wait = context.meta.get(WAIT).and_then(Value::as_str);
        let key = Key {
            wait: wait.map(str::to_owned),
            probe: format!("{} {}", tool.name, arguments.canonical()),
        };
        self.simulations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .look(key, Instant::now())
    }
}

fn describe(tool: &DemoTool) -> Tool {
    let described = Tool::new(
        tool.name,
        tool.description,
        Arc::new(input_schema(tool.parameters)),
    )
    .with_title(tool.title)
    .with_annotations(ToolAnnotations::new().read_only(true).open_world(false));
    match tool.output_schema.map(|schema| schema()) {
        Some(Value::Object(schema)) => described.with_raw_output_schema(Arc::new(schema)),
        _ => described,
    }
}

/// Lets the answer's latency pass, telling progress, and makes a result of it. A cancelled call
/// ends at once.
async fn deliver(
    answer: Answer,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    tokio::select! {
        () = context.ct.cancelled() => {
            return Err(ErrorData::new(FAILED_CALL, "the call was cancelled", None));
        }
        () = linger(answer.latency, answer.progress, context) => {}
    }
    let result = match answer.outcome {
        Outcome::Text(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Outcome::Structured(value) => CallToolResult::structured(value),
        Outcome::ToolError(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
        Outcome::FailedCall(message) => {
            return Err(ErrorData::new(FAILED_CALL, Cow::Owned(message), None));
        }
    };
    Ok(result)
}

/// Waits for as long as the answer takes, and tells progress to a caller that sent a token.
async fn linger(latency: Duration, progress: Vec<Progress>, context: &RequestContext<RoleServer>) {
    let start = Instant::now();
    if let Some(token) = context.meta.get_progress_token() {
        for step in progress {
            sleep_until(start + step.after).await;
            let told = ProgressNotificationParam::new(token.clone(), f64::from(step.percent))
                .with_total(100.0)
                .with_message(step.message);
            // A caller that can't be told any more won't get the answer either.
            if context.peer.notify_progress(told).await.is_err() {
                break;
            }
        }
    }
    sleep_until(start + latency).await;
}
