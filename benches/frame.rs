//! What a frame and a key cost on large texts.
//!
//! Run with `cargo bench --bench frame`. Frames are drawn at 200x60; beside them stands ratatui's own
//! `Paragraph` with the same visible lines, drawn in the same run, since a number alone says more about
//! the machine than about us. What is worked out beside the loop is done before, as it is on the screen.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::widgets::Paragraph;
use serde_json::json;
use stakeout::app::ServerRow;
use stakeout::text::diff;
use stakeout::tui::Start;
use stakeout::tui::assess::assess;
use stakeout::tui::document::Highlights;
use stakeout::tui::json_tokens::JsonTokens;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::model::Model;
use stakeout::tui::search::Found;
use stakeout::tui::update::{open, update};
use stakeout::tui::view;
use stakeout::tui::why::why;
use stakeout::wait::{Event, Millis, Sample};

const COLUMNS: u16 = 200;
const ROWS: u16 = 60;
/// The largest observation of a wait.
const OBSERVATION: usize = 262_144;

/// A JSON of that many bytes at least, as a build server writes it.
fn builds(bytes: usize, first: &str) -> Arc<str> {
    let mut jobs = Vec::new();
    let mut size = 0;
    for job in 0.. {
        let status = if job % 3 == 0 { "success" } else { first };
        let job = json!({ "job": job, "status": status, "steps": [1, 2.5, true, null], "log": "https://ci.example/log" });
        size += format!("{job:#}").len() + 40;
        jobs.push(job);
        if size >= bytes {
            break;
        }
    }
    format!("{:#}", json!({ "run_id": 4211, "jobs": jobs })).into()
}

/// A log of 100,000 lines, the last of them as given.
fn log(last: &str) -> Arc<str> {
    let mut log = String::new();
    for line in 1..100_000 {
        writeln!(log, "{line} step").unwrap();
    }
    writeln!(log, "{last}").unwrap();
    log.into()
}

/// One line of 1 MB.
fn line(last: &str) -> Arc<str> {
    format!("{}{last}", "all work and no play ".repeat(50_000)).into()
}

/// As many Han characters as an observation can hold.
fn han(last: &str) -> Arc<str> {
    format!("{}{last}", "状态完成等待中".repeat(OBSERVATION / 21)).into()
}

/// A script whose characters join one another: every one is measured for itself.
fn joining(last: &str) -> Arc<str> {
    format!("{}{last}", "नमस्ते दुनिया ".repeat(OBSERVATION / 38)).into()
}

/// The answer of what is worked out beside the loop.
fn answer(effect: Effect) -> Option<Msg> {
    let limit = Duration::from_secs(60);
    Some(match effect {
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
        Effect::Highlight { id, text, patterns } => Msg::Highlighted {
            id,
            highlights: Highlights::find(&text, &patterns, &|| true),
        },
        Effect::Search { id, text, words } => Msg::Searched {
            id,
            found: Arc::new(Found::find(&text, &words, &|| true)),
        },
        Effect::Tokenise { id, text } => Msg::Tokenised {
            id,
            tokens: JsonTokens::of(&text, &|| true).map(Arc::new),
        },
        Effect::LayOut { id, unfinished } => Msg::LaidOut {
            id,
            rows: Arc::new(unfinished.lay_out()),
        },
        Effect::Explain { id, until, text } => Msg::Explained {
            id,
            why: why(&until, &text, &|| true),
        },
        Effect::Compare {
            id,
            texts: [old, new],
        } => Msg::Compared {
            id,
            difference: diff(&old, &new, limit, &|| true),
        },
        _ => return None,
    })
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

/// The screen, all effects answered.
#[derive(Clone)]
struct Session(Model);

impl Session {
    /// A wait on the Watch, with those samples.
    fn watching(until: &str, samples: &[Arc<str>]) -> Self {
        let look = Look {
            theme: Theme::Dark,
            unicode: true,
        };
        let mut session = Self(Model::new(look, (COLUMNS, ROWS), vec![demo()], &[]));
        let call = json!({
            "probe": { "server": "demo", "tool": "job_logs", "args": {} },
            "until": { "matches": until },
        });
        let start = Start {
            call: Some(call),
            rounds: 1,
            ..Start::default()
        };
        let effects = open(&mut session.0, start);
        session.answer(effects);
        session.key(KeyCode::Esc).key(KeyCode::Char('r'));
        assert!(session.0.watched.is_some(), "{:?}", session.0.notice);
        for (sample, text) in (1..).zip(samples) {
            let wait = session.0.watched.unwrap();
            let event = Event::Sample(Sample {
                sample,
                at_ms: Millis(Duration::from_secs(sample)),
                latency_ms: Millis::default(),
                bytes: text.len(),
                tool_error: false,
                same_as: None,
                text_left_out: false,
                text: Some(Arc::clone(text)),
            });
            session.tell(Msg::Told {
                wait,
                event,
                changed: sample > 1,
            });
        }
        session
    }

    fn tell(&mut self, msg: Msg) {
        let effects = update(&mut self.0, msg);
        self.answer(effects);
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        for msg in effects.into_iter().filter_map(answer) {
            self.tell(msg);
        }
    }

    fn key(&mut self, code: KeyCode) -> &mut Self {
        self.tell(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        self
    }

    fn search(&mut self, words: &str) -> &mut Self {
        self.key(KeyCode::Char('/'));
        for character in words.chars() {
            self.key(KeyCode::Char(character));
        }
        self.key(KeyCode::Enter)
    }
}

/// What the key itself costs: the answers come later.
fn press(model: &mut Model, code: KeyCode) {
    let effects = update(model, Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    black_box(effects);
}

fn frames(criterion: &mut Criterion, name: &str, session: &Session) {
    let mut terminal = Terminal::new(TestBackend::new(COLUMNS, ROWS)).unwrap();
    let mut group = criterion.benchmark_group(format!("frame of {name}"));
    group.bench_function("stakeout", |bencher| {
        bencher.iter(|| {
            terminal
                .draw(|frame| view::draw(&session.0, frame))
                .map(drop)
        });
    });
    // The same visible lines, by ratatui's own widget.
    let document = session.0.reading().unwrap().document.as_ref().unwrap();
    let rows = document.visible(usize::from(ROWS));
    let visible: Vec<&str> = rows.map(|row| document.slice(row)).collect();
    let visible = visible.join("\n");
    group.bench_function("paragraph", |bencher| {
        bencher.iter(|| {
            let text = Paragraph::new(visible.as_str());
            terminal
                .draw(|frame| frame.render_widget(text, frame.area()))
                .map(drop)
        });
    });
    group.finish();
}

fn keys(criterion: &mut Criterion, name: &str, session: &Session) {
    let mut group = criterion.benchmark_group(format!("key on {name}"));
    let all = [
        ("scroll", KeyCode::PageDown),
        ("bottom", KeyCode::Char('G')),
        ("step", KeyCode::Left),
        ("wrap", KeyCode::Char('w')),
        ("numbers", KeyCode::Char('#')),
        ("next match", KeyCode::Char('n')),
    ];
    for (what, code) in all {
        group.bench_function(what, |bencher| {
            bencher.iter_batched_ref(
                || session.0.clone(),
                |model| press(model, code),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn texts(criterion: &mut Criterion) {
    let success = r#""status": "success""#;
    let json = [
        builds(OBSERVATION, "queued"),
        builds(OBSERVATION, "running"),
    ];
    let logs = [log("waiting"), log("done")];
    let all = [
        ("JSON of 256 KiB", success, json, "log"),
        ("100,000 lines", "done", logs, "step"),
        ("a line of 1 MB", "done", [line("a"), line("done")], "play"),
        (
            "256 KiB of Han characters",
            "done",
            [han("a"), han("done")],
            "等待",
        ),
        (
            "256 KiB of a joining script",
            "done",
            [joining("a"), joining("done")],
            "दुनिया",
        ),
    ];
    for (name, until, samples, words) in all {
        let mut session = Session::watching(until, &samples);
        session.search(words);
        frames(criterion, &format!("{name}, compared"), &session);
        session.key(KeyCode::Char('d'));
        frames(criterion, name, &session);
        keys(criterion, name, &session);
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    texts(&mut criterion);
    criterion.final_summary();
}
