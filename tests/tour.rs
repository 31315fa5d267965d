//! The README's tour of the screen: its keys, pressed on a real terminal, lead where it says. A
//! newcomer who follows it ends with a finished wait on a second server.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)]
#[path = "terminal/pty.rs"]
mod pty;

use pty::Pty;
use regex::Regex;

const README: &str = include_str!("../README.md");
const DEMO: &str = include_str!("../assets/demo.sh");

/// What is done with the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Input {
    /// A key by its name.
    Press(String),
    /// Text.
    Type(String),
    /// A key that is pressed until the cursor is where the pattern is written.
    ToPattern(String),
}

/// The steps of the tour, each with what is pressed and typed in it.
fn tour() -> Vec<Vec<Input>> {
    let tour = README.split_once("## A tour of the screen").unwrap().1;
    let tour = tour.split_once("\n## ").unwrap().0;
    let steps = Regex::new(r"(?m)^\d+\. ((?:.*\n)(?:   .*\n)*)").unwrap();
    let steps = steps.captures_iter(tour).map(|step| step[1].to_owned());
    steps.map(|step| inputs(&step)).collect()
}

/// What stands in backquotes: after "type" a text, else a key, where it is the name of one.
fn inputs(step: &str) -> Vec<Input> {
    let step = step.split_whitespace().collect::<Vec<_>>().join(" ");
    let spans = Regex::new(r"(type )?`([^`]+)`( goes on to the pattern)?").unwrap();
    let spans = spans.captures_iter(&step);
    spans
        .filter_map(|span| {
            let text = span[2].to_owned();
            match (span.get(1), span.get(3)) {
                (Some(_), _) => Some(Input::Type(text)),
                (None, _) if bytes(&text).is_none() => None,
                (None, Some(_)) => Some(Input::ToPattern(text)),
                (None, None) => Some(Input::Press(text)),
            }
        })
        .collect()
}

/// What a terminal sends for a key.
fn bytes(name: &str) -> Option<String> {
    let sent = match name {
        "←" => "\u{1b}[D",
        "End" => "\u{1b}[F",
        "Enter" => "\r",
        "Tab" => "\t",
        "Shift-Tab" => "\u{1b}[Z",
        "Backspace" => "\u{7f}",
        "Esc" => "\u{1b}",
        "Ctrl-R" => "\u{12}",
        _ if name.chars().count() == 1 => name,
        _ => return None,
    };
    Some(sent.to_owned())
}

/// What is seen after an input, by the step and its place in it.
const SEEN: [(usize, usize, &[&str]); 21] = [
    (1, 1, &["try 1", "DEPLOYMENT", "would go on: no match"]),
    (2, 1, &["✔ matched after", "3/3", "✔1"]),
    (3, 1, &["2/3"]),
    (3, 2, &["changed", "- web", "+ web"]),
    (3, 3, &["3/3", "met"]),
    (3, 4, &["web         3/3"]),
    (3, 6, &["/web"]),
    (3, 9, &["content blocks", "block 1 of 1"]),
    (4, 1, &["Until", "(?m)^web\\s+3/3"]),
    (4, 6, &["(?m)^web\\s+2/3"]),
    (4, 7, &["until matches (?m)^web\\s+2/3"]),
    (5, 1, &["Arguments", "Preview"]),
    (5, 3, &["Tools of demo", "queue_depth"]),
    (5, 4, &["demo ▸ queue_depth", "\"depth\": 0"]),
    (6, 1, &["Servers", "connected"]),
    (6, 3, &["Add a server"]),
    (6, 5, &["Tools of stakeout", "build_status", "● connected"]),
    (6, 8, &["stakeout ▸ build_status"]),
    (6, 10, &["succeeded"]),
    (6, 11, &["stakeout ▸ build_status", "✔ matched after"]),
    (7, 1, &["Keys", "Watch"]),
];

#[test]
fn the_keys_of_the_readmes_tour_lead_where_it_says() {
    let mut pty = Pty::shell("PATH=$(dirname \"$STAKEOUT\"):$PATH exec stakeout");
    pty.until("the demo", |screen| screen.contains("stakeout-demo"));
    let mut seen = SEEN.to_vec();
    for (step, inputs) in tour().iter().enumerate() {
        for (place, input) in inputs.iter().enumerate() {
            give(&mut pty, input);
            let here = |own: &(usize, usize, &[&str])| (own.0, own.1) == (step + 1, place + 1);
            let expected = seen.iter().position(here).map(|index| seen.remove(index).2);
            for words in expected.unwrap_or_default() {
                let what = format!("{words:?} after {input:?} of step {}", step + 1);
                pty.until(&what, |screen| screen.contains(words));
            }
        }
    }
    assert_eq!(seen, [], "the tour never came there");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

fn give(pty: &mut Pty, input: &Input) {
    match input {
        Input::Press(key) => pty.press(&bytes(key).unwrap()),
        Input::Type(text) => pty.press(text),
        Input::ToPattern(key) => {
            for _ in 0..20 {
                pty.press(&bytes(key).unwrap());
                pty.rest();
                if in_pattern(pty) {
                    return;
                }
            }
            panic!("{key} never came to the pattern:\n{}", pty.screen());
        }
    }
    pty.rest();
}

/// Whether the cursor is in the line below the kinds of conditions.
fn in_pattern(pty: &Pty) -> bool {
    let screen = pty.screen();
    let kinds = screen
        .lines()
        .position(|row| row.contains("( ) not matches"));
    let cursor = pty.with_screen(|screen| {
        let (row, _) = screen.cursor_position();
        (!screen.hide_cursor()).then_some(usize::from(row))
    });
    cursor.is_some() && cursor == kinds.map(|row| row + 1)
}

#[test]
fn the_demo_script_plays_the_tour() {
    let line = Regex::new(r"(?m)^    (press|type_text|to_pattern) '?(.*?)'?$").unwrap();
    let played: Vec<Input> = line
        .captures_iter(DEMO.split_once("play() {").unwrap().1)
        .map(|line| {
            let what = line[2].to_owned();
            match &line[1] {
                "press" => Input::Press(what),
                "type_text" => Input::Type(what),
                _ => Input::ToPattern(what),
            }
        })
        .collect();
    assert_eq!(played, tour().concat());
}
