//! Every command and every file of the README is tried, and every line of its example is read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use stakeout::store::{RecordingEnd, RecordingReader, RecordingSummary, Settings};
use stakeout::tui::keys::{Action, Context, Key, Keymap};
use stakeout::tui::look::Theme;
use stakeout::tui::settings::Settings as ScreenSettings;
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
    let library = folder.path().join(".local/share/stakeout/library");
    std::fs::create_dir_all(&library).unwrap();
    std::fs::write(library.join("release build.wait.json"), spec).unwrap();
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

#[test]
fn the_example_of_the_events_is_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.wait.jsonl");
    std::fs::write(&path, blocks("jsonl")[0]).unwrap();
    let summary = RecordingSummary::of(&path).unwrap();
    assert!(matches!(summary.end, RecordingEnd::Ended(_)));
    assert_eq!(summary.samples, 6);
    let mut reader = RecordingReader::open(&path).unwrap();
    let mut lines = 0;
    while reader.next_event().unwrap().is_some() {
        lines += 1;
    }
    assert_eq!(lines, blocks("jsonl")[0].lines().count());
    let observed = reader.texts().text(6).unwrap();
    assert!(observed.contains(": healthy"), "{observed}");
}

/// What a stream of server-sent events says, but for ids and times, which differ each time.
fn frames(stream: &str) -> Vec<(String, Value)> {
    let frame = |frame: &str| {
        let (name, data) = frame.split_once("\ndata: ").unwrap();
        let mut data: Value = serde_json::from_str(data).unwrap();
        for field in ["tool_id", "session_id", "duration_ms", "percent"] {
            if let Some(value) = data.get_mut(field) {
                *value = Value::Null;
            }
        }
        if let Some(message) = data["message"].as_str() {
            data["message"] = message.split_once(" ms: ").unwrap().1.into();
        }
        (name.to_owned(), data)
    };
    stream.trim_end().split("\n\n").map(frame).collect()
}

#[test]
fn the_example_of_auras_events_is_what_its_command_tells() {
    let folder = tempfile::tempdir().unwrap();
    let line = README
        .lines()
        .find(|line| line.ends_with("--output aura`:"));
    let line = line.unwrap().trim_matches(['`', ':']);
    let output = run(line, folder.path());
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(frames(&told), frames(blocks("sse")[0]));
}

#[test]
fn the_example_of_the_configuration_is_taken_as_it_is() {
    let file = Settings::parse(blocks("toml")[0], Path::new("config.toml"));
    assert_eq!(file.problems(), [""; 0]);
    assert_eq!(file.alone()[0].name, "record");
    let (settings, problems) = ScreenSettings::read(&file);
    assert_eq!(problems, [""; 0]);
    let key = |key| settings.keymap.action(Context::Watch, key);
    assert_eq!(key(Key::plain('p')), Some(Action::Hold));
    assert_eq!(key(Key::plain(' ')), None);
    assert_eq!(settings.theme, Some(Theme::Light));
    assert!(!settings.options.bell && !settings.options.title);
}

/// One row of the table of keys: it holds in all of its contexts.
struct Row {
    action: Action,
    keys: Vec<String>,
    contexts: Vec<Context>,
}

/// The rows, from the table in the code.
fn rows_of_keys() -> Vec<Row> {
    let keymap = Keymap::default();
    let mut rows: Vec<Row> = Vec::new();
    for action in Action::ALL.iter().copied() {
        for context in Context::ALL {
            let keys: Vec<String> = keymap
                .keys(context, action)
                .map(|key| format!("`{key}`"))
                .collect();
            let same = |row: &&mut Row| row.action == action && row.keys == keys;
            match rows.iter_mut().find(same) {
                _ if keys.is_empty() => {}
                Some(row) => row.contexts.push(context),
                None => rows.push(Row {
                    action,
                    keys,
                    contexts: vec![context],
                }),
            }
        }
    }
    rows
}

fn table_of_keys() -> String {
    let mut table = "| name | keys | where | what |\n| --- | --- | --- | --- |\n".to_owned();
    for row in rows_of_keys() {
        let (keys, places) = (row.keys.join(" "), places(row.contexts));
        let (name, help) = (row.action.name(), row.action.help());
        table.push_str(&format!("| {name} | {keys} | {places} | {help} |\n"));
    }
    // It is the terminal's own, so that it has no line in the table.
    table.push_str("| | `Ctrl-Z` | everywhere | suspend stakeout, until the shell's `fg` |\n");
    table
}

/// Contexts that make up a place.
const GROUPS: [(&str, &[Context]); 8] = [
    ("everywhere", &Context::ALL),
    (
        "Bench",
        &[
            Context::ToolLine,
            Context::ServerList,
            Context::ToolList,
            Context::Resting,
            Context::Argument,
            Context::ArgumentChoice,
            Context::Choice,
            Context::Fold,
            Context::Preview,
        ],
    ),
    ("Watch and replay", &[Context::Watch, Context::Replay]),
    ("Library", &[Context::LibraryList, Context::LibraryText]),
    ("an argument", &[Context::Argument, Context::ArgumentChoice]),
    (
        "while typing",
        &[
            Context::Filter,
            Context::LibraryFilter,
            Context::Naming,
            Context::Adding,
            Context::Answer,
            Context::WhatIf,
            Context::Line,
            Context::Editor,
            Context::Search,
            Context::JournalFilter,
            Context::HelpFilter,
            Context::Palette,
        ],
    ),
    ("what if", &[Context::WhatIf, Context::WhatIfOption]),
    (
        "while typing on the Bench",
        &[Context::Filter, Context::Line, Context::Editor],
    ),
];

fn places(mut contexts: Vec<Context>) -> String {
    let mut places = Vec::new();
    for (name, group) in GROUPS {
        if group.iter().all(|context| contexts.contains(context)) {
            contexts.retain(|context| !group.contains(context));
            places.push(name);
        }
    }
    places.extend(contexts.into_iter().map(place));
    places.join(", ")
}

fn place(context: Context) -> &'static str {
    match context {
        Context::ToolLine => "the tool",
        Context::ServerList => "servers",
        Context::ToolList => "tools",
        Context::Filter => "a filter",
        Context::Adding => "adding a server",
        Context::Line => "typing in a field",
        Context::Editor => "typing arguments",
        Context::Resting => "a field at rest",
        Context::Argument => "an argument that is typed",
        Context::ArgumentChoice => "an argument of options",
        Context::Choice => "options",
        Context::Fold => "more",
        Context::Preview => "preview",
        Context::Watch => "Watch alone",
        Context::Replay => "replay",
        Context::LibraryList => "the Library's list",
        Context::LibraryFilter => "the Library's filter",
        Context::LibraryText => "the Library's preview",
        Context::Naming => "naming a file",
        Context::ServerLog => "server log",
        Context::Trace => "trace",
        Context::Asked => "what a server asks",
        Context::Answer => "typing an answer",
        Context::Message => "a message",
        Context::JournalFilter => "a journal's filter",
        Context::WaitList => "waits",
        Context::WhatIf => "typing in what if",
        Context::WhatIfOption => "options of what if",
        Context::Copy => "copying",
        Context::Saving => "typing in the dialog that saves",
        Context::SavingChoice => "options of the dialog that saves",
        Context::Search => "a search",
        Context::Help => "help",
        Context::HelpFilter => "the help's filter",
        Context::Palette => "commands",
        Context::Question => "a question",
        Context::Offer => "an offer",
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
