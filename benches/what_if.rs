//! What if over a wait with large outputs: what a keystroke costs until the sample in view answers, and
//! what all samples cost from their recording.
//!
//! Run with `cargo bench --bench what_if`. There are 300 samples of 256 KiB, all of them different.
//! Beside each number stands a plain search of the `regex` crate over the same bytes, made in the same
//! run, since a number alone says more about the machine than about us.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use criterion::Criterion;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use regex::Regex;
use serde_json::{Value, json};
use stakeout::app::ServerRow;
use stakeout::store::{RecordingReader, RecordingWriter};
use stakeout::tui::Start;
use stakeout::tui::assess::assess;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::model::Model;
use stakeout::tui::update::{open, update};
use stakeout::wait::{Call, Event, FORMAT_VERSION, Header, Millis, Sample, WhatIf};

const SAMPLES: u64 = 300;
/// The largest observation of a wait.
const OBSERVATION: usize = 262_144;
/// A condition that no sample meets, so that every one is searched to its end.
const PATTERN: &str = r"(?m)^job \d+: lost$";

/// A log of that size, as no other sample has it.
fn observation(sample: u64) -> Arc<str> {
    let mut log = format!("sample {sample}\n");
    for job in 0.. {
        let line = format!("job {job}: {} of 9000 tests have passed\n", job * 7 % 9000);
        if log.len() + line.len() > OBSERVATION {
            break;
        }
        log.write_str(&line).unwrap();
    }
    log.push_str(&".".repeat(OBSERVATION - log.len()));
    log.into()
}

fn call(pattern: &str) -> Value {
    json!({
        "probe": { "server": "demo", "tool": "job_logs", "args": {} },
        "until": { "matches": pattern }, "poll_sec": 1, "max_wait_sec": 300,
    })
}

fn story() -> Vec<Event> {
    let mut story = vec![
        Event::WaitStarted(Header {
            version: FORMAT_VERSION,
            started_at: "2026-11-30T20:15:01Z".to_owned(),
            server: "demo".to_owned(),
            name: None,
            wait: call("never"),
            rounds: 1,
        }),
        Event::RoundStarted {
            round: 1,
            at_ms: Millis::default(),
            effective_max_wait_sec: 300,
        },
    ];
    story.extend((1..=SAMPLES).map(|sample| {
        let text = observation(sample);
        Event::Sample(Sample {
            sample,
            at_ms: Millis(Duration::from_secs(sample - 1)),
            latency_ms: Millis::default(),
            bytes: text.len(),
            tool_error: false,
            same_as: None,
            text_left_out: false,
            text: Some(text),
        })
    }));
    story
}

fn demo() -> ServerRow {
    ServerRow {
        name: "demo".to_owned(),
        source: "built in".to_owned(),
        given: false,
        reach: String::new(),
        shadowed: false,
        disabled: false,
        approval: None,
    }
}

/// The screen, with what belongs to the sample in view answered.
struct Session(Model);

impl Session {
    /// What if of a wait that has told `story`.
    fn asking(story: &[Event]) -> Self {
        let look = Look {
            theme: Theme::Dark,
            unicode: true,
        };
        let mut session = Self(Model::new(look, (80, 24), vec![demo()], &[]));
        let start = Start {
            call: Some(call("never")),
            rounds: 1,
            ..Start::default()
        };
        let effects = open(&mut session.0, start);
        session.answer(effects);
        session.key(KeyCode::Esc);
        session.key(KeyCode::Char('r'));
        let wait = session.0.watched.expect("a wait runs");
        for event in story {
            session.tell(Msg::Told {
                wait,
                event: event.clone(),
                changed: true,
            });
        }
        session.key(KeyCode::Char('i'));
        for _ in 0.."never".len() {
            session.key(KeyCode::Backspace);
        }
        for character in PATTERN.chars() {
            session.key(KeyCode::Char(character));
        }
        let asked = session.0.what_if().unwrap().call().unwrap();
        assert_eq!(asked.until().pattern().unwrap().source(), PATTERN);
        session
    }

    fn tell(&mut self, msg: Msg) {
        let effects = update(&mut self.0, msg);
        self.answer(effects);
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let msg = match effect {
                Effect::Assess {
                    id,
                    draft,
                    schema,
                    observed,
                } => Msg::Assessed {
                    id,
                    assessment: Box::new(assess(
                        &draft,
                        schema.as_deref(),
                        observed.as_ref(),
                        &|| true,
                    )),
                },
                Effect::Resolve { id, .. } => Msg::Resolved {
                    id,
                    server: Ok("demo".to_owned()),
                    fault: None,
                },
                other => {
                    black_box(other);
                    continue;
                }
            };
            self.tell(msg);
        }
    }

    fn key(&mut self, code: KeyCode) {
        self.tell(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

/// From the key to the answer of the sample in view, the explanation of why it doesn't match included.
fn keystroke(criterion: &mut Criterion, story: &[Event]) {
    let mut session = Session::asking(story);
    let Some(Event::Sample(newest)) = story.last() else {
        panic!("the newest event is a sample");
    };
    let text = newest.text.clone().unwrap();
    let regex = Regex::new(PATTERN).unwrap();
    let mut group = criterion.benchmark_group("the sample in view");
    let mut typed = false;
    group.bench_function("a keystroke and its answer", |bencher| {
        bencher.iter(|| {
            session.key(if typed {
                KeyCode::Backspace
            } else {
                KeyCode::Char('x')
            });
            typed = !typed;
        });
    });
    group.bench_function("a plain search", |bencher| {
        bencher.iter(|| regex.is_match(black_box(&text)));
    });
    group.finish();
}

/// All samples, read from the disk and judged.
fn pass(criterion: &mut Criterion, story: &[Event], path: &Path) {
    let asked = Call::parse(&call(PATTERN)).unwrap();
    let regex = Regex::new(PATTERN).unwrap();
    let mut group = criterion.benchmark_group("all samples");
    group.bench_function("judged from a recording", |bencher| {
        bencher.iter(|| {
            let mut reader = RecordingReader::open(path).unwrap();
            let mut what_if = WhatIf::new(asked.clone());
            while let Some(event) = reader.next_event().unwrap() {
                black_box(what_if.hear(&event));
            }
            assert!(what_if.stopped().is_none());
        });
    });
    group.bench_function("judged from memory", |bencher| {
        bencher.iter(|| {
            let mut what_if = WhatIf::new(asked.clone());
            for event in story {
                black_box(what_if.hear(event));
            }
            assert!(what_if.stopped().is_none());
        });
    });
    group.bench_function("plain searches", |bencher| {
        bencher.iter(|| {
            let texts = story.iter().filter_map(|event| match event {
                Event::Sample(sample) => sample.text.as_deref(),
                _ => None,
            });
            assert!(!texts.into_iter().any(|text| regex.is_match(text)));
        });
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    let story = story();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.wait.jsonl");
    let mut writer = RecordingWriter::create(&path).unwrap();
    for event in &story {
        writer.append(event).unwrap();
    }
    keystroke(&mut criterion, &story);
    pass(&mut criterion, &story, &path);
    criterion.final_summary();
}
