//! What the simulations play.

use super::*;
use crate::mcp::demo::arguments::Arguments;

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

#[test]
fn arguments_are_canonical_whatever_was_left_out() {
    let parameters = TOOLS[1].parameters;
    let check = |sent: Value| {
        let Value::Object(sent) = sent else { panic!() };
        Arguments::check(parameters, &sent).unwrap().canonical()
    };
    let ordered = check(json!({ "seed": 1, "deployment": "web" }));
    assert_eq!(ordered, check(json!({ "deployment": "web", "seed": 1 })));
    assert_eq!(ordered, check(Value::Object(Map::new())));
}
