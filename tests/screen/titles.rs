//! What the terminal's title says, and when the bell rings.

use serde_json::json;
use stakeout::tui::message::Effect;
use stakeout::tui::title::title;
use stakeout::wait::{Call, Reason, WaitError};

use crate::harness::{Session, rollout};
use crate::waits::two;

fn said(session: &Session) -> String {
    title(&session.model).unwrap_or_default()
}

#[test]
fn the_title_tells_how_the_waits_stand() {
    let (mut session, first, second) = two();
    session.at_second(47.0);
    assert_eq!(said(&session), "●2 0:46 job_logs – stakeout");
    session.about(Some(first));
    session.ends_with(Reason::Matched, 47, 5, &rollout(3));
    assert_eq!(said(&session), "✔ matched rollout_status – stakeout");
    session.keys("<");
    assert_eq!(said(&session), "● 0:46 job_logs – stakeout");
    session.about(Some(second));
    session.fails_with(WaitError::Cancelled { samples: 1 });
    session.keys(">");
    assert_eq!(said(&session), "✖ cancelled job_logs – stakeout");
}

#[test]
fn without_a_wait_and_without_the_wish_there_is_no_title() {
    let mut session = Session::start();
    assert_eq!(title(&session.model), None);
    session.keys("r").round(1);
    assert!(title(&session.model).is_some());
    session.model.options.title = false;
    assert_eq!(title(&session.model), None);
}

#[test]
fn u10_a_title_holds_nothing_that_a_terminal_obeys() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let call = json!({
        "probe": { "tool": "\u{1b}]0;owned\u{7}\u{9b}2J", "args": {} },
        "until": { "matches": "x" },
    });
    let wait = session.wait();
    session.model.waits.get_mut(&wait).unwrap().call = Call::parse(&call).unwrap();
    let title = said(&session);
    assert!(title.contains("␛]0;owned␇"), "{title}");
    assert!(!title.chars().any(char::is_control), "{title:?}");
}

#[test]
fn the_bell_rings_at_the_end_unless_it_is_off_or_the_operator_stopped_it() {
    let rings = |session: &Session| session.asked.contains(&Effect::Ring);
    let started = || {
        let mut session = Session::start();
        session.keys("r").round(1).sample(1, 0, &rollout(3));
        session
    };
    let mut session = started();
    session.ends_with(Reason::Matched, 1, 1, &rollout(3));
    assert!(rings(&session));
    let mut session = started();
    session.keys("b").shows("the bell stays silent");
    session.ends_with(Reason::Matched, 1, 1, &rollout(3));
    assert!(!rings(&session));
    session.keys("b").shows("the bell rings when a wait ends");
    let mut session = started();
    session.keys("x");
    session.fails_with(WaitError::Cancelled { samples: 1 });
    assert!(!rings(&session));
}
