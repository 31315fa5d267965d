//! Every command and every file of the README is tried, and every line of its example is read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use stakeout::tui::keys::{Action, Context, TABLE};
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

/// One row of the table of keys.
struct Row {
    action: Action,
    keys: Vec<String>,
    places: Vec<&'static str>,
}

/// The keys of every action in each place where it has some.
fn keys_by_place() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for binding in TABLE {
        for context in binding.contexts {
            let (action, place) = (binding.action, place(*context));
            for key in binding.keys_in(*context).map(|key| key.to_string()) {
                let own = |row: &Row| row.action == action && row.places == [place];
                let index = rows.iter().position(own).unwrap_or_else(|| {
                    rows.push(Row {
                        action,
                        keys: Vec::new(),
                        places: vec![place],
                    });
                    rows.len() - 1
                });
                if !rows[index].keys.contains(&key) {
                    rows[index].keys.push(key);
                }
            }
        }
    }
    rows
}

/// The table of keys, from the table in the code: a row holds in all of its places.
fn table_of_keys() -> String {
    let mut rows: Vec<Row> = Vec::new();
    for row in keys_by_place() {
        let same = rows
            .iter_mut()
            .find(|other| other.action == row.action && other.keys == row.keys);
        match same {
            Some(other) => other.places.extend(row.places),
            None => rows.push(row),
        }
    }
    let mut table = "| keys | where | what |\n| --- | --- | --- |\n".to_owned();
    for row in rows {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        let everywhere = row.places.len() >= 5;
        let places = if everywhere {
            "everywhere".to_owned()
        } else {
            row.places.join(", ")
        };
        let line = format!(
            "| {} | {places} | {} |\n",
            keys.join(" "),
            row.action.help()
        );
        table.push_str(&line);
    }
    // It is the terminal's own, so that it has no line in the table.
    table.push_str("| `Ctrl-Z` | everywhere | suspend stakeout, until the shell's `fg` |\n");
    table
}

fn place(context: Context) -> &'static str {
    match context {
        Context::Watch => "Watch",
        Context::Help => "help",
        Context::Question => "a question",
        Context::Offer => "an offer",
        typed if typed.is_typing() => "while typing",
        _ => "Bench",
    }
}

/// `UPDATE_README=1` writes the table that the code has.
#[test]
fn the_table_of_keys_is_the_one_in_the_code() {
    let (start, end) = ("<!-- keys -->\n", "<!-- end of keys -->");
    let before = README.split_once(start).unwrap().0;
    let after = README.split_once(end).unwrap().1;
    let expected = format!("{before}{start}{}{end}{after}", table_of_keys());
    if std::env::var_os("UPDATE_README").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        std::fs::write(path, &expected).unwrap();
    } else {
        assert!(
            README == expected,
            "run the tests with UPDATE_README=1 and look at the difference"
        );
    }
}
