//! Every command and every file of the README is tried, and every line of its example is read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use stakeout::wait::{Event, Outcome, Reason};

const README: &str = include_str!("../README.md");

/// The fenced blocks of one language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let block = |rest: &'static str| rest.split("\n```").next().unwrap();
    README.split(fence.as_str()).skip(1).map(block).collect()
}

/// Runs a command line of the README in `folder`, as a new user would.
fn run(line: &str, folder: &Path) -> std::process::Output {
    let words = shlex::split(line).unwrap();
    assert_eq!(words[0], "stakeout", "{line}");
    Command::new(env!("CARGO_BIN_EXE_stakeout"))
        .args(&words[1..])
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn every_command_works_on_a_fresh_machine() {
    let folder = tempfile::tempdir().unwrap();
    let spec = blocks("json")
        .into_iter()
        .find(|block| block.contains("\"wait\""))
        .unwrap();
    std::fs::write(folder.path().join("release.wait.json"), spec).unwrap();
    let lines: Vec<&str> = blocks("console")
        .into_iter()
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("$ "))
        .collect();
    assert!(lines.len() >= 8, "{lines:?}");
    std::thread::scope(|scope| {
        let runs: Vec<_> = lines
            .into_iter()
            .map(|line| {
                let folder = folder.path();
                scope.spawn(move || (line, run(line, folder)))
            })
            .collect();
        for run in runs {
            let (line, output) = run.join().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}: {}\n{said}", output.status);
            assert!(!output.stdout.is_empty(), "{line}");
        }
    });
}

#[test]
fn every_json_block_is_json() {
    for block in blocks("json") {
        let value: Value = serde_json::from_str(block).unwrap();
        assert!(value.is_object(), "{block}");
    }
}

#[test]
fn the_example_of_the_events_is_whole_and_reads_back() {
    let lines: Vec<&str> = blocks("jsonl")[0].lines().collect();
    let events: Vec<Event> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (line, event) in lines.iter().zip(&events) {
        assert_eq!(serde_json::to_string(event).unwrap(), **line);
    }
    assert!(matches!(events.first(), Some(Event::WaitStarted(_))));
    let Some(Event::WaitEnded {
        outcome: Outcome::Result(result),
        ..
    }) = events.last()
    else {
        panic!("the example ends otherwise");
    };
    assert_eq!(result.reason, Reason::Matched);
}
