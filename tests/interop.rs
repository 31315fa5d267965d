//! Real servers, where they are installed: `STAKEOUT_EVERYTHING` is the path of server-everything's
//! `dist/index.js`, `STAKEOUT_TIME_PYTHON` a Python that has `mcp_server_time`. Without them the
//! tests are skipped, unless `STAKEOUT_REQUIRE_INTEROP=1`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use stakeout::mcp::{Connection, Host, Reach, StdioCommand};
use stakeout::wait::{Note, Notes};

use support::{address, at_once, call, call_with, connect, entry, eventually, is_alive};

/// The value of a variable; none means that the test is to be skipped.
fn installed(variable: &str) -> Option<String> {
    let value = std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty());
    if value.is_none() {
        let required = std::env::var("STAKEOUT_REQUIRE_INTEROP").is_ok_and(|value| value == "1");
        assert!(!required, "set {variable}");
        eprintln!("skipped: set {variable}");
    }
    value
}

fn everything(script: &str) -> StdioCommand {
    StdioCommand {
        command: "node".to_owned(),
        args: vec![script.to_owned(), "stdio".to_owned()],
        ..StdioCommand::default()
    }
}

/// server-everything over HTTP, in a process of its own.
struct Everything {
    process: Child,
    port: u16,
}

impl Everything {
    async fn start(script: &str, transport: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let process = Command::new("node")
            .args([script, transport])
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        eventually("the server listens", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        })
        .await;
        Self { process, port }
    }
}

impl Drop for Everything {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What server-everything does over any transport.
async fn does_everything(connection: &Connection) {
    let list = connection.list_tools().await.unwrap();
    assert!(list.tools.len() >= 10, "{}", list.tools.len());
    assert!(list.warnings.is_empty(), "{:?}", list.warnings);
    let (echo, _) = call_with(connection, "echo", json!({"message": "héllo"})).await;
    assert_eq!(echo.unwrap().text, "Echo: héllo");

    let args = json!({"duration": 1, "steps": 4});
    let (long, notes) = call_with(connection, "trigger-long-running-operation", args).await;
    assert!(!long.unwrap().tool_error);
    let steps = notes
        .iter()
        .filter(|note| matches!(note, Note::Progress { .. }));
    assert!(steps.count() >= 3, "{notes:?}");

    let (slow, _) = (json!({"duration": 60, "steps": 2}), ());
    let slow = support::arguments(slow);
    let call_slow = stakeout::mcp::ToolCall {
        tool: "trigger-long-running-operation",
        args: &slow,
        wait_id: "w",
        trace: None,
    };
    let (none, _told) = Notes::channel();
    let cut_short = tokio::time::timeout(
        Duration::from_millis(300),
        connection.call(call_slow, &none),
    );
    assert!(cut_short.await.is_err(), "it didn't take its time");
    let (echo, _) = at_once(call_with(
        connection,
        "echo",
        json!({"message": "still there"}),
    ))
    .await;
    assert_eq!(echo.unwrap().text, "Echo: still there");

    let asked = at_once(call(connection, "trigger-elicitation-request"))
        .await
        .unwrap();
    // Only a screen has somebody to ask: elsewhere the server isn't told that it may.
    assert!(asked.text.contains("not found"), "{}", asked.text);
    let image = call(connection, "get-tiny-image").await.unwrap();
    assert!(image.text.contains("[Image: image/png ("), "{}", image.text);
    let args = json!({"location": "Chicago"});
    let (structured, _) = call_with(connection, "get-structured-content", args).await;
    assert!(structured.unwrap().text.starts_with("{\n  \""));
    assert!(
        call(connection, "no-such-tool")
            .await
            .is_err_and(|failure| failure.unknown_tool)
            || call(connection, "no-such-tool")
                .await
                .is_ok_and(|observed| observed.tool_error)
    );
}

#[tokio::test]
async fn everything_over_stdio() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let connection = connect(Reach::Stdio(everything(&script))).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    does_everything(&connection).await;
    // A running timer keeps this server from ending by itself.
    call(&connection, "toggle-simulated-logging").await.unwrap();
    at_once(connection.close()).await;
    assert!(connection.is_closed());
}

#[tokio::test]
async fn everything_through_a_launcher_leaves_no_process() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let folder = tempfile::TempDir::new().unwrap();
    let pid = folder.path().join("pid");
    let launch = "exec 3<&0; node \"$0\" stdio <&3 & echo $! >\"$1\"; wait";
    let command = StdioCommand {
        command: "sh".to_owned(),
        args: vec![
            "-c".to_owned(),
            launch.to_owned(),
            script,
            pid.display().to_string(),
        ],
        ..StdioCommand::default()
    };
    let connection = connect(Reach::Stdio(command)).await;
    let pid: u32 = std::fs::read_to_string(pid)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    call(&connection, "toggle-simulated-logging").await.unwrap();
    assert!(is_alive(pid));
    connection.close().await;
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn everything_over_streamable_http() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let server = Everything::start(&script, "streamableHttp").await;
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    let connection = connect(Reach::Http(address(&url))).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    does_everything(&connection).await;
    connection.close().await;
}

#[tokio::test]
async fn t9_everything_restarted_over_streamable_http_is_initialised_again() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let mut server = Everything::start(&script, "streamableHttp").await;
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    let connection = connect(Reach::Http(address(&url))).await;
    let port = server.port.to_string();
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    server.process = Command::new("node")
        .args([script.as_str(), "streamableHttp"])
        .env("PORT", port)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the server listens", || {
        std::net::TcpStream::connect(("127.0.0.1", server.port)).is_ok()
    })
    .await;
    let (echo, _) = call_with(&connection, "echo", json!({"message": "again"})).await;
    assert_eq!(echo.unwrap().text, "Echo: again");
    connection.close().await;
}

#[tokio::test]
async fn everything_over_the_legacy_transport() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let server = Everything::start(&script, "sse").await;
    let url = format!("http://127.0.0.1:{}/sse", server.port);
    let connection = connect(Reach::Sse(address(&url))).await;
    does_everything(&connection).await;
    connection.close().await;
    assert!(connection.is_closed());
}

#[tokio::test]
async fn the_time_server_tells_the_time() {
    let Some(python) = installed("STAKEOUT_TIME_PYTHON") else {
        return;
    };
    let command = StdioCommand {
        command: python,
        args: vec!["-m".to_owned(), "mcp_server_time".to_owned()],
        ..StdioCommand::default()
    };
    let connection = Connection::connect(
        &entry(Reach::Stdio(command)),
        support::PATIENCE,
        &Host::default(),
    )
    .await;
    let connection = connection.unwrap_or_else(|error| panic!("{error}"));
    let list = connection.list_tools().await.unwrap();
    assert!(
        list.tools
            .iter()
            .any(|tool| tool.name == "get_current_time")
    );
    let args = json!({"timezone": "Europe/Paris"});
    let (time, _) = call_with(&connection, "get_current_time", args).await;
    let time = time.unwrap();
    assert!(
        !time.tool_error && time.text.contains("Europe/Paris"),
        "{}",
        time.text
    );
    let args = json!({"timezone": "Mars/Olympus"});
    let (error, _) = call_with(&connection, "get_current_time", args).await;
    assert!(error.unwrap().tool_error);
    at_once(connection.close()).await;
}

/// A wait of the real binary: its result, and its exit code.
async fn wait_without_a_screen(flags: &[&str]) -> (serde_json::Value, Option<i32>) {
    let home = tempfile::TempDir::new().unwrap();
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_stakeout"))
        .arg("run")
        .args(flags)
        .current_dir(home.path())
        .env("HOME", home.path())
        .stdin(Stdio::null())
        .output()
        .await
        .unwrap();
    let result = serde_json::from_slice(&output.stdout);
    let result = result
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr).into_owned()));
    (result, output.status.code())
}

#[tokio::test]
async fn the_same_wait_runs_over_every_transport() {
    let Some(script) = installed("STAKEOUT_EVERYTHING") else {
        return;
    };
    let (http, sse) = tokio::join!(
        Everything::start(&script, "streamableHttp"),
        Everything::start(&script, "sse")
    );
    let ways = [
        ["--stdio".to_owned(), format!("node '{script}' stdio")],
        [
            "--url".to_owned(),
            format!("http://127.0.0.1:{}/mcp", http.port),
        ],
        [
            "--url".to_owned(),
            format!("http://127.0.0.1:{}/sse", sse.port),
        ],
    ];
    let quiet = [
        "--tool",
        "echo",
        "--arg",
        "message=all done",
        "--quiet-for",
        "1",
        "--poll",
        "1",
    ];
    let matched = [
        "--tool",
        "echo",
        "--arg",
        "message=all done",
        "--matches",
        "done$",
    ];
    for way in &ways {
        let mut flags: Vec<&str> = way.iter().map(String::as_str).collect();
        flags.extend(matched);
        let (result, code) = wait_without_a_screen(&flags).await;
        let expected = json!({
            "reason": "matched", "last_observation": "Echo: all done", "elapsed_sec": 0,
            "samples": 1, "effective_max_wait_sec": 120,
        });
        assert_eq!((result, code), (expected, Some(0)), "{way:?}");
        flags.truncate(2);
        flags.extend(quiet);
        let (result, code) = wait_without_a_screen(&flags).await;
        assert_eq!(
            (&result["reason"], code),
            (&json!("settled"), Some(0)),
            "{way:?}"
        );
        assert_eq!(result["samples"], 2, "{way:?}");
    }
}

#[tokio::test]
async fn the_same_wait_runs_on_the_time_server() {
    let Some(python) = installed("STAKEOUT_TIME_PYTHON") else {
        return;
    };
    let server = format!("'{python}' -m mcp_server_time");
    let ask = [
        "--stdio",
        &server,
        "--tool",
        "get_current_time",
        "--poll",
        "1",
    ];
    let mut flags = ask.to_vec();
    flags.extend([
        "--arg",
        "timezone=Europe/Paris",
        "--matches",
        "Europe/Paris",
    ]);
    let (result, code) = wait_without_a_screen(&flags).await;
    assert_eq!((&result["reason"], code), (&json!("matched"), Some(0)));
    // Its clock never stands still, unless it is left out of what is compared.
    let mut flags = ask.to_vec();
    flags.extend([
        "--arg",
        "timezone=Europe/Paris",
        "--quiet-for",
        "1",
        "--ignore",
        "T[0-9:]+",
    ]);
    let (result, code) = wait_without_a_screen(&flags).await;
    assert_eq!((&result["reason"], code), (&json!("settled"), Some(0)));
    let mut flags = ask.to_vec();
    flags.extend([
        "--arg",
        "timezone=Mars/Olympus",
        "--matches",
        "x",
        "--fail-when",
        "Mars",
    ]);
    let (result, code) = wait_without_a_screen(&flags).await;
    assert_eq!(
        (&result["reason"], code),
        (&json!("failed"), Some(1)),
        "{result}"
    );
}
