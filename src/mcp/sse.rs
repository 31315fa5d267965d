//! The protocol over the legacy HTTP+SSE transport, which rmcp no longer has.
//!
//! Owns the stream of events and the address that messages are posted to. Must not know which
//! messages are sent. The first event names that address; it must be of the stream's own origin.

mod events;

use std::future::Future;

use http::header::ACCEPT;
use reqwest::{Client, Url};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio_util::sync::DropGuard;

use super::HttpAddress;
use super::cause;
use super::connection::ConnectError;
use super::http::{self as streamable, HttpFailure, Trouble};
use super::journal::{Journal, LogKind};
use super::wire::{self, Reading, Replies};
pub(super) use events::{Data, Event, Events};

/// Results that rmcp's types would lose something of.
const RAW_RESULTS: &[&str] = &["tools/call", "tools/list", "tasks/get"];

/// A stream of events one way, POSTs the other.
pub(super) struct SseTransport {
    client: Client,
    endpoint: Url,
    events: Events,
    replies: Replies,
    journal: Journal,
    _ended: DropGuard,
}

/// Opens the stream and waits for the address to post to.
///
/// # Errors
/// A [`ConnectError`] at the step `connecting`.
pub(super) async fn transport(
    address: &HttpAddress,
    journal: Journal,
    ended: DropGuard,
) -> Result<SseTransport, ConnectError> {
    let client = streamable::client(address)?;
    let mut opened = open(&client, &address.url).await.map_err(|failure| {
        let unauthorized = failure.trouble == Trouble::Refused;
        let cause = cause::refusal(&failure).unwrap_or(failure.cause);
        ConnectError {
            unauthorized,
            ..ConnectError::at("connecting", cause)
        }
    })?;
    let endpoint = endpoint(&mut opened).await;
    let endpoint = endpoint.map_err(|cause| ConnectError::at("connecting", cause))?;
    Ok(SseTransport {
        client,
        endpoint,
        events: opened.events,
        replies: Replies::raw(RAW_RESULTS),
        journal,
        _ended: ended,
    })
}

struct Opened {
    url: Url,
    events: Events,
}

async fn open(client: &Client, url: &str) -> Result<Opened, HttpFailure> {
    let response = client
        .get(url)
        .header(ACCEPT, "text/event-stream")
        .send()
        .await?;
    let response = checked(response).await?;
    Ok(Opened {
        url: response.url().clone(),
        events: Events::of(response),
    })
}

/// Lets a response through that is a success.
async fn checked(response: reqwest::Response) -> Result<reqwest::Response, HttpFailure> {
    let response = streamable::refusal(response).await;
    let response = response.map_err(HttpFailure::refused)?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let said = streamable::excerpt(response).await;
    Err(HttpFailure::other(format!("HTTP {status}: {said}")))
}

async fn endpoint(opened: &mut Opened) -> Result<Url, String> {
    loop {
        let event = match opened.events.next().await {
            Some(Ok(event)) => event,
            Some(Err(failure)) => return Err(failure.cause),
            None => return Err("the server ended the stream before naming its endpoint".to_owned()),
        };
        let (Some("endpoint"), Data::Text(data)) = (event.name.as_deref(), &event.data) else {
            continue;
        };
        let named = String::from_utf8_lossy(data);
        let endpoint = opened.url.join(named.trim());
        let endpoint =
            endpoint.map_err(|error| format!("the server's endpoint can't be used: {error}"))?;
        if !streamable::same_origin(&opened.url, &endpoint) {
            let origin = endpoint.origin().ascii_serialization();
            return Err(format!(
                "the server names an endpoint of another origin, {origin}; nothing is sent there"
            ));
        }
        return Ok(endpoint);
    }
}

impl Transport<RoleClient> for SseTransport {
    type Error = HttpFailure;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), HttpFailure>> + Send + 'static {
        self.replies.expect(&message);
        let request = self.client.post(self.endpoint.clone());
        let request = streamable::with_message(request, &message, &self.journal);
        async move {
            let response = request?.send().await?;
            checked(response).await.map(drop)
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let event = self.events.next().await?.ok()?;
            let reading = match &event.data {
                _ if !event.is_message() => continue,
                Data::Text(bytes) => wire::read(bytes, &self.replies),
                Data::TooLarge(envelope) => wire::too_large(envelope, &self.replies),
            };
            let bytes = event.data.bytes();
            match reading {
                Reading::Message(message) => {
                    self.journal.received(&message, bytes);
                    return Some(*message);
                }
                Reading::Noise => self.journal.line(LogKind::Noise, bytes),
                Reading::Blank => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), HttpFailure> {
        Ok(())
    }
}
