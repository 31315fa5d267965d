//! The words of a wait, at times that the test says.

#![allow(clippy::unwrap_used)]

use serde_json::json;

use super::*;
use crate::wait::{Header, Millis, WaitError, WaitFailure};

struct Told {
    live: Live<Vec<u8>>,
    start: Instant,
}

impl Told {
    fn new(form: Form, call: serde_json::Value, rounds: u32) -> Self {
        let stderr = Stderr {
            out: Vec::new(),
            form,
            colours: false,
            width: || 60,
            drawn: false,
        };
        let start = Instant::now();
        let call = Call::parse(&call).unwrap();
        Self {
            live: Live::new(stderr, &call, "ci", rounds, start),
            start,
        }
    }

    fn log() -> Self {
        Self::new(Form::Log, call(), 1)
    }

    fn line() -> Self {
        Self::new(Form::Line, call(), 1)
    }

    fn at(&self, seconds: f64) -> Instant {
        self.start + Duration::from_secs_f64(seconds)
    }

    fn hear(&mut self, seconds: f64, event: Event) {
        self.live.hear(&event, self.at(seconds));
    }

    fn tick(&mut self, seconds: f64) {
        self.live.tick(self.at(seconds));
    }

    /// What was written since this was last asked.
    fn said(&mut self) -> String {
        String::from_utf8(std::mem::take(&mut self.live.stderr.out)).unwrap()
    }
}

fn call() -> serde_json::Value {
    json!({ "probe": { "tool": "run", "args": {} }, "until": { "matches": "x" } })
}

fn round(round: u32) -> Event {
    Event::RoundStarted {
        round,
        at_ms: Millis::default(),
        effective_max_wait_sec: 120,
    }
}

fn sample(number: u64, text: &str) -> Event {
    Event::Sample(Sample {
        sample: number,
        at_ms: Millis::default(),
        latency_ms: Millis(Duration::from_millis(12)),
        bytes: text.len(),
        tool_error: false,
        same_as: None,
        text_left_out: false,
        text: Some(Arc::from(text)),
    })
}

fn failure(number: u64, cause: &str) -> Event {
    Event::SampleFailed {
        sample: number,
        at_ms: Millis::default(),
        latency_ms: Millis(Duration::from_millis(12)),
        cause: cause.to_owned(),
        hopeless: false,
    }
}

fn note(note: Note) -> Event {
    Event::Note {
        sample: 1,
        at_ms: Millis::default(),
        note,
    }
}

fn progress(message: &str) -> Note {
    Note::Progress {
        progress: 3.0,
        total: Some(9.0),
        message: Some(message.to_owned()),
    }
}

fn timeout() -> Ending {
    Ok(WaitResult {
        reason: Reason::Timeout,
        last_observation: Arc::from("a"),
        elapsed_sec: 120,
        samples: 1,
        effective_max_wait_sec: 120,
    })
}

#[test]
fn a_log_has_a_line_for_each_change() {
    let mut told = Told::log();
    told.hear(1.0, round(1));
    told.hear(1.0, sample(1, "a\nb"));
    told.hear(3.0, sample(2, "a\nb"));
    told.hear(65.0, sample(3, "a\nc"));
    assert_eq!(
        told.said(),
        "  0:01  sample 1, 12 ms: b\n  1:05  sample 3, 12 ms: changed: c\n"
    );
}

#[test]
fn w16_what_is_ignored_is_no_change() {
    let mut with_ignore = call();
    with_ignore["ignore"] = json!("\\d+");
    let mut told = Told::new(Form::Log, with_ignore, 1);
    told.hear(0.0, sample(1, "at 1"));
    told.hear(1.0, sample(2, "at 2"));
    assert_eq!(told.said().lines().count(), 1);
}

#[test]
fn a_failure_is_told_once_and_so_is_its_end() {
    let mut told = Told::log();
    told.hear(0.0, sample(1, "a"));
    told.hear(2.0, failure(2, "refused"));
    told.hear(4.0, failure(3, "refused"));
    told.hear(6.0, failure(4, "reset"));
    told.hear(8.0, sample(5, "a"));
    assert_eq!(
        told.said(),
        "  0:00  sample 1, 12 ms: a\n\
         \x20 0:02  sample 2, 12 ms: failed: refused\n\
         \x20 0:06  sample 4, 12 ms: failed: reset\n\
         \x20 0:08  sample 5, 12 ms: a\n"
    );
}

#[test]
fn a_log_has_a_heartbeat_thirty_seconds_after_the_last_word() {
    let mut told = Told::log();
    told.tick(29.9);
    assert_eq!(told.said(), "");
    told.tick(30.0);
    assert_eq!(told.said(), "  0:30  still connecting, 0:30\n");
    told.hear(40.0, round(1));
    told.hear(40.0, sample(1, "a"));
    told.said();
    told.tick(69.75);
    assert_eq!(told.said(), "");
    told.tick(70.0);
    assert_eq!(
        told.said(),
        "  1:10  still waiting, 0:30, 1:30 left, 1 sample\n"
    );
    told.tick(99.0);
    assert_eq!(told.said(), "");
    told.tick(100.0);
    assert_eq!(told.said().lines().count(), 1);
}

#[test]
fn a_lost_connection_is_a_change_and_progress_is_none() {
    let mut told = Told::log();
    told.hear(1.0, note(progress("building")));
    told.hear(2.0, note(Note::Reconnecting));
    told.hear(3.0, note(Note::Reconnected));
    assert_eq!(
        told.said(),
        "  0:02  the connection is lost; reconnecting\n  0:03  reconnected\n"
    );
}

#[test]
fn the_line_has_spinner_time_samples_and_the_newest_line() {
    let mut told = Told::line();
    told.tick(0.25);
    assert_eq!(
        told.said(),
        format!("{}◓ ci ▸ run  connecting, 0:00", "\r\x1b[2K")
    );
    told.hear(2.0, round(1));
    told.hear(2.0, sample(1, "a\nb\n"));
    told.said();
    told.tick(49.0);
    assert_eq!(
        told.said(),
        "\r\x1b[2K◑ ci ▸ run  0:47, 1:13 left, 1 sample  │ b"
    );
    told.hear(50.0, failure(2, "refused\nby host"));
    assert_eq!(
        told.said(),
        "\r\x1b[2K◑ ci ▸ run  0:48, 1:12 left, 1 sample, 1 failed  ! refused…"
    );
    told.hear(51.0, note(progress("p")));
    assert_eq!(
        told.said(),
        "\r\x1b[2K◑ ci ▸ run  0:49, 1:11 left, 1 sample, 1 failed  · progres…"
    );
}

#[test]
fn a_flood_of_notes_is_drawn_now_and_then() {
    let mut told = Told::line();
    for number in 0..1_000 {
        told.hear(f64::from(number) / 10_000.0, note(progress("p")));
    }
    assert_eq!(told.said().matches("\r\x1b[2K").count(), 2);
}

#[test]
fn a_sentence_takes_the_line_away_and_its_text_is_cleaned() {
    let mut told = Told::line();
    told.tick(1.0);
    told.said();
    told.live.say("odd\u{1b}[31m\rthing");
    assert_eq!(told.said(), "\r\x1b[2Kodd␛[31m␍thing\n");
    told.live.say("more");
    assert_eq!(told.said(), "more\n");
}

#[test]
fn rounds_are_counted_where_there_are_several() {
    let mut told = Told::new(Form::Log, call(), 3);
    told.hear(0.0, round(1));
    told.hear(120.0, round(2));
    assert_eq!(told.said(), "  2:00  round 2 of 3\n");
    told.tick(151.0);
    assert_eq!(
        told.said(),
        "  2:31  still waiting, 0:31, 1:29 left, 0 samples, round 2 of 3\n"
    );
    told.live.end(&timeout());
    assert_eq!(
        told.said(),
        "✖ timeout after 120 s, 1 sample, in round 2 of 3\n"
    );
}

#[test]
fn w14_a_timeout_names_the_failure_of_the_last_sample() {
    let mut told = Told::log();
    told.hear(0.0, failure(1, "refused"));
    told.said();
    told.live.end(&timeout());
    assert_eq!(
        told.said(),
        "✖ timeout after 120 s, 1 sample; the last sample failed: refused\n"
    );
}

#[test]
fn an_error_is_its_own_sentence() {
    let mut told = Told::log();
    let error = WaitError::Cancelled { samples: 2 };
    told.live
        .end(&Err(WaitFailure::before_the_first_sample(error)));
    assert_eq!(told.said(), "✖ the wait was cancelled after 2 samples\n");
}

#[test]
fn quiet_says_nothing() {
    let mut told = Told::new(Form::Quiet, call(), 2);
    told.hear(0.0, Event::WaitStarted(header()));
    told.hear(0.0, round(1));
    told.hear(0.0, sample(1, "a"));
    told.hear(1.0, failure(2, "refused"));
    told.hear(2.0, round(2));
    told.tick(99.0);
    told.live.say("sentence");
    told.live.end(&timeout());
    assert_eq!(told.said(), "");
}

fn header() -> Header {
    Header {
        version: 1,
        started_at: String::new(),
        server: "ci".to_owned(),
        name: None,
        wait: call(),
        rounds: 1,
    }
}
