//! Quitting, stopping, suspending: what asks, and what doesn't.

use std::time::Duration;

use stakeout::tui::message::{Effect, Msg};
use stakeout::wait::Reason;

use crate::harness::{Session, key, rollout};

#[test]
fn q_quits_from_a_bare_place() {
    let mut session = Session::start();
    session.keys("q");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn u3_with_a_wait_running_q_asks() {
    let mut session = Session::start();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0))
        .keys("q")
        .shows("Quit?")
        .keys("q");
    assert!(!session.asked.contains(&Effect::Quit));
    session.hides("Quit?").keys("q y");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn ctrl_c_twice_within_two_seconds_quits() {
    let mut session = Session::start();
    session.keys("Ctrl-C").shows("Ctrl-C again");
    session.at_second(2.5).hides("Ctrl-C again").keys("Ctrl-C");
    assert!(!session.asked.contains(&Effect::Quit));
    session.at_second(3.0).keys("Ctrl-C");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn ctrl_c_while_one_types_never_stops_a_wait_out_of_view() {
    let mut session = Session::start();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0))
        .keys("1 Tab Ctrl-C Ctrl-C");
    assert!(
        !session
            .asked
            .iter()
            .any(|effect| matches!(effect, Effect::StopWait { .. }))
    );
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn ctrl_c_with_a_wait_out_of_view_says_what_becomes_of_it() {
    let mut session = Session::start();
    session.keys("r").round(1).keys("1 Ctrl-C");
    session.shows("Ctrl-C again within two seconds quits; the wait ends as cancelled");
    session.keys("2").hides("again within").keys("Ctrl-C");
    assert!(matches!(session.last(), Effect::StopWait { .. }));
    session.keys("Ctrl-C Ctrl-C");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn a_question_about_a_wait_that_has_ended_is_gone() {
    for keys in ["q", "Ctrl-Z"] {
        let mut session = Session::start();
        session
            .keys("r")
            .round(1)
            .sample(1, 0, &rollout(3))
            .keys(keys);
        session.shows("A wait is running");
        session.ends_with(Reason::Matched, 1, 1, &rollout(3));
        session.hides("A wait is running");
        assert!(session.model.layers.is_empty());
    }
}

#[test]
fn what_lies_below_a_layer_is_at_rest_when_it_is_closed() {
    let mut session = Session::start();
    session.keys("Tab F1 Esc").hides(" typing ").keys("r");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn a_connect_a_try_and_a_wait_are_stopped_where_they_are_in_view() {
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!()
    };
    session.keys("Ctrl-C");
    assert_eq!(*session.last(), Effect::Abandon { id });
}

#[test]
fn suspending_asks_while_a_wait_runs() {
    let mut session = Session::start();
    session.keys("Ctrl-Z");
    assert_eq!(*session.last(), Effect::Suspend);
    session
        .keys("r")
        .round(1)
        .keys("Ctrl-Z")
        .shows("budget runs on");
    session.keys("y");
    assert_eq!(*session.last(), Effect::Suspend);
}

#[test]
fn u1_help_shows_the_keys_of_where_one_is() {
    let mut session = Session::start();
    session
        .keys("?")
        .shows("call the tool once")
        .keys("Esc")
        .hides("call the tool once");
    session
        .keys("to-json F1")
        .shows("typing arguments")
        .keys("q")
        .hides("typing arguments");
    session.keys("r ?").shows("hold the view");
}

#[test]
fn u5_u6_the_smallest_and_the_largest_terminal() {
    let mut session = Session::start();
    session.resize(59, 15).shows("stakeout needs 60x16");
    session.keys("r");
    assert!(
        session.model.watched.is_none(),
        "what isn't seen isn't done"
    );
    session.keys("q");
    assert_eq!(*session.last(), Effect::Quit);
    session.resize(1, 1).screen();
    session.resize(500, 500).shows("rollout_status");
}

#[test]
fn everything_is_reached_at_60x16() {
    let mut session = Session::at(60, 16);
    session
        .shows("Tools of demo")
        .keys("Tab")
        .shows("deployment")
        .keys("to-kind")
        .shows("matches")
        .keys("to-preview")
        .shows("calls the tool once");
}

#[test]
fn u13_only_a_wait_or_something_in_flight_needs_the_time() {
    let mut session = Session::start();
    assert_eq!(session.model.next_tick(), None);
    session.keys("t");
    assert_eq!(session.model.next_tick(), Some(Duration::from_secs(1)));
    session.tried("x", false);
    assert_eq!(session.model.next_tick(), None);
    session.tell(Msg::Key(key("r")));
    assert!(session.model.next_tick().is_some());
}
