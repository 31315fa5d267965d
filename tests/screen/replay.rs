//! A recording on the Watch: opened, played, stepped through, searched, and taken to the Bench.

use serde_json::{Value, json};
use stakeout::tui::keys::Context;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::model::Place;
use stakeout::tui::watch::Position;

use crate::harness::{Session, Shelf, picture, pictures, rollout, servers};

/// A rollout that is complete with its fourth sample, a line an event.
pub fn recorded() -> Vec<Value> {
    let mut lines = vec![
        json!({
            "event": "wait_started", "version": 1, "started_at": "2026-11-30T20:15:01Z",
            "server": "demo", "rounds": 1,
            "wait": {
                "probe": { "tool": "rollout_status", "args": { "deployment": "web" } },
                "until": { "matches": "3/3" }, "poll_sec": 1,
            },
        }),
        json!({ "event": "round_started", "round": 1, "at_ms": 0, "effective_max_wait_sec": 120 }),
    ];
    for (index, ready) in [1, 1, 2, 3].into_iter().enumerate() {
        let (sample, at) = (index + 1, index * 1000);
        let text = rollout(ready);
        lines.push(json!({ "event": "sample_started", "sample": sample, "at_ms": at }));
        let mut line = json!({
            "event": "sample", "sample": sample, "at_ms": at, "latency_ms": 10,
            "bytes": text.len(), "tool_error": false,
        });
        if index == 1 {
            line["same_as"] = json!(1);
        } else {
            line["text"] = json!(*text);
        }
        lines.push(line);
        if ready < 3 {
            lines.push(json!({
                "event": "sleeping", "at_ms": at + 10, "for_ms": 990, "then": "sample",
            }));
        }
    }
    lines.push(json!({
        "event": "wait_ended", "at_ms": 3010,
        "result": {
            "reason": "matched", "last_observation": *rollout(3), "elapsed_sec": 3, "samples": 4,
            "effective_max_wait_sec": 120,
        },
    }));
    lines
}

const FILE: &str = "2026-11-30T20-15-01.000Z-demo-rollout_status.wait.jsonl";

/// A session with a recording of these lines on the Watch.
fn opened(lines: &[Value]) -> (Session, Shelf) {
    let shelf = Shelf::new();
    shelf.recording(FILE, lines);
    let mut session = Session::on(&shelf);
    session.at_second(100.0).keys("3 Enter");
    session.shows("REPLAY");
    assert_eq!(session.model.place, Place::Watch);
    (session, shelf)
}

fn looked_at(session: &Session) -> usize {
    session.model.wait().unwrap().index().unwrap() + 1
}

/// The local time of the recording is that of the machine.
pub fn timeless(session: &mut Session) {
    let replay = session.model.wait_mut().unwrap().replay.as_mut();
    replay.unwrap().started = "2026-11-30 20:15:01".to_owned();
}

#[test]
fn a_recording_opens_whole_on_its_newest_sample() {
    let (mut session, _shelf) = opened(&recorded());
    timeless(&mut session);
    pictures!("replay", session);
    session.resize(60, 16);
    picture!("replay_60x16", session);
    session.resize(80, 24);
    session
        .shows("REPLAY")
        .shows("paused 1×")
        .shows("matched after 0:03, 4 samples");
    session.shows("4 of 4").shows("2 changes");
    assert_eq!(session.model.context(), Context::Replay);
    assert_eq!(session.model.next_tick(), None);
    assert_eq!(session.model.counts().met, 0);
    session.shows("●0 ✔0 ✖0");
}

#[test]
fn ascii_draws_a_recording_too() {
    let (mut session, _shelf) = opened(&recorded());
    session.model.look = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let screen = session.screen();
    assert!(screen.is_ascii(), "{screen}");
    session.shows("REPLAY").shows("paused 1x");
}

#[test]
fn it_plays_from_the_start_as_fast_as_it_happened_and_stops_at_the_end() {
    let (mut session, _shelf) = opened(&recorded());
    session.keys("space").shows("playing 1×").shows("1 of 4");
    session.at_second(100.9).shows("1 of 4");
    session.at_second(101.05).shows("2 of 4").shows("0:01");
    session
        .at_second(102.2)
        .shows("3 of 4")
        .shows("+ web         2/3");
    session.keys("space").shows("paused");
    session.at_second(110.0).shows("3 of 4");
    session.keys("space").shows("playing");
    session.at_second(111.0).shows("4 of 4").shows("paused");
    assert_eq!(session.model.wait().unwrap().position, Position::Follow);
    assert_eq!(session.model.next_tick(), None);
}

#[test]
fn it_ticks_only_as_often_as_something_changes() {
    let (mut session, _shelf) = opened(&recorded());
    session.keys("space");
    let mut ticks = 0;
    while let Some(next) = session.model.next_tick() {
        session.tell(Msg::Tick { now: next });
        ticks += 1;
        assert!(ticks < 20);
    }
    session.shows("4 of 4").shows("0:03");
    assert!(ticks >= 4, "{ticks}");
}

#[test]
fn speeds_go_from_a_quarter_to_sixteen() {
    let (mut session, _shelf) = opened(&recorded());
    for speed in ["2×", "4×", "8×", "16×"] {
        session.keys("+").shows(&format!("paused {speed}"));
    }
    session.keys("+").shows("it goes no faster");
    session.keys("Home space").at_second(100.2).shows("4 of 4");
    for speed in ["8×", "4×", "2×", "1×", "0.5×", "0.25×"] {
        session.keys("-").shows(&format!("paused {speed}"));
    }
    session.keys("-").shows("it goes no slower");
    session.keys("space").at_second(104.0).shows("1 of 4");
    // What was played so far stays played.
    session.keys("+ + + +").shows("playing 4×").shows("1 of 4");
    session.at_second(104.1).shows("2 of 4");
}

#[test]
fn one_steps_by_samples_and_changes_and_stepping_pauses() {
    let (mut session, _shelf) = opened(&recorded());
    session
        .keys("[")
        .shows("3 of 4")
        .shows("0:02")
        .keys("[ ←")
        .shows("1 of 4");
    session
        .keys("}")
        .shows("3 of 4")
        .keys("{ {")
        .shows("1 of 4");
    session.keys("]").shows("2 of 4").shows("same");
    session
        .keys("End")
        .shows("4 of 4")
        .keys("Home")
        .shows("1 of 4")
        .shows("0:00");
    session.keys("space").at_second(101.5).shows("2 of 4");
    session.keys("]").shows("3 of 4").shows("paused");
    session.at_second(120.0).shows("3 of 4");
    session.keys("space").at_second(121.1).shows("4 of 4");
    for digit in ["5", "9", "0"] {
        session.keys("Home").keys(digit).shows("1 of 4");
    }
}

#[test]
fn it_is_read_compared_and_searched_like_any_wait() {
    let (mut session, _shelf) = opened(&recorded());
    session
        .keys("[")
        .shows("- web         1/3")
        .shows("+ web         2/3");
    session.keys("d").hides("- web").shows("by itself");
    session.keys("/").types("2/3").keys("Enter").shows("1 of 1");
    session
        .keys("Esc w # z")
        .hides("REPLAY")
        .keys("z")
        .shows("REPLAY");
    session
        .keys("v")
        .shows("a recording holds what the condition saw");
    session.keys("y o");
    let Effect::Copy(copy) = session.last() else {
        panic!("{:?}", session.last())
    };
    assert!(format!("{copy:?}").contains("2/3"));
    session.keys("? Esc");
    assert_eq!(looked_at(&session), 3);
}

#[test]
fn esc_leads_to_the_library_and_from_there_to_the_bench() {
    let (mut session, _shelf) = opened(&recorded());
    session.keys("Esc");
    assert_eq!(session.model.place, Place::Library);
    session.keys("Esc");
    assert_eq!(session.model.place, Place::Bench);
}

#[test]
fn nothing_runs_is_stopped_or_continued() {
    let mut lines = recorded();
    let end = lines.last_mut().unwrap();
    end["result"]["reason"] = json!("timeout");
    let (mut session, _shelf) = opened(&lines);
    session.hides("continue").hides("stop");
    let asked = session.asked.len();
    session.keys("c x");
    session
        .keys("W")
        .shows("replay")
        .hides("continue")
        .keys("c")
        .shows("can't be continued");
    session.keys("x").shows("the wait is over").keys("Esc");
    assert_eq!(session.asked.len(), asked);
    assert!(session.model.running().next().is_none());
    session.keys("q");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn r_takes_the_call_to_the_bench_and_starts_nothing() {
    let (mut session, _shelf) = opened(&recorded());
    session.keys("r");
    let Effect::Resolve { id, call } = session.last().clone() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(call["probe"]["server"], json!("demo"));
    let before = session.asked.len();
    session.tell(Msg::Resolved {
        id,
        server: Ok("cluster".to_owned()),
        fault: None,
    });
    assert_eq!(session.model.place, Place::Bench);
    session.shows("3/3").shows("cluster ▸ rollout_status");
    assert_eq!(session.asked.len(), before, "no server is started");
    assert_eq!(session.model.waits.len(), 1);
}

#[test]
fn a_recording_that_was_cut_off_says_so_and_is_read_again_when_it_is_opened_again() {
    let lines = recorded();
    let shelf = Shelf::new();
    shelf.recording(FILE, &lines[..7]);
    let mut session = Session::on(&shelf);
    session.keys("3").shows("cut off").keys("Enter");
    session
        .shows("the recording was cut off here")
        .shows("2 of 2");
    picture!("replay_cut_off_80x24", session_without_time(&mut session));
    shelf.recording(FILE, &lines);
    session
        .keys("3 Enter")
        .shows("4 of 4")
        .shows("matched after");
    assert_eq!(session.model.waits.len(), 1);
    // What is whole is only looked at.
    session.keys("[ 3 Enter").shows("3 of 4");
}

#[test]
fn a_recording_whose_wait_was_continued_is_read_on_when_it_is_opened_again() {
    let lines = recorded();
    let shelf = Shelf::new();
    let mut rest = lines.clone();
    let first: Vec<Value> = rest.drain(..7).collect();
    let end = lines.last().unwrap().clone();
    let path = shelf.recording(FILE, &[first, vec![end]].concat());
    let mut session = Session::on(&shelf);
    session.keys("3 Enter").shows("2 of 2").keys("[");
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    for line in &rest {
        use std::io::Write;
        writeln!(file, "{line}").unwrap();
    }
    session.keys("3 Enter").shows("1 of 4");
    assert_eq!(session.model.waits.len(), 1);
}

#[test]
fn u22_a_recording_that_was_deleted_says_so_until_it_is_brought_back() {
    let (mut session, _shelf) = opened(&recorded());
    session.hides("recording deleted");
    session.keys("3 D").shows("brings it back");
    session.keys("2").shows("recording deleted").shows("4 of 4");
    session.keys("3 u 2").hides("recording deleted");
}

fn session_without_time(session: &mut Session) -> &mut Session {
    timeless(session);
    session
}

#[test]
fn a_broken_line_ends_what_is_shown() {
    let mut lines = recorded();
    lines[8] = json!({ "event": "eclipse" });
    let (mut session, _shelf) = opened(&lines);
    session.shows("line 9: ").shows("2 of 2");
}

#[test]
fn a_recording_that_grows_is_followed() {
    let lines = recorded();
    let shelf = Shelf::new();
    let path = shelf.recording(FILE, &lines[..4]);
    let writer = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    // Whoever writes a recording holds it alone.
    rustix::fs::flock(
        &writer,
        rustix::fs::FlockOperation::NonBlockingLockExclusive,
    )
    .unwrap();
    let mut session = Session::on(&shelf);
    session
        .keys("3")
        .shows("running")
        .keys("Enter")
        .shows("following")
        .shows("1 of 1");
    session.reads_on().shows("1 of 1");
    let append = |lines: &[Value]| {
        use std::io::Write;
        for line in lines {
            writeln!(&writer, "{line}").unwrap();
        }
    };
    append(&lines[4..10]);
    session.reads_on().shows("3 of 3").shows("following");
    session.keys("Home").shows("1 of 3").shows("paused");
    append(&lines[10..]);
    session
        .reads_on()
        .shows("1 of 4")
        .keys("End")
        .shows("matched after");
    drop(writer);
}

#[test]
fn what_was_recorded_with_an_error_ends_with_it() {
    let mut lines = recorded();
    lines.truncate(8);
    lines.push(json!({
        "event": "sample_failed", "sample": 3, "at_ms": 2000, "latency_ms": 5, "cause": "it broke",
    }));
    lines.push(json!({
        "event": "wait_ended", "at_ms": 2005,
        "error": {
            "code": "probe_failed", "message": "m", "tool": "rollout_status", "sample": 3,
            "cause": "it broke", "elapsed_sec": 2, "samples": 2, "last_observation": *rollout(1),
        },
    }));
    let (mut session, _shelf) = opened(&lines);
    session
        .shows("sample 3 of \"rollout_status\" failed: it broke")
        .shows("last value");
}

#[test]
fn a_file_that_is_no_recording_is_told_and_nothing_opens() {
    let shelf = Shelf::new();
    let path = shelf.recording(FILE, &recorded());
    let mut session = Session::on(&shelf);
    session.keys("3");
    std::fs::write(path, "{\"event\":\"wait_started\",\"version\":2}\n").unwrap();
    session.keys("Enter").shows("version 2");
    assert_eq!(session.model.place, Place::Library);
    assert!(session.model.waits.is_empty());
}

#[test]
fn a_late_answer_opens_nothing() {
    let shelf = Shelf::new();
    let path = shelf.recording(FILE, &recorded());
    let mut session = Session::with(crate::harness::COLOUR, (80, 24), servers());
    let (_, opened) = stakeout::app::RecordedWait::open(&path).unwrap();
    let wait = stakeout::tui::message::Id(u64::MAX);
    session.tell(Msg::RecordingOpened {
        wait,
        result: Ok(Box::new(opened)),
    });
    assert_eq!(*session.last(), Effect::ForgetWait { wait });
    assert!(session.model.waits.is_empty());
}

#[test]
fn rounds_have_their_own_budgets_in_a_recording_too() {
    let mut lines = recorded();
    lines.insert(
        8,
        json!({ "event": "round_started", "round": 2, "at_ms": 2000, "effective_max_wait_sec": 120 }),
    );
    let (mut session, _shelf) = opened(&lines);
    session.shows("round 2").shows("0:01");
    session.keys("Home").hides("round").shows("0:00");
    session.keys("]").shows("0:01");
}

#[test]
fn a_recording_that_says_little_of_its_samples_has_its_times_all_the_same() {
    let mut lines = recorded();
    lines.retain(|line| {
        let event = line["event"].as_str().unwrap();
        matches!(event, "wait_started" | "round_started" | "sample")
    });
    let (mut session, _shelf) = opened(&lines);
    session
        .shows("0:03   of 2:00")
        .keys("[")
        .shows("0:02   of 2:00");
}

#[test]
fn ctrl_c_pauses_what_plays_and_quits_only_then() {
    let (mut session, _shelf) = opened(&recorded());
    session
        .keys("space")
        .shows("playing")
        .keys("Ctrl-C")
        .shows("paused");
    session
        .keys("Ctrl-C")
        .shows("again within two seconds quits");
}

#[test]
fn a_recording_keeps_its_place_when_it_is_renamed() {
    let (mut session, _shelf) = opened(&recorded());
    session
        .keys("[ 3 R Ctrl-U")
        .types("the night")
        .keys("Enter 2");
    session.shows("the night").shows("3 of 4");
    session.keys("3 Enter").shows("3 of 4");
    assert_eq!(session.model.waits.len(), 1);
}
