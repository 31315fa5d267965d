//! What if: another condition, tried on what a wait has seen.

use std::sync::Arc;

use serde_json::json;
use stakeout::tui::bench::Focus;
use stakeout::tui::draft::{Input, Kind};
use stakeout::tui::keys::Context;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::model::Place;
use stakeout::wait::{Event, Outcome, Reason, ToolErrors};

use crate::harness::{Session, Shelf, millis, picture, pictures, rollout, servers};
use crate::replay::recorded;

/// A rollout that is watched: 1/3 twice, an error, 2/3 and 2/3.
fn watched(look: Look, size: (u16, u16)) -> Session {
    let mut session = Session::with(look, size, servers());
    session
        .keys("to-pattern Ctrl-U")
        .types("3/3")
        .keys("Esc r")
        .round(1);
    let error: Arc<str> = "Tool returned an error: the server is busy".into();
    session
        .sample(1, 0, &rollout(1))
        .sample(2, 1000, &rollout(1));
    session.observed(3, 2000, &error, true);
    session
        .sample(4, 3000, &rollout(2))
        .sample(5, 4000, &rollout(2));
    session
}

const COLOUR: Look = crate::harness::COLOUR;

fn asked() -> Session {
    let mut session = watched(COLOUR, (80, 24));
    session.keys("i");
    assert_eq!(session.model.context(), Context::WhatIf);
    session
}

/// A recording that is asked about 2/3.
fn asked_of_a_recording() -> (Session, Shelf) {
    let shelf = Shelf::new();
    shelf.recording(
        "2026-11-30T20-15-01.000Z-demo-rollout_status.wait.jsonl",
        &recorded(),
    );
    let mut session = Session::on(&shelf);
    session.keys("3 Enter").shows("REPLAY").keys("i");
    pattern(&mut session, "2/3");
    (session, shelf)
}

/// What is asked now: all of the pattern is replaced.
fn pattern(session: &mut Session, pattern: &str) {
    session.keys("Ctrl-U").types(pattern);
}

#[test]
fn the_condition_is_edited_and_every_sample_is_judged_by_it() {
    let mut session = asked();
    session
        .shows("What if")
        .shows("would go on: no match")
        .shows("undecided so far");
    pattern(&mut session, "2/3");
    session.shows("would stop now: matched");
    session.shows("▲ would stop at sample 4: matched after 0:03, 4 samples");
    let what_if = session.model.what_if().unwrap();
    let found = &what_if.assessment.highlights.until;
    assert_eq!(found.len(), 1, "matches are highlighted");
    pictures!("what_if", session);
    session.resize(60, 16);
    picture!("what_if_60x16", session);
}

#[test]
fn samples_are_stepped_through_and_the_one_in_view_answers() {
    let mut session = asked();
    pattern(&mut session, "2/3");
    session
        .keys("↑")
        .shows("4 ·")
        .shows("would stop now: matched");
    session
        .keys("↑")
        .shows("3 ·")
        .shows("would go on: no match");
    session
        .keys("↑ ↑")
        .shows("1 ·")
        .shows("would go on: no match");
    session.keys("Ctrl-G").shows("4 ·").keys("↓").shows("5 ·");
    assert!(session.model.layers.len() == 1, "it stays open");
}

#[test]
fn a_sample_that_comes_is_judged_as_it_comes() {
    let mut session = asked();
    pattern(&mut session, "(?m)^web +3");
    session.shows("undecided so far");
    session.sample(6, 5000, &rollout(3));
    session.shows("would stop at sample 6: matched after 0:05, 6 samples");
    let more = session
        .asked
        .iter()
        .filter(|effect| matches!(effect, Effect::Judge { .. }));
    let asked_anew = more.count();
    session.sample(7, 6000, &rollout(3));
    let judges = |effect: &&Effect| matches!(effect, Effect::Judge { .. });
    assert_eq!(session.asked.iter().filter(judges).count(), asked_anew);
}

#[test]
fn every_field_counts() {
    let mut session = asked();
    pattern(&mut session, "busy");
    session.shows("would stop at sample 3: matched");
    session.keys("Tab").types("1/3");
    session.shows("would stop at sample 1: failed after 0:00, 1 sample: fail when matched");
    session.keys("Ctrl-U Tab Tab → →");
    assert_eq!(
        session.model.what_if().unwrap().draft.tool_errors,
        ToolErrors::Fail
    );
    session.shows("would stop at sample 3: sample 3 of \"rollout_status\" failed");
    session.keys("l Tab → → Tab").types("1s");
    assert_eq!(session.model.what_if().unwrap().draft.kind, Kind::QuietFor);
    session.shows("would stop at sample 2: settled after 0:01, 2 samples: no change for 1 s");
    session.keys("Ctrl-G").shows("would stop now: settled");
    session.keys("↑").shows("would go on");
}

#[test]
fn what_can_not_be_used_is_told_beside_its_field_and_judges_nothing() {
    let mut session = asked();
    pattern(&mut session, "(2/3");
    session
        .shows("unclosed group")
        .shows("the condition can't be used");
    session.hides("would stop").hides("undecided");
    session
        .keys("Enter")
        .shows("it can't be used yet: until.matches");
    assert_eq!(session.model.context(), Context::WhatIf);
    session
        .keys("Ctrl-U")
        .shows("no condition yet: write a pattern");
    session.types("2/3").shows("would stop at sample 4");
}

#[test]
fn enter_takes_the_whole_call_to_the_bench() {
    let mut session = asked();
    pattern(&mut session, "2/3");
    session.keys("Tab").types("CrashLoop").keys("Enter");
    assert_eq!(session.model.place, Place::Bench);
    assert!(session.model.layers.is_empty());
    assert_eq!(session.model.bench.focus, Focus::Text(Input::Pattern));
    let call = session
        .model
        .bench
        .assessment
        .call
        .clone()
        .unwrap()
        .to_value();
    assert_eq!(call["until"], json!({ "matches": "2/3" }));
    assert_eq!(call["fail_when"], "CrashLoop");
    assert_eq!(call["probe"]["args"]["deployment"], "web");
    let judging = session.asked.iter().rev().find_map(|effect| match effect {
        Effect::Judge(asked) => Some(asked.id),
        _ => None,
    });
    let abandoned =
        |effect: &Effect| matches!(effect, Effect::Abandon { id } if Some(*id) == judging);
    assert!(
        session.asked.iter().any(abandoned),
        "nothing is judged any more"
    );
}

#[test]
fn enter_takes_what_is_written_however_fast_it_comes() {
    let mut session = asked();
    session.judges = false;
    pattern(&mut session, "2/3");
    session.keys("Enter");
    assert_eq!(
        session.model.context(),
        Context::WhatIf,
        "it waits for the answer"
    );
    session.judges = true;
    let assess = |effect: &&Effect| matches!(effect, Effect::Assess { .. });
    let assess = session.asked.iter().find(assess).unwrap().clone();
    session.perform(vec![assess]);
    assert_eq!(session.model.place, Place::Bench);
    let pattern = session.model.bench.draft.field(Input::Pattern).text();
    assert_eq!(pattern, "2/3");
}

#[test]
fn ctrl_s_takes_it_to_the_bench_and_saves_it_there() {
    let mut session = asked();
    pattern(&mut session, "2/3");
    session.keys("Ctrl-S");
    assert_eq!(session.model.place, Place::Bench);
    assert_eq!(session.model.context(), Context::Saving);
    session.keys("Esc").shows("2/3");
    let (mut session, _shelf) = asked_of_a_recording();
    session.keys("Ctrl-S");
    let resolves = |effect: &&Effect| matches!(effect, Effect::Resolve { .. });
    let Some(Effect::Resolve { id, .. }) = session.asked.iter().rfind(resolves).cloned() else {
        panic!("nothing is resolved");
    };
    let server = Ok("demo".to_owned());
    session.tell(Msg::Resolved {
        id,
        server,
        fault: None,
    });
    assert_eq!(session.model.context(), Context::Saving);
}

#[test]
fn however_it_is_closed_nothing_is_judged_any_more() {
    for keys in ["Esc", "Enter", "Ctrl-C"] {
        let mut session = asked();
        let judging = session.model.judging.unwrap();
        session.keys(keys);
        assert!(session.model.layers.is_empty(), "{keys}");
        let abandoned = Effect::Abandon { id: judging };
        assert!(session.asked.contains(&abandoned), "{keys}");
        assert_eq!(session.model.judging, None);
    }
}

#[test]
fn escape_discards_it_and_the_watch_is_as_it_was() {
    let mut session = watched(COLOUR, (80, 24));
    let before = session.screen();
    session.keys("i");
    pattern(&mut session, "2/3");
    session.keys("Tab Esc");
    assert_eq!(session.screen(), before);
    session.keys("i").shows("3/3").keys("Shift-Tab q");
    assert_eq!(
        session.screen(),
        before,
        "q closes it where nothing is typed"
    );
}

#[test]
fn an_ended_wait_says_how_it_ended_where_the_other_is_undecided() {
    let mut session = watched(COLOUR, (80, 24));
    session.sample(6, 5000, &rollout(3));
    let text = rollout(3);
    session.ends_with(Reason::Matched, 5, 6, &text);
    let ended = session.model.wait().unwrap();
    let stakeout::tui::watch::Phase::Ended(ending) = &ended.phase else {
        panic!()
    };
    let outcome = Outcome::from(ending);
    session.told(Event::WaitEnded {
        at_ms: millis(5012),
        outcome,
    });
    session
        .keys("i")
        .shows("would stop at sample 6: matched after 0:05, 6 samples");
    pattern(&mut session, "never");
    session.shows("undecided where the wait ended: matched");
    session
        .keys("Ctrl-G")
        .shows("no sample would stop the wait");
}

#[test]
fn an_offered_pattern_is_taken_in_place() {
    let mut session = asked();
    pattern(&mut session, "^web");
    session.shows("Ctrl-F").keys("Ctrl-F");
    session
        .shows("(?m)^web")
        .shows("would stop at sample 1: matched");
    assert_eq!(session.model.place, Place::Watch);
}

#[test]
fn without_colours_and_in_ascii_it_says_the_same() {
    let look = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let mut session = watched(look, (80, 24));
    session.keys("i");
    pattern(&mut session, "2/3");
    session.shows("^ would stop at sample 4: matched after 0:03, 4 samples");
}

#[test]
fn without_a_sample_there_is_nothing_to_ask() {
    let mut session = Session::start();
    session.keys("r i").shows("there is no sample to judge yet");
    assert!(session.model.layers.is_empty());
}

#[test]
fn a_recording_is_asked_and_its_call_is_loaded_with_the_new_condition() {
    let (mut session, _shelf) = asked_of_a_recording();
    session.shows("would stop at sample 3: matched after 0:02, 3 samples");
    pattern(&mut session, "4/3");
    session.shows("undecided where the wait ended: matched");
    pattern(&mut session, "2/3");
    session.keys("Enter");
    assert!(session.model.layers.is_empty());
    let loads = |effect: &&Effect| matches!(effect, Effect::Resolve { .. });
    let Some(Effect::Resolve { call, .. }) = session.asked.iter().rfind(loads) else {
        panic!("nothing was loaded");
    };
    assert_eq!(call["until"], json!({ "matches": "2/3" }));
    assert_eq!(call["probe"]["server"], "demo");
}

#[test]
fn texts_that_are_gone_are_told() {
    let mut session = watched(COLOUR, (80, 24));
    while session.model.wait().unwrap().history.can_drop() {
        session.model.wait_mut().unwrap().history.drop_oldest();
    }
    session.keys("i").shows("3 texts are gone").shows("???◆·");
    pattern(&mut session, "2/3");
    session.shows("would stop at sample 4, if not before: matched");
    session.keys("↑ ↑").shows("not judged");
}

#[test]
fn another_wait_that_comes_into_view_ends_it() {
    let mut session = watched(COLOUR, (80, 24));
    session
        .keys("1 r")
        .round(1)
        .sample(1, 0, &rollout(1))
        .keys("< i");
    let first = session.wait();
    pattern(&mut session, "2/3");
    let other = session.model.waits.keys().copied().find(|id| *id != first);
    session.model.watch(other.unwrap());
    session.at_second(9.0).resize(80, 24);
    assert!(session.model.layers.is_empty());
    assert!(matches!(session.last(), Effect::Abandon { .. }));
}

#[test]
fn help_lies_on_top_of_it() {
    let mut session = asked();
    session
        .keys("F1")
        .shows("typing in what if")
        .keys("Esc")
        .shows("What if");
    assert_eq!(session.model.context(), Context::WhatIf);
}
