//! Serving over streamable HTTP.
//!
//! Owns the address, the checks before a request is read, and a calm end. Must not know what is
//! served. The stateless revision keeps nothing between two requests; older clients have a session.

mod connections;
mod token;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, lookup_host};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use token::Token;

use super::FAREWELL;
use super::server::Server;

/// Where MCP is spoken.
const ENDPOINT: &str = "/mcp";
/// Bytes that a request may have; no call of ours needs more.
const MAX_BODY: usize = 1024 * 1024;
/// How long a session is kept that nobody uses: longer than the longest wait, during which nothing
/// need be said.
const SESSION: Duration = Duration::from_secs(900);
/// How long answers may take to be read once the waits have ended.
const LAST_ANSWERS: Duration = Duration::from_millis(500);
/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// How HTTP is served.
#[derive(Debug, Clone, Default)]
pub struct HttpOptions {
    /// `HOST:PORT`; port 0 is any that is free.
    pub address: String,
    /// What every request must bring; needed beyond this machine.
    pub token: Option<Token>,
    /// Names under which this server is reached, beside those of the loopback. Without any, a
    /// server that is reached from elsewhere takes every name: it is the token that protects it.
    pub hosts: Vec<String>,
    /// Origins of web pages that may call, beside those of this machine where it serves that alone.
    pub origins: Vec<String>,
}

impl HttpOptions {
    /// The options, if every name in them can match something; origins with their ports.
    fn checked(mut self) -> Result<Self, String> {
        for host in &self.hosts {
            let bare = host
                .parse::<Authority>()
                .is_ok_and(|parsed| parsed.as_str() == host);
            if !bare || host.contains('@') {
                return Err(format!(
                    "--allow-host {host:?} is no name; write it as waits.example.com or with its port"
                ));
            }
        }
        for origin in &mut self.origins {
            *origin = with_port(origin).ok_or_else(|| {
                format!(
                    "--allow-origin {origin:?} is no origin; write it as https://app.example.com, \
                     without a path"
                )
            })?;
        }
        Ok(self)
    }
}

/// An origin with the port that its scheme implies, if it is one.
fn with_port(origin: &str) -> Option<String> {
    let (scheme, rest) = origin.split_once("://")?;
    let authority = rest.parse::<Authority>().ok()?;
    let port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let bare = authority.as_str() == rest && !rest.contains('@');
    let port = authority.port_u16().unwrap_or(port);
    bare.then(|| format!("{scheme}://{}:{port}", authority.host()))
}

/// A listener that nobody is served at yet.
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    options: HttpOptions,
}

impl Listener {
    /// Begins to listen.
    ///
    /// # Errors
    /// A sentence: the address can't be used, or would need a token.
    pub async fn bind(options: HttpOptions) -> Result<Self, String> {
        let options = options.checked()?;
        let asked = &options.address;
        let unusable = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!("--http {asked}: somebody listens there already; choose another port")
            }
            _ => format!("--http {asked}: it can't be listened to: {error}"),
        };
        let addresses: Vec<SocketAddr> = match lookup_host(asked).await {
            Ok(addresses) => addresses.collect(),
            Err(_) => {
                return Err(format!(
                    "--http {asked} leads to no address; write it as HOST:PORT, such as 127.0.0.1:8080"
                ));
            }
        };
        let open = |address: &&SocketAddr| !address.ip().is_loopback();
        if options.token.is_none()
            && let Some(address) = addresses.iter().find(open)
        {
            return Err(format!(
                "--http {asked} can be reached from other machines ({}), so it needs a token; put \
                 one in STAKEOUT_TOKEN or in a file named by --token-file, or listen to 127.0.0.1",
                address.ip()
            ));
        }
        let listener = TcpListener::bind(&addresses[..]).await.map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        Ok(Self {
            listener,
            address,
            options,
        })
    }

    /// The address of the endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{ENDPOINT}", self.address)
    }

    /// Serves until `stop` is cancelled; then the waits end as cancelled, and their callers are told.
    pub(super) async fn serve(self, server: Server, stop: &CancellationToken) {
        let closed = CancellationToken::new();
        let router = self.router(server.clone(), closed.clone());
        let serving = connections::serve(self.listener, router, stop.clone());
        let mut serving = tokio::spawn(serving);
        tokio::select! {
            () = stop.cancelled() => {}
            _ = &mut serving => return,
        }
        let _ = timeout(FAREWELL, server.idle()).await;
        // A stream on which nothing is asked any more never ends by itself.
        if timeout(LAST_ANSWERS, &mut serving).await.is_err() {
            closed.cancel();
            let _ = timeout(LAST_ANSWERS, &mut serving).await;
        }
    }

    fn router(&self, server: Server, closed: CancellationToken) -> Router {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION);
        let mcp = StreamableHttpService::new(
            move || Ok(server.clone()),
            Arc::new(sessions),
            self.config().with_cancellation_token(closed),
        );
        let token = self.options.token.clone();
        Router::new()
            .route_service(ENDPOINT, mcp)
            .layer(middleware::from_fn_with_state(token, authorize))
            .layer(middleware::map_request(own_head))
            .route("/healthz", get(|| async { "ok\n" }))
            .fallback(|| async { (StatusCode::NOT_FOUND, "the MCP endpoint is /mcp\n") })
    }

    fn config(&self) -> StreamableHttpServerConfig {
        let own = self.address.ip();
        let names = LOOPBACK.map(str::to_owned).into_iter();
        let names = names
            .chain([own.to_string()])
            .chain(self.options.hosts.clone());
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(MAX_BODY)
            .enforce_origin_validation();
        let mut origins = self.options.origins.clone();
        if own.is_loopback() {
            origins.extend(LOOPBACK.map(origin));
        }
        let config = config.with_allowed_origins(origins);
        if own.is_loopback() || !self.options.hosts.is_empty() {
            config.with_allowed_hosts(names)
        } else {
            config.disable_allowed_hosts()
        }
    }
}

/// The origins of pages that this machine serves itself, at any port.
fn origin(host: &str) -> String {
    match host.contains(':') {
        true => format!("http://[{host}]:*"),
        false => format!("http://{host}:*"),
    }
}

/// Lets a request through that brings the token, without it: nobody further in needs it.
async fn authorize(
    State(token): State<Option<Token>>,
    mut request: Request,
    next: Next,
) -> Response {
    let brought = request.headers_mut().remove(header::AUTHORIZATION);
    if let Some(token) = token
        && !brought.is_some_and(|brought| token.is_in(brought.as_bytes()))
    {
        let wanted = [(header::WWW_AUTHENTICATE, "Bearer realm=\"stakeout\"")];
        let words = "this server wants its token, as Authorization: Bearer …\n";
        return (StatusCode::UNAUTHORIZED, wanted, words).into_response();
    }
    next.run(request).await
}

/// Lets the head of a request be slices no longer of what was read: 8 KiB, which a wait would keep to
/// its end.
async fn own_head(mut request: Request) -> Request {
    if let Ok(own) = request.uri().to_string().parse() {
        *request.uri_mut() = own;
    }
    for value in request.headers_mut().values_mut() {
        if let Ok(own) = HeaderValue::from_bytes(value.as_bytes()) {
            *value = own;
        }
    }
    request
}
