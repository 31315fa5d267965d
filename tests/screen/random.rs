//! Random keys and messages at random sizes: nothing panics, and the focus is always on something
//! that can be seen. `STAKEOUT_FUZZ_DRAWS` says how many drawings are made.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use stakeout::tui::argument_lines;
use stakeout::tui::bench::{Focus, Pane};
use stakeout::tui::layout;
use stakeout::tui::message::{Effect, Msg, ServerList};
use stakeout::tui::model::Place;
use stakeout::wait::{Note, Reason, WaitError};

use crate::form::hard;
use crate::harness::{Session, demo_tools, rollout, server, servers, tool};

/// Drawings of one session.
const DRAWS: u32 = 20;

const CALL: &str =
    r#"{"probe": {"tool": "job_logs", "args": {}}, "until": {"quiet_for_sec": 9}, "ignore": "x"}"#;

const KEYS: &[&str] = &[
    "W",
    "<",
    ">",
    "D",
    "f",
    "u",
    "F2",
    "Delete",
    "o",
    "a",
    "b",
    "r",
    "t",
    "q",
    "m",
    "z",
    "w",
    "x",
    "c",
    "E",
    "R",
    "X",
    "a",
    "1",
    "2",
    "?",
    ":",
    "Ctrl-P",
    "Ctrl-N",
    "/",
    "j",
    "k",
    "g",
    "G",
    "h",
    "l",
    "[",
    "]",
    "{",
    "}",
    "y",
    "n",
    "space",
    "Enter",
    "Esc",
    "Tab",
    "Shift-Tab",
    "←",
    "→",
    "↑",
    "↓",
    "Home",
    "End",
    "PgUp",
    "PgDn",
    "F1",
    "Backspace",
    "Ctrl-A",
    "Ctrl-E",
    "Ctrl-W",
    "Ctrl-U",
    "Ctrl-K",
    "Ctrl-D",
    "Ctrl-R",
    "Ctrl-T",
    "Ctrl-C",
    "Ctrl-Z",
];

#[derive(Debug, Clone)]
enum Step {
    Key(&'static str),
    Text(String),
    Paste(String),
    Call(bool),
    Resize(u16, u16),
    Time(u64),
    Answer(String, bool),
    Sample(String, bool),
    Fail(String),
    Note(String),
    Servers(String, bool),
    End(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![1..=30_u16, 55..=125_u16, 1..=500_u16];
    prop_oneof![
        12 => prop::sample::select(KEYS).prop_map(Step::Key),
        2 => "\\PC{0,6}".prop_map(Step::Text),
        1 => "(?s).{0,40}".prop_map(Step::Paste),
        1 => any::<bool>().prop_map(Step::Call),
        3 => (size.clone(), size).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        1 => (0..5000_u64).prop_map(Step::Time),
        1 => ("(?s).{0,300}", any::<bool>()).prop_map(|(text, error)| Step::Answer(text, error)),
        3 => ("(?s).{0,300}", any::<bool>()).prop_map(|(text, error)| Step::Sample(text, error)),
        1 => "(?s).{0,300}".prop_map(Step::Fail),
        1 => "(?s).{0,80}".prop_map(Step::Note),
        1 => ("(?s).{0,20}", any::<bool>()).prop_map(|(name, good)| Step::Servers(name, good)),
        1 => any::<bool>().prop_map(Step::End),
    ]
}

#[test]
fn u5_random_sessions_at_random_sizes() {
    let draws = std::env::var("STAKEOUT_FUZZ_DRAWS")
        .ok()
        .and_then(|draws| draws.parse().ok());
    let cases = draws.unwrap_or(1000_u32).div_ceil(DRAWS);
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let steps = prop::collection::vec(prop::collection::vec(step(), 1..6), DRAWS as usize);
    TestRunner::new(config)
        .run(&steps, |steps| {
            play(&steps);
            Ok(())
        })
        .unwrap();
}

fn play(batches: &[Vec<Step>]) {
    let mut session = Session::start();
    let mut tools = demo_tools();
    let mut pods = tool("pods", "A tool with every kind of argument");
    pods.input_schema = hard();
    tools.insert(0, pods);
    session.connects = Some(Ok(tools));
    session.keys("Enter Shift-Tab R Tab g Enter");
    assert!(session.model.bench.draft.arguments().form().is_some());
    let (mut now, mut sample) = (0, 0);
    for batch in batches {
        for step in batch {
            take(&mut session, step, &mut now, &mut sample);
        }
        session.screen();
        focus_is_visible(&session);
    }
}

fn take(session: &mut Session, step: &Step, now: &mut u64, sample: &mut u64) {
    let running = session.model.wait().is_some_and(|wait| wait.is_running());
    match step {
        Step::Key(name) => drop(session.keys(name)),
        Step::Text(text) => drop(session.types(text)),
        Step::Paste(text) => drop(session.tell(Msg::Paste(text.clone()))),
        Step::Call(known) => {
            session.tell(Msg::Paste(CALL.to_owned()));
            if let Effect::Resolve { id, .. } = *session.last() {
                let candidates = Vec::new();
                let server = if *known {
                    Ok("ci".to_owned())
                } else {
                    Err(WaitError::ServerAmbiguous { candidates })
                };
                let fault = None;
                session.tell(Msg::Resolved { id, server, fault });
            }
        }
        Step::Resize(columns, rows) => drop(session.resize(*columns, *rows)),
        Step::Time(millis) => {
            *now += millis;
            session.tell(Msg::Tick {
                now: Duration::from_millis(*now),
            });
        }
        Step::Answer(text, error) if matches!(session.last(), Effect::Try { .. }) => {
            session.tried(text, *error);
        }
        Step::Sample(text, error) if running => {
            *sample += 1;
            session.observed(*sample, *now, &Arc::from(text.as_str()), *error);
        }
        Step::Fail(cause) if running => {
            *sample += 1;
            session.failed(*sample, *now, cause);
        }
        Step::Note(text) if running => {
            let note = Note::Log {
                level: "info".to_owned(),
                text: text.clone(),
            };
            session.note(*sample, note);
        }
        Step::Servers(name, good) => servers_listed(session, name, *good),
        Step::End(true) if running => {
            session.ends_with(Reason::Timeout, 120, *sample, &rollout(1));
        }
        Step::End(false) if running => {
            session.fails_with(WaitError::Cancelled { samples: *sample });
        }
        _ => {}
    }
}

/// Answers what asks for servers.
fn servers_listed(session: &mut Session, name: &str, good: bool) {
    let mut servers = servers();
    servers.insert(0, server(name, "added here"));
    let problems = vec![name.to_owned()];
    let list = ServerList { servers, problems };
    let problem = Err(name.to_owned());
    match *session.last() {
        Effect::AddServer { id, .. } => {
            let result = if good {
                Ok((name.to_owned(), list))
            } else {
                problem
            };
            session.tell(Msg::Added { id, result });
        }
        Effect::Discover { id } => {
            let result = if good {
                Ok((name.len(), list))
            } else {
                Err(name.to_owned())
            };
            session.tell(Msg::Discovered { id, result });
        }
        _ => {}
    }
}

fn focus_is_visible(session: &Session) {
    let model = &session.model;
    if model.place != Place::Bench || layout::too_small(model) {
        return;
    }
    let areas = layout::bench(model);
    let visible = match model.bench.focus.pane() {
        Pane::Tool => areas.tool_line.or(areas.tools).or(areas.servers),
        Pane::Arguments => areas.arguments,
        Pane::Until => areas.until,
        Pane::Preview => areas.preview,
    };
    let area = visible.expect("the focused pane is on the screen");
    assert!(
        layout::inside(area).height > 0 && layout::inside(area).width > 0,
        "{areas:?}"
    );
    if let Focus::Argument(_) = model.bench.focus {
        let width = usize::from(layout::inside(area).width);
        let lines = argument_lines::lines(&model.bench, width);
        let described = argument_lines::description_rows(&model.bench, width);
        let (fields, _) = layout::fields(layout::inside(area), described);
        let line = argument_lines::focused_line(&model.bench, &lines);
        let top = model.bench.args_top;
        assert!((top..top + usize::from(fields.height)).contains(&line));
    }
}
