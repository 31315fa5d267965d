//! The demo over the real protocol: a client at the other end of a pipe, on a paused clock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

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
use tokio::io::AsyncWriteExt;
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

#[tokio::test(start_paused = true)]
async fn each_suggestion_is_met_within_twenty_seconds_and_not_at_once() {
    let session = Session::open().await;
    for tool in &TOOLS {
        let call = suggestion(tool.name).unwrap();
        let took = run(&session, &call).await;
        assert!(took <= Duration::from_secs(20), "{}: {took:?}", tool.name);
        assert!(took >= Duration::from_secs(5), "{}: {took:?}", tool.name);
    }
}

#[tokio::test(start_paused = true)]
async fn each_suggestion_is_met_whatever_the_seed() {
    let session = Session::open().await;
    for tool in &TOOLS {
        for seed in 2..30 {
            let mut call = suggestion(tool.name).unwrap();
            call["probe"]["args"]["seed"] = json!(seed);
            let took = run(&session, &call).await;
            assert!(
                took <= Duration::from_secs(20),
                "{} {seed}: {took:?}",
                tool.name
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_story_has_several_visible_changes() {
    let session = Session::open().await;
    for tool in &TOOLS {
        let args = suggestion(tool.name).unwrap()["probe"]["args"].clone();
        let story = session.story("w", tool.name, args, 20).await;
        assert!(changes(&story) >= 4, "{}: {story:#?}", tool.name);
    }
}

#[test]
fn a_suggestion_has_the_form_of_a_call_and_only_exists_for_the_demos_tools() {
    let call = suggestion(FIRST_TOOL).unwrap();
    assert_eq!(
        call,
        json!({
            "probe": {
                "server": "demo",
                "tool": "rollout_status",
                "args": { "deployment": "web", "replicas": 3, "crash_loop": false },
            },
            "until": { "matches": "(?m)^web\\s+3/3" },
            "poll_sec": 1,
            "max_wait_sec": 120,
        })
    );
    assert_eq!(suggestion("echo"), None);
}

#[tokio::test(start_paused = true)]
async fn six_tools_are_listed_with_whole_schemas() {
    let session = Session::open().await;
    let tools = session.tools().await;
    assert_eq!(tools.len(), 6);
    for tool in tools {
        let schema = Value::Object(tool.input_schema.as_ref().clone());
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{} {name}", tool.name);
            assert!(!property["default"].is_null(), "{} {name}", tool.name);
            if property["type"] == "integer" {
                assert!(property["minimum"].is_u64() && property["maximum"].is_u64());
            }
        }
        assert_eq!(tool.annotations.unwrap().read_only_hint, Some(true));
        assert!(tool.description.is_some() && tool.title.is_some());
        assert_eq!(tool.output_schema.is_some(), tool.name == "queue_depth");
        let args = &suggestion(&tool.name).unwrap()["probe"]["args"];
        assert!(jsonschema::is_valid(&schema, args), "{}", tool.name);
        assert!(jsonschema::is_valid(&schema, &json!({})), "{}", tool.name);
        assert!(
            !jsonschema::is_valid(&schema, &json!({ "speed": 1 })),
            "{}",
            tool.name
        );
    }
}

#[tokio::test(start_paused = true)]
async fn structured_output_fits_its_schema_all_the_way() {
    let session = Session::open().await;
    let tools = session.tools().await;
    let tool = tools
        .iter()
        .find(|tool| tool.name == "queue_depth")
        .unwrap();
    let schema = Value::Object(tool.output_schema.as_ref().unwrap().as_ref().clone());
    let mut before = u64::MAX;
    for text in session
        .story("w", "queue_depth", json!({ "depth": 90 }), 13)
        .await
    {
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(jsonschema::is_valid(&schema, &value), "{text}");
        let depth = value["depth"].as_u64().unwrap();
        assert!(depth <= before, "a draining queue never grows");
        before = depth;
    }
    assert_eq!(before, 0);
}

#[tokio::test(start_paused = true)]
async fn the_rollout_is_the_table_that_an_operator_knows() {
    let session = Session::open().await;
    let story = session.story("w", FIRST_TOOL, json!({}), 12).await;
    assert_eq!(
        story[0],
        "DEPLOYMENT  READY  UP-TO-DATE  AVAILABLE\nweb         0/3    1           0"
    );
    let middle = "DEPLOYMENT  READY  UP-TO-DATE  AVAILABLE\nweb         1/3    3           1";
    assert!(story.iter().any(|text| text == middle), "{story:#?}");
    assert_eq!(
        story[12],
        "DEPLOYMENT  READY  UP-TO-DATE  AVAILABLE\nweb         3/3    3           3"
    );
}

#[tokio::test(start_paused = true)]
async fn a_crash_loop_never_gets_ready() {
    let session = Session::open().await;
    for replicas in [1, 3, 50] {
        let args = json!({ "crash_loop": true, "replicas": replicas });
        let story = session.story("w", FIRST_TOOL, args, 60).await;
        assert!(!story[0].contains("CrashLoopBackOff"));
        assert!(story[60].contains("CrashLoopBackOff"), "{}", story[60]);
        let ready = format!("web         {replicas}/{replicas}");
        assert!(!story.iter().any(|text| text.contains(&ready)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_build_can_fail_and_says_where() {
    let session = Session::open().await;
    let args = json!({ "outcome": "failed", "build": "17" });
    let story = session.story("w", "build_status", args, 12).await;
    assert!(
        story[0].starts_with("build 17\nstatus: queued"),
        "{}",
        story[0]
    );
    assert!(
        story[12].starts_with("build 17\nstatus: failed\nstep: "),
        "{}",
        story[12]
    );
    assert!(!story.iter().any(|text| text.contains("succeeded")));
}

#[tokio::test(start_paused = true)]
async fn a_deleted_pod_ends_in_a_not_found_error() {
    let session = Session::open().await;
    let story = session
        .story("w", "pod_delete", json!({ "pod": "db-0" }), 9)
        .await;
    assert!(story[0].contains("Terminating"), "{}", story[0]);
    assert_eq!(
        story[9],
        "Tool returned an error: Error from server (NotFound): pods \"db-0\" not found"
    );
}

#[tokio::test(start_paused = true)]
async fn a_flaky_service_errs_as_often_as_it_was_told_and_then_recovers() {
    let session = Session::open().await;
    let args = json!({ "tool_errors": 4, "failed_calls": 3, "latency_ms": 0 });
    let story = session.story("w", "flaky_status", args, 20).await;
    let count = |part: &str| story.iter().filter(|text| text.contains(part)).count();
    assert_eq!(count("Tool returned an error"), 4);
    assert_eq!(count("failed: "), 3);
    assert_eq!(count("degraded"), 3);
    assert!(story[10..].iter().all(|text| text.contains("healthy")));
}

#[tokio::test(start_paused = true)]
async fn a_failed_call_has_a_code_that_is_no_tool_error() {
    let session = Session::open().await;
    let args = json!({ "tool_errors": 0, "failed_calls": 50, "latency_ms": 0 });
    let mut codes = Vec::new();
    for _ in 0..53 {
        if let Err(ServiceError::McpError(error)) = session
            .sample(Some("w"), "flaky_status", args.clone())
            .await
        {
            codes.push(error.code.0);
        }
    }
    assert_eq!(codes, [-32010; 50]);
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_plays_the_same_story_and_another_seed_another() {
    let session = Session::open().await;
    for tool in &TOOLS {
        let first = session
            .story("a", tool.name, json!({ "seed": 7 }), 14)
            .await;
        let again = session
            .story("b", tool.name, json!({ "seed": 7 }), 14)
            .await;
        assert_eq!(first, again, "{}", tool.name);
        let mut others = Vec::new();
        for seed in 8..12 {
            others.push(
                session
                    .story("c", tool.name, json!({ "seed": seed }), 14)
                    .await,
            );
        }
        assert!(others.iter().any(|other| *other != first), "{}", tool.name);
    }
}

#[tokio::test(start_paused = true)]
async fn a_new_wait_starts_afresh() {
    let session = Session::open().await;
    let story = session.story("first", FIRST_TOOL, json!({}), 15).await;
    let fresh = session.text("second", FIRST_TOOL, json!({})).await;
    assert_ne!(story[15], story[0]);
    assert_eq!(fresh, story[0]);
}

#[tokio::test(start_paused = true)]
async fn two_waits_at_once_do_not_disturb_one_another() {
    let session = Session::open().await;
    let args = json!({ "latency_ms": 0 });
    let alone = session
        .story("alone", "flaky_status", args.clone(), 9)
        .await;
    let (one, two) = tokio::join!(
        session.story("one", "flaky_status", args.clone(), 9),
        session.story("two", "flaky_status", args.clone(), 9),
    );
    assert_eq!(one, alone);
    assert_eq!(two, alone);
}

#[tokio::test(start_paused = true)]
async fn calls_without_a_wait_share_a_story_until_they_pause() {
    let session = Session::open().await;
    let start = session.sample(None, FIRST_TOOL, json!({})).await.unwrap();
    advance(Duration::from_secs(15)).await;
    let end = session
        .sample(None, FIRST_TOOL, json!({ "replicas": 3 }))
        .await
        .unwrap();
    assert!(end.contains("3/3"), "{end}");
    advance(Duration::from_secs(301)).await;
    let afresh = session.sample(None, FIRST_TOOL, json!({})).await.unwrap();
    assert_eq!(afresh, start);
}

#[tokio::test(start_paused = true)]
async fn a_wait_goes_on_while_many_others_come_and_go() {
    let session = Session::open().await;
    session.text("long", FIRST_TOOL, json!({})).await;
    for other in 0..600 {
        session
            .text(&format!("other {other}"), FIRST_TOOL, json!({}))
            .await;
        if other % 100 == 0 {
            session.text("long", FIRST_TOOL, json!({})).await;
        }
    }
    advance(Duration::from_secs(15)).await;
    assert!(
        session
            .text("long", FIRST_TOOL, json!({}))
            .await
            .contains("3/3")
    );
    let dropped = session.text("other 0", FIRST_TOOL, json!({})).await;
    assert!(
        dropped.contains("0/3"),
        "the oldest is dropped and starts afresh: {dropped}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_bad_argument_is_an_error_that_names_it_and_what_is_accepted() {
    let session = Session::open().await;
    let cases = [
        (
            FIRST_TOOL,
            json!({ "replicas": 51 }),
            "the argument `replicas` is 51, but it must be a whole number from 1 to 50",
        ),
        (
            FIRST_TOOL,
            json!({ "replicas": "3" }),
            "the argument `replicas` is \"3\", but",
        ),
        (
            FIRST_TOOL,
            json!({ "replicas": 2.5 }),
            "a whole number from 1 to 50",
        ),
        (
            FIRST_TOOL,
            json!({ "replicas": null }),
            "the argument `replicas` is null",
        ),
        (
            FIRST_TOOL,
            json!({ "crash_loop": "yes" }),
            "but it must be true or false",
        ),
        (
            FIRST_TOOL,
            json!({ "deployment": "a\nb" }),
            "a name of up to 63 letters",
        ),
        (
            FIRST_TOOL,
            json!({ "deployment": "" }),
            "a name of up to 63 letters",
        ),
        (
            "build_status",
            json!({ "outcome": "green" }),
            "one of succeeded, failed",
        ),
        (
            "build_status",
            json!({ "biuld": "1" }),
            "there is no argument \"biuld\"; the arguments are build, outcome, duration_sec, seed",
        ),
    ];
    for (tool, args, words) in cases {
        let text = session.text("w", tool, args).await;
        assert!(text.starts_with("Tool returned an error: "), "{text}");
        assert!(text.contains(words), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_a_protocol_error() {
    let session = Session::open().await;
    let error = session.sample(None, "echo", json!({})).await.unwrap_err();
    let ServiceError::McpError(error) = error else {
        panic!("{error}")
    };
    assert_eq!(error.code.0, -32602);
    assert_eq!(error.message, "Unknown tool: echo");
}

#[tokio::test(start_paused = true)]
async fn slow_answers_tell_progress_that_only_grows() {
    let session = Session::open().await;
    let args = json!({ "tool_errors": 0, "failed_calls": 0, "latency_ms": 8000 });
    let start = Instant::now();
    session.text("w", "flaky_status", args).await;
    assert!(
        start.elapsed() >= Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    let told = session.listener.0.lock().unwrap().clone();
    let progress: Vec<_> = told.iter().map(|told| told.progress).collect();
    assert_eq!(progress, [0.0, 25.0, 50.0, 75.0]);
    assert_eq!(told[1].message.as_deref(), Some("asking backend 2 of 4"));
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_is_abandoned_when_its_call_is_cancelled() {
    let session = Session::open().await;
    let args = json!({ "tool_errors": 0, "failed_calls": 0, "latency_ms": 60000 });
    let Value::Object(args) = args else { panic!() };
    let request = CallToolRequestParams::new("flaky_status").with_arguments(args);
    let handle = session
        .client
        .peer()
        .send_cancellable_request(
            ClientRequest::CallToolRequest(rmcp::model::CallToolRequest::new(request)),
            PeerRequestOptions::no_options(),
        )
        .await
        .unwrap();
    sleep(Duration::from_secs(1)).await;
    handle.cancel(Some("stopped".to_owned())).await.unwrap();
    let start = Instant::now();
    let text = session.text("other", FIRST_TOOL, json!({})).await;
    session.client.cancel().await.unwrap();
    session.server.await.unwrap().unwrap();
    assert!(text.contains("0/3"));
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn both_eras_of_the_protocol_are_spoken() {
    let stateless = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    for (mode, version) in [
        (ClientLifecycleMode::Initialize, "2025-11-25"),
        (stateless, "2026-07-28"),
    ] {
        let session = Session::open_with(mode).await;
        let info = session.client.peer_info().unwrap();
        assert_eq!(info.protocol_version.as_str(), version);
        assert_eq!(info.server_info.as_ref().unwrap().name, "stakeout-demo");
        assert!(info.capabilities.tools.is_some());
        assert!(info.instructions.is_some());
        let took = run(&session, &suggestion("queue_depth").unwrap()).await;
        assert!(took <= Duration::from_secs(20), "{version}: {took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn serving_ends_quietly_when_the_client_goes_away() {
    let session = Session::open().await;
    session.client.cancel().await.unwrap();
    session.server.await.unwrap().expect("a quiet end");

    let (silent, theirs) = tokio::io::duplex(1024);
    drop(silent);
    let (input, output) = tokio::io::split(theirs);
    serve(input, output)
        .await
        .expect("a quiet end without a session");
}

#[tokio::test(start_paused = true)]
async fn only_the_protocol_is_written_and_a_closed_output_ends_it() {
    let (mut requests, input) = tokio::io::duplex(4096);
    let (output, answers) = tokio::io::duplex(4096);
    drop(answers);
    let server = tokio::spawn(serve(input, output));
    let opening = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    requests
        .write_all(format!("{opening}\n").as_bytes())
        .await
        .unwrap();
    server.await.unwrap().expect("a quiet end");
}

#[test]
fn arguments_are_canonical_whatever_was_left_out() {
    let parameters = TOOLS[1].parameters;
    let check = |sent: Value| {
        let Value::Object(sent) = sent else { panic!() };
        super::Arguments::check(parameters, &sent)
            .unwrap()
            .canonical()
    };
    let ordered = check(json!({ "seed": 1, "deployment": "web" }));
    assert_eq!(ordered, check(json!({ "deployment": "web", "seed": 1 })));
    assert_eq!(ordered, check(Value::Object(Map::new())));
}
