//! The demo over the real protocol: a client at the other end of a pipe, on a paused clock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod protocol;
mod stories;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use regex::Regex;
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    ProgressNotificationParam, ProtocolVersion, RequestMetaObject, Tool,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, PeerRequestOptions, RoleClient, RunningService,
    ServiceError, serve_client_with_lifecycle,
};
use serde_json::{Map, Value, json};
use tokio::task::JoinHandle;
use tokio::time::{Instant, advance, sleep, timeout};

use super::server::serve;
use super::{FIRST_TOOL, TOOLS, suggestion};

/// A client that keeps the progress it is told.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let mut config = ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("test", "1"),
        );
        config.protocol_version = ProtocolVersion::V_2025_11_25;
        config
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(told);
    }
}

struct Session {
    client: RunningService<RoleClient, Listener>,
    server: JoinHandle<io::Result<()>>,
    listener: Listener,
}

/// What a call came to: the text a condition is evaluated on, or the failed call.
type Sample = Result<String, ServiceError>;

impl Session {
    async fn open() -> Self {
        Self::open_with(ClientLifecycleMode::Initialize).await
    }

    async fn open_with(mode: ClientLifecycleMode) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        let server = tokio::spawn(serve(input, output));
        let listener = Listener::default();
        let client = serve_client_with_lifecycle(listener.clone(), ours, mode)
            .await
            .unwrap();
        Self {
            client,
            server,
            listener,
        }
    }

    async fn sample(&self, wait: Option<&str>, tool: &str, args: Value) -> Sample {
        let mut params = CallToolRequestParams::new(tool.to_owned())
            .with_arguments(args.as_object().unwrap().clone());
        if let Some(wait) = wait {
            let mut meta = RequestMetaObject::new();
            meta.insert("stakeout/wait".to_owned(), json!(wait));
            params.meta = Some(meta);
        }
        // On a paused clock this ends at once what would otherwise hang.
        let called = timeout(Duration::from_secs(300), self.client.call_tool(params));
        called.await.expect("an answer").map(|result| {
            let text = match result.structured_content {
                Some(structured) => serde_json::to_string_pretty(&structured).unwrap(),
                None => result.content[0].as_text().unwrap().text.clone(),
            };
            if result.is_error == Some(true) {
                format!("Tool returned an error: {text}")
            } else {
                text
            }
        })
    }

    async fn text(&self, wait: &str, tool: &str, args: Value) -> String {
        self.sample(Some(wait), tool, args).await.unwrap()
    }

    /// The samples of a whole story, one a second for `seconds`, failed calls in words.
    async fn story(&self, wait: &str, tool: &str, args: Value, seconds: u64) -> Vec<String> {
        let mut story = Vec::new();
        for _ in 0..=seconds {
            let sample = self.sample(Some(wait), tool, args.clone()).await;
            story.push(sample.unwrap_or_else(|error| format!("failed: {error}")));
            sleep(Duration::from_secs(1)).await;
        }
        story
    }

    async fn tools(&self) -> Vec<Tool> {
        self.client.list_tools(None).await.unwrap().tools
    }
}

/// Runs a suggested call as a wait does, and says how long it took until it was met.
async fn run(session: &Session, call: &Value) -> Duration {
    let pattern = |field: &Value| field.as_str().map(|text| Regex::new(text).unwrap());
    let tool = call["probe"]["tool"].as_str().unwrap();
    let until = pattern(&call["until"]["matches"]);
    let fail_when = pattern(&call["fail_when"]);
    let quiet = call["until"]["quiet_for_sec"]
        .as_u64()
        .map(Duration::from_secs);
    let retries = call["retry_errors"].as_u64().unwrap_or(0);
    let start = Instant::now();
    let mut last: Option<(String, Instant)> = None;
    let mut failures = 0;
    while start.elapsed() < Duration::from_secs(call["max_wait_sec"].as_u64().unwrap()) {
        match session
            .sample(Some("run"), tool, call["probe"]["args"].clone())
            .await
        {
            Err(error) => {
                failures += 1;
                assert!(failures <= retries, "{tool}: {error}");
                last = None;
            }
            Ok(text) => {
                failures = 0;
                let failed = fail_when
                    .as_ref()
                    .is_some_and(|pattern| pattern.is_match(&text));
                assert!(!failed, "{tool}: {text}");
                if until
                    .as_ref()
                    .is_some_and(|pattern| pattern.is_match(&text))
                {
                    return start.elapsed();
                }
                match &last {
                    Some((before, since)) if *before == text => {
                        if quiet.is_some_and(|quiet| since.elapsed() >= quiet) {
                            return start.elapsed();
                        }
                    }
                    _ => last = Some((text, Instant::now())),
                }
            }
        }
        sleep(Duration::from_secs(call["poll_sec"].as_u64().unwrap())).await;
    }
    panic!("{tool}: the bound was reached");
}

fn changes(story: &[String]) -> usize {
    story.windows(2).filter(|pair| pair[0] != pair[1]).count()
}
