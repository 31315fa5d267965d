//! What the main states look like. A change of the screen comes with its picture.

use std::sync::Arc;

use stakeout::tui::look::{Look, Theme};
use stakeout::wait::{Event, Note, Reason, WaitError};

use crate::harness::{COLOUR, Session, millis, picture, pictures, rollout, servers};

pub const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 36), (200, 60)];

fn tried(session: &mut Session, ready: u32) {
    session.keys("t").tried(&rollout(ready), false);
}

fn sampled(session: &mut Session) {
    session.keys("r").round(1);
    let (none, one, two) = (rollout(0), rollout(1), rollout(2));
    let samples = [&none, &none, &one, &one, &one, &two, &two];
    for (index, text) in samples.into_iter().enumerate() {
        session.sample(index as u64 + 1, index as u64 * 1012, text);
    }
    session.failed(8, 7084, "the connection was reset");
    session.sample(9, 8087, &two);
}

#[test]
fn the_first_start() {
    for (columns, rows) in SIZES {
        picture!(
            format!("first_start_{columns}x{rows}"),
            Session::at(columns, rows)
        );
    }
}

#[test]
fn the_bench_after_a_try() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        tried(&mut session, 3);
        if columns == 60 {
            session.keys("Shift-Tab Shift-Tab");
        }
        picture!(format!("tried_{columns}x{rows}"), session);
    }
}

#[test]
fn why_the_condition_does_not_hold() {
    let mut session = Session::start();
    tried(&mut session, 1);
    pictures!("why_not", session);
    session.keys("to-pattern Ctrl-U").types(r"^web\s+1/3");
    pictures!("why_not_slip", session);
    session.resize(60, 16).keys("Esc to-preview");
    picture!("why_not_slip_60x16", session);
}

#[test]
fn the_bench_with_every_kind_of_fault() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session
            .keys("m to-json")
            .types("x")
            .keys("to-pattern")
            .types("(");
        session
            .keys("Tab Ctrl-U")
            .types("0")
            .keys("Tab Ctrl-U")
            .types("10m")
            .keys("Tab Tab")
            .types("[");
        session.keys("Ctrl-R");
        picture!(format!("faults_{columns}x{rows}"), session);
    }
}

#[test]
fn the_lists_with_a_filter() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.keys("Enter /").types("st");
        picture!(format!("filter_{columns}x{rows}"), session);
    }
}

#[test]
fn the_watch_while_a_wait_runs() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        sampled(&mut session);
        session.told(Event::SampleStarted {
            sample: 10,
            at_ms: millis(9100),
        });
        let message = Some("asking the cluster".to_owned());
        session.note(
            10,
            Note::Progress {
                progress: 2.0,
                total: Some(5.0),
                message,
            },
        );
        session.at_second(47.0);
        picture!(format!("running_{columns}x{rows}"), session);
    }
}

#[test]
fn the_watch_held_and_at_its_end() {
    let mut session = Session::start();
    sampled(&mut session);
    session.keys("{ {");
    pictures!("held", session);
    session.keys("End").sample(10, 9100, &rollout(3));
    session.ends_with(Reason::Matched, 9, 9, &rollout(3));
    pictures!("matched", session);
}

#[test]
fn a_diff() {
    let mut session = Session::start();
    sampled(&mut session);
    session.keys("{ {");
    pictures!("diff", session);
    session.keys("d");
    pictures!("diff_off", session);
}

#[test]
fn the_watch_after_a_timeout_and_after_an_error() {
    let mut session = Session::start();
    sampled(&mut session);
    session
        .at_second(120.0)
        .ends_with(Reason::Timeout, 120, 8, &rollout(2));
    pictures!("timeout", session);
    let mut session = Session::start();
    let cause =
        "exit code 1; stderr: Error: Cannot find module 'missing'\n    at main (index.js:1)";
    session.keys("r").fails_with(WaitError::ServerUnavailable {
        server: "demo".to_owned(),
        step: "initialize".to_owned(),
        cause: cause.to_owned(),
    });
    pictures!("unavailable", session);
}

#[test]
fn layers() {
    let mut session = Session::start();
    session.keys("?");
    picture!("help_80x24", session);
    let mut session = Session::start();
    session.keys("Enter Shift-Tab j Enter");
    pictures!("approval", session);
    let mut session = Session::at(60, 16);
    sampled(&mut session);
    session.keys("?");
    picture!("help_60x16", session);
    let mut session = Session::start();
    session.keys("Enter Shift-Tab a");
    pictures!("adding", session);
}

#[test]
fn the_commands() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.keys(":").types("pane");
        picture!(format!("commands_{columns}x{rows}"), session);
    }
    let mut session = Session::start();
    session.keys("? /").types("list");
    pictures!("help_filter", session);
    for (columns, rows) in [(120, 36), (200, 60)] {
        let mut session = Session::at(columns, rows);
        session.keys("?");
        picture!(format!("help_{columns}x{rows}"), session);
    }
}

#[test]
fn without_colours_and_without_unicode() {
    let look = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let mut session = Session::with(look, (80, 24), servers());
    tried(&mut session, 1);
    pictures!("ascii_bench", session);
    sampled(&mut session);
    pictures!("ascii_watch", session);
    let screen = session.screen();
    assert!(screen.is_ascii(), "{screen}");
}

#[test]
fn hostile_text() {
    let mut session = Session::with(COLOUR, (80, 24), servers());
    let text =
        "tab\there\u{1b}[31mred\u{1b}[0m\r\n状态: 完成 ✅ e\u{301}\u{202e}abc\n\u{0}\u{7f}\u{9b}2J";
    session.keys("t").tried(text, false);
    pictures!("hostile", session);
    session.keys("r").round(1).sample(1, 0, &Arc::from(text));
    pictures!("hostile_watch", session);
}
