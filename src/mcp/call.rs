//! One call of a tool.
//!
//! Owns what becomes of an answer: an observation, or a failure that says what it means for the
//! connection and the tool. Must not know when or why a tool is called. Tasks are followed to
//! their end inside the call's own future, so dropping it ends all of it.

use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ErrorCode, ErrorData, GetTaskParams,
    GetTaskRequest,
};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::cause;
use super::client::NO_MODEL;
use super::connection::Connection;
use super::elicitation::{Elicitation, Reply};
use super::render::{Observation, render, render_error};
use super::request::RequestFailure;
use super::trace_context::TraceContext;
use super::wire::OUR_ERROR;
use crate::wait::{Note, Notes};

/// Codes by which servers report a tool's own failure.
const TOOL_FAILED: [ErrorCode; 2] = [ErrorCode::INTERNAL_ERROR, ErrorCode(-32000)];
/// What rmcp itself answers to the calls in flight when it initialised a session again.
const REINITIALIZED: &str =
    "streamable HTTP session was re-initialized before the response arrived";
/// How many times a server may ask back within one call.
const MAX_ROUNDS: usize = 5;
/// How often a task is looked at where its server doesn't say.
const TASK_POLL: Duration = Duration::from_secs(1);
/// The shortest time between two looks.
const MIN_TASK_POLL: Duration = Duration::from_millis(100);

/// What is called.
#[derive(Debug, Clone, Copy)]
pub struct ToolCall<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Its arguments, sent exactly as they are.
    pub args: &'a Map<String, Value>,
    /// The wait that the call belongs to; it travels in `_meta` as `stakeout/wait`.
    pub wait_id: &'a str,
    /// The place in a trace, which travels in `_meta` as well.
    pub trace: Option<&'a TraceContext>,
}

/// Why a call brought no observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFailure {
    /// Why, in one sentence or more, at most 8 KiB.
    pub cause: String,
    /// Whether the server wants authorization that it didn't get; trying again won't help.
    pub unauthorized: bool,
    /// Whether the server says that it has no such tool.
    pub unknown_tool: bool,
}

impl CallFailure {
    pub(super) fn because(cause: impl Into<String>) -> Self {
        Self {
            cause: cause::cut(&cause.into()),
            unauthorized: false,
            unknown_tool: false,
        }
    }
}

/// A task that a server works on for us; it is cancelled when nobody follows it any more.
struct Followed<'a> {
    connection: &'a Connection,
    /// None once the task is over.
    id: Option<String>,
}

impl Drop for Followed<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.connection.abandon_task(id);
        }
    }
}

/// What came of asking once.
enum Answer {
    Observed(Observation),
    /// The server asks back: its requests, and the state that it wants returned.
    Asked(Value, Option<String>),
    Task(Value),
}

impl Connection {
    /// Calls a tool and waits for its output. Progress and log notifications meanwhile go to
    /// `notes`. Dropping the future cancels the call: the server is told, without making the
    /// dropper wait. A call is never sent twice if it may have run.
    ///
    /// # Errors
    /// A [`CallFailure`] where there is no observation: the transport failed, or the server
    /// answered with a protocol error.
    pub async fn call(
        &self,
        call: ToolCall<'_>,
        notes: &Notes,
    ) -> Result<Observation, CallFailure> {
        if !self.offers_tools() && !self.is_closed() {
            return Err(CallFailure {
                unknown_tool: true,
                ..CallFailure::because("the server doesn't say that it has tools")
            });
        }
        let mut params =
            CallToolRequestParams::new(call.tool.to_owned()).with_arguments(call.args.clone());
        for _ in 0..MAX_ROUNDS {
            match self.ask(&params, call, notes).await? {
                Answer::Observed(observation) => return Ok(observation),
                Answer::Task(task) => return self.follow(task, notes).await,
                Answer::Asked(requests, state) => {
                    let responses = self.answer_back(&requests, notes).await?;
                    params.input_responses = Some(responses.into_iter().collect());
                    params.request_state = state;
                }
            }
        }
        Err(CallFailure::because(format!(
            "the server asked back {MAX_ROUNDS} times within one call"
        )))
    }

    async fn ask(
        &self,
        params: &CallToolRequestParams,
        call: ToolCall<'_>,
        notes: &Notes,
    ) -> Result<Answer, CallFailure> {
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params.clone()));
        let mut meta = Map::new();
        meta.insert("stakeout/wait".to_owned(), json!(call.wait_id));
        if let Some(trace) = call.trace {
            trace.write(&mut meta);
        }
        match self.request(request, meta, Some(notes)).await {
            Ok(result) => answer(result),
            Err(RequestFailure::Answered(error)) => observed_error(error).map(Answer::Observed),
            Err(failure) => Err(self.explain(failure).await),
        }
    }

    /// The answers to what a server asks back: the operator's, where there is one to be asked.
    async fn answer_back(
        &self,
        requests: &Value,
        notes: &Notes,
    ) -> Result<Map<String, Value>, CallFailure> {
        let mut responses = Map::new();
        for (key, request) in requests.as_object().into_iter().flatten() {
            let response = match request.get("method").and_then(Value::as_str) {
                Some("elicitation/create") => {
                    let elicitation = Elicitation::read(self.server(), &request["params"]);
                    let declined = elicitation.declined();
                    let reply = self.ask_operator(elicitation).await;
                    if reply.is_none() {
                        let level = "notice".to_owned();
                        let text = declined;
                        notes.tell(Note::Log { level, text });
                    }
                    json!(reply.unwrap_or(Reply::Decline).to_result())
                }
                Some("roots/list") => json!({"roots": []}),
                Some("sampling/createMessage") => return Err(CallFailure::because(NO_MODEL)),
                other => {
                    let other = other.unwrap_or("nothing");
                    let cause =
                        format!("the server asked back for {other}, which stakeout can't answer");
                    return Err(CallFailure::because(cause));
                }
            };
            responses.insert(key.clone(), response);
        }
        Ok(responses)
    }

    /// Looks at a task until it is over.
    async fn follow(&self, mut task: Value, notes: &Notes) -> Result<Observation, CallFailure> {
        let id = task
            .get("taskId")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let id = id.ok_or_else(|| CallFailure::because("the server's task has no taskId"))?;
        let mut followed = Followed {
            connection: self,
            id: Some(id.clone()),
        };
        loop {
            if let Some(over) = finished(&mut task) {
                followed.id = None;
                return over;
            }
            if let Some(message) = task.get("statusMessage").and_then(Value::as_str) {
                notes.tell(Note::Log {
                    level: "info".to_owned(),
                    text: message.to_owned(),
                });
            }
            let interval = task.get("pollIntervalMs").and_then(Value::as_u64);
            let interval = interval.map_or(TASK_POLL, Duration::from_millis);
            sleep(interval.max(MIN_TASK_POLL)).await;
            let request = GetTaskRequest::new(GetTaskParams::new(id.clone()));
            let request = ClientRequest::GetTaskRequest(request);
            task = match self.request(request, Map::new(), Some(notes)).await {
                Ok(task) => task,
                Err(failure) => return Err(self.explain(failure).await),
            };
        }
    }

    /// What a failure means, and why it came about.
    pub(super) async fn explain(&self, failure: RequestFailure) -> CallFailure {
        match failure {
            RequestFailure::Answered(error) => protocol_error(&error),
            RequestFailure::Lost => self.connection_lost(None).await,
            RequestFailure::Failed(error) => {
                if let Some(refusal) = cause::refusal_of_request(&error) {
                    return CallFailure {
                        unauthorized: true,
                        ..CallFailure::because(refusal)
                    };
                }
                let cause = cause::of_request(&error);
                match self.is_lost_by_a_failure() {
                    true => self.connection_lost(Some(cause)).await,
                    false => CallFailure::because(cause),
                }
            }
        }
    }

    async fn connection_lost(&self, cause: Option<String>) -> CallFailure {
        let lost = "the connection to the server is lost";
        let cause = match self.obituary().await.or(cause) {
            Some(cause) => format!("{lost}: {cause}"),
            None => lost.to_owned(),
        };
        CallFailure::because(cause)
    }
}

fn answer(mut result: Value) -> Result<Answer, CallFailure> {
    match result.get("resultType").and_then(Value::as_str) {
        Some("input_required") => {
            let state = result.get("requestState").and_then(Value::as_str);
            let state = state.map(str::to_owned);
            Ok(Answer::Asked(result["inputRequests"].take(), state))
        }
        Some("task") => Ok(Answer::Task(result)),
        _ if result.is_object() || result.is_null() => Ok(Answer::Observed(render(result))),
        _ => Err(CallFailure::because("the server's result is no object")),
    }
}

/// A JSON-RPC error as the tool error that it is, or as a failure.
fn observed_error(error: ErrorData) -> Result<Observation, CallFailure> {
    if TOOL_FAILED.contains(&error.code) && error.message != REINITIALIZED {
        let raw = json!({"error": error});
        return Ok(render_error(&error.message, raw));
    }
    Err(protocol_error(&error))
}

fn protocol_error(error: &ErrorData) -> CallFailure {
    let (code, message) = (error.code.0, &error.message);
    if error.code == OUR_ERROR || message == REINITIALIZED {
        return CallFailure::because(message.as_ref());
    }
    CallFailure {
        unknown_tool: denies_tool(error),
        ..CallFailure::because(format!("the server answered with error {code}: {message}"))
    }
}

/// Whether an error says that there is no such tool; servers have no code of its own for it.
fn denies_tool(error: &ErrorData) -> bool {
    let message = error.message.to_lowercase();
    let denied = [
        "unknown",
        "not found",
        "no such",
        "does not exist",
        "doesn't exist",
    ];
    [ErrorCode::INVALID_PARAMS, ErrorCode::METHOD_NOT_FOUND].contains(&error.code)
        && message.contains("tool")
        && denied.iter().any(|denial| message.contains(denial))
}

/// What came of a task, if it is over.
fn finished(task: &mut Value) -> Option<Result<Observation, CallFailure>> {
    let over = match task.get("status").and_then(Value::as_str) {
        Some("working") => return None,
        Some("completed") => Ok(render(task["result"].take())),
        Some("failed") => match serde_json::from_value(task["error"].take()) {
            Ok(error) => observed_error(error),
            Err(_) => Err(CallFailure::because(
                "the server's task failed without an error",
            )),
        },
        Some("cancelled") => Err(CallFailure::because("the server cancelled its task")),
        Some("input_required") => Err(CallFailure::because(
            "the server's task asked back, which stakeout can't answer",
        )),
        other => Err(CallFailure::because(format!(
            "the server's task has the unknown status {:?}",
            other.unwrap_or_default()
        ))),
    };
    Some(over)
}
