//! Carrying out effects: each in a task of its own, its answer a message.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{Mutex, mpsc};
use tokio::task::{AbortHandle, JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

use super::super::aspect::{Aspect, Source};
use super::super::assess::assess;
use super::super::document::Highlights;
use super::super::json_tokens::JsonTokens;
use super::super::message::{Effect, Id, Msg, ServerList};
use super::super::search::Found;
use super::super::why::why;
use super::clipboard;
use super::journal::follow_journal;
use super::keeper::Keeper;
use super::questions::Open;
use super::recordings::Recordings;
use super::saved::Saved;
use super::what_if::Judging;
use crate::app::{Connected, CopyOf, RawPool, Servers, WaitRequest, WaitRun};
use crate::store::Folders;
use crate::text::diff;
use crate::wait::{Call, Changes, Notes, WaitError};

/// How long is searched in one text, or for how two differ.
const SEARCH: Duration = Duration::from_millis(50);
/// Time from an announcement of changed tools to the next listing: some servers announce a change
/// with every listing, or several in a row.
const BETWEEN_LISTINGS: Duration = Duration::from_millis(500);
/// How long waits may take to end when we leave.
const ENDING: Duration = Duration::from_secs(2);

/// Performs effects, and tells their answers.
pub(super) struct Performer {
    servers: Servers,
    keeper: Keeper,
    recordings: Recordings,
    saved: Saved,
    /// The waits' samples, judged by another condition.
    judging: Option<Judging>,
    questions: Open,
    tell: mpsc::UnboundedSender<Msg>,
    jobs: HashMap<Id, AbortHandle>,
    waits: HashMap<Id, Running>,
    /// The results of waits as they were sent.
    raw: RawPool,
}

/// A wait, and how to stop its round.
struct Running {
    run: Arc<Mutex<WaitRun>>,
    changes: Arc<std::sync::Mutex<Changes>>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Performer {
    /// Tells how the servers stand from now on, whoever uses them.
    pub(super) fn new(
        servers: Servers,
        keeper: Keeper,
        recordings: Recordings,
        folders: Folders,
        tell: mpsc::UnboundedSender<Msg>,
    ) -> Self {
        let (mut states, told) = (servers.follow_states(), tell.clone());
        tokio::spawn(async move {
            while let Some(states) = states.next().await {
                if told.send(Msg::Standing { states }).is_err() {
                    return;
                }
            }
        });
        servers.keep_traces();
        let questions = Open::listen(&servers, tell.clone());
        let texts = recordings.texts().clone();
        let saved = Saved::new(folders, servers.clone(), texts, tell.clone());
        Self {
            keeper,
            recordings,
            saved,
            judging: None,
            servers,
            questions,
            tell,
            jobs: HashMap::new(),
            waits: HashMap::new(),
            raw: RawPool::default(),
        }
    }

    /// Begins to carry out `effect`. What concerns the terminal itself is the loop's.
    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Connect { id, server, afresh } => self.connect(id, server, afresh),
            Effect::Disconnect { server } => {
                let servers = self.servers.clone();
                tokio::spawn(async move { servers.disconnect(&server).await });
            }
            Effect::FollowTools {
                id,
                server,
                announced,
            } => self.follow_tools(id, server, announced),
            Effect::FollowJournal {
                id,
                server,
                part,
                from,
                filter,
            } => {
                let journal = self.servers.journal(&server);
                self.job(id, async move {
                    let news = follow_journal(&journal, part, from, filter).await;
                    Msg::Journal { id, news }
                });
            }
            Effect::Answer {
                number,
                said,
                text,
                schema,
            } => (self.questions).answer(number, said, text, *schema, self.tell.clone()),
            Effect::Resolve { id, call } => self.resolve(id, call),
            Effect::Approve {
                id,
                server,
                fingerprint,
            } => self.approve(id, server, fingerprint),
            Effect::AddServer { id, line } => self.add_server(id, line),
            Effect::Discover { id } => self.discover(id),
            Effect::Try {
                id,
                server,
                tool,
                args,
            } => self.try_once(id, server, tool, args),
            Effect::Abandon { id } => {
                self.judging.take_if(|judging| judging.is(id));
                if let Some(job) = self.jobs.remove(&id) {
                    job.abort();
                }
            }
            Effect::Assess {
                id,
                draft,
                schema,
                observed,
            } => self.beside(move || {
                let (schema, observed, go_on) =
                    (schema.as_deref(), observed.as_ref(), time_limit());
                let assessment = Box::new(assess(&draft, schema, observed, &go_on));
                Msg::Assessed { id, assessment }
            }),
            Effect::Highlight { id, text, patterns } => self.beside(move || {
                let highlights = Highlights::find(&text, &patterns, &time_limit());
                Msg::Highlighted { id, highlights }
            }),
            Effect::Search { id, text, words } => self.beside(move || {
                let found = Arc::new(Found::find(&text, &words, &time_limit()));
                Msg::Searched { id, found }
            }),
            Effect::Tokenise { id, text } => self.beside(move || {
                let tokens = JsonTokens::of(&text, &time_limit()).map(Arc::new);
                Msg::Tokenised { id, tokens }
            }),
            Effect::ReadAspect { id, aspect, source } => self.read_aspect(id, aspect, source),
            Effect::LayOut { id, unfinished } => self.beside(move || {
                let rows = Arc::new(unfinished.lay_out());
                Msg::LaidOut { id, rows }
            }),
            Effect::Explain { id, until, text } => self.beside(move || {
                let why = why(&until, &text, &time_limit());
                Msg::Explained { id, why }
            }),
            Effect::Judge(question) => {
                let texts = self.recordings.texts().of(question.wait);
                let judging = Judging::begin(*question, texts, self.tell.clone());
                self.judging = Some(judging);
            }
            Effect::JudgeMore { id, event } => {
                if let Some(judging) = self.judging.as_ref().filter(|judging| judging.is(id)) {
                    judging.add(*event);
                }
            }
            Effect::Compare { id, texts } => self.beside(move || {
                let [old, new] = texts;
                let difference = diff(&old, &new, SEARCH, &time_limit());
                Msg::Compared { id, difference }
            }),
            Effect::ReadText { id, wait, sample } => self.recordings.read(id, wait, sample),
            Effect::KeepDraft {
                server,
                tool,
                draft,
            } => self.keeper.keep(server, tool, draft),
            Effect::LookAtSaving {
                id,
                server,
                place,
                name,
            } => {
                let servers = self.servers.clone();
                self.beside(move || {
                    let look = servers.look_at_saving(&server, &place, &name);
                    Msg::SaveLooked { id, look }
                });
            }
            Effect::SaveSpec { id, request } => {
                let servers = self.servers.clone();
                self.beside(move || {
                    let result = servers.save_spec(*request).map(Box::new);
                    Msg::SpecSaved { id, result }
                });
            }
            Effect::ListLibrary { .. }
            | Effect::ReadPreview { .. }
            | Effect::ReadKept { .. }
            | Effect::ChangeLibrary { .. }
            | Effect::OpenRecording { .. }
            | Effect::ReadRecording { .. } => self.saved.perform(effect),
            Effect::StartWait {
                wait,
                server,
                call,
                name,
                rounds,
            } => {
                let call = *call;
                let request = WaitRequest {
                    call,
                    server,
                    name,
                    rounds,
                };
                self.start(wait, request);
            }
            Effect::ContinueWait { wait } => self.go_on(wait),
            Effect::StopWait { wait } => self.stop(wait),
            Effect::ForgetWait { wait } => {
                self.waits.remove(&wait);
                self.recordings.forget(wait);
                self.saved.forget(wait);
                self.raw.of(wait.0).forget();
            }
            Effect::Copy(what) => self.copy(what),
            Effect::OpenEditor { .. }
            | Effect::SetClipboard { .. }
            | Effect::Ring
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Ends everything: waits as cancelled, then the servers and their children.
    pub(super) async fn end(self) {
        for job in self.jobs.values() {
            job.abort();
        }
        for running in self.waits.values() {
            running.stop.cancel();
        }
        let waits = self.waits.into_values().map(|running| running.task);
        let _ = tokio::time::timeout(ENDING, futures::future::join_all(waits)).await;
        self.recordings.end().await;
        self.keeper.end().await;
        self.servers.close().await;
    }

    fn connect(&mut self, id: Id, server: String, afresh: bool) {
        let servers = self.servers.clone();
        self.job(id, async move {
            if afresh {
                servers.disconnect(&server).await;
            }
            let result: Result<Connected, WaitError> = servers.connect(&server).await;
            Msg::Connected { id, result }
        });
    }

    fn follow_tools(&mut self, id: Id, server: String, announced: Option<u64>) {
        let servers = self.servers.clone();
        self.job(id, async move {
            if let Some(announced) = announced {
                servers.tools_changed(&server, announced).await;
                tokio::time::sleep(BETWEEN_LISTINGS).await;
            }
            let result = servers.connect(&server).await;
            Msg::Connected { id, result }
        });
    }

    fn resolve(&self, id: Id, call: Box<Value>) {
        let servers = self.servers.clone();
        self.beside(move || {
            let refusals = Call::check(&call).err().unwrap_or_default();
            let fault = refusals.first().map(ToString::to_string);
            let probe = |key: &str| call["probe"][key].as_str();
            let server = servers.resolve(probe("server"), probe("tool"));
            Msg::Resolved { id, server, fault }
        });
    }

    fn approve(&mut self, id: Id, server: String, fingerprint: String) {
        let servers = self.servers.clone();
        self.beside(move || {
            let result = servers
                .approve(&server, &fingerprint)
                .map(|()| servers.rows());
            Msg::Approved { id, result }
        });
    }

    fn add_server(&self, id: Id, line: String) {
        let servers = self.servers.clone();
        self.beside(move || {
            let added = servers.add(&line);
            let result = added.map(|name| (name, list(&servers)));
            Msg::Added { id, result }
        });
    }

    fn discover(&self, id: Id) {
        let servers = self.servers.clone();
        self.beside(move || {
            let found = servers.discover();
            let result = found.map(|found| (found, list(&servers)));
            Msg::Discovered { id, result }
        });
    }

    fn try_once(
        &mut self,
        id: Id,
        server: String,
        tool: String,
        args: serde_json::Map<String, Value>,
    ) {
        let (servers, tell) = (self.servers.clone(), self.tell.clone());
        self.job(id, async move {
            let (notes, mut heard) = Notes::channel();
            let listen = async {
                while let Some(note) = heard.recv().await {
                    let _ = tell.send(Msg::TryNote { id, note });
                }
                std::future::pending().await
            };
            let result = tokio::select! {
                biased;
                result = servers.try_once(&server, &tool, &args, &notes) => result,
                result = listen => result,
            };
            Msg::Tried { id, result }
        });
    }

    fn start(&mut self, wait: Id, request: WaitRequest) {
        let changes = Changes::new(request.call.clone());
        let changes = Arc::new(std::sync::Mutex::new(changes));
        let mut run = WaitRun::new(request);
        run.keep_raw_results(self.raw.of(wait.0));
        if let Some(recording) = self.recordings.begin(wait) {
            run.record(recording);
        }
        self.run(wait, Arc::new(Mutex::new(run)), changes);
    }

    fn go_on(&mut self, wait: Id) {
        if let Some(running) = self.waits.get(&wait) {
            let (run, changes) = (Arc::clone(&running.run), Arc::clone(&running.changes));
            self.run(wait, run, changes);
        }
    }

    fn read_aspect(&self, id: Id, aspect: Aspect, source: Source) {
        let raw = match &source {
            Source::Sample { wait, .. } => Some(self.raw.of(wait.0)),
            _ => None,
        };
        self.beside(move || {
            let text = aspect.read(&source, &|sample| raw.as_ref()?.get(sample));
            Msg::AspectRead { id, text }
        });
    }

    fn stop(&self, wait: Id) {
        if let Some(running) = self.waits.get(&wait) {
            running.stop.cancel();
        }
    }

    fn copy(&self, what: CopyOf) {
        let (servers, tell) = (self.servers.clone(), self.tell.clone());
        tokio::spawn(async move {
            let name = what.name();
            let text = spawn_blocking(move || servers.text_of(&what)).await;
            let text = text.unwrap_or_else(|_| Err("its text could not be made".to_owned()));
            let (variables, result) = match text {
                Ok(copied) => (copied.variables, clipboard::copy(copied.text).await),
                Err(why) => (Vec::new(), Err(why)),
            };
            let _ = tell.send(Msg::Copied {
                name,
                variables,
                result,
            });
        });
    }

    /// The way on which a wait tells its story. Which samples changed is found out on a thread of
    /// its own: neither the engine nor a key waits for it. The thread ends with the round, and that
    /// of the next round goes on from there.
    fn story(&self, changes: &Arc<std::sync::Mutex<Changes>>) -> mpsc::UnboundedSender<Msg> {
        let (story, mut told) = mpsc::unbounded_channel();
        let (tell, changes) = (self.tell.clone(), Arc::clone(changes));
        spawn_blocking(move || {
            let mut changes = changes.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(mut msg) = told.blocking_recv() {
                if let Msg::Told { event, changed, .. } = &mut msg {
                    *changed = changes.see(event);
                }
                let _ = tell.send(msg);
            }
        });
        story
    }

    /// Runs the next rounds of a wait.
    fn run(&mut self, wait: Id, run: Arc<Mutex<WaitRun>>, changes: Arc<std::sync::Mutex<Changes>>) {
        let stop = CancellationToken::new();
        let (servers, tell) = (self.servers.clone(), self.story(&changes));
        let (own, stopped) = (Arc::clone(&run), stop.clone());
        let task = tokio::spawn(async move {
            let mut told = |event| {
                // The engine never waits for the screen.
                let changed = false;
                let _ = tell.send(Msg::Told {
                    wait,
                    event,
                    changed,
                });
            };
            let ending = own.lock().await.run(&servers, &mut told, &stopped).await;
            let _ = tell.send(Msg::Ended { wait, ending });
        });
        let running = Running {
            run,
            changes,
            stop,
            task,
        };
        self.waits.insert(wait, running);
    }

    /// A task that can be abandoned.
    fn job(&mut self, id: Id, answer: impl Future<Output = Msg> + Send + 'static) {
        let tell = self.tell.clone();
        let task = tokio::spawn(async move {
            let _ = tell.send(answer.await);
        });
        self.jobs.retain(|_, job| !job.is_finished());
        self.jobs.insert(id, task.abort_handle());
    }

    /// Work that takes its time on a thread of its own.
    fn beside(&self, work: impl FnOnce() -> Msg + Send + 'static) {
        let tell = self.tell.clone();
        spawn_blocking(move || {
            let _ = tell.send(work());
        });
    }
}

fn list(servers: &Servers) -> ServerList {
    ServerList {
        servers: servers.rows(),
        problems: servers.problems(),
    }
}

/// Says yes as long as a search may go on.
fn time_limit() -> impl Fn() -> bool {
    let began = Instant::now();
    move || began.elapsed() < SEARCH
}
