//! The HTTP client that both HTTP transports use.
//!
//! Owns TLS, headers, redirects and the wording of what goes wrong on the way. Must not know the
//! protocol. Values of headers may be secret, and so may a query: neither is ever printed.

use std::error::Error;
use std::time::Duration;

use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, ClientBuilder, Response, Url};
use rustls::{ClientConfig, RootCertStore};

use super::answer;
use crate::mcp::HttpAddress;
use crate::mcp::cause::chain;
use crate::mcp::connection::ConnectError;

/// How we call ourselves.
const USER_AGENT: &str = concat!("stakeout/", env!("CARGO_PKG_VERSION"));
/// How long a host may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Redirects that are followed one after the other.
const MAX_REDIRECTS: usize = 10;

/// What kind of trouble a request had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum Trouble {
    /// There was no connection to the server.
    Unreachable,
    /// The server wants authorization that it didn't get.
    Refused,
    /// Anything else.
    Other,
}

/// Why a request over HTTP failed.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub(in crate::mcp) struct HttpFailure {
    /// Why, in words.
    pub(in crate::mcp) cause: String,
    /// What kind of trouble it was.
    pub(in crate::mcp) trouble: Trouble,
}

impl HttpFailure {
    pub(in crate::mcp) fn other(cause: String) -> Self {
        Self {
            cause,
            trouble: Trouble::Other,
        }
    }

    pub(in crate::mcp) fn refused(cause: String) -> Self {
        Self {
            cause,
            trouble: Trouble::Refused,
        }
    }
}

impl From<reqwest::Error> for HttpFailure {
    fn from(error: reqwest::Error) -> Self {
        let host = error.url().map(|url| url.origin().ascii_serialization());
        let host = host.unwrap_or_else(|| "the server".to_owned());
        if error.is_connect() {
            return Self {
                cause: format!("{host} can't be reached: {}", innermost(&error)),
                trouble: Trouble::Unreachable,
            };
        }
        if error.is_redirect() {
            return Self::other(innermost(&error));
        }
        Self::other(chain(&error.without_url()))
    }
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// A client for this address.
///
/// # Errors
/// A [`ConnectError`] where the address or a header can't be used.
pub(in crate::mcp) fn client(address: &HttpAddress) -> Result<Client, ConnectError> {
    let unusable = |cause: String| ConnectError::at("connecting", cause);
    let url = Url::parse(&address.url).map_err(|error| {
        unusable(format!(
            "the URL can't be used ({error}); write http://… or https://…"
        ))
    })?;
    let builder = client_builder(url.scheme()).map_err(unusable)?;
    let client = builder
        .default_headers(headers(address).map_err(unusable)?)
        .redirect(Policy::custom(follow_at_home))
        .connect_timeout(CONNECT)
        // A pooled connection makes answers that are streams wait for a delayed ACK.
        .pool_max_idle_per_host(0)
        .build();
    client.map_err(|error| {
        let reason = innermost(&error);
        unusable(format!(
            "TLS can't be used here ({reason}); install the system's CA certificates"
        ))
    })
}

/// What every HTTP client of this program begins with: its name, and TLS as `scheme`, `http` or
/// `https`, needs it.
///
/// # Errors
/// A sentence, where the scheme is another.
pub fn client_builder(scheme: &str) -> Result<ClientBuilder, String> {
    let builder = Client::builder().user_agent(USER_AGENT);
    match scheme {
        // TLS is out of the question, so that it works without any certificates.
        "http" => Ok(builder.tls_backend_preconfigured(without_roots()?)),
        "https" => {
            // Fails where one is installed already, which serves as well.
            let _ = rustls::crypto::ring::default_provider().install_default();
            Ok(builder)
        }
        other => Err(format!(
            "{other}:// is no way to reach a server; use http or https"
        )),
    }
}

fn without_roots() -> Result<ClientConfig, String> {
    let provider = rustls::crypto::ring::default_provider().into();
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(config
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}

fn headers(address: &HttpAddress) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in &address.headers {
        let header = HeaderName::try_from(name.as_str())
            .map_err(|_| format!("{name:?} is no name for a header; use letters, digits and -"))?;
        let mut value = HeaderValue::try_from(value.as_str()).map_err(|_| {
            format!("the value of the header {name} can't be sent; it holds a line break or another control character")
        })?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(headers)
}

/// Follows a redirect within the origin that keeps the request as it is. The headers, and a token
/// among them, are meant for nobody else.
fn follow_at_home(attempt: Attempt) -> reqwest::redirect::Action {
    let to = shown(attempt.url());
    let from = attempt.previous().last();
    let at_home = from.is_some_and(|from| same_origin(from, attempt.url()));
    let keeps_method = matches!(
        attempt.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    if !at_home {
        let cause =
            format!("the server redirects to another origin, {to}; use that URL if it is right");
        return attempt.error(cause);
    }
    if !keeps_method {
        let status = attempt.status().as_u16();
        let cause =
            format!("the server redirects to {to} with HTTP {status}; use that URL if it is right");
        return attempt.error(cause);
    }
    if attempt.previous().len() > MAX_REDIRECTS {
        return attempt.error(format!(
            "the server redirects more than {MAX_REDIRECTS} times"
        ));
    }
    attempt.follow()
}

/// Whether two addresses have scheme, host and port in common.
pub(in crate::mcp) fn same_origin(one: &Url, other: &Url) -> bool {
    one.origin() == other.origin()
}

/// A URL without what may be secret in it.
fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// Lets a response through that is no refusal of us; else the words for the refusal.
pub(in crate::mcp) async fn refusal(response: Response) -> Result<Response, String> {
    let status = response.status();
    if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Ok(response);
    }
    let challenge = response.headers().get(WWW_AUTHENTICATE).cloned();
    let challenge = challenge.as_ref().and_then(|value| value.to_str().ok());
    let said = match challenge {
        Some(challenge) => challenge.to_owned(),
        None => answer::excerpt(response).await,
    };
    match said.is_empty() {
        true => Err(format!("the server answered HTTP {status}")),
        false => Err(format!("the server answered HTTP {status} ({said})")),
    }
}
