//! The demo as a server among others.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::*;

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
async fn an_output_that_closes_ends_it_quietly_although_requests_still_come() {
    for answered in [0, 1] {
        let (mut requests, input) = tokio::io::duplex(4096);
        let (output, answers) = tokio::io::duplex(4096);
        let server = tokio::spawn(serve(input, output));
        let mut answers = BufReader::new(answers).lines();
        let opening = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            },
        });
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
        let lines = format!("{opening}\n{initialized}\n");
        requests.write_all(lines.as_bytes()).await.unwrap();
        for _ in 0..answered {
            let line = answers.next_line().await.unwrap().unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["result"]["serverInfo"]["name"], "stakeout-demo");
        }
        drop(answers);
        requests
            .write_all(format!("{list}\n").as_bytes())
            .await
            .unwrap();
        let ended = timeout(Duration::from_secs(60), server).await;
        ended.expect("an end").unwrap().expect("a quiet end");
    }
}
