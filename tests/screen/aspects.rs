//! What `v` shows of a result: the observation, the final state, the content blocks, the raw result.

use std::sync::Arc;

use serde_json::{Value, json};
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{Session, rollout};

fn result(text: &str) -> Value {
    json!({ "content": [
        { "type": "text", "text": text, "annotations": { "audience": ["user"] } },
        { "type": "image", "mimeType": "image/png", "data": "aGVsbG8=" },
    ] })
}

fn watching() -> Session {
    let mut session = Session::start();
    session.results.insert(1, result("one"));
    session.results.insert(2, result("two"));
    session.keys("r").round(1);
    session
        .sample(1, 0, &rollout(1))
        .sample(2, 1000, &rollout(3));
    session
}

#[test]
fn v_goes_round_the_aspects_of_a_try() {
    let mut session = Session::start();
    session
        .keys("t")
        .tried_with("web  3/3\n", false, result("web  3/3\n"));
    session
        .keys("Shift-Tab v")
        .shows("Preview · content blocks · try 1");
    session
        .shows("block 1 of 2: text, 9 bytes, audience user")
        .shows("image/png, 5 bytes");
    session
        .keys("v")
        .shows("Preview · raw result · try 1")
        .shows("\"audience\": [");
    session.keys("/").types("png").shows("1 of 1").keys("Esc");
    session
        .keys("v")
        .shows("Preview · try 1")
        .shows("web  3/3")
        .hides("audience");
}

#[test]
fn v_goes_round_the_aspects_of_a_sample() {
    let mut session = watching();
    session
        .shows("+ web         3/3")
        .keys("v")
        .shows("2 · content blocks · 1.01 s");
    session
        .shows("block 1 of 2: text, 3 bytes")
        .shows("two")
        .hides("+ web");
    session
        .keys("v")
        .shows("2 · raw result")
        .shows("\"text\": \"two\"");
    session
        .keys("[")
        .shows("1 · raw result")
        .shows("\"text\": \"one\"");
    session.keys("v ]").shows("+ web         3/3");
}

#[test]
fn a_new_sample_is_followed_in_every_aspect() {
    let mut session = watching();
    session.keys("v v").results.insert(3, result("three"));
    session
        .sample(3, 2000, &rollout(3))
        .shows("3 · raw result")
        .shows("\"three\"");
}

#[test]
fn a_result_that_is_no_longer_kept_is_said_to_be_gone() {
    let mut session = watching();
    session.results.remove(&1);
    session
        .keys("Home v")
        .shows("The result of sample 1 is no longer kept");
    session
        .shows("only the newest 8")
        .keys("]")
        .shows("block 1 of 2");
}

#[test]
fn u4_a_failed_sample_shows_its_cause_in_every_aspect() {
    let mut session = watching();
    session.failed(3, 2000, "the connection was reset by the peer");
    for _ in 0..3 {
        session
            .shows("the connection was reset by the peer")
            .keys("v");
        session.hides("3 · raw").hides("3 · content");
    }
}

#[test]
fn u9_progress_that_is_written_over_has_a_final_state() {
    let mut session = Session::start();
    let text: Arc<str> = "start\r\n10%\r20%\r100%\r\nend\r\n".into();
    session.keys("r").round(1).sample(1, 0, &text);
    session.shows("10%␍20%␍100%␍");
    session
        .keys("v")
        .shows("1 · final state")
        .shows("│ 100% ")
        .hides("10%␍");
    session.keys("v").shows("1 · content blocks");
    session.keys("v v").shows("10%␍20%␍100%␍");
    let windows: Arc<str> = "start\r\nend\r\n".into();
    session
        .sample(2, 1000, &windows)
        .keys("v")
        .shows("2 · content blocks");
}

#[test]
fn a_late_aspect_is_dropped() {
    let mut session = Session::start();
    session.judges = false;
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(1))
        .sample(2, 1000, &rollout(2));
    session.keys("v [ ");
    let asked: Vec<_> = session
        .asked
        .iter()
        .filter_map(|effect| match effect {
            Effect::ReadAspect { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    assert_eq!(asked.len(), 2, "one for each sample");
    let answer = |id, text: &str| Msg::AspectRead {
        id,
        text: text.into(),
    };
    session
        .tell(answer(asked[0], "of the second"))
        .hides("of the second");
    session
        .tell(answer(asked[1], "of the first"))
        .shows("of the first");
}

#[test]
fn the_condition_is_told_about_the_observation_alone() {
    let mut session = Session::start();
    session
        .keys("t")
        .tried_with("web  1/3\n", false, result("web  1/3\n"));
    session
        .keys("Shift-Tab")
        .shows("then")
        .keys("v")
        .hides("then");
    session.keys("n").shows("no match in this text");
}

#[test]
fn without_a_result_there_is_nothing_to_look_at() {
    let mut session = Session::start();
    session
        .keys("Shift-Tab v")
        .shows("there is no result to look at yet");
}
