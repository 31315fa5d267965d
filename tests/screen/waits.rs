//! Several waits at once.

use std::sync::Arc;

use stakeout::tui::message::{Effect, Id};
use stakeout::tui::model::Place;
use stakeout::wait::{Reason, WaitError};

use crate::harness::{Session, picture, rollout};
use crate::pictures::SIZES;

/// Two waits that run: the rollout's, and one for a log that goes quiet, which is on the Watch.
pub fn two_at(columns: u16, rows: u16) -> (Session, Id, Id) {
    let mut session = Session::start();
    session.keys("r").round(1);
    session
        .sample(1, 0, &rollout(0))
        .sample(2, 1000, &rollout(1));
    let first = session.wait();
    session.keys("1");
    session.tell(stakeout::tui::message::Msg::Paste(
        r#"{"probe": {"tool": "job_logs", "args": {}}, "until": {"quiet_for_sec": 9}}"#.to_owned(),
    ));
    let Effect::Resolve { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let server = Ok("demo".to_owned());
    let fault = None;
    session.tell(stakeout::tui::message::Msg::Resolved { id, server, fault });
    session.keys("Esc r").round(1);
    let second = session.wait();
    assert_ne!(first, second);
    session.sample(1, 2000, &Arc::from("line 1\n"));
    session.resize(columns, rows);
    (session, first, second)
}

pub fn two() -> (Session, Id, Id) {
    two_at(80, 24)
}

#[test]
fn a_second_wait_runs_beside_the_first() {
    let (mut session, first, second) = two();
    assert!(!session.asked.contains(&Effect::StopWait { wait: first }));
    session.shows("●2 ✔0 ✖0").shows("2 of 2").shows("job_logs");
    session.keys("<").shows("1 of 2").shows("rollout_status");
    session.keys("<").shows("was started first").keys(">");
    session.shows("2 of 2").keys(">").shows("was started last");
    assert_eq!(session.wait(), second);
    session.about(Some(first)).sample(3, 3000, &rollout(3));
    session.hides("3/3").keys("<").shows("web         3/3");
}

#[test]
fn a_second_press_of_run_starts_no_second_wait() {
    let (mut session, ..) = two();
    session.keys("r").shows("still running");
    assert_eq!(session.model.waits.len(), 2);
}

#[test]
fn the_key_that_empties_the_list_means_nothing_below_it() {
    let (mut session, first, second) = two();
    for wait in [first, second] {
        session.about(Some(wait));
        session.ends_with(Reason::Timeout, 120, 1, &Arc::from("line 1\n"));
    }
    session.keys("3 W D D").shows("no waits are left");
    let asked = session.asked.len();
    session.keys("D D Enter x").shows("no waits are left");
    assert_eq!(session.asked.len(), asked);
    session.keys("Esc").hides("no waits are left");
}

#[test]
fn a_whole_session_with_two_waits() {
    let (mut session, first, second) = two();
    session.keys("W").shows("Waits").shows("1:58 left");
    session.shows("quiet for 9 s").keys("k x").shows("stopping");
    assert_eq!(*session.last(), Effect::StopWait { wait: first });
    session.about(Some(first));
    session.fails_with(WaitError::Cancelled { samples: 2 });
    session.shows("cancelled after 2 samples").shows("●1 ✔0 ✖1");
    session.keys("D").shows("rollout_status was dismissed");
    assert_eq!(*session.last(), Effect::ForgetWait { wait: first });
    session.hides("✖ rollout_status").shows("●1 ✔0 ✖0");
    session.about(None);
    session.ends_with(Reason::Timeout, 120, 1, &Arc::from("line 1\n"));
    session
        .keys("Esc W c")
        .shows("connecting")
        .shows("●1 ✔0 ✖0");
    assert_eq!(*session.last(), Effect::ContinueWait { wait: second });
    session.keys("Enter").hides("Waits").shows("job_logs");
    session.round(2).sample(2, 121_000, &Arc::from("line 2\n"));
    session.ends_with(Reason::Settled, 20, 9, &Arc::from("line 2\n"));
    session.shows("settled after 0:20").shows("●0 ✔1 ✖0");
    session.keys("Delete");
    assert_eq!(session.model.place, Place::Bench);
    session.keys("W").shows("nothing to watch yet");
}

#[test]
fn a_wait_that_ends_out_of_sight_is_named_until_it_is_looked_at() {
    let (mut session, first, _) = two();
    session.about(Some(first));
    session.ends_with(Reason::Matched, 5, 5, &rollout(3));
    assert_eq!(*session.last(), Effect::Ring);
    session.shows("rollout_status: matched after 0:05, 5 samples");
    session.keys("space").hides("matched after");
    session.shows("other ended: ✔ rollout_status  2 of 2");
    session.keys("<").shows("1 of 2").hides("✔ rollout_status");
    session.keys(">").hides("✔ rollout_status");
}

#[test]
fn the_list_tells_which_wait_ended_and_closing_it_says_that_it_was_read() {
    let (mut session, first, _) = two();
    session.keys("1").about(Some(first));
    session.ends_with(Reason::Timeout, 120, 5, &rollout(1));
    assert!(session.model.unseen().is_some());
    session.keys("W k").shows("timeout at the bound of 120 s");
    session.keys("q");
    assert!(session.model.unseen().is_none());
    assert_eq!(session.model.place, Place::Bench);
}

#[test]
fn the_list_runs_again_and_edits_the_wait_under_the_cursor() {
    let (mut session, first, _) = two();
    session.about(Some(first));
    session.ends_with(Reason::Matched, 5, 5, &rollout(3));
    session
        .keys("W k E")
        .shows(r"(?m)^web\s+3/3")
        .hides("Waits");
    session.keys("W k r").shows("3 of 3").hides("┌ Waits");
    let Effect::StartWait { call, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(call.tool(), "rollout_status");
}

#[test]
fn a_wait_that_runs_is_not_dismissed() {
    let (mut session, ..) = two();
    session.keys("D").shows("x stops it").keys("W D");
    session.shows("x stops it");
    assert_eq!(session.model.waits.len(), 2);
}

#[test]
fn ctrl_c_stops_the_wait_in_view_alone() {
    let (mut session, _, second) = two();
    session.keys("Ctrl-C");
    let stops = |effect: &&Effect| matches!(effect, Effect::StopWait { .. });
    let stopped: Vec<&Effect> = session.asked.iter().filter(stops).collect();
    assert_eq!(stopped, [&Effect::StopWait { wait: second }]);
    session.keys("1 Ctrl-C").shows("2 waits end as cancelled");
}

#[test]
fn u3_quitting_asks_once_with_the_number_of_waits() {
    let (mut session, first, _) = two();
    session.keys("q").shows("2 waits are running. They end");
    session.about(Some(first));
    session.ends_with(Reason::Matched, 5, 5, &rollout(3));
    session.shows("A wait is running. It ends").keys("y");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn u14_texts_of_all_waits_together_are_bounded() {
    let (mut session, first, second) = two();
    let mut counter = 0;
    let mut large = || -> Arc<str> {
        counter += 1;
        format!("{counter:9}").repeat(1024 * 1024).into()
    };
    let held = |session: &Session, wait: Id| session.model.waits[&wait].history.held_bytes();
    session.judges = false;
    for sample in 3..=6 {
        session.about(Some(first));
        session.sample(sample, sample * 1000, &large());
    }
    session.ends_with(Reason::Matched, 5, 6, &rollout(3));
    let before = held(&session, first);
    for sample in 2..=9 {
        session.about(Some(second));
        session.sample(sample, sample * 1000, &large());
        let all = held(&session, first) + held(&session, second);
        assert!(all <= 64 * 1024 * 1024, "{all}");
    }
    assert!(held(&session, first) < before);
    session.keys("Home").shows("no longer held in memory");
    session.keys("< End").hides("no longer held").keys("←");
    session.shows("no longer held in memory");
}

#[test]
fn u14_a_wait_that_is_not_looked_at_holds_no_text_beside_its_history() {
    let (mut session, first, second) = two();
    session.keys("v <");
    assert_eq!(session.model.watched, Some(first));
    let aside = &session.model.waits[&second];
    assert!(aside.reading.document.is_none());
    assert!(aside.reading.tokens().is_none());
    session.keys(">").hides("no output").keys("y o");
    assert!(matches!(session.last(), Effect::Copy(_)));
}

#[test]
fn waits_that_end_together_are_not_kept_for_ever() {
    let mut session = Session::start();
    let waits: Vec<Id> = (0..60)
        .map(|_| {
            session.keys("1 r");
            session.wait()
        })
        .collect();
    for wait in waits {
        session.about(Some(wait));
        session.ends_with(Reason::Matched, 1, 1, &rollout(3));
    }
    session.keys("1 r");
    assert_eq!(session.model.waits.len(), 51);
}

#[test]
fn many_waits_that_ended_are_not_kept_for_ever() {
    let mut session = Session::start();
    for _ in 0..60 {
        session.keys("1 r").round(1);
        session.ends_with(Reason::Matched, 1, 1, &rollout(3));
    }
    assert!(
        session.model.waits.len() <= 52,
        "{}",
        session.model.waits.len()
    );
    session.keys("W").shows("51 of 51").shows("✔51");
}

#[test]
fn pictures_of_two_waits() {
    for (columns, rows) in SIZES {
        let (mut session, first, _) = two_at(columns, rows);
        session.at_second(47.0);
        picture!(format!("two_waits_{columns}x{rows}"), session);
        session.about(Some(first));
        session.ends_with(Reason::Matched, 47, 5, &rollout(3));
        picture!(format!("two_waits_one_ended_{columns}x{rows}"), session);
        session.about(None).keys("W");
        picture!(format!("waits_{columns}x{rows}"), session);
    }
}
