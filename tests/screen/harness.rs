//! A session on a terminal that is a buffer: keys go in, drawings come out, and effects are
//! performed by a plain function whose answers a test scripts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use serde_json::Value;
use stakeout::app::{
    Connected, LibraryList, Preview, RecordedWait, ServerRow, ServerState, ServerStates, Tried,
};
use stakeout::mcp::Tool;
use stakeout::store::Folders;
use stakeout::text::diff;
use stakeout::tui::Start;
use stakeout::tui::assess::assess;
use stakeout::tui::bench::Focus;
use stakeout::tui::document::Highlights;
use stakeout::tui::draft::Input;
use stakeout::tui::json_tokens::JsonTokens;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Id, Msg};
use stakeout::tui::model::Model;
use stakeout::tui::search::Found;
use stakeout::tui::update::{open, update};
use stakeout::tui::view;
use stakeout::tui::what_if::Findings;
use stakeout::tui::why::why;
use stakeout::wait::{
    AfterSleep, Changes, Ending, Event, Millis, Note, Reason, Sample, WaitError, WaitFailure,
    WaitResult, WhatIf,
};
use unicode_width::UnicodeWidthStr;

/// Holds a drawing against its picture.
macro_rules! picture {
    ($name:expr, $session:expr) => {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!($name, $session.screen());
        });
    };
}
pub(crate) use picture;

/// Holds a session of 80x24 against its pictures at every size, and leaves it at 80x24.
macro_rules! pictures {
    ($name:literal, $session:expr) => {
        for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
            $session.resize(columns, rows);
            $crate::harness::picture!(format!("{}_{columns}x{rows}", $name), $session);
        }
        $session.resize(80, 24);
    };
}
pub(crate) use pictures;

pub const COLOUR: Look = Look {
    theme: Theme::Dark,
    unicode: true,
};

#[path = "harness/keys.rs"]
mod keys;
#[path = "harness/samples.rs"]
mod samples;
#[path = "harness/saved.rs"]
mod saved;

pub use keys::key;
pub use samples::{demo_tools, rollout, server, servers, tool};
pub use saved::{Shelf, listed};

pub struct Session {
    pub model: Model,
    /// Every effect but judging and searching, in order.
    pub asked: Vec<Effect>,
    /// What connecting answers, at once; nothing answers where it is `None`.
    pub connects: Option<Result<Vec<Tool>, WaitError>>,
    /// Whether judging and searching are done at once.
    pub judges: bool,
    /// Whether comparing takes too long.
    pub too_different: bool,
    /// What was kept on disk, in order: the tool, and what was written for it.
    pub drafts: Vec<(String, Option<Value>)>,
    /// What is saved, and what is told of it.
    pub library: LibraryList,
    pub previews: HashMap<PathBuf, Preview>,
    /// Where saved files really lie, where a test has some.
    pub folders: Option<Folders>,
    recordings: HashMap<Id, RecordedWait>,
    /// The judging that goes on.
    judging: Option<(Id, WhatIf)>,
    /// The last effect that follows the tools of a server.
    pub followed: Option<Effect>,
    /// The last effect that reads a journal.
    pub reads: Option<Effect>,
    /// Whose story is told, where that is not the wait on the Watch.
    about: Option<Id>,
    states: ServerStates,
    /// What the server sent with the samples, as long as it is kept.
    pub results: HashMap<u64, Value>,
    changes: HashMap<Id, Changes>,
    /// What each wait was told, by the sample that brought it first.
    texts: HashMap<Id, HashMap<Arc<str>, u64>>,
    terminal: Terminal<TestBackend>,
}

impl Session {
    /// A first start at 80x24: the demo server answers.
    pub fn start() -> Self {
        Self::at(80, 24)
    }

    pub fn at(columns: u16, rows: u16) -> Self {
        Self::with(COLOUR, (columns, rows), servers())
    }

    pub fn with(look: Look, size: (u16, u16), servers: Vec<ServerRow>) -> Self {
        Self::of(Model::new(look, size, servers, &[]))
    }

    pub fn with_problems(size: (u16, u16), problems: &[String]) -> Self {
        Self::of(Model::new(COLOUR, size, servers(), problems))
    }

    /// The screen that opens with a call.
    pub fn with_call(call: Value, rounds: u32) -> Self {
        let model = Model::new(COLOUR, (80, 24), servers(), &[]);
        let start = Start {
            call: Some(call),
            rounds,
            ..Start::default()
        };
        Self::opened(model, start)
    }

    pub fn of(model: Model) -> Self {
        Self::opened(model, Start::default())
    }

    pub fn opened(model: Model, start: Start) -> Self {
        let size = (model.columns, model.rows);
        let mut session = Self {
            model,
            asked: Vec::new(),
            connects: Some(Ok(demo_tools())),
            judges: true,
            too_different: false,
            drafts: Vec::new(),
            library: LibraryList::default(),
            previews: HashMap::new(),
            folders: None,
            recordings: HashMap::new(),
            judging: None,
            followed: None,
            reads: None,
            about: None,
            states: ServerStates::new(),
            results: HashMap::new(),
            changes: HashMap::new(),
            texts: HashMap::new(),
            terminal: Terminal::new(TestBackend::new(size.0, size.1)).unwrap(),
        };
        let effects = open(&mut session.model, start);
        session.perform(effects);
        session
    }

    pub fn tell(&mut self, msg: Msg) -> &mut Self {
        if let Msg::Resize { columns, rows } = msg {
            self.terminal.backend_mut().resize(columns, rows);
        }
        let effects = update(&mut self.model, msg);
        self.perform(effects);
        self
    }

    pub fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let answer = match effect {
                Effect::Assess {
                    id,
                    draft,
                    schema,
                    observed,
                } if self.judges => {
                    let found = assess(&draft, schema.as_deref(), observed.as_ref(), &|| true);
                    Some(Msg::Assessed {
                        id,
                        assessment: Box::new(found),
                    })
                }
                Effect::Highlight { id, text, patterns } if self.judges => {
                    let highlights = Highlights::find(&text, &patterns, &|| true);
                    Some(Msg::Highlighted { id, highlights })
                }
                Effect::Search { id, text, words } if self.judges => {
                    let found = Arc::new(Found::find(&text, &words, &|| true));
                    Some(Msg::Searched { id, found })
                }
                Effect::Tokenise { id, text } if self.judges => {
                    let tokens = JsonTokens::of(&text, &|| true).map(Arc::new);
                    Some(Msg::Tokenised { id, tokens })
                }
                Effect::ReadAspect { id, aspect, source } if self.judges => {
                    let kept = |sample| self.results.get(&sample).cloned().map(Arc::new);
                    let text = aspect.read(&source, &kept);
                    Some(Msg::AspectRead { id, text })
                }
                Effect::LayOut { id, unfinished } if self.judges => {
                    let rows = Arc::new(unfinished.lay_out());
                    Some(Msg::LaidOut { id, rows })
                }
                Effect::Explain { id, until, text } if self.judges => {
                    let why = why(&until, &text, &|| true);
                    Some(Msg::Explained { id, why })
                }
                Effect::Compare { id, texts } if self.judges => {
                    let [old, new] = texts;
                    let limit = Duration::from_secs(60);
                    let difference = diff(&old, &new, limit, &|| !self.too_different);
                    Some(Msg::Compared { id, difference })
                }
                Effect::JudgeMore { id, event } => {
                    let judging = self.judging.take_if(|(own, _)| *own == id);
                    judging.map(|(_, what_if)| self.judge(id, what_if, vec![*event]))
                }
                effect if saved::concerns(&effect) => self.saved(effect),
                Effect::FollowJournal { .. } => {
                    self.reads = Some(effect);
                    None
                }
                Effect::KeepDraft { tool, draft, .. } => {
                    self.drafts.push((tool, draft));
                    None
                }
                // What is followed changes when a test says so.
                Effect::FollowTools { .. } => {
                    self.followed = Some(effect);
                    None
                }
                effect => {
                    if let Effect::StartWait { wait, call, .. } = &effect {
                        let changes = Changes::new((**call).clone());
                        self.changes.insert(*wait, changes);
                    }
                    self.stands(&effect);
                    let judged = match &effect {
                        Effect::Judge(asked) if self.judges => {
                            let what_if = WhatIf::new(asked.call.clone());
                            Some(self.judge(asked.id, what_if, asked.story.clone()))
                        }
                        _ => None,
                    };
                    let answer = judged.or_else(|| self.answer(&effect));
                    self.asked.push(effect);
                    answer
                }
            };
            if let Some(answer) = answer {
                self.tell(answer);
            }
        }
    }

    /// Judges all of `events`.
    fn judge(&mut self, id: Id, mut what_if: WhatIf, events: Vec<Event>) -> Msg {
        let judged = events.iter().filter_map(|event| what_if.hear(event));
        let judged = judged.collect();
        let findings = Findings {
            judged,
            stop: what_if.stopped().cloned(),
            ending: Some(what_if.ending()),
            without_text: what_if.without_text(),
        };
        self.judging = Some((id, what_if));
        Msg::Judged { id, findings }
    }

    /// Tells how the server of an effect stands after it.
    fn stands(&mut self, effect: &Effect) {
        let (server, state) = match (effect, &self.connects) {
            (Effect::Disconnect { server }, _) => (server, None),
            (Effect::Connect { server, .. }, Some(Ok(_))) => (
                server,
                Some(ServerState::Connected {
                    protocol: "2025-11-25".to_owned(),
                    software: Some("stakeout-demo 0.1.0".to_owned()),
                }),
            ),
            (Effect::Connect { server, .. }, Some(Err(error))) => (
                server,
                Some(ServerState::Failed {
                    reason: error.to_string(),
                    unauthorized: false,
                }),
            ),
            _ => return,
        };
        let server = server.clone();
        self.stand(&server, state);
    }

    /// Tells how a server stands now.
    pub fn stand(&mut self, server: &str, state: Option<ServerState>) -> &mut Self {
        match state {
            Some(state) => self.states.insert(server.to_owned(), state),
            None => self.states.remove(server),
        };
        let states = self.states.clone();
        self.tell(Msg::Standing { states })
    }

    fn answer(&self, effect: &Effect) -> Option<Msg> {
        let Effect::Connect { id, server, .. } = effect else {
            return None;
        };
        let result = self.connects.clone()?.map(|tools| Connected {
            server: server.clone(),
            protocol: "2025-11-25".to_owned(),
            software: Some("stakeout-demo 0.1.0".to_owned()),
            tools,
            warnings: Vec::new(),
            announced: 0,
        });
        Some(Msg::Connected { id: *id, result })
    }

    /// Presses keys, named as the help names them and parted by spaces. `to-pattern` and the like
    /// stand for as many `Tab`s as lead to a field of the Bench, however many lie between.
    pub fn keys(&mut self, names: &str) -> &mut Self {
        for name in names.split_whitespace() {
            match keys::destination(name) {
                Some(focus) => self.tabs_to(focus),
                None => drop(self.tell(Msg::Key(key(name)))),
            }
        }
        self
    }

    fn tabs_to(&mut self, focus: Focus) {
        let form = self.model.bench.draft.arguments().form().is_some();
        if form && focus == Focus::Text(Input::Arguments) {
            self.keys("F2");
        }
        for _ in 0..100 {
            self.keys("Tab");
            if self.model.bench.focus == focus {
                return;
            }
        }
        panic!("{focus:?} is out of reach:\n{}", self.screen());
    }

    /// Types a text, key by key.
    pub fn types(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            self.tell(Msg::Key(KeyEvent::new(
                KeyCode::Char(character),
                KeyModifiers::NONE,
            )));
        }
        self
    }

    pub fn at_second(&mut self, seconds: f64) -> &mut Self {
        self.tell(Msg::Tick {
            now: Duration::from_secs_f64(seconds),
        })
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        self.tell(Msg::Resize { columns, rows })
    }

    pub fn buffer(&mut self) -> Buffer {
        let model = &self.model;
        self.terminal
            .draw(|frame| view::draw(model, frame))
            .unwrap();
        self.terminal.backend().buffer().clone()
    }

    /// What is on the screen, a line a row.
    pub fn screen(&mut self) -> String {
        let buffer = self.buffer();
        let area = buffer.area;
        let row = |y| {
            let mut row = String::new();
            let mut x = 0;
            while x < area.width {
                let symbol = buffer[(x, y)].symbol();
                row.push_str(symbol);
                // The cell behind a wide character is not seen.
                x += u16::try_from(symbol.width().max(1)).unwrap();
            }
            row.trim_end().to_owned() + "\n"
        };
        (0..area.height).map(row).collect()
    }

    pub fn cursor(&mut self) -> Option<(u16, u16)> {
        self.buffer();
        let shown = self.terminal.backend().cursor_visible();
        let position = self.terminal.backend().cursor_position();
        shown.then_some((position.x, position.y))
    }

    pub fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(
            screen.contains(text),
            "{text:?} is not on the screen:\n{screen}"
        );
        self
    }

    pub fn hides(&mut self, text: &str) -> &mut Self {
        let screen = self.screen();
        assert!(
            !screen.contains(text),
            "{text:?} is on the screen:\n{screen}"
        );
        self
    }

    /// The wait that was started last.
    pub fn wait(&self) -> Id {
        self.model.watched.expect("a wait was started")
    }

    /// From now on tells the story of that wait; of the one on the Watch with `None`.
    pub fn about(&mut self, wait: Option<Id>) -> &mut Self {
        self.about = wait;
        self
    }

    /// The effect that was asked for last.
    pub fn last(&self) -> &Effect {
        self.asked.last().expect("something was asked for")
    }

    /// Answers the try that is in flight.
    pub fn tried(&mut self, text: &str, tool_error: bool) -> &mut Self {
        self.tried_with(text, tool_error, Value::Null)
    }

    /// Answers the try that is in flight, with the result as the server sent it.
    pub fn tried_with(&mut self, text: &str, tool_error: bool, raw: Value) -> &mut Self {
        let Effect::Try { id, .. } = *self.last() else {
            panic!("{:?} is no try", self.last())
        };
        let tried = Tried {
            text: Arc::from(text),
            tool_error,
            latency: Duration::from_millis(12),
            raw,
        };
        self.tell(Msg::Tried {
            id,
            result: Ok(tried),
        })
    }

    pub fn told(&mut self, event: Event) -> &mut Self {
        let wait = self.about.unwrap_or_else(|| self.wait());
        let changes = self.changes.get_mut(&wait);
        let changed = changes.is_some_and(|changes| changes.see(&event));
        self.tell(Msg::Told {
            wait,
            event,
            changed,
        })
    }

    /// Tells that a round began.
    pub fn round(&mut self, round: u32) -> &mut Self {
        self.told(Event::RoundStarted {
            round,
            at_ms: millis(0),
            effective_max_wait_sec: 120,
        })
    }

    /// Tells a whole sample that started at `at` ms and took 12 ms, and the sleep after it.
    pub fn sample(&mut self, sample: u64, at: u64, text: &Arc<str>) -> &mut Self {
        self.observed(sample, at, text, false)
    }

    pub fn observed(
        &mut self,
        sample: u64,
        at: u64,
        text: &Arc<str>,
        tool_error: bool,
    ) -> &mut Self {
        self.tell(Msg::Tick {
            now: Duration::from_millis(at),
        });
        self.told(Event::SampleStarted {
            sample,
            at_ms: millis(at),
        });
        let wait = self.about.unwrap_or_else(|| self.wait());
        let texts = self.texts.entry(wait).or_default();
        let first = *texts.entry(Arc::clone(text)).or_insert(sample);
        self.told(Event::Sample(Sample {
            sample,
            at_ms: millis(at),
            latency_ms: millis(12),
            bytes: text.len(),
            tool_error,
            same_as: (first != sample).then_some(first),
            text_left_out: false,
            text: Some(Arc::clone(text)),
        }));
        self.sleeps(at + 12)
    }

    pub fn failed(&mut self, sample: u64, at: u64, cause: &str) -> &mut Self {
        self.tell(Msg::Tick {
            now: Duration::from_millis(at),
        });
        self.told(Event::SampleStarted {
            sample,
            at_ms: millis(at),
        });
        let cause = cause.to_owned();
        self.told(Event::SampleFailed {
            sample,
            at_ms: millis(at),
            latency_ms: millis(3),
            cause,
            hopeless: false,
        });
        self.sleeps(at + 3)
    }

    fn sleeps(&mut self, at: u64) -> &mut Self {
        let then = AfterSleep::Sample;
        self.told(Event::Sleeping {
            at_ms: millis(at),
            for_ms: millis(1000),
            then,
        })
    }

    pub fn note(&mut self, sample: u64, note: Note) -> &mut Self {
        self.told(Event::Note {
            sample,
            at_ms: millis(0),
            note,
        })
    }

    pub fn ends(&mut self, ending: Ending) -> &mut Self {
        let wait = self.about.unwrap_or_else(|| self.wait());
        self.tell(Msg::Ended { wait, ending })
    }

    pub fn ends_with(
        &mut self,
        reason: Reason,
        seconds: u64,
        samples: u64,
        text: &Arc<str>,
    ) -> &mut Self {
        self.ends(Ok(WaitResult {
            reason,
            last_observation: Arc::clone(text),
            elapsed_sec: seconds,
            samples,
            effective_max_wait_sec: 120,
        }))
    }

    pub fn fails_with(&mut self, error: WaitError) -> &mut Self {
        self.ends(Err(WaitFailure::before_the_first_sample(error)))
    }
}

pub fn millis(millis: u64) -> Millis {
    Millis(Duration::from_millis(millis))
}
