//! `stakeout replay`: a recording played back, and judged by another condition.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::place::{Place, Ran};

const FILE: &str = "build.wait.jsonl";

fn sample(number: u64, text: &str) -> Value {
    let at_ms = (number - 1) * 1000;
    let tool_error = text.starts_with("Tool returned an error: ");
    json!({
        "event": "sample", "sample": number, "at_ms": at_ms, "latency_ms": 2,
        "bytes": text.len(), "tool_error": tool_error, "text": text,
    })
}

fn start(round: u64, at_ms: u64) -> Value {
    json!({ "event": "round_started", "round": round, "at_ms": at_ms, "effective_max_wait_sec": 4 })
}

fn header() -> Value {
    json!({
        "event": "wait_started", "version": 1, "started_at": "2026-11-30T14:40:06.943Z",
        "server": "ci", "rounds": 1,
        "wait": {
            "probe": { "tool": "build_status", "args": {} }, "until": { "matches": "succeeded" },
            "poll_sec": 1, "max_wait_sec": 4,
        },
    })
}

/// Four samples, and then the bound.
fn timed_out() -> Vec<Value> {
    let error = "Tool returned an error: busy";
    let mut events = vec![header(), start(1, 0)];
    let texts = ["queued 1s", "queued 2s", error, "running"];
    events.extend(
        texts
            .iter()
            .zip(1..)
            .map(|(text, number)| sample(number, text)),
    );
    events.push(json!({
        "event": "wait_ended", "at_ms": 4000,
        "result": {
            "reason": "timeout", "last_observation": "running", "elapsed_sec": 4, "samples": 4,
            "effective_max_wait_sec": 4,
        },
    }));
    events
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn place(events: &[Value]) -> Place {
    let place = Place::new();
    place.write(FILE, &lines(events));
    place
}

fn replay(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&["replay", FILE], args].concat())
}

#[test]
fn what_was_recorded_is_told_again_and_exits_as_it_did() {
    let place = Place::new();
    let args = ["--quiet-for", "1", "--poll", "1", "--arg", "text=a"];
    let args = [&args[..], &["--output", "jsonl", "--record", FILE]].concat();
    let ran = place.run_on("say", &args).exits(0);
    let again = replay(&place, &[]).exits(0).says("✔ settled after");
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(replay(&place, &["--output", "text"]).exits(0).stdout, "a\n");
    assert_eq!(replay(&place, &["--output", "none"]).exits(0).stdout, "");
    let json = replay(&place, &["--output", "json"]).exits(0).json();
    assert_eq!(json, ran.events().last().unwrap()["result"]);
    let quiet = replay(&place, &["--quiet"]).exits(0);
    assert_eq!((quiet.stdout, quiet.stderr), (ran.stdout, String::new()));
}

#[test]
fn another_condition_gives_the_result_that_the_wait_would_have_had() {
    let place = place(&timed_out());
    replay(&place, &["--output", "json"]).exits(124);
    let met = replay(&place, &["--matches", "2s"]).exits(0).json();
    assert_eq!(
        met,
        json!({
            "reason": "matched", "last_observation": "queued 2s", "elapsed_sec": 1, "samples": 2,
            "effective_max_wait_sec": 4,
        })
    );
    let failed = replay(&place, &["--fail-when", "busy"]).exits(1).json();
    assert_eq!(failed["reason"], "failed");
    let settled = replay(&place, &["--quiet-for", "1s", "--ignore", "\\d+s"]).exits(0);
    assert_eq!(
        (&settled.json()["samples"], &settled.json()["reason"]),
        (&json!(2), &json!("settled"))
    );
    let absent = replay(&place, &["--not-matches", "queued"]).exits(0).json();
    assert_eq!(absent["samples"], 4, "an error is no proof");
    let absent = ["--not-matches", "queued", "--tool-errors", "observe"];
    assert_eq!(replay(&place, &absent).exits(0).json()["samples"], 3);
    let strict = replay(&place, &["--tool-errors", "fail"]).exits(3);
    assert_eq!(strict.error()["code"], "probe_failed");
    replay(&place, &["--matches", "never"])
        .exits(124)
        .says("timeout after 4 s");
}

#[test]
fn what_if_tells_the_story_that_the_wait_would_have_told() {
    let place = place(&timed_out());
    let ran = replay(&place, &["--matches", "2s", "--output", "jsonl"]).exits(0);
    let events = ran.events();
    assert_eq!(events[0]["wait"]["until"], json!({ "matches": "2s" }));
    let told: Vec<&Value> = events.iter().map(|event| &event["event"]).collect();
    assert_eq!(
        told,
        [
            "wait_started",
            "round_started",
            "sample",
            "sample",
            "wait_ended"
        ]
    );
    assert_eq!(events[4]["at_ms"], 1002);
    assert_eq!(events[4]["result"]["samples"], 2);
    place.write(FILE, &ran.stdout);
    assert_eq!(
        replay(&place, &[]).exits(0).stdout,
        ran.stdout,
        "it is a recording itself"
    );
}

#[test]
fn a_wait_that_was_continued_is_asked_about_to_its_end() {
    let mut events = timed_out();
    events.extend([start(2, 9000), sample(10, "succeeded")]);
    let place = place(&events);
    let met = replay(&place, &["--matches", "succ", "--output", "jsonl"]).exits(0);
    let ends: Vec<Value> = met.events();
    let ends: Vec<&Value> = ends
        .iter()
        .filter(|event| event["event"] == "wait_ended")
        .collect();
    assert_eq!(ends[0]["result"]["reason"], "timeout");
    assert_eq!(ends[1]["result"]["reason"], "matched");
    assert_eq!(ends.len(), 2);
}

#[test]
fn an_undecided_recording_is_an_error_of_its_own() {
    let mut events = timed_out();
    events.pop();
    let place = place(&events);
    let cut = "build.wait.jsonl: the recording was cut off; this is what there is of it";
    let ran = replay(&place, &["--output", "json"]).exits(3).says(cut);
    assert_eq!(ran.error()["code"], "recording_ended");
    assert_eq!(
        (&ran.error()["samples"], &ran.error()["last_observation"]),
        (&json!(4), &json!("running"))
    );
    assert_eq!(replay(&place, &[]).exits(3).events(), events);
    replay(&place, &["--matches", "running"]).exits(0);
    let text = lines(&events);
    place.write(FILE, &text[..text.len() - 30]);
    let ran = replay(&place, &["--matches", "running"]).exits(3).says(cut);
    assert_eq!(ran.error()["samples"], 3);
}

#[test]
fn a_sample_that_was_left_out_is_said_not_to_be_judged() {
    let mut events = timed_out();
    events[3] = json!({
        "event": "sample", "sample": 2, "at_ms": 1000, "latency_ms": 2, "bytes": 9,
        "tool_error": false, "text_left_out": true,
    });
    let place = place(&events);
    replay(&place, &["--matches", "2s"])
        .exits(124)
        .says("the text of 1 sample is not on record, so it was not judged");
}

#[test]
fn it_plays_at_the_speed_that_is_asked_for() {
    let place = place(&timed_out());
    let began = Instant::now();
    replay(&place, &["--speed", "8"]).exits(124);
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(500), "{took:?}");
    for speed in ["0", "-1", "NaN", "inf", "fast"] {
        replay(&place, &[&format!("--speed={speed}")])
            .exits(2)
            .says("give a factor over 0, such as 1, 0.5 or 10");
    }
}

#[test]
fn it_is_found_by_its_name_in_the_folder_of_recordings() {
    let place = Place::new();
    let folder = place.state().join("recordings");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(FILE), lines(&timed_out())).unwrap();
    for name in ["build", FILE] {
        place.run(&["replay", name, "--output", "none"]).exits(124);
    }
}

#[test]
fn what_can_not_be_replayed_is_told_in_a_sentence() {
    let place = place(&timed_out());
    place.write("notes.txt", "nothing of ours\n");
    place.write(
        "newer.wait.jsonl",
        "{\"event\":\"wait_started\",\"version\":9}\n",
    );
    for (args, words) in [
        (
            &["nope"][..],
            "nope: there is no such recording; check the path, or see stakeout list",
        ),
        (&["."], ".: it is no file; name the recording itself"),
        (
            &["-"],
            "a recording is read from a file; write standard input to one first",
        ),
        (&["notes.txt"], "notes.txt: it is no recording"),
        (
            &["newer.wait.jsonl"],
            "newer.wait.jsonl: it is of version 9",
        ),
        (
            &[FILE, "--matches", "("],
            "until.matches \"(\" is no valid regex: unclosed group",
        ),
        (
            &[FILE, "--quiet-for", "9"],
            "until.quiet_for_sec 9 is over the bound of 4 s",
        ),
        (&[FILE, "--tool-errors", "ignore"], "tool_errors"),
        (&[FILE, "--matches", "a", "--not-matches", "b"], "until"),
    ] {
        let ran = place
            .run(&[&["replay"], args].concat())
            .exits(2)
            .says(words);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.lines().count()),
            ("", 1),
            "{ran:?}"
        );
    }
}
