//! HTTP servers in this process: rmcp's own, and hand-written ones that answer as a test says.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

/// A server that runs until it is dropped or stopped; then its connections break.
pub struct Web {
    address: SocketAddr,
    seen: Seen,
    runtime: Option<Runtime>,
}

/// What a server has seen: requests, and marks of its own.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Request>>>);

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: String,
}

/// A request, and the session that a server with sessions would begin next.
pub struct Script {
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Value,
    sessions: Arc<AtomicU32>,
}

type Answer = Arc<dyn Fn(&Request, &Script) -> Response + Send + Sync>;

impl Web {
    /// Answers every request in the same way.
    pub async fn answering(answer: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Self {
        Self::answering_all(move |request, _| answer(request)).await
    }

    /// Answers as a server with sessions, `s1` first, where the test says nothing else.
    pub async fn scripted(answer: impl Fn(&Script) -> Response + Send + Sync + 'static) -> Self {
        Self::scripted_at(0, answer).await
    }

    pub async fn scripted_at(
        port: u16,
        answer: impl Fn(&Script) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self::start(port, Arc::new(move |_, script| answer(script))).await
    }

    pub async fn answering_all(
        answer: impl Fn(&Request, &Script) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self::start(0, Arc::new(answer)).await
    }

    async fn start(port: u16, answer: Answer) -> Self {
        let sessions = Arc::new(AtomicU32::new(0));
        Self::serve(port, |seen| {
            Router::new()
                .fallback(respond)
                .with_state((seen, answer, sessions))
        })
        .await
    }

    /// rmcp's own server, with a tool that echoes and one that hangs.
    pub async fn rmcp() -> Self {
        Self::serve(0, |seen| {
            let echo = move || Ok::<_, io::Error>(Echo(seen.clone()));
            let sessions = Arc::new(LocalSessionManager::default());
            let service = StreamableHttpService::new(echo, sessions, Default::default());
            Router::new().nest_service("/mcp", service)
        })
        .await
    }

    /// A server of the legacy transport, which names this endpoint.
    pub async fn legacy(endpoint: &'static str) -> Self {
        Self::legacy_refusing(endpoint, "").await
    }

    /// The same, which refuses one tool's calls with 503.
    pub async fn legacy_refusing(endpoint: &'static str, refused: &'static str) -> Self {
        let client: Arc<Mutex<Option<mpsc::UnboundedSender<String>>>> = Arc::default();
        Self::answering_all(move |_, script| {
            if script.method == Method::GET {
                let (sender, receiver) = mpsc::unbounded_channel();
                sender
                    .send(format!("event: endpoint\ndata: {endpoint}\n\n"))
                    .unwrap();
                *client.lock().unwrap() = Some(sender);
                return stream(futures::stream::unfold(receiver, |mut receiver| async {
                    Some((Ok(receiver.recv().await?), receiver))
                }));
            }
            if script.tool() == Some(refused) {
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
            let answer = script.answer().filter(|_| script.tool() != Some("hang"));
            if let (Some(answer), Some(client)) = (answer, client.lock().unwrap().as_ref()) {
                let _ = client.send(format!("event: message\ndata: {answer}\n\n"));
            }
            StatusCode::ACCEPTED.into_response()
        })
        .await
    }

    async fn serve(port: u16, router: impl FnOnce(Seen) -> Router) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let seen = Seen::default();
        let router = router(seen.clone());
        let listener = runtime.spawn(TcpListener::bind(("127.0.0.1", port)));
        let listener = listener.await.unwrap().unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self {
            address,
            seen,
            runtime: Some(runtime),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.seen.0.lock().unwrap().clone()
    }

    pub fn saw(&self, words: &str) -> bool {
        self.count(words) > 0
    }

    /// How many requests hold these words.
    pub fn count(&self, words: &str) -> usize {
        let requests = self.requests();
        requests
            .iter()
            .filter(|request| request.body.contains(words))
            .count()
    }

    /// How many calls of tools have arrived.
    pub fn calls(&self) -> usize {
        self.count("\"tools/call\"")
    }

    /// Breaks all connections; the port is free afterwards.
    pub async fn stop(mut self) -> u16 {
        self.shut();
        while TcpStream::connect(self.address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        self.address.port()
    }

    fn shut(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        self.shut();
    }
}

impl Seen {
    fn mark(&self, words: &str) {
        self.0.lock().unwrap().push(Request {
            method: Method::POST,
            uri: Uri::default(),
            headers: HeaderMap::new(),
            body: words.to_owned(),
        });
    }
}

async fn respond(
    State((seen, answer, sessions)): State<(Seen, Answer, Arc<AtomicU32>)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> Response {
    let script = Script {
        method: method.clone(),
        headers: headers.clone(),
        body: serde_json::from_str(&body).unwrap_or_default(),
        sessions,
    };
    let request = Request {
        method,
        uri,
        headers,
        body,
    };
    seen.0.lock().unwrap().push(request.clone());
    answer(&request, &script)
}

impl Script {
    /// The tool that is called, if this is a call.
    pub fn tool(&self) -> Option<&str> {
        let is_call = self.body["method"] == "tools/call";
        self.body["params"]["name"].as_str().filter(|_| is_call)
    }

    pub fn session(&self) -> Option<&str> {
        self.headers.get("mcp-session-id")?.to_str().ok()
    }

    /// The message that a well-behaved server answers with, if any.
    pub fn answer(&self) -> Option<Value> {
        let result = match self.body["method"].as_str()? {
            "initialize" => json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1"}}),
            "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {}}]}),
            "tools/call" => json!({"content": [{"type": "text", "text": "usual"}]}),
            _ => return None,
        };
        Some(json!({"jsonrpc": "2.0", "id": self.body["id"], "result": result}))
    }

    /// What a well-behaved server with sessions answers.
    pub fn usual(&self) -> Response {
        match (&self.method, self.answer()) {
            (&Method::GET, _) => StatusCode::METHOD_NOT_ALLOWED.into_response(),
            (_, Some(answer)) if self.body["method"] == "initialize" => {
                let number = self.sessions.fetch_add(1, Ordering::SeqCst) + 1;
                let session = [("mcp-session-id", format!("s{number}"))];
                (session, axum::Json(answer)).into_response()
            }
            (_, Some(answer)) => axum::Json(answer).into_response(),
            // As servers with sessions answer to `server/discover`.
            (_, None) if self.body["id"].is_number() => {
                (StatusCode::BAD_REQUEST, "no session").into_response()
            }
            (_, None) => StatusCode::ACCEPTED.into_response(),
        }
    }
}

/// A response that is a stream of events.
pub fn stream(events: impl Stream<Item = io::Result<String>> + Send + 'static) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/event-stream")];
    (headers, Body::from_stream(events)).into_response()
}

/// A server of rmcp's.
#[derive(Clone)]
struct Echo(Seen);

impl rmcp::ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        let tool = Tool::new("echo", "says what it is told", serde_json::Map::new());
        std::future::ready(Ok(ListToolsResult::with_all_items(vec![tool])))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "echo" => {
                if let Some(token) = context.meta.get_progress_token() {
                    let progress = ProgressNotificationParam::new(token, 1.0);
                    let _ = context.peer.notify_progress(progress).await;
                }
                let text = json!(request.arguments).to_string();
                Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
            }
            "hang" => {
                self.0.mark("hang");
                context.ct.cancelled().await;
                self.0.mark("cancelled");
                Err(ErrorData::internal_error("cancelled", None))
            }
            _ => Err(ErrorData::invalid_params("tool not found", None)),
        }
    }
}
