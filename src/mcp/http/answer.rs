//! What a server answers to a POST: a message, a stream of messages, or trouble.
//!
//! Owns the reading of HTTP responses within bounds. Must not know how requests are made.

use std::time::Duration;

use futures::stream::{BoxStream, StreamExt, unfold};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use reqwest::Response;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, CustomResult, ErrorData, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::streamable_http_client::{SseError, StreamableHttpPostResponse};
use serde_json::json;
use sse_stream::Sse;
use tokio::time::{Instant, timeout_at};

use super::{HttpError, SESSION, failed, said};
use crate::mcp::journal::{Journal, LogKind};
use crate::mcp::request::RAW;
use crate::mcp::sse::{Data, Event, Events};
use crate::mcp::wire::{self, MAX_MESSAGE, Reading, Replies};

/// Bytes that are read of a body that only explains what went wrong.
const EXPLANATION: usize = 64 * 1024;
/// How long such a body may take.
const SOON: Duration = Duration::from_secs(1);
/// Characters of such a body that are quoted.
const QUOTED: usize = 300;

/// Reads the answer to a POST of `message`.
pub(super) async fn of_post(
    response: Response,
    message: &ClientJsonRpcMessage,
    in_session: bool,
    may_answer_later: bool,
    (replies, journal): (&Replies, &Journal),
) -> Result<StreamableHttpPostResponse, HttpError> {
    let status = response.status();
    let awaits_reply = matches!(message, ClientJsonRpcMessage::Request(_));
    if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
        // The answer can only come on the server's own stream, where there is one.
        if awaits_reply && !may_answer_later {
            return Err(said(format!(
                "the server answered HTTP {status} and no result"
            )));
        }
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if status == StatusCode::NOT_FOUND && in_session {
        return Err(HttpError::SessionExpired);
    }
    if !status.is_success() {
        return unsuccessful(response, message, in_session, journal).await;
    }
    let session = response.headers().get(SESSION);
    let session = session.and_then(|value| Some(value.to_str().ok()?.to_owned()));
    if is_stream(&response) {
        let asked = match message {
            ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let events = events(response, (replies, journal), asked);
        return Ok(StreamableHttpPostResponse::Sse(events, session));
    }
    if !awaits_reply {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    if !is_type(&response, "application/json") {
        return Err(said(format!(
            "the server answered with {}, which is no MCP; check the URL",
            content_type(&response).unwrap_or("no content type")
        )));
    }
    let body = whole(response).await?;
    match wire::read(&body, replies) {
        Reading::Message(answer) => {
            journal.received(&answer, &body);
            let answer = to_its_request(*answer, message)?;
            Ok(StreamableHttpPostResponse::Json(answer, session))
        }
        Reading::Blank => Err(said("the server's answer is empty".to_owned())),
        Reading::Noise => Err(said(format!(
            "the server's answer is no JSON-RPC message: {}",
            quoted(&body)
        ))),
    }
}

/// The answer to a request, whose id must be the request's: by any other its call would never
/// learn of it. Many servers leave it out of errors.
fn to_its_request(
    answer: ServerJsonRpcMessage,
    message: &ClientJsonRpcMessage,
) -> Result<ServerJsonRpcMessage, HttpError> {
    let ClientJsonRpcMessage::Request(request) = message else {
        return Ok(answer);
    };
    match answer {
        ServerJsonRpcMessage::Response(response) if !same_id(&response.id, &request.id) => {
            Err(said(format!(
                "the server answered request {}, not {}",
                response.id, request.id
            )))
        }
        ServerJsonRpcMessage::Response(response) => Ok(ServerJsonRpcMessage::Response(response)),
        ServerJsonRpcMessage::Error(error) => {
            let id = Some(request.id.clone());
            Ok(ServerJsonRpcMessage::error(error.error, id))
        }
        _ => Err(said(
            "the server answered with something else than a reply".to_owned(),
        )),
    }
}

/// Some servers send a number back as a string.
fn same_id(answered: &RequestId, asked: &RequestId) -> bool {
    answered.to_string() == asked.to_string()
}

/// Whether a response is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    is_type(response, "text/event-stream")
}

fn is_type(response: &Response, expected: &str) -> bool {
    let essence = content_type(response).and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(expected))
}

fn content_type(response: &Response) -> Option<&str> {
    response.headers().get(CONTENT_TYPE)?.to_str().ok()
}

/// The messages of a stream of events, in the form in which rmcp reads them without loss. `asked` is
/// the request that the stream answers, if it answers one.
pub(super) fn events(
    response: Response,
    (replies, journal): (&Replies, &Journal),
    asked: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let (replies, journal) = (replies.clone(), journal.clone());
    let state = (Events::of(response), replies, journal, asked);
    unfold(state, |(mut events, replies, journal, asked)| async move {
        let event = match events.next().await? {
            Ok(event) => Ok(for_rmcp(event, (&replies, &journal), asked.as_ref())),
            Err(error) => Err(SseError::Body(Box::new(error))),
        };
        Some((event, (events, replies, journal, asked)))
    })
    .boxed()
}

fn for_rmcp(
    event: Event,
    (replies, journal): (&Replies, &Journal),
    asked: Option<&RequestId>,
) -> Sse {
    let reading = match &event.data {
        _ if !event.is_message() => Reading::Blank,
        Data::Text(bytes) => wire::read(bytes, replies),
        Data::TooLarge(envelope) => wire::too_large(envelope, replies),
    };
    let data = match reading {
        Reading::Message(message) => {
            journal.received(&message, event.data.bytes());
            serde_json::to_string(&wrapped(*message, asked)).ok()
        }
        Reading::Noise => {
            journal.line(LogKind::Noise, event.data.bytes());
            None
        }
        Reading::Blank => None,
    };
    Sse {
        event: None,
        data,
        id: event.id,
        retry: event.retry,
    }
}

/// rmcp reads a message in a stream again, and would take a raw result for one of its types.
fn wrapped(message: ServerJsonRpcMessage, asked: Option<&RequestId>) -> ServerJsonRpcMessage {
    match message {
        // Its call would never learn of an error without an id.
        ServerJsonRpcMessage::Error(mut error) if error.id.is_none() => {
            error.id = asked.cloned();
            ServerJsonRpcMessage::Error(error)
        }
        ServerJsonRpcMessage::Response(mut response) => {
            if let ServerResult::CustomResult(CustomResult(raw)) = &mut response.result {
                *raw = json!({ RAW: raw.take() });
            }
            ServerJsonRpcMessage::Response(response)
        }
        other => other,
    }
}

/// What an answer that is no success means.
async fn unsuccessful(
    response: Response,
    message: &ClientJsonRpcMessage,
    in_session: bool,
    journal: &Journal,
) -> Result<StreamableHttpPostResponse, HttpError> {
    let status = response.status();
    let body = beginning(response).await;
    let answer = serde_json::from_slice(&body).ok();
    if let Some(answer) = &answer {
        journal.received(answer, &body);
    }
    let error = match answer {
        Some(ServerJsonRpcMessage::Error(error)) => Some(error),
        _ => None,
    };
    let explained = match &error {
        Some(error) => format!("HTTP {status}: {}", error.error.message),
        None => format!("HTTP {status}: {}", quoted(&body)),
    };
    let request = match message {
        ClientJsonRpcMessage::Request(request) => Some(request),
        _ => None,
    };
    // Servers that don't know `server/discover` refuse it in many ways; rmcp then initialises.
    if let Some(request) = request
        && matches!(request.request, ClientRequest::DiscoverRequest(_))
        && (status.is_client_error() || status == StatusCode::INTERNAL_SERVER_ERROR)
        && !in_session
    {
        let error = error.map(|error| error.error);
        let error = error.unwrap_or_else(|| ErrorData::invalid_request(explained, None));
        return Ok(json(error, &request.id));
    }
    if let (Some(error), Some(request)) = (error, request) {
        if error.id.as_ref() == Some(&request.id) {
            return Ok(json(error.error, &request.id));
        }
        // Many servers answer so, instead of 404, when they have forgotten a session.
        let about_session = error.error.message.to_lowercase().contains("session");
        if in_session && about_session && status == StatusCode::BAD_REQUEST {
            return Err(HttpError::SessionExpired);
        }
    }
    Err(said(explained))
}

fn json(error: ErrorData, id: &RequestId) -> StreamableHttpPostResponse {
    let message = ServerJsonRpcMessage::error(error, Some(id.clone()));
    StreamableHttpPostResponse::Json(message, None)
}

/// A whole body, if it is within the limit.
async fn whole(mut response: Response) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > MAX_MESSAGE {
            return Err(said(wire::too_large_words()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The beginning of a body that only explains: what of it comes soon.
async fn beginning(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    let deadline = Instant::now() + SOON;
    while body.len() < EXPLANATION
        && let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(EXPLANATION);
    body
}

/// A few words of a body that only explains.
pub(in crate::mcp) async fn excerpt(response: Response) -> String {
    quoted(&beginning(response).await)
}

fn quoted(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    text.trim().chars().take(QUOTED).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_result_survives_rmcps_reading() {
        let replies = Replies::raw(&["tools/call"]);
        let call = rmcp::model::CallToolRequest::new(rmcp::model::CallToolRequestParams::new("t"));
        replies.expect(&ClientJsonRpcMessage::request(
            ClientRequest::CallToolRequest(call),
            RequestId::Number(3),
        ));
        let line = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[],"content":[]}}"#;
        let event = Event {
            name: Some("message".to_owned()),
            data: Data::Text(line.into()),
            id: Some("e1".to_owned()),
            retry: None,
        };
        let sse = for_rmcp(event, (&replies, &Journal::default()), None);
        assert_eq!(sse.id.as_deref(), Some("e1"));
        let message: ServerJsonRpcMessage = serde_json::from_str(&sse.data.unwrap()).unwrap();
        let ServerJsonRpcMessage::Response(response) = message else {
            panic!("no response");
        };
        let ServerResult::CustomResult(custom) = response.result else {
            panic!("taken for {:?}", response.result);
        };
        assert_eq!(custom.0[RAW], json!({"tools": [], "content": []}));
    }
}
