//! Random keys and messages at random sizes: nothing panics, the focus is always on something that
//! can be seen, and no key acts on what lies under a pane. `STAKEOUT_DRAWS` says how many drawings are made, `STAKEOUT_SEED` which.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stakeout::app::{
    Batch, EntryOffer, Extent, LibraryChanged, Opened, SaveLook, SavedSpec, ServerState,
};
use stakeout::mcp::{Direction, LogEntry, LogKind, Page, Tool, TraceEntry, TraceKind};
use stakeout::store::{SaveError, SpecFile};
use stakeout::tui::argument_lines;
use stakeout::tui::bench::{Focus, Pane};
use stakeout::tui::journal::{News, Part};
use stakeout::tui::keys::{Context, Keymap};
use stakeout::tui::layer::Layer;
use stakeout::tui::layout;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Id, Msg, ServerList};
use stakeout::tui::model::Place;
use stakeout::tui::rows::Rows;
use stakeout::tui::search::Found;
use stakeout::wait::{Call, Event, Note, Reason, Sample, WaitError, WaitFailure};

use crate::form::hard;
use crate::harness::{Session, demo_tools, listed, millis, rollout, server, servers, tool};

/// Drawings of one session.
const DRAWS: usize = 20;

/// What opens a pane, and what is pressed in one.
const PANES: [&str; 12] = [
    "L", "T", "W", "/", "v", "d", "w", "Ctrl-R", "3", "space", "R", "x",
];

const CALL: &str =
    r#"{"probe": {"tool": "job_logs", "args": {}}, "until": {"quiet_for_sec": 9}, "ignore": "x"}"#;

/// Every key that means something somewhere, and those that edit text, by name.
fn keys() -> Vec<String> {
    let keymap = Keymap::default();
    let mut names: Vec<String> = Vec::new();
    for context in Context::ALL {
        for binding in keymap.bindings(context) {
            names.extend(binding.keys_in(context).map(|key| key.to_string()));
        }
    }
    names.extend(["Ctrl-Z", "Backspace", "Delete"].map(str::to_owned));
    names.sort();
    names.dedup();
    names
}

#[derive(Debug, Clone)]
enum Step {
    Key(String),
    Text(String),
    Paste(String),
    Call(bool),
    Resize(u16, u16),
    Time(u64),
    Answer(String, bool),
    Sample(String, bool),
    Fail(String),
    Note(String),
    /// Something new in the journal that is read.
    News(String),
    Servers(String, bool),
    /// What connecting answers from now on: tools, a failure, or nothing at all.
    Connects(Option<bool>),
    /// How the demo stands.
    Stands(Option<(bool, String)>),
    Trusted(Result<(), String>),
    /// A recording of so many samples is opened.
    Recording(u64),
    /// What becomes of a change of saved files.
    Changed(Result<String, String>),
    TryFails(String),
    /// What saving would do, and what became of it.
    Saving(String, bool),
    Round(u32),
    /// Answers that nobody waits for.
    Late(String),
    End(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![1..=30_u16, 55..=125_u16, 1..=500_u16];
    prop_oneof![
        12 => prop::sample::select(keys()).prop_map(Step::Key),
        3 => prop::sample::select(&PANES[..]).prop_map(|key| Step::Key(key.to_owned())),
        2 => "\\PC{0,6}".prop_map(Step::Text),
        1 => "(?s).{0,40}".prop_map(Step::Paste),
        1 => any::<bool>().prop_map(Step::Call),
        3 => (size.clone(), size).prop_map(|(columns, rows)| Step::Resize(columns, rows)),
        1 => (0..5000_u64).prop_map(Step::Time),
        1 => ("(?s).{0,300}", any::<bool>()).prop_map(|(text, error)| Step::Answer(text, error)),
        3 => ("(?s).{0,300}", any::<bool>()).prop_map(|(text, error)| Step::Sample(text, error)),
        1 => "(?s).{0,300}".prop_map(Step::Fail),
        1 => "(?s).{0,80}".prop_map(Step::Note),
        2 => "(?s).{0,300}".prop_map(Step::News),
        1 => ("(?s).{0,20}", any::<bool>()).prop_map(|(name, good)| Step::Servers(name, good)),
        1 => any::<Option<bool>>().prop_map(Step::Connects),
        1 => prop::option::of((any::<bool>(), "(?s).{0,80}")).prop_map(Step::Stands),
        1 => prop::result::maybe_err(Just(()), "(?s).{0,80}").prop_map(Step::Trusted),
        1 => (0..40_u64).prop_map(Step::Recording),
        1 => prop::result::maybe_err("(?s).{0,80}", "(?s).{0,80}").prop_map(Step::Changed),
        1 => "(?s).{0,300}".prop_map(Step::TryFails),
        2 => ("\\PC{0,90}", any::<bool>()).prop_map(|(text, good)| Step::Saving(text, good)),
        1 => (1..9_u32).prop_map(Step::Round),
        1 => "(?s).{0,20}".prop_map(Step::Late),
        1 => any::<bool>().prop_map(Step::End),
    ]
}

#[test]
fn u5_random_sessions_at_random_sizes() {
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let draws = number("STAKEOUT_DRAWS").unwrap_or(1000);
    let clock = || UNIX_EPOCH.elapsed().map_or(0, |now| now.as_micros() as u64);
    let seed = number("STAKEOUT_SEED").unwrap_or_else(clock);
    let config = Config {
        cases: u32::try_from(draws.div_ceil(DRAWS as u64)).unwrap(),
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let steps = prop::collection::vec(prop::collection::vec(step(), 1..6), DRAWS);
    let look = (prop::sample::select(&Theme::ALL[..]), any::<bool>());
    let sessions = (look, steps);
    let played = TestRunner::new_with_rng(config, rng).run(&sessions, |(look, steps)| {
        play(look, &steps);
        Ok(())
    });
    if let Err(error) = played {
        panic!("with STAKEOUT_SEED={seed} STAKEOUT_DRAWS={draws}: {error}");
    }
}

fn play((theme, unicode): (Theme, bool), batches: &[Vec<Step>]) {
    let look = Look { theme, unicode };
    let mut session = Session::with(look, (80, 24), servers());
    session.connects = Some(Ok(tools()));
    listed(&mut session);
    session.keys("Enter Shift-Tab R Tab g Enter");
    assert!(session.model.bench.draft.arguments().form().is_some());
    let (mut now, mut sample) = (0, 0);
    for batch in batches {
        for step in batch {
            take(&mut session, step, &mut now, &mut sample);
        }
        session.screen();
        focus_is_visible(&session);
    }
}

/// The demo's, and one with every kind of argument.
fn tools() -> Vec<Tool> {
    let mut tools = demo_tools();
    let mut pods = tool("pods", "A tool with every kind of argument");
    pods.input_schema = hard();
    tools.insert(0, pods);
    tools
}

fn take(session: &mut Session, step: &Step, now: &mut u64, sample: &mut u64) {
    let running = session.model.wait().is_some_and(|wait| wait.is_running());
    match step {
        Step::Key(name) => press(session, name),
        Step::Text(text) => drop(session.types(text)),
        Step::Paste(text) => drop(session.tell(Msg::Paste(text.clone()))),
        Step::Call(known) => {
            session.tell(Msg::Paste(CALL.to_owned()));
            if let Effect::Resolve { id, .. } = *session.last() {
                let candidates = Vec::new();
                let server = if *known {
                    Ok("ci".to_owned())
                } else {
                    Err(WaitError::ServerAmbiguous { candidates })
                };
                let fault = None;
                session.tell(Msg::Resolved { id, server, fault });
            }
        }
        Step::Resize(columns, rows) => drop(session.resize(*columns, *rows)),
        Step::Time(millis) => {
            *now += millis;
            session.tell(Msg::Tick {
                now: Duration::from_millis(*now),
            });
        }
        Step::Answer(text, error) if matches!(session.last(), Effect::Try { .. }) => {
            session.tried(text, *error);
        }
        Step::Sample(text, error) if running => {
            *sample += 1;
            session.observed(*sample, *now, &Arc::from(text.as_str()), *error);
        }
        Step::Fail(cause) if running => {
            *sample += 1;
            session.failed(*sample, *now, cause);
        }
        Step::Note(text) if running => {
            let note = Note::Log {
                level: "info".to_owned(),
                text: text.clone(),
            };
            session.note(*sample, note);
        }
        Step::News(text) => news(session, text),
        Step::Servers(name, good) => servers_listed(session, name, *good),
        Step::Connects(answer) => {
            session.connects = answer.map(|good| match good {
                true => Ok(tools()),
                false => Err(WaitError::ServerUnavailable {
                    server: "demo".to_owned(),
                    step: "initialize".to_owned(),
                    cause: "exit code 1".to_owned(),
                }),
            });
        }
        Step::Stands(state) => {
            let state = state.clone().map(|(lost, reason)| match lost {
                true => ServerState::Lost { reason },
                false => ServerState::Failed {
                    reason,
                    unauthorized: false,
                },
            });
            session.stand("demo", state);
        }
        Step::Trusted(answer) => {
            if let Effect::Approve { id, .. } = *session.last() {
                let result = answer.clone().map(|()| servers());
                session.tell(Msg::Approved { id, result });
            }
        }
        Step::Recording(samples) => recording(session, *samples),
        Step::Changed(answer) => {
            if let Effect::ChangeLibrary { id, .. } = *session.last() {
                let result = answer.clone().map(|name| LibraryChanged::Restored {
                    path: PathBuf::from(&name),
                    name,
                });
                session.tell(Msg::LibraryChanged { id, result });
            }
        }
        Step::TryFails(cause) => {
            if let Effect::Try { id, .. } = *session.last() {
                let error = WaitError::ProbeFailed {
                    tool: "t".to_owned(),
                    sample: 1,
                    cause: cause.clone(),
                };
                let result = Err(error);
                session.tell(Msg::Tried { id, result });
            }
        }
        Step::Saving(text, good) => saving(session, text, *good),
        Step::Round(round) if running => drop(session.round(*round)),
        Step::Late(text) => late(session, text),
        Step::End(true) if running => {
            session.ends_with(Reason::Timeout, 120, *sample, &rollout(1));
        }
        Step::End(false) if running => {
            session.fails_with(WaitError::Cancelled { samples: *sample });
        }
        _ => {}
    }
}

/// Answers for the dialog that saves.
fn saving(session: &mut Session, text: &str, good: bool) {
    match session.last().clone() {
        Effect::LookAtSaving { id, .. } => {
            let look = SaveLook {
                path: Ok(text.into()),
                exists: good,
                entry: EntryOffer::Possible {
                    advised: good,
                    variables: vec![text.to_owned()],
                    reach: text.to_owned(),
                },
            };
            session.tell(Msg::SaveLooked { id, look });
        }
        Effect::SaveSpec { id, request } => {
            let file = SpecFile::of(Path::new(text), text);
            let spec = request.spec;
            let variables = vec![text.to_owned()];
            let result = match good {
                true => Ok(Box::new(SavedSpec {
                    file,
                    spec,
                    variables,
                })),
                false => Err(SaveError::Exists(text.into())),
            };
            session.tell(Msg::SpecSaved { id, result });
        }
        _ => {}
    }
}

/// The recording that is chosen opens, if one is.
fn recording(session: &mut Session, samples: u64) {
    session.keys("3 Enter");
    let Effect::OpenRecording { wait, path } = session.last().clone() else {
        return;
    };
    let call = serde_json::from_str(CALL).unwrap();
    let opened = Opened {
        path,
        server: "demo".to_owned(),
        call: Call::parse(&call).unwrap(),
        rounds: 1,
        started: "once".to_owned(),
    };
    session.tell(Msg::RecordingOpened {
        wait,
        result: Ok(Box::new(opened)),
    });
    let sample = |sample: u64| {
        let text: Arc<str> = format!("{}\n\u{1b}[1m状态", sample / 3).into();
        let event = Event::Sample(Sample {
            sample,
            at_ms: millis(sample * 700),
            latency_ms: millis(sample),
            bytes: text.len(),
            tool_error: sample.is_multiple_of(5),
            same_as: None,
            text_left_out: false,
            text: (!sample.is_multiple_of(7)).then_some(text),
        });
        (event, sample.is_multiple_of(3))
    };
    let extent = match samples % 4 {
        0 => Extent::Whole,
        1 => Extent::Growing,
        2 => Extent::CutOff,
        _ => Extent::Broken("line 3: it is broken".to_owned()),
    };
    let batch = Batch {
        events: (1..=samples).map(sample).collect(),
        extent,
        ending: None,
    };
    session.tell(Msg::RecordingRead { wait, batch });
}

/// What lies under a log, a trace or the help stays as it is.
fn press(session: &mut Session, name: &str) {
    let below = |session: &Session| {
        let bench = &session.model.bench;
        let waits: Vec<Id> = session.model.waits.keys().copied().collect();
        let (draft, trying) = (format!("{:?}", bench.draft), &bench.attempt.in_flight);
        (draft, bench.focus, waits, format!("{trying:?}"))
    };
    let top = session.model.layers.last();
    let covered = matches!(top, Some(Layer::Journal(_) | Layer::Help(_)));
    let before = below(session);
    session.keys(name);
    if covered {
        assert_eq!(below(session), before, "{name}");
    }
}

/// Lines or messages with that text.
fn news(session: &mut Session, text: &str) {
    let Some(Effect::FollowJournal { id, part, from, .. }) = session.reads.clone() else {
        return;
    };
    let number = from.unwrap_or_default();
    let at = Duration::from_millis(number);
    let (next, oldest) = (number + 1, number.saturating_sub(30));
    let kind = match number % 3 {
        0 => LogKind::Stderr,
        1 => LogKind::Trouble,
        _ => LogKind::Message {
            level: "info".to_owned(),
            logger: Some(text.to_owned()),
        },
    };
    let text = text.to_owned();
    let news = match part {
        Part::Log => News::Log {
            page: Page {
                entries: vec![Arc::new(LogEntry {
                    number,
                    at,
                    kind,
                    text,
                })],
                next,
                oldest,
            },
            noise: number,
        },
        Part::Messages => News::Messages(Page {
            entries: vec![Arc::new(TraceEntry {
                number,
                at,
                direction: Direction::Received,
                kind: TraceKind::Notification,
                method: Some(text.clone()),
                id: None,
                latency: Some(at),
                bytes: text.len(),
                text: format!("{{\"params\":[{text}"),
            })],
            next,
            oldest,
        }),
    };
    session.tell(Msg::Journal { id, news });
}

fn late(session: &mut Session, text: &str) {
    let id = Id(u64::MAX);
    for msg in [
        Msg::Added {
            id,
            result: Err(text.to_owned()),
        },
        Msg::Discovered {
            id,
            result: Err(text.to_owned()),
        },
        Msg::Approved {
            id,
            result: Err(text.to_owned()),
        },
        Msg::Explained { id, why: None },
        Msg::Searched {
            id,
            found: Arc::new(Found::default()),
        },
        Msg::AspectRead {
            id,
            text: Arc::from(text),
        },
        Msg::LaidOut {
            id,
            rows: Arc::new(Rows::of(text, None, 1)),
        },
        Msg::Journal {
            id,
            news: News::Messages(Page {
                entries: Vec::new(),
                next: 1,
                oldest: 0,
            }),
        },
        Msg::Tried {
            id,
            result: Err(WaitError::Cancelled { samples: 0 }),
        },
        Msg::Ended {
            wait: id,
            ending: Err(WaitFailure::before_the_first_sample(WaitError::Cancelled {
                samples: 0,
            })),
        },
    ] {
        session.tell(msg);
    }
}

/// Answers what asks for servers.
fn servers_listed(session: &mut Session, name: &str, good: bool) {
    let mut servers = servers();
    servers.insert(0, server(name, "added here"));
    let problems = vec![name.to_owned()];
    let list = ServerList { servers, problems };
    let problem = Err(name.to_owned());
    match *session.last() {
        Effect::AddServer { id, .. } => {
            let result = if good {
                Ok((name.to_owned(), list))
            } else {
                problem
            };
            session.tell(Msg::Added { id, result });
        }
        Effect::Discover { id } => {
            let result = if good {
                Ok((name.len(), list))
            } else {
                Err(name.to_owned())
            };
            session.tell(Msg::Discovered { id, result });
        }
        _ => {}
    }
}

fn focus_is_visible(session: &Session) {
    let model = &session.model;
    if model.place != Place::Bench || layout::too_small(model) {
        return;
    }
    let areas = layout::bench(model);
    let visible = match model.bench.focus.pane() {
        Pane::Tool => areas.tool_line.or(areas.tools).or(areas.servers),
        Pane::Arguments => areas.arguments,
        Pane::Until => areas.until,
        Pane::Preview => areas.preview,
    };
    let area = visible.expect("the focused pane is on the screen");
    assert!(
        layout::inside(area).height > 0 && layout::inside(area).width > 0,
        "{areas:?}"
    );
    if let Focus::Argument(_) = model.bench.focus {
        let width = usize::from(layout::inside(area).width);
        let lines = argument_lines::lines(&model.bench, width);
        let described = argument_lines::description_rows(&model.bench, width);
        let (fields, _) = layout::fields(layout::inside(area), described);
        let line = argument_lines::focused_line(&model.bench, &lines);
        let top = model.bench.args_top;
        assert!((top..top + usize::from(fields.height)).contains(&line));
    }
}
