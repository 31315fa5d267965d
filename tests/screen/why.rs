//! Why the condition doesn't hold, on the Bench and on the Watch, and taking what is offered.

use std::sync::Arc;

use stakeout::tui::draft::Input;
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::model::Place;
use stakeout::wait::Reason;

use crate::harness::{Session, rollout};

const REACHED: &str = r#"matches up to  (?m)^web\s+  on line 2, then "1/3" at column 13"#;

/// The Bench with `pattern` typed, after a try that answered `text`.
fn tried(pattern: &str, text: &str) -> Session {
    let mut session = Session::start();
    session.keys("t").tried(text, false);
    session.keys("to-pattern Ctrl-U").types(pattern);
    session
}

fn pattern(session: &Session) -> String {
    session.model.bench.draft.field(Input::Pattern).text()
}

#[test]
fn under_the_verdict_stands_how_far_the_pattern_gets() {
    let mut session = tried(r"(?m)^web\s+3/3", &rollout(1));
    session.shows("would go on: no match").shows(REACHED);
    session.hides("Ctrl-F");
    session.keys("Ctrl-U").types("READY now");
    session.shows(r#"matches up to  READY   on line 1, then " UP-TO-DATE" at column 19"#);
    session
        .keys("Ctrl-U")
        .types("~")
        .shows("the beginning of the pattern matches nowhere");
    session.keys("Ctrl-U").types("web").hides("matches up to");
    session.keys("Ctrl-U").hides("matches up to");
}

#[test]
fn a_slip_is_offered_with_a_key_that_puts_it_right() {
    let mut session = tried(r"^web\s+1/3", &rollout(1));
    session.shows("Ctrl-F  (?m)^web\\s+1/3   with (?m): ^ and $ at every line");
    session.shows("then    web\\s+1/3   without ^");
    session.keys("Ctrl-F").shows("would stop now: matched");
    assert_eq!(pattern(&session), r"(?m)^web\s+1/3");
    session.shows("again: without ^");
    session.keys("Ctrl-F").shows("again: as it was");
    assert_eq!(pattern(&session), r"web\s+1/3");
    session.keys("Ctrl-F").shows("would go on: no match");
    assert_eq!(pattern(&session), r"^web\s+1/3");
}

#[test]
fn at_rest_a_letter_takes_the_offer() {
    let mut session = tried("READY$", "ready\r\n");
    session
        .keys("Esc")
        .shows("the beginning of the pattern matches nowhere")
        .hides("F  ");
    session.keys("F").shows("no other pattern is offered here");
    let mut session = tried("ready$", "all ready\r\n");
    session.keys("Esc").shows("F       (?mR)ready$").keys("F");
    assert_eq!(pattern(&session), "(?mR)ready$");
    session.shows("would stop now: matched");
}

#[test]
fn what_is_typed_meanwhile_is_never_overwritten_by_an_older_offer() {
    let mut session = tried(r"^web\s+1/3", &rollout(1));
    session.judges = false;
    session.types("!").keys("Ctrl-F");
    assert_eq!(pattern(&session), r"^web\s+1/3!");
    let Some(Effect::Assess { id, draft, .. }) = session.asked.last().cloned() else {
        panic!("{:?}", session.asked.last())
    };
    let observed = session.model.bench.attempt.observed.clone();
    let found = stakeout::tui::assess::assess(&draft, None, observed.as_ref(), &|| true);
    session.tell(Msg::Assessed {
        id,
        assessment: Box::new(found),
    });
    assert_eq!(pattern(&session), r"^web\s+1/3!");
    session.shows("no other pattern is offered here");
}

#[test]
fn what_must_not_match_is_told_where_it_does() {
    let mut session = tried(r"web\s+1/3", &rollout(1));
    session.keys("Shift-Tab l");
    session.shows("still matches  \"web         1/3\"  on line 2");
    session.keys("Tab Ctrl-U").types("WEB");
    session.shows("would stop now: matched");
    session.shows("Ctrl-F  (?i)WEB   with (?i): either case");
}

#[test]
fn the_watch_says_it_of_the_sample_in_view() {
    let mut session = Session::start();
    session.keys("r").round(1);
    session.sample(1, 0, &rollout(1)).shows(REACHED);
    session.sample(2, 1000, &rollout(2)).shows("then \"2/3\"");
    session.keys("[").shows(REACHED).keys("End");
    session
        .sample(3, 2000, &rollout(3))
        .ends_with(Reason::Matched, 3, 3, &rollout(3));
    session.hides("matches up to");
}

#[test]
fn an_offer_on_the_watch_is_taken_to_the_bench() {
    let mut session = Session::start();
    session
        .keys("to-pattern Ctrl-U")
        .types(r"^web\s+1/3")
        .keys("Ctrl-R")
        .round(1);
    let text = rollout(1);
    session.sample(1, 0, &text).shows("F       (?m)^web\\s+1/3");
    session.ends_with(Reason::Timeout, 120, 1, &text).keys("F");
    assert_eq!(session.model.place, Place::Bench);
    assert_eq!(pattern(&session), r"(?m)^web\s+1/3");
    session.keys("F");
    assert_eq!(pattern(&session), r"web\s+1/3");
}

#[test]
fn u16_on_the_watch_it_is_asked_beside_the_loop_one_text_at_a_time() {
    let mut session = Session::start();
    session.judges = false;
    session.keys("r").round(1);
    let (one, two) = (rollout(1), rollout(2));
    session.sample(1, 0, &one).sample(2, 1000, &two);
    let explains = |session: &Session| -> Vec<(Effect, Arc<str>)> {
        let asked = session.asked.iter().cloned();
        let texts = asked.filter_map(|effect| match &effect {
            Effect::Explain { text, .. } => Some((effect.clone(), Arc::clone(text))),
            _ => None,
        });
        texts.collect()
    };
    let asked = explains(&session);
    assert_eq!(asked.len(), 1);
    let Effect::Explain { id, .. } = asked[0].0 else {
        panic!("{asked:?}")
    };
    session.tell(Msg::Explained { id, why: None });
    let asked = explains(&session);
    assert_eq!(asked[1].1, two);
}
