//! Recordings on the screen: texts that are read back, and what is said of a recording.

use std::path::PathBuf;
use std::sync::Arc;

use stakeout::app::{CopyOf, RecordingNews};
use stakeout::tui::message::{Effect, Id, Msg};

use crate::harness::{Session, rollout};

const MIB: usize = 1024 * 1024;

/// The text of that sample: large, and another one for each.
fn large(sample: u64) -> Arc<str> {
    let body = "the same\n".repeat(9 * MIB / 9);
    format!("sample {sample} of many\n{body}").into()
}

fn news(session: &mut Session, news: RecordingNews) {
    let wait = session.wait();
    session.tell(Msg::Recording { wait, news });
}

fn recorded() -> PathBuf {
    "/state/recordings/2026-11-30T20-15-01.123Z-demo-rollout_status.wait.jsonl".into()
}

/// A wait whose first texts are in its recording alone.
fn watching() -> Session {
    let mut session = Session::start();
    session.keys("r").round(1);
    news(&mut session, RecordingNews::Begun(recorded()));
    session.judges = false;
    for sample in 1..=8 {
        session.sample(sample, sample * 1000, &large(sample));
    }
    session
}

/// The text that was asked for last.
fn asked(session: &Session) -> (Id, u64) {
    let reads = session.asked.iter().rev();
    let mut reads = reads.filter_map(|effect| match effect {
        Effect::ReadText { id, sample, .. } => Some((*id, *sample)),
        _ => None,
    });
    reads.next().expect("a text is read")
}

fn reads(session: &Session) -> usize {
    let read = |effect: &&Effect| matches!(effect, Effect::ReadText { .. });
    session.asked.iter().filter(read).count()
}

fn answer(session: &mut Session) -> u64 {
    let (id, sample) = asked(session);
    let text = Some(large(sample));
    session.tell(Msg::TextRead { id, text });
    sample
}

#[test]
fn u14_a_text_that_was_dropped_is_read_back_when_it_is_looked_at() {
    let mut session = watching();
    assert_eq!(reads(&session), 0);
    session
        .keys("Home")
        .shows("reading sample 1 from the recording");
    session
        .hides("of many")
        .keys("y o")
        .shows("there is no output to copy here");
    assert_eq!(asked(&session).1, 1);
    session.tell(Msg::TextRead {
        id: Id(999_999),
        text: Some("late".into()),
    });
    session.shows("reading sample 1").hides("late");
    assert_eq!(answer(&mut session), 1);
    session.shows("sample 1 of many").hides("reading");
    assert_eq!((reads(&session), session.model.waits.len()), (1, 1));
    session.keys("End").shows("sample 8 of many");
    assert_eq!(reads(&session), 1, "the newest is always held");
    // It is in memory now.
    session.keys("Home").shows("sample 1 of many");
    assert_eq!(reads(&session), 1);
}

#[test]
fn u14_a_sample_is_compared_with_one_that_is_read_back() {
    let mut session = watching();
    session.keys("Home ]").shows("reading sample 2");
    assert_eq!(asked(&session).1, 1, "one text is read at a time");
    answer(&mut session);
    assert_eq!(answer(&mut session), 2);
    session.shows("sample 2 of many");
    let compared = session.asked.iter().any(|effect| match effect {
        Effect::Compare { texts, .. } => texts[0].starts_with("sample 1 "),
        _ => false,
    });
    assert!(compared);
    assert_eq!(reads(&session), 2);
}

#[test]
fn u14_texts_that_are_read_back_are_bounded_too() {
    let mut session = watching();
    session.keys("d Home");
    for sample in 1..=8 {
        if session.screen().contains("reading sample") {
            assert_eq!(answer(&mut session), sample);
        }
        session.shows(&format!("sample {sample} of many"));
        let held = session.model.wait().unwrap().history.held_bytes();
        assert!(held <= 48 * MIB, "{held}");
        session.keys("]");
    }
}

#[test]
fn a_text_that_is_not_in_the_recording_is_no_longer_held() {
    let mut session = watching();
    session.keys("Home");
    let (id, _) = asked(&session);
    session.tell(Msg::TextRead { id, text: None });
    session.shows("no longer held in memory").keys("End Home");
    session.shows("no longer held in memory");
    assert_eq!(reads(&session), 1, "it is not asked for again");
}

#[test]
fn a_recording_that_can_not_be_written_is_said_once_and_stays_in_view() {
    let mut session = Session::start();
    session
        .resize(120, 36)
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0));
    session.hides("recorded");
    let sentence = "the wait is not recorded: /state: the disk is full; make room";
    news(&mut session, RecordingNews::Failed(sentence.to_owned()));
    session.shows(&format!("rollout_status: {sentence}; the wait goes on"));
    session
        .keys("w")
        .hides("the wait goes on")
        .shows("not recorded   ");
    session.keys("y p").shows("this wait is not recorded");
}

#[test]
fn a_recording_with_gaps_or_an_early_end_says_so() {
    let mut session = Session::start();
    session
        .resize(120, 36)
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0));
    news(&mut session, RecordingNews::Begun(recorded()));
    session.hides("recording");
    news(&mut session, RecordingNews::HasGaps);
    session.shows("the disk can't keep up; some outputs are left out of the recording");
    session.keys("w").shows("recording has gaps");
    let sentence = "the recording can't be written (the disk is full; make room), and ends early";
    news(&mut session, RecordingNews::Failed(sentence.to_owned()));
    session
        .shows(sentence)
        .keys("w")
        .shows("recording ends early");
}

#[test]
fn the_path_of_a_recording_is_copied() {
    let mut session = Session::start();
    session
        .keys("y p")
        .shows("a recording comes with a wait; r runs it");
    session.keys("r").round(1);
    news(&mut session, RecordingNews::Begun(recorded()));
    session.resize(120, 36).keys("y").shows("p path").keys("p");
    assert_eq!(*session.last(), Effect::Copy(CopyOf::Path(recorded())));
}
