//! `stakeout demo-server`, and the demo in this process.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::place::{Place, Running};

#[test]
fn the_demo_is_served_over_stdio_to_ourselves() {
    let place = Place::new();
    let stdio = format!("{} demo-server", env!("CARGO_BIN_EXE_stakeout"));
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "job_logs",
        "--quiet-for",
        "1",
        "--poll",
        "1",
        "--max-wait",
        "2",
        "--output",
        "text",
    ];
    let ran = place.run(&args);
    assert!(matches!(ran.code, Some(0 | 124)), "{ran:?}");
    assert!(!ran.stdout.is_empty());
}

#[test]
fn it_ends_when_its_stdin_closes() {
    let place = Place::new();
    let mut command = place.command(&["demo-server"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take());
    Running { child: Some(child) }.end().exits(0);
}

#[test]
fn it_ends_when_its_stdout_closes_though_stdin_stays_open() {
    let place = Place::new();
    let mut command = place.command(&["demo-server"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    writeln!(stdin, "{initialize}").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("serverInfo"), "{line}");
    writeln!(
        stdin,
        r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#
    )
    .unwrap();
    drop(stdout);
    // The answer to this has nowhere to go.
    let _ = writeln!(stdin, r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}"#);
    let ran = Running { child: Some(child) }.end();
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    drop(stdin);
}

#[test]
fn a_first_wait_needs_nothing_installed() {
    let place = Place::new();
    let ran = place.run(&["call", "rollout_status"]).exits(0);
    assert!(ran.stdout.starts_with("DEPLOYMENT"), "{ran:?}");
    place.run(&[
        "call",
        "flaky_status",
        "--server",
        "demo",
        "--arg",
        "tool_errors:=1",
    ]);
    let args = [
        "run",
        "--tool",
        "queue_depth",
        "--matches",
        "\"drained\": false",
        "--output",
        "text",
    ];
    assert!(place.run(&args).exits(0).stdout.contains("\"queue\""));
}
