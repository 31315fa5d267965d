//! The protocol over streamable HTTP.
//!
//! Owns the requests and the reading of their answers; rmcp's worker above it owns sessions,
//! streams that are resumed, and the order of things. Must not know which messages are sent.
//! Written by hand rather than taken from rmcp, so that results stay as they were sent and a reply
//! that can't be read fails its own call.

mod answer;
mod client;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::stream::BoxStream;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::RequestBuilder;
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::Transport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, SseError, StreamableHttpClient, StreamableHttpClientTransport,
    StreamableHttpClientTransportConfig, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio_util::sync::DropGuard;

use super::HttpAddress;
use super::client::Client;
use super::connection::ConnectError;
use super::journal::Journal;
use super::wire::Replies;
use crate::wait::Note;
pub(super) use answer::excerpt;
pub use client::client_builder;
pub(super) use client::{HttpFailure, Trouble, client, refusal, same_origin};

/// What is accepted as an answer; servers refuse requests that don't name both.
const BOTH: &str = "application/json, text/event-stream";
/// The header of a session.
const SESSION: &str = "Mcp-Session-Id";
/// The header by which a stream is resumed.
const LAST_EVENT: &str = "Last-Event-ID";
/// Results that rmcp's types would lose something of. Tool lists are left to rmcp, which takes
/// from them which arguments travel as headers.
const RAW_RESULTS: &[&str] = &["tools/call", "tasks/get"];
/// How often a broken stream is resumed before its call fails; with the delays, within two seconds.
const RESUMES: usize = 4;
/// The delay before the first of them, which doubles.
const RESUME_DELAY: Duration = Duration::from_millis(100);

/// POSTs in flight at once. One waits for its whole answer where a server doesn't stream it, so
/// this bounds the slow calls of all waits together.
const MAX_POSTS: usize = 1024;

/// What a request over HTTP may fail with.
type HttpError = StreamableHttpError<HttpFailure>;

/// The HTTP side of one connection.
#[derive(Debug, Clone)]
struct Http {
    client: reqwest::Client,
    replies: Replies,
    ours: Client,
    /// Whether a session was begun: where another is, the server has forgotten it.
    begun: Arc<AtomicBool>,
    /// Whether the server has said that it has no stream of its own beside its answers.
    streamless: Arc<AtomicBool>,
    _ended: Arc<DropGuard>,
}

/// A transport to this address. Nothing is sent yet.
///
/// # Errors
/// A [`ConnectError`] where the address or a header can't be used.
pub(super) fn transport(
    address: &HttpAddress,
    ours: Client,
    ended: DropGuard,
) -> Result<impl Transport<RoleClient> + 'static, ConnectError> {
    let http = Http {
        client: client(address)?,
        replies: Replies::raw(RAW_RESULTS),
        ours,
        begun: Arc::default(),
        streamless: Arc::default(),
        _ended: Arc::new(ended),
    };
    let mut config = StreamableHttpClientTransportConfig::with_uri(address.url.as_str());
    let mut resumes = ExponentialBackoff::default();
    resumes.max_times = Some(RESUMES);
    resumes.base_duration = RESUME_DELAY;
    config.retry_config = Arc::new(resumes);
    config.max_concurrent_requests = MAX_POSTS;
    Ok(StreamableHttpClientTransport::with_client(http, config))
}

impl Http {
    fn journal(&self) -> &Journal {
        &self.ours.journal
    }

    fn request(
        &self,
        request: RequestBuilder,
        session: Option<&str>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> RequestBuilder {
        let request = request.headers(headers.into_iter().collect::<HeaderMap>());
        match session {
            Some(session) => request.header(SESSION, session),
            None => request,
        }
    }
}

impl StreamableHttpClient for Http {
    type Error = HttpFailure;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let begins_again = begins_session(&message) && self.begun.swap(true, Ordering::SeqCst);
        if begins_again {
            self.ours.tell_all(&Note::Reconnecting).await;
        }
        self.replies.expect(&message);
        let session = session_id.as_deref();
        let request = self.client.post(uri.as_ref()).header(ACCEPT, BOTH);
        let request = self.request(request, session, headers);
        let request = with_message(request, &message, self.journal()).map_err(HttpError::Client)?;
        let response = request.send().await.map_err(failed)?;
        let response = authorized(response).await?;
        let answer = answer::of_post(
            response,
            &message,
            session.is_some(),
            session.is_some() && !self.streamless.load(Ordering::SeqCst),
            (&self.replies, self.journal()),
        )
        .await?;
        if begins_again {
            // Whoever answers now may have other tools.
            self.ours.bump_tools();
            self.ours.tell_all(&Note::Reconnected).await;
        }
        Ok(answer)
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), HttpError> {
        let request = self.client.delete(uri.as_ref());
        let request = self.request(request, Some(&session_id), headers);
        // A server that doesn't let go of a session forgets it by itself.
        request.send().await.map(drop).map_err(failed)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        let request = self.client.get(uri.as_ref()).header(ACCEPT, BOTH);
        let mut request = self.request(request, session_id.as_deref(), headers);
        if let Some(id) = last_event_id {
            request = request.header(LAST_EVENT, id);
        }
        let response = request.send().await.map_err(failed)?;
        let response = authorized(response).await?;
        let status = response.status();
        if status == StatusCode::METHOD_NOT_ALLOWED
            || (status.is_success() && !answer::is_stream(&response))
        {
            self.streamless.store(true, Ordering::SeqCst);
            return Err(HttpError::ServerDoesNotSupportSse);
        }
        match status.is_success() {
            true => Ok(answer::events(
                response,
                (&self.replies, self.journal()),
                None,
            )),
            false => Err(said(format!("HTTP {status}"))),
        }
    }
}

/// The request with a message as its body; it is traced.
pub(super) fn with_message(
    request: RequestBuilder,
    message: &ClientJsonRpcMessage,
    journal: &Journal,
) -> Result<RequestBuilder, HttpFailure> {
    let body =
        serde_json::to_vec(message).map_err(|error| HttpFailure::other(error.to_string()))?;
    journal.sent(message, &body);
    Ok(request.header(CONTENT_TYPE, "application/json").body(body))
}

fn begins_session(message: &ClientJsonRpcMessage) -> bool {
    match message {
        ClientJsonRpcMessage::Request(request) => {
            matches!(request.request, ClientRequest::InitializeRequest(_))
        }
        _ => false,
    }
}

fn failed(error: reqwest::Error) -> HttpError {
    HttpError::Client(HttpFailure::from(error))
}

fn said(cause: String) -> HttpError {
    HttpError::Client(HttpFailure::other(cause))
}

/// Lets a response through that is no refusal of us.
async fn authorized(response: reqwest::Response) -> Result<reqwest::Response, HttpError> {
    match refusal(response).await {
        Ok(response) => Ok(response),
        // rmcp never tries again what failed with this.
        Err(refusal) => Err(HttpError::AuthRequired(AuthRequiredError::new(refusal))),
    }
}
