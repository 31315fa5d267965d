//! What is compared where `ignore` leaves something out.

use std::sync::Arc;

use ratatui::style::{Color, Modifier, Style};
use serde_json::{Value, json};
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{COLOUR, Session, servers};

const TEXT: &str = "12:00:05 build 7 running\n";

/// A Bench with a call whose `ignore` leaves the time out.
fn loaded(look: Look, until: &Value) -> Session {
    let call = json!({
        "probe": { "server": "demo", "tool": "job_logs", "args": {} },
        "until": until, "ignore": "\\d\\d:\\d\\d:\\d\\d ",
    });
    let mut session = Session::with(look, (80, 24), servers());
    session.keys("Esc").tell(Msg::Paste(call.to_string()));
    let Effect::Resolve { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let server = Ok("demo".to_owned());
    let fault = None;
    session
        .tell(Msg::Resolved { id, server, fault })
        .keys("Esc");
    session
}

fn quiet() -> Session {
    loaded(COLOUR, &json!({ "quiet_for_sec": 5 }))
}

/// A try that is compared but for its time.
pub fn quiet_at(columns: u16, rows: u16) -> Session {
    let mut session = quiet();
    session.keys("t").tried(TEXT, false).resize(columns, rows);
    session
}

/// The style of the cell that shows the first character of the observation.
fn first(session: &mut Session) -> Style {
    let buffer = session.buffer();
    let row = (0..24).find(|y| buffer[(2, *y)].symbol() == "1" && buffer[(3, *y)].symbol() == "2");
    buffer[(2, row.expect("the observation is on the screen"))].style()
}

#[test]
fn w16_the_preview_strikes_out_what_is_left_out() {
    let mut session = quiet();
    session.keys("t").tried(TEXT, false);
    session.shows("would go on: 16 of 25 B are compared");
    session.shows("struck: left out when outputs are compared");
    assert_eq!(first(&mut session).fg, Some(Color::DarkGray));
    assert!(
        first(&mut session)
            .add_modifier
            .contains(Modifier::CROSSED_OUT)
    );
}

#[test]
fn w16_ignore_that_leaves_nothing_or_matches_nothing_is_told() {
    let mut session = quiet();
    session
        .keys("t")
        .tried("12:00:05 ", false)
        .shows("ignore leaves nothing to compare");
    session
        .keys("t")
        .tried("done", false)
        .shows("would go on: ignore matches nothing");
    session.hides("struck");
}

#[test]
fn w16_a_pattern_sees_everything_so_nothing_is_struck_out_on_the_bench() {
    let mut session = loaded(COLOUR, &json!({ "matches": "12" }));
    session.keys("t").tried(TEXT, false);
    session.shows("would stop now").hides("struck");
}

#[test]
fn w16_the_watch_shows_what_was_compared() {
    let plain = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    for look in [COLOUR, plain] {
        let mut session = loaded(look, &json!({ "quiet_for_sec": 5 }));
        session.keys("r").round(1);
        let (one, two): (Arc<str>, Arc<str>) = (TEXT.into(), TEXT.replace("05", "07").into());
        session.sample(1, 0, &one).sample(2, 1000, &two);
        session
            .shows("same")
            .shows("struck: left out when outputs are compared");
        let style = first(&mut session);
        assert!(style.add_modifier.contains(Modifier::CROSSED_OUT));
    }
}
