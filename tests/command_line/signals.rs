//! Signals and closed pipes: the request is cancelled, the child is gone, the story is whole.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;

use crate::place::{Place, Running, until};

const SIGNALS: [(Signal, i32); 3] = [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)];

fn calling(place: &Place, tool: &str) {
    let call = format!("\"name\":\"{tool}\"");
    until("the call arrives", || place.lab.seen().contains(&call));
}

#[test]
fn w10_a_signal_cancels_the_request_in_flight_and_prints_the_error_object() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let running = place.start_on("hang", &["--matches", "a"]);
        calling(&place, "hang");
        running.signal(signal);
        let ran = running.end().exits(code);
        let error = ran.error();
        assert_eq!(error["code"], "cancelled");
        assert_eq!(error["message"], "the wait was cancelled after 0 samples");
        let seen = place.lab.seen();
        let request = |words: &str| -> Value {
            serde_json::from_str(seen.lines().find(|line| line.contains(words)).unwrap()).unwrap()
        };
        let cancelled = request("notifications/cancelled");
        assert_eq!(
            cancelled["params"]["requestId"],
            request("\"name\":\"hang\"")["id"]
        );
        place.all_gone();
    }
}

#[test]
fn a_signal_between_samples_ends_the_wait_with_what_was_seen() {
    let place = Place::new();
    let args = [
        "--matches",
        "zzz",
        "--poll",
        "60",
        "--output",
        "jsonl",
        "--record",
        "r.wait.jsonl",
    ];
    let running = place.start_on("count", &args);
    until("a sample is recorded", || {
        std::fs::read_to_string(place.path("r.wait.jsonl"))
            .is_ok_and(|text| text.contains("\"sleeping\""))
    });
    running.signal(Signal::INT);
    let ran = running.end().exits(130);
    let last = ran.events().pop().unwrap();
    assert_eq!(last["error"]["code"], "cancelled");
    assert_eq!(last["error"]["samples"], 1);
    assert_eq!(last["error"]["last_observation"], "call 1 of this process");
    assert_eq!(
        place.read("r.wait.jsonl"),
        ran.stdout,
        "the recording is ended as well"
    );
    place.all_gone();
}

#[test]
fn t6_a_signal_while_connecting_leaves_nothing_behind() {
    for mode in ["silent", "silent-and-stubborn", "launcher-of-silence"] {
        let place = Place::new();
        let stdio = place.stdio(mode);
        let running = place.start(&["run", "--stdio", &stdio, "--tool", "x", "--matches", "a"]);
        let processes = if mode == "launcher-of-silence" { 2 } else { 1 };
        until("the server is asked", || {
            place.lab.processes().len() >= processes && place.lab.seen().contains("initialize")
        });
        running.signal(Signal::TERM);
        let error = running.end().exits(143).error();
        assert_eq!(error["code"], "cancelled");
        place.all_gone();
    }
}

#[test]
fn call_and_tools_end_by_signals_as_well() {
    for (signal, code) in SIGNALS {
        let place = Place::new();
        let stdio = place.stdio("many-tools");
        let running = place.start(&["call", "hang", "--stdio", &stdio]);
        calling(&place, "hang");
        running.signal(signal);
        running.end().exits(code);
        assert!(place.lab.seen().contains("notifications/cancelled"));
        place.all_gone();
    }
    let place = Place::new();
    let stdio = place.stdio("silent");
    let running = place.start(&["tools", "--stdio", &stdio]);
    until("the server is asked", || {
        place.lab.seen().contains("initialize")
    });
    running.signal(Signal::INT);
    running.end().exits(130);
    place.all_gone();
}

#[test]
fn a_signal_is_heard_while_nobody_reads_stdout() {
    let place = Place::new();
    place.write(
        "args.json",
        &serde_json::json!({ "text": "a".repeat(200_000) }).to_string(),
    );
    for (form, tool) in [("json", "a"), ("text", "a"), ("jsonl", "zzz")] {
        let args = [
            "--args",
            "@args.json",
            "--matches",
            tool,
            "--poll",
            "1",
            "--output",
            form,
        ];
        let mut running = place.start_on("say", &args);
        let mut child = running.child.take().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        assert!(
            stderr
                .lines()
                .map_while(Result::ok)
                .any(|line| line.contains("sample 1"))
        );
        let running = Running { child: Some(child) };
        // The first ends the wait, the second the printing.
        let pid = rustix::process::Pid::from_child(running.child.as_ref().unwrap());
        let mut running = running;
        let mut status = None;
        until("it ends", || {
            let _ = rustix::process::kill_process(pid, Signal::TERM);
            std::thread::sleep(std::time::Duration::from_millis(50));
            status = running.child.as_mut().unwrap().try_wait().unwrap();
            status.is_some()
        });
        assert_eq!(status.unwrap().code(), Some(143), "{form}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::new();
    let mut running = place.start_on(
        "count",
        &["--matches", "zzz", "--poll", "1", "--output", "jsonl"],
    );
    let child = running.child.as_mut().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("wait_started"));
    drop(stdout);
    let ran = running.end().exits(141);
    for words in ["cancelled", "panicked", "roken pipe", "stakeout:"] {
        assert!(!ran.stderr.contains(words), "{ran:?}");
    }
    place.all_gone();
}

#[test]
fn a_pipe_that_was_never_read_ends_quietly() {
    let place = Place::new();
    place.write(
        "args.json",
        &serde_json::json!({ "text": "line\n".repeat(50_000) }).to_string(),
    );
    let stdio = place.stdio("many-tools");
    for command in [
        &[
            "run",
            "--tool",
            "say",
            "--args",
            "@args.json",
            "--matches",
            "l",
            "--output",
            "text",
            "--quiet",
        ][..],
        &["call", "say", "--args", "@args.json"],
        &["tools", "--json"],
        &["servers"],
    ] {
        let mut command = place.command(command);
        command
            .args(["--stdio", &stdio])
            .stdout(closed_pipe())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let ran = Running { child: Some(child) }.end().exits(141);
        assert_eq!(ran.stderr, "", "{ran:?}");
    }
}

#[test]
fn a_stdout_that_is_full_is_an_error_that_says_so() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    for form in ["json", "jsonl", "text"] {
        let mut command = place.command(&["run", "--stdio", &stdio, "--tool", "say"]);
        command
            .args(["--arg", "text=a", "--matches", "a", "--output", form])
            .stderr(Stdio::piped());
        command.stdout(std::fs::OpenOptions::new().write(true).open(full).unwrap());
        let child = command.spawn().unwrap();
        Running { child: Some(child) }
            .end()
            .exits(3)
            .says("can't be written to standard output");
    }
}

/// A pipe that nobody reads.
fn closed_pipe() -> std::io::PipeWriter {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer
}

#[test]
fn a_stderr_that_is_gone_ends_nothing() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let met = ["call", "say", "--arg", "text=a", "--stdio", &stdio];
    let settled = [
        "run",
        "--tool",
        "say",
        "--arg",
        "text=a",
        "--quiet-for",
        "1",
        "--poll",
        "1",
        "--stdio",
        &stdio,
    ];
    for (args, code) in [(&met[..], 0), (&settled, 0), (&["run", "nosuch.json"], 2)] {
        let mut command = place.command(args);
        command.stdout(Stdio::piped()).stderr(closed_pipe());
        let child = command.spawn().unwrap();
        Running { child: Some(child) }.end().exits(code);
    }
}

#[test]
fn the_child_is_gone_after_every_end() {
    let place = Place::new();
    for (tool, until) in [
        ("say", "a"),
        ("say", "("),
        ("bad-params", "a"),
        ("nosuch", "a"),
        ("dies", "a"),
    ] {
        place.run_on(tool, &["--arg", "text=a", "--matches", until]);
    }
    assert_eq!(place.lab.processes().len(), 4);
    place.all_gone();
}

/// Only Linux tells without `unsafe` that a signal is ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_was_ignored_before_stays_ignored() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let mut command = std::process::Command::new("sh");
    let wait = ["run", "--stdio", &stdio, "--tool", "hang", "--matches", "a"];
    command
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_stakeout"))
        .args(wait)
        .current_dir(place.path(""))
        .env("HOME", place.home())
        .stdin(Stdio::null());
    let running = Running::of(command);
    calling(&place, "hang");
    running.signal(Signal::HUP);
    running.signal(Signal::TERM);
    running.end().exits(143);
    place.all_gone();
}
