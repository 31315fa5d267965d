//! Servers that misbehave, on the screen: the right words at once, nothing left running, and a
//! screen that is exactly what a fresh drawing of it would be.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
#[path = "terminal/pty.rs"]
mod pty;
mod support;

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use pty::Pty;
use support::web::{Request, Web};
use support::{Lab, PATIENCE, is_alive};

/// The screen with a wait on `tool` of the misbehaving server in its `mode`, started.
fn waiting(lab: &Lab, mode: &str, tool: &str) -> Pty {
    let server = lab.command(mode);
    let call = format!(
        r#"{{"probe":{{"tool":"{tool}","args":{{}}}},"until":{{"matches":"after|^..$"}},"poll_sec":1}}"#
    );
    let mut pty = Pty::shell(&format!(
        "printf '%s' '{call}' > x.wait.json; exec \"$STAKEOUT\" --stdio '{} {}' x.wait.json",
        server.command,
        server.args.join(" ")
    ));
    let chosen = format!("▸ {tool}");
    pty.until("the tool", |screen| {
        screen.contains(&chosen) && screen.contains("Arguments")
    });
    pty.press("r");
    pty
}

/// What is on the screen is what a fresh drawing shows: nobody else has written there.
fn assert_intact(pty: &mut Pty) {
    // Not the hint line: the loss of a server may stand there.
    pty.until("the end", |screen| {
        screen.contains("run again") || screen.contains("of 2:00")
    });
    pty.assert_silent_for(Duration::from_millis(300));
    let shown = rows(&pty.screen());
    pty.resize(23, 79);
    pty.until("a smaller drawing", |screen| {
        rows(screen)
            .iter()
            .any(|row| row.starts_with('└') && row.ends_with('┘') && row.chars().count() == 79)
    });
    pty.resize(24, 80);
    pty.until("the same screen", |screen| rows(screen) == shown);
}

fn rows(screen: &str) -> Vec<String> {
    screen
        .lines()
        .map(|row| row.trim_end().to_owned())
        .collect()
}

fn leave(mut pty: Pty, lab: &Lab) {
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
    let started = lab.processes();
    assert!(!started.is_empty(), "no server was started");
    let began = Instant::now();
    while started.iter().any(|pid| is_alive(*pid)) {
        assert!(began.elapsed() < PATIENCE, "a server lives on");
        std::thread::yield_now();
    }
}

/// Runs a wait until the screen shows all of `words`.
fn shows(mode: &str, tool: &str, words: &[&str]) {
    let lab = Lab::new();
    let mut pty = waiting(&lab, mode, tool);
    for word in words {
        // Long causes are broken into rows, so the words are looked for without the breaks.
        pty.until(word, |screen| screen.replace('\n', "").contains(word));
    }
    assert_intact(&mut pty);
    leave(pty, &lab);
}

#[test]
fn t1_noise_on_stdout_is_skipped() {
    shows("many-tools", "noise", &["after the noise", "matched after"]);
}

#[test]
fn t2_t3_a_flood_of_stderr_is_not_drawn_and_blocks_nothing() {
    shows("many-tools", "flood", &["after the flood", "matched after"]);
}

#[test]
fn t4_a_server_that_dies_is_explained() {
    shows(
        "many-tools",
        "dies",
        &["exited with code 3", "out of cheese"],
    );
}

#[test]
fn t4_a_server_that_is_killed_is_explained() {
    shows("many-tools", "killed", &["killed by signal 9"]);
}

#[test]
fn t12_an_unreadable_answer_fails_its_sample() {
    shows("many-tools", "no-jsonrpc", &["sample 1", "jsonrpc"]);
}

#[test]
fn an_answer_that_is_too_large_fails_its_sample() {
    shows("many-tools", "huge", &["sample 1", "16 MiB"]);
}

#[test]
fn a_server_that_closes_its_stdout_but_lives_is_ended() {
    shows(
        "many-tools",
        "closes-stdout",
        &["closed its stdin or stdout"],
    );
}

#[test]
fn t8_a_server_that_dies_while_idle_is_lost_at_once_and_comes_back() {
    let lab = Lab::new();
    let server = lab.command("many-tools");
    let mut pty = Pty::shell(&format!(
        "exec \"$STAKEOUT\" --stdio '{} {}'",
        server.command,
        server.args.join(" ")
    ));
    pty.until("the tools", |screen| {
        screen.contains("misbehaving_server  ●")
    });
    let pid = lab.processes()[0].to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-KILL", &pid]).status().unwrap().success());
    pty.until("the loss", |screen| {
        screen.contains("misbehaving_server  !")
            && screen.contains("is lost: it was killed by signal")
    });
    pty.press("\x1b[Z\r");
    pty.until("the new process", |screen| {
        screen.contains("misbehaving_server  ●")
    });
    assert_eq!(lab.processes().len(), 2);
    leave(pty, &lab);
}

#[test]
fn a6_a_server_that_refuses_us_says_so_and_what_to_do() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refuses = |_: &Request| (StatusCode::UNAUTHORIZED, "who are you?").into_response();
    let web = runtime.block_on(Web::answering(refuses));
    let mut pty = Pty::shell(&format!("exec \"$STAKEOUT\" --url {}", web.url("/mcp")));
    pty.until("the refusal", |screen| {
        screen.contains("✖ refused") && screen.contains("--header")
    });
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn t2_t3_a_torrent_on_stderr_is_read_in_the_log_while_every_key_answers() {
    let lab = Lab::new();
    let mut pty = waiting(&lab, "many-tools", "torrent");
    // A key before that would keep the run back, while the list of tools is on its way.
    pty.until("the wait", |screen| screen.contains("of 2:00"));
    pty.press("L");
    pty.until("the last line", |screen| screen.contains("drop 100000"));
    pty.press("k");
    pty.until("the hold", |screen| screen.contains("held"));
    pty.press("/9999");
    pty.until("the filter", |screen| {
        screen.contains("drop 99999") && !screen.contains("drop 100000")
    });
    pty.press("\x1b");
    pty.until("no filter", |screen| screen.contains("older dropped"));
    pty.press("q");
    pty.until("the end", |screen| screen.contains("matched after"));
    assert_intact(&mut pty);
    leave(pty, &lab);
}

#[test]
fn t1_noise_is_counted_in_the_log_and_the_trace_shows_both_ways() {
    let lab = Lab::new();
    let mut pty = waiting(&lab, "many-tools", "noise");
    pty.until("the end", |screen| screen.contains("matched after"));
    pty.press("L");
    pty.until("the noise", |screen| {
        screen.contains("debug: calling upstream")
            && screen.contains("3 lines of stdout were no messages")
            && screen.contains("connected: misbehaving 1.2.3, MCP 2025-11-25")
    });
    pty.press("T/call\r");
    pty.until("both ways", |screen| {
        let asked = screen
            .lines()
            .any(|row| row.contains("→ ") && row.contains("tools/call"));
        let answered = screen
            .lines()
            .any(|row| row.contains("← ") && row.contains("tools/call result"));
        asked && answered
    });
    pty.press("G\r");
    pty.until("the message", |screen| {
        screen.contains(r#""text": "after the noise""#)
    });
    pty.press("qq");
    assert_intact(&mut pty);
    leave(pty, &lab);
}

#[test]
fn e1_a_server_asks_and_the_operator_answers() {
    let lab = Lab::new();
    let mut pty = waiting(&lab, "many-tools", "asks");
    pty.until("the question", |screen| {
        screen.contains("asks ──") && screen.contains("sure?")
    });
    // A question that has just come takes no answer yet.
    pty.until("a moment", |screen| screen.contains("sampling 1, 2 s"));
    pty.press("\r\x0b{\"replicas\": 0}\x13");
    pty.until("the fault", |screen| {
        screen.contains("less than the minimum")
    });
    pty.press("\x1b[D\x7f2\x13");
    pty.until("the answer", |screen| {
        screen.contains("the answer was sent")
    });
    pty.until("the sample", |screen| {
        screen.contains(r#""action":"accept""#)
    });
    assert!(lab.seen().contains(r#""content":{"replicas":2}"#));
    pty.press("x");
    assert_intact(&mut pty);
    leave(pty, &lab);
}

#[test]
fn t6_a_launcher_leaves_no_child() {
    shows("launcher", "echo", &["matched after"]);
}

#[test]
fn w10_a_server_that_hangs_is_left_at_once() {
    let lab = Lab::new();
    let mut pty = waiting(&lab, "many-tools", "hang");
    pty.until("a sample in flight", |screen| screen.contains("sampling 1"));
    pty.press("x");
    pty.until("the end", |screen| screen.contains("cancelled"));
    assert!(lab.seen().contains("notifications/cancelled"));
    assert_intact(&mut pty);
    leave(pty, &lab);
}
