//! `wait_for`: a caller's wait, from its arguments to its answer.
//!
//! Owns who may wait, for how long, and how many at once. The wait itself is the engine's.

use std::pin::pin;

use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ErrorData, JsonObject};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::sync::mpsc;

use super::answer;
use super::progress::{BACKLOG, Progress, is_told};
use super::server::Server;
use crate::app::{WaitRequest, WaitRun};
use crate::mcp::TraceContext;
use crate::wait::{Call, Ending, Event, Refusal, WaitFailure};

/// Carries out one call.
///
/// # Errors
/// Where we are at fault.
pub async fn wait_for(
    server: &Server,
    arguments: JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let Some(_place) = server.place() else {
        return Ok(answer::too_many(server.most_waits()));
    };
    let call = match Call::parse_within(&Value::Object(arguments), server.bounds()) {
        Ok(call) => call,
        Err(refusal) => return Ok(answer::of_refusal(refusal)),
    };
    if let Some(field) = rounded(&Value::Object(call.args().clone()), "probe.args") {
        return Ok(answer::of_refusal(Refusal::Malformed {
            field,
            problem:
                "is a whole number beyond 64 bits, which was rounded on its way here; write it \
                      as a string, if the tool takes one"
                    .to_owned(),
        }));
    }
    let ending = match server.servers().resolve(call.server(), Some(call.tool())) {
        Ok(name) => run(server, request(call, name), context).await?,
        Err(error) => Err(WaitFailure::before_the_first_sample(error)),
    };
    Ok(answer::of_ending(&ending))
}

fn request(call: Call, server: String) -> WaitRequest {
    WaitRequest {
        call,
        server,
        name: None,
        rounds: 1,
    }
}

/// Runs the wait until it ends, the caller cancels it, or we are stopped. It has a task of its own:
/// whoever tells its progress may be slow.
async fn run(
    server: &Server,
    request: WaitRequest,
    context: &RequestContext<RoleServer>,
) -> Result<Ending, ErrorData> {
    let stop = server.stop().child_token();
    // A call that is dropped leaves no wait behind.
    let _stopped = stop.clone().drop_guard();
    let progress = context.meta.get_progress_token().map(|token| {
        let (peer, call) = (context.peer.clone(), request.call.clone());
        Progress::new(peer, token, request.server.clone(), call)
    });
    let (tell, events) = mpsc::channel(BACKLOG);
    let mut wait = WaitRun::new(request);
    wait.only_with(server.permit());
    match server.recording() {
        Some(recording) => wait.record(recording),
        None => wait.keep_one_text(),
    }
    if let Some(trace) = TraceContext::of_meta(&context.meta) {
        wait.continue_trace(trace);
    }
    let waiting = {
        let (servers, stop) = (server.servers().clone(), stop.clone());
        tokio::spawn(async move {
            let mut tell = |event: Event| {
                if is_told(&event) {
                    // What a slow caller misses is in the result.
                    let _ = tell.try_send(Box::new(event));
                }
            };
            wait.run(&servers, &mut tell, &stop).await
        })
    };
    let telling = async {
        // Without a token nothing is kept for anybody.
        let Some(progress) = progress else {
            return drop(events);
        };
        tokio::select! {
            () = progress.tell(events) => {}
            () = stop.cancelled() => {}
        }
    };
    tokio::select! {
        () = telling => {}
        () = context.ct.cancelled() => stop.cancel(),
    }
    let mut waiting = pin!(waiting);
    let ending = tokio::select! {
        ending = &mut waiting => ending,
        () = context.ct.cancelled() => {
            stop.cancel();
            waiting.await
        }
    };
    ending.map_err(|_| {
        let message = "the wait broke off; this is a fault of stakeout's";
        ErrorData::internal_error(message, None)
    })
}

/// The path of a number that has lost digits: the protocol's library makes floats of integers beyond
/// 64 bits.
fn rounded(value: &Value, path: &str) -> Option<String> {
    const BEYOND: f64 = 18_446_744_073_709_551_616.0;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64())?;
            (float.abs() >= BEYOND).then(|| path.to_owned())
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| rounded(item, &format!("{path}[{index}]")))
        }
        Value::Object(fields) => {
            let mut fields = fields.iter();
            fields.find_map(|(key, value)| rounded(value, &format!("{path}.{key}")))
        }
        _ => None,
    }
}
