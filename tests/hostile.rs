//! What a server may not do: whatever it sends, wherever it is shown, the terminal is left exactly
//! as by a server that sends the visible symbols themselves.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
#[path = "hostile/corpus.rs"]
mod corpus;
#[allow(dead_code)]
#[path = "terminal/pty.rs"]
mod pty;
mod support;

use corpus::{Text, short, texts};
use pty::{Pty, Witness};
use regex::Regex;
use serde_json::{Value, json};
use stakeout::text;
use support::Lab;

/// How a terminal stands after some keys.
#[derive(Debug, PartialEq, Eq)]
struct Standing {
    rows: Vec<String>,
    /// Where it is shown.
    cursor: Option<(u16, u16)>,
    modes: String,
    witness: Witness,
}

fn standing(pty: &Pty) -> Standing {
    // Times, sizes and folders differ, and with them the length of the line beside them.
    let number = r"\d+(\.\d+)? ?(ms|s|B|KiB)\b|[\d:]*\d:\d\d(\.\d+)?|process \d+|/\S*/\.tmp\w+";
    let number = Regex::new(number).unwrap();
    let line = Regex::new("[─█▌ ]{2,}|[─█▌]").unwrap();
    let masked = |row: &str| {
        let row = number.replace_all(row, "#");
        line.replace_all(row.trim_end(), "─").into_owned()
    };
    let rows = pty.screen().lines().map(masked).collect();
    pty.with_screen(|screen| Standing {
        rows,
        cursor: (!screen.hide_cursor()).then(|| screen.cursor_position()),
        modes: format!(
            "{} {:?} {}",
            screen.input_mode_formatted(),
            screen.cursor_style(),
            screen.alternate_screen()
        ),
        witness: pty.witness().clone(),
    })
}

/// A server that plays `script`, on the screen with its tool `probe` on the Bench.
fn server(lab: &Lab, script: &str) -> Pty {
    std::fs::write(lab.path().join("script"), script).unwrap();
    let server = lab.command("plays");
    let call = json!({
        "probe": { "tool": "probe", "args": {} },
        "until": { "matches": "§" }, "poll_sec": 60, "max_wait_sec": 120,
    });
    let mut pty = Pty::shell(&format!(
        "printf '%s' '{call}' > x.wait.json; exec \"$STAKEOUT\" --stdio '{} {}' x.wait.json",
        server.command,
        server.args.join(" ")
    ));
    pty.until("the tool", |screen| {
        screen.contains("▸ probe") && screen.contains("Arguments")
    });
    pty
}

/// Plays `keys`, each after the one before is drawn, with hostile texts and with their symbols, and
/// compares how the terminal stands after each.
fn compare(size: (u16, u16), keys: &[&str], script: impl Fn(Say<'_>) -> String) {
    let clean = |text: &Text| json_text(&text::lines(&text.decoded));
    let open = |say: Say<'_>| {
        let lab = Lab::new();
        let mut pty = server(&lab, &script(say));
        pty.resize(size.0, size.1);
        (lab, pty)
    };
    let (_lab, mut pty) = open(&clean);
    pty.rest();
    let mut standings = vec![standing(&pty)];
    for key in keys {
        pty.press(key);
        pty.rest();
        standings.push(standing(&pty));
    }
    let (_lab, mut pty) = open(&|text| text.json.clone());
    for (index, clean) in standings.iter().enumerate() {
        if index > 0 {
            pty.press(keys[index - 1]);
        }
        pty.stands(|pty| standing(pty) == *clean);
        assert_eq!(standing(&pty), *clean, "after {:?}", &keys[..index]);
    }
}

/// A text as JSON writes it, without its quotes.
fn json_text(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The lines of a script that are the same in all: how the server presents itself and its tools.
fn opening(server: &str, tools: &str) -> String {
    format!(
        "initialize\t{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"protocolVersion\":\"2025-11-25\",\
         \"capabilities\":{{\"tools\":{{}},\"logging\":{{}}}},\
         \"serverInfo\":{{\"name\":\"{server}\",\"version\":\"1\"}}}}}}\n\
         tools/list\t{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"tools\":[{tools}]}}}}\n"
    )
}

const PROBE: &str = r#"{"name":"probe","inputSchema":{"type":"object"}}"#;
/// Rows and columns.
const SMALL: (u16, u16) = (24, 80);
const LARGE: (u16, u16) = (50, 200);
const PAGE_DOWN: &str = "\u{1b}[6~";
const BACK_TAB: &str = "\u{1b}[Z";

type Say<'s> = &'s dyn Fn(&Text) -> String;

fn all(say: Say<'_>, between: &str) -> String {
    let texts: Vec<String> = texts().iter().map(say).collect();
    texts.join(between)
}

/// What a tool's call is answered with.
fn answer(tool: &str, outcome: &str) -> String {
    format!("{tool}\t{{\"jsonrpc\":\"2.0\",\"id\":$ID,{outcome}}}\n")
}

fn notification(tool: &str, method: &str, parameters: &str) -> String {
    format!(
        "{tool}\t{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{method}\",\"params\":{{{parameters}}}}}\n"
    )
}

#[test]
fn u10_results_that_are_tried() {
    let keys = [
        "t", BACK_TAB, "z", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "w", "G", "g", "z", "1",
    ];
    compare(SMALL, &keys, |say| {
        let text = all(say, "\\n");
        let result =
            format!("\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}");
        opening("s", PROBE) + &answer("probe", &result)
    });
}

#[test]
fn u10_results_that_are_watched() {
    let keys = [
        "r", "z", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "w", "G", "z", "x",
    ];
    compare(SMALL, &keys, |say| {
        let text = all(say, "\\n");
        let content = format!("\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]");
        let result = format!("\"result\":{{\"isError\":true,{content}}}");
        opening("s", PROBE) + &answer("probe", &result)
    });
}

/// Starts a call with one key and stops it with another, again and again; each call is told
/// something of a line's length.
fn told_in_flight(keys: [&str; 2], method: &str, parameters: &str) {
    let mut groups: Vec<Vec<Text>> = vec![Vec::new()];
    let mut width = 0;
    for text in short() {
        let own = text::line(&text.decoded).chars().count();
        if width + own > 70 {
            groups.push(Vec::new());
            width = 0;
        }
        width += own;
        groups.last_mut().unwrap().push(text);
    }
    compare(LARGE, &keys.repeat(groups.len()), |say| {
        let script = groups.iter().enumerate().map(|(index, group)| {
            let said: String = group.iter().map(say).collect();
            let call = format!("probe#{}", index + 1);
            notification(&call, method, &parameters.replace("SAID", &said))
        });
        opening("s", PROBE) + &script.collect::<String>()
    });
}

#[test]
fn u10_progress_of_a_try() {
    let parameters = r#""progressToken":$TOKEN,"progress":1,"message":"SAID""#;
    told_in_flight(["t", "\u{3}"], "progress", parameters);
}

#[test]
fn u10_messages_while_a_wait_runs() {
    let parameters = r#""level":"error","logger":"l","data":"SAID""#;
    told_in_flight(["r", "x"], "message", parameters);
}

fn tools(say: Say<'_>, tool: impl Fn(usize, &str) -> String) -> String {
    let texts = texts();
    let tools = texts.iter().enumerate();
    let tools = tools.map(|(number, text)| tool(number, &say(text)));
    let tools: Vec<String> = tools.collect();
    format!("{PROBE},{}", tools.join(","))
}

#[test]
fn u10_names_of_tools() {
    let keys = [
        "\r", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "z", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN,
        PAGE_DOWN, "\r", "t",
    ];
    compare(SMALL, &keys, |say| {
        let named = |number, text: &str| {
            format!("{{\"name\":\"{number}{text}\",\"inputSchema\":{{\"type\":\"object\"}}}}")
        };
        opening("s", &tools(say, named))
    });
}

#[test]
fn u10_what_tools_say_of_themselves() {
    let few = ["?", "\u{1b}", PAGE_DOWN].repeat(4);
    let keys = [&["\r", "z"][..], &few, &["\r", "z"]].concat();
    compare(LARGE, &keys, |say| {
        let described = |number, text: &str| {
            format!(
                "{{\"name\":\"t{number}\",\"title\":\"{text}\",\"description\":\"{text}\",\
                 \"annotations\":{{\"title\":\"{text}\",\"readOnlyHint\":true}},\
                 \"inputSchema\":{{\"type\":\"object\",\"properties\":{{\"{text}\":\
                 {{\"type\":\"string\",\"title\":\"{text}\",\"description\":\"{text}\",\
                 \"enum\":[\"{text}\"]}}}}}}}}"
            )
        };
        opening("s", &tools(say, described))
    });
}

#[test]
fn u10_what_the_server_calls_itself() {
    let keys = ["\r", BACK_TAB, "?", PAGE_DOWN, "\u{1b}", "\r"];
    compare(LARGE, &keys, |say| opening(&all(say, " "), PROBE));
}

#[test]
fn u10_a_version_of_the_protocol_that_nobody_knows() {
    let keys = ["\r", "z"];
    compare(LARGE, &keys, |say| {
        let version = all(say, " ");
        opening("s", PROBE).replace("2025-11-25", &version)
    });
}

#[test]
fn t4_what_a_server_said_on_stderr_before_it_died() {
    let keys = ["t", BACK_TAB, "z", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN];
    compare(LARGE, &keys, |say| {
        let mut script = opening("s", PROBE);
        for raw in stderr(say) {
            script += &format!("probe\t!{raw}\n");
        }
        script + "probe\texit\n"
    });
}

#[test]
fn u10_lines_of_a_megabyte() {
    let line = "\\u001b[2J\\u0007 状".repeat(60_000);
    let tool = format!(
        "{{\"name\":\"probe\",\"description\":\"{line}\",\"inputSchema\":{{\"type\":\"object\"}}}}"
    );
    let error = format!("\"error\":{{\"code\":-32602,\"message\":\"{line}\"}}");
    let script = opening("s", &tool) + &answer("probe", &error);
    intact(&script, &["\r", "?", "\u{1b}", "t", "r"]);
}

#[test]
fn u10_the_log_of_a_server() {
    let messages = texts();
    let messages = messages.iter().map(|text| {
        let parameters = format!("\"level\":\"error\",\"data\":\"{}\"", text.json);
        notification("notifications/initialized", "message", &parameters)
    });
    let script = opening("s", PROBE) + &messages.collect::<String>();
    intact(
        &script,
        &[
            "L", "g", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "w", "G", "\u{1b}",
        ],
    );
}

#[test]
fn t2_what_a_server_says_on_stderr() {
    // Said once it is connected: stderr and what tells of the connection come by two ways.
    let keys = [
        "t", "L", "g", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "w", "\u{1b}",
    ];
    compare(LARGE, &keys, |say| {
        let said = stderr(say).into_iter();
        let said = said.map(|raw| format!("probe\t!{raw}\n"));
        opening("s", PROBE) + &said.collect::<String>()
    });
}

#[test]
fn u10_the_messages_as_they_came() {
    let texts = texts();
    let said: Vec<&str> = texts.iter().map(|text| text.json.as_str()).collect();
    let text = said.join("\\n");
    let result = format!("\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}");
    // What is no message is told as it is, and no byte of it is escaped.
    let noise = stderr(&|text| text.json.clone()).into_iter();
    let noise: String = noise.map(|raw| format!("probe\t{raw}\n")).collect();
    let script = opening(&said.concat(), PROBE) + &noise + &answer("probe", &result);
    let keys = [
        "t", "T", "g", PAGE_DOWN, PAGE_DOWN, PAGE_DOWN, "\r", PAGE_DOWN, "w", "G", "\r", "\u{1b}",
    ];
    intact(&script, &keys);
}

/// The texts that can be said outside of JSON.
fn stderr(say: Say<'_>) -> Vec<String> {
    let decoded = |json: &str| serde_json::from_str::<String>(&format!("\"{json}\"")).ok();
    let can_be_said = |text: &Text| decoded(&text.json).is_some();
    let texts = texts().into_iter().filter(can_be_said);
    texts.filter_map(|text| decoded(&say(&text))).collect()
}

/// What the terminal was asked for beside our own titles, which are saved and restored.
fn foreign(standing: &Standing) -> Vec<&String> {
    let ours = |asked: &&String| asked.ends_with("of ours") || asked.ends_with("[[22], [0]] t");
    let asked = standing.witness.asked.iter();
    asked.filter(|asked| !ours(asked)).collect()
}

/// Plays `keys`, and looks after each whether the terminal is as a drawing from nothing leaves it,
/// and was asked for nothing.
fn intact(script: &str, keys: &[&str]) {
    let lab = Lab::new();
    let mut pty = server(&lab, script);
    pty.rest();
    let before = standing(&pty);
    for key in keys {
        let last = standing(&pty);
        pty.press(key);
        // A megabyte takes its time.
        pty.stands(|pty| standing(pty) != last);
        pty.rest();
        let shown = standing(&pty);
        assert_eq!(shown.modes, before.modes, "after {key:?}");
        assert_eq!(foreign(&shown), foreign(&before), "after {key:?}");
        pty.resize(23, 80);
        pty.rest();
        pty.resize(24, 80);
        pty.stands(|pty| standing(pty) == shown);
        assert_eq!(standing(&pty), shown, "after {key:?}");
    }
}

#[test]
fn u10_errors_of_a_call() {
    for code in [-32603, -32602] {
        let keys = [
            "t", BACK_TAB, "z", PAGE_DOWN, PAGE_DOWN, "z", "1", "r", "z", PAGE_DOWN,
        ];
        compare(SMALL, &keys, |say| {
            let message = all(say, " ");
            let error = format!(
                "\"error\":{{\"code\":{code},\"message\":\"{message}\",\"data\":\"{message}\"}}"
            );
            opening("s", PROBE) + &answer("probe", &error)
        });
    }
}
