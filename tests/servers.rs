//! Servers over stdio that misbehave in every way that is known: what a call brings, and when.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::path::Path;

use serde_json::json;
use stakeout::mcp::{Asked, Connection, Host, LogKind, Reach, Reply};
use stakeout::wait::Note;

use tokio::sync::mpsc;

use support::{Lab, abandon, at_once, call, call_with, connect, eventually};

#[tokio::test]
async fn a_call_brings_the_servers_own_text() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    let info = ("misbehaving".to_owned(), "1.2.3".to_owned());
    assert_eq!(connection.server_info(), Some(info));
    let args = json!({"z": 1, "a": {"list": [{"k": ""}], "big": 18446744073709551615_u64}});
    let (observed, _) = call_with(&connection, "echo", args.clone()).await;
    assert_eq!(observed.unwrap().text, args.to_string());
    connection.close().await;
    assert!(connection.is_closed());
    lab.all_gone().await;
}

#[tokio::test]
async fn w8_every_call_carries_a_progress_token_and_its_wait() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let meta = call(&connection, "meta").await.unwrap().text;
    let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
    assert!(meta["progressToken"].is_number(), "{meta}");
    assert_eq!(meta["stakeout/wait"], "wait-1");
}

#[tokio::test]
async fn progress_and_log_notifications_are_noted() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let (observed, notes) = call_with(&connection, "progress", json!({})).await;
    assert!(observed.unwrap().text.contains("\"p1\""));
    let steps = notes
        .iter()
        .filter(|note| matches!(note, Note::Progress { .. }));
    assert_eq!(steps.count(), 3, "{notes:?}");
    let progress = Note::Progress {
        progress: 2.0,
        total: Some(3.0),
        message: Some("step".to_owned()),
    };
    assert!(notes.contains(&progress), "{notes:?}");
    let log = Note::Log {
        level: "warning".to_owned(),
        text: r#"{"disk":"full"}"#.to_owned(),
    };
    assert!(notes.contains(&log), "{notes:?}");
}

#[tokio::test]
async fn w10_a_dropped_call_is_cancelled_and_the_server_sees_it() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    abandon(&connection, "hang", || lab.seen().contains("\"hang\"")).await;
    eventually("the server sees the cancellation", || {
        lab.seen().contains("notifications/cancelled")
    })
    .await;
    let seen = lab.seen();
    let called = seen.lines().find(|line| line.contains("\"hang\"")).unwrap();
    let cancelled = seen
        .lines()
        .find(|line| line.contains("/cancelled"))
        .unwrap();
    let called: serde_json::Value = serde_json::from_str(called).unwrap();
    let cancelled: serde_json::Value = serde_json::from_str(cancelled).unwrap();
    assert_eq!(cancelled["params"]["requestId"], called["id"]);
    assert!(call(&connection, "echo").await.is_ok());
    assert_eq!(lab.seen().matches("notifications/cancelled").count(), 1);
}

#[tokio::test]
async fn a_tools_own_failure_is_a_tool_error_and_a_wrong_call_is_not() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    for (tool, words) in [
        ("internal-error", "kubectl: not found"),
        ("server-error", "quota exceeded"),
    ] {
        let observed = call(&connection, tool).await.unwrap();
        assert!(observed.tool_error);
        assert_eq!(observed.text, format!("Tool returned an error: {words}"));
    }
    let failure = call(&connection, "bad-params").await.unwrap_err();
    assert!(
        failure.cause.contains("-32602: replicas must be positive"),
        "{failure:?}"
    );
    assert!(!support::lost(&failure) && !failure.unknown_tool);
    let failure = call(&connection, "no-such").await.unwrap_err();
    assert!(
        failure.unknown_tool && !support::lost(&failure),
        "{failure:?}"
    );
}

#[tokio::test]
async fn t12_results_that_fit_no_type_are_rendered_from_what_was_sent() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let observed = call(&connection, "odd-content").await.unwrap();
    assert_eq!(observed.text, "[hologram]\nt");
    assert_eq!(observed.raw["x-extra"].to_string(), r#"{"b":1,"a":2}"#);
    let observed = call(&connection, "structured").await.unwrap();
    assert_eq!(observed.text, "{\n  \"z\": 1,\n  \"a\": 2\n}");
    assert_eq!(call(&connection, "null-result").await.unwrap().text, "");
}

#[tokio::test]
async fn t1_noise_on_stdout_is_skipped_counted_and_kept() {
    let lab = Lab::new();
    let connection = lab.connect("noisy").await;
    assert_eq!(connection.journal().noise(), 2);
    let observed = call(&connection, "noise").await.unwrap();
    assert_eq!(observed.text, "after the noise");
    let page = connection.journal().log(0);
    let noise = page.entries.iter();
    let noise = noise.filter(|entry| entry.kind == LogKind::Noise);
    let noise: Vec<&str> = noise.map(|entry| entry.text.as_str()).collect();
    assert_eq!(noise.len(), 5);
    assert_eq!(noise[0], "starting up...");
    assert_eq!(noise[2], "debug: calling upstream");
}

#[tokio::test]
async fn t3_a_flood_on_stderr_blocks_nothing_and_is_bounded() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let observed = call(&connection, "flood").await.unwrap();
    assert_eq!(observed.text, "after the flood");
    eventually("all of it is drained", || {
        connection.journal().log(0).next > 4 * 1024
    })
    .await;
    assert_eq!(connection.journal().log(0).entries.len(), 1_000);
}

#[tokio::test]
async fn an_unreadable_reply_fails_its_own_call_at_once() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    for tool in ["no-jsonrpc", "both", "neither", "bad-utf8", "big-number"] {
        let failure = at_once(call(&connection, tool)).await.unwrap_err();
        assert!(
            failure.cause.contains("can't be read"),
            "{tool}: {failure:?}"
        );
        assert!(!support::lost(&failure), "{tool}");
    }
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn a_reply_over_the_limit_fails_its_own_call_wherever_its_id_stands() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    for tool in ["huge", "huge-id-last"] {
        let (echo, huge) = tokio::join!(call(&connection, "echo"), call(&connection, tool));
        let failure = huge.unwrap_err();
        assert!(
            failure.cause.contains("larger than 16 MiB"),
            "{tool}: {failure:?}"
        );
        assert!(!support::lost(&failure) && echo.is_ok());
    }
    let large = call(&connection, "large").await.unwrap();
    assert_eq!(large.text.len(), 15 * 1024 * 1024);
}

#[tokio::test]
async fn e1_an_elicitation_is_declined_at_once_and_noted() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let (observed, notes) = at_once(call_with(&connection, "asks", json!({}))).await;
    assert!(observed.unwrap().text.contains(r#""action":"decline""#));
    assert!(!lab.seen().contains("elicitation\":{"), "{}", lab.seen());
    let noted = notes.iter().any(|note| {
        matches!(note, Note::Log { text, .. } if text.contains("sure?") && text.contains("declined"))
    });
    assert!(noted, "{notes:?}");
    let sampled = at_once(call(&connection, "samples")).await.unwrap().text;
    assert!(sampled.contains("no language model"), "{sampled}");
}

#[tokio::test]
async fn e1_a_server_that_asks_back_in_its_result_is_answered_with_a_refusal() {
    let lab = Lab::new();
    let connection = lab.connect("stateless").await;
    let (observed, notes) = at_once(call_with(&connection, "input", json!({}))).await;
    assert_eq!(
        observed.unwrap().text,
        r#"[{"k":{"action":"decline"}},"s1"]"#
    );
    assert_eq!(notes.len(), 1, "{notes:?}");
}

/// A connection whose server can ask, and its questions.
async fn answering(lab: &Lab, mode: &str) -> (Connection, mpsc::UnboundedReceiver<Asked>) {
    let (questions, asked) = mpsc::unbounded_channel();
    let host = Host {
        server: "ci".to_owned(),
        questions: Some(questions),
        ..Host::default()
    };
    let entry = support::entry(Reach::Stdio(lab.command(mode)));
    let connection = Connection::connect(&entry, support::PATIENCE, &host).await;
    (connection.unwrap(), asked)
}

#[tokio::test]
async fn e1_an_operator_answers_in_both_eras() {
    for (mode, tool) in [("plain", "asks"), ("stateless", "input")] {
        let lab = Lab::new();
        let (connection, mut asked) = answering(&lab, mode).await;
        let answering = async {
            let question = asked.recv().await.unwrap();
            assert_eq!(question.elicitation.server, "ci");
            assert_eq!(question.elicitation.message, "sure?");
            let fields = support::arguments(json!({"replicas": 3}));
            question.answer(Reply::Accept(fields));
        };
        let (observed, ()) = tokio::join!(call(&connection, tool), answering);
        let text = observed.unwrap().text;
        assert!(text.contains(r#""action":"accept""#), "{mode}: {text}");
        assert!(text.contains(r#""replicas":3"#), "{mode}: {text}");
        assert!(lab.seen().contains(r#""elicitation":{"form":{},"url":{}}"#));
    }
}

#[tokio::test]
async fn e1_a_question_is_withdrawn_with_the_call_that_it_belongs_to() {
    for (mode, tool) in [("plain", "asks"), ("stateless", "input")] {
        let lab = Lab::new();
        let (connection, mut asked) = answering(&lab, mode).await;
        let calling = tokio::spawn(async move { call(&connection, tool).await });
        let mut question = asked.recv().await.unwrap();
        calling.abort();
        at_once(question.withdrawn()).await;
    }
}

#[tokio::test]
async fn a_task_is_followed_to_its_result() {
    let lab = Lab::new();
    let connection = lab.connect("stateless").await;
    let observed = call(&connection, "task").await.unwrap();
    assert_eq!(observed.text, "the task is done");
    assert_eq!(lab.seen().matches("tasks/get").count(), 3);
}

#[tokio::test]
async fn a_task_that_nobody_waits_for_is_cancelled() {
    let lab = Lab::new();
    let connection = lab.connect("stateless").await;
    abandon(&connection, "endless", || lab.seen().contains("tasks/get")).await;
    eventually("the server sees it", || lab.seen().contains("tasks/cancel")).await;
}

#[tokio::test]
async fn tool_lists_are_read_to_their_end() {
    let lab = Lab::new();
    let names = |list: &stakeout::mcp::ToolList| -> Vec<String> {
        list.tools.iter().map(|tool| tool.name.clone()).collect()
    };
    let r11 = lab.connect("pages").await.list_tools().await.unwrap();
    assert_eq!(names(&r11), ["a", "b", "c"]);
    assert!(r11.warnings.is_empty());
    let r12 = at_once(lab.connect("repeats-cursor").await.list_tools())
        .await
        .unwrap();
    assert_eq!(names(&r12), ["1", "again"]);
    assert!(
        r12.warnings[0].contains("repeats its page \"again\""),
        "{r12:?}"
    );
    let r9 = lab
        .connect("one-bad-tool")
        .await
        .list_tools()
        .await
        .unwrap();
    assert_eq!(names(&r9), ["good", "fine"]);
    assert!(r9.warnings[0].contains("\"bad\""), "{r9:?}");
    let r13 = lab
        .connect("list-fails")
        .await
        .list_tools()
        .await
        .unwrap_err();
    assert!(r13.cause.contains("the registry is down"), "{r13:?}");
}

#[tokio::test]
async fn r13_a_tool_list_that_never_comes_costs_the_time_that_connecting_may_take() {
    let lab = Lab::new();
    let entry = support::entry(Reach::Stdio(lab.command("list-hangs")));
    let time = std::time::Duration::from_secs(2);
    let connection = Connection::connect(&entry, time, &Host::default())
        .await
        .unwrap();
    let failure = support::at_most(2 * time, connection.list_tools())
        .await
        .unwrap_err();
    assert_eq!(failure.cause, "no answer within 2 s");
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn c11_no_connect_timeout_is_too_long() {
    let entry = support::entry(Reach::Demo);
    assert!(
        Connection::connect(&entry, std::time::Duration::MAX, &Host::default())
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn t13_a_server_without_tools_is_not_asked_for_them() {
    let lab = Lab::new();
    let connection = lab.connect("no-tools").await;
    let list = connection.list_tools().await.unwrap();
    assert!(list.tools.is_empty());
    assert_eq!(list.warnings.len(), 1);
    assert!(call(&connection, "echo").await.unwrap_err().unknown_tool);
    assert!(!lab.seen().contains("tools/"), "{}", lab.seen());
}

#[tokio::test]
async fn an_announced_change_of_the_tools_is_counted() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let mut changes = connection.tools_changed();
    assert_eq!(*changes.borrow_and_update(), 0);
    call(&connection, "changes").await.unwrap();
    at_once(changes.changed()).await.unwrap();
    assert_eq!(*changes.borrow(), 1);
}

#[tokio::test]
async fn c2_children_inherit_the_environment_and_have_their_own() {
    let lab = Lab::new();
    let mut command = lab.command("plain");
    command
        .env
        .insert("GREETING".to_owned(), "hello ${NOT} expanded".to_owned());
    command.cwd = Some(lab.path().display().to_string());
    let connection = connect(Reach::Stdio(command)).await;
    assert_eq!(
        variable(&connection, "GREETING").await,
        "hello ${NOT} expanded"
    );
    assert_eq!(
        variable(&connection, "PATH").await,
        std::env::var("PATH").unwrap()
    );
    let place = call(&connection, "place").await.unwrap().text;
    assert_eq!(Path::new(&place), lab.path().canonicalize().unwrap());
}

async fn variable(connection: &Connection, name: &str) -> String {
    let (observed, _) = call_with(connection, "environment", json!({"name": name})).await;
    observed.unwrap().text
}

const CREDENTIALS: [&str; 5] = [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
    "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "STAKEOUT_TOKEN",
];

#[test]
fn children_never_inherit_our_credentials() {
    // A process can't change its own environment safely, so the test runs in another.
    let mut inner = std::process::Command::new(std::env::current_exe().unwrap());
    inner.args(["--exact", "--ignored", "in_an_environment_with_credentials"]);
    inner.envs(CREDENTIALS.map(|name| (name, "s3cret")));
    let output = inner.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[tokio::test]
#[ignore = "run by children_never_inherit_our_credentials"]
async fn in_an_environment_with_credentials() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    for name in CREDENTIALS {
        assert_eq!(std::env::var(name).unwrap(), "s3cret");
        assert_eq!(variable(&connection, name).await, "(unset)");
    }
    assert!(!variable(&connection, "PATH").await.is_empty());
}

#[tokio::test]
async fn the_demo_server_is_spoken_to_over_the_real_protocol() {
    let connection = connect(Reach::Demo).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    assert!(connection.list_tools().await.is_ok());
    at_once(connection.close()).await;
    assert!(connection.is_closed());
}

#[tokio::test]
async fn c5_arguments_arrive_as_they_are() {
    let lab = Lab::new();
    let folder = lab.path().join("with space \\ and \"quote\" $HOME");
    std::fs::create_dir(&folder).unwrap();
    let mut command = lab.command("plain");
    command.args[1] = folder.display().to_string();
    let connection = connect(Reach::Stdio(command)).await;
    assert!(call(&connection, "echo").await.is_ok());
    assert!(folder.join("pids").is_file());
}
