//! The loop: the only part of the screen that performs effects and reads the clock.
//!
//! Owns the terminal, the signals and the tasks. Must not decide anything: what a message means is
//! [`super::update`]'s.

mod clipboard;
mod editor;
mod journal;
mod keeper;
mod perform;
mod questions;
mod recordings;
mod saved;
mod signals;
pub mod terminal;
mod what_if;

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use self::editor::Editing;
use self::keeper::Keeper;
use self::perform::Performer;
use self::recordings::Recordings;
use self::signals::Signals;
use self::terminal::Screen;
use super::draft::Draft;
use super::look::Look;
use super::message::{Effect, Msg};
use super::model::Model;
use super::settings::Settings;
use super::start::Start;
use super::title::title;
use super::update::{farewell, open, update};
use crate::app::{Recorder, Servers};
use crate::store::{Drafts, Folders};

/// At most 60 drawings a second.
const FRAME: Duration = Duration::from_millis(16);
/// How often it is looked whether the terminal is still there.
const PULSE: Duration = Duration::from_secs(1);
/// At most one title a second: some terminals are slow to set one.
const TITLE: Duration = Duration::from_secs(1);
/// The exit code of a process that ended by SIGHUP: the terminal went away.
const TERMINAL_GONE: u8 = 128 + 1;

/// Opens the screen with `start`, and stays until the operator leaves. Answers the exit code: 0, or 128 and the
/// number of the signal that ended it. Every wait and every server is ended by then, and the
/// terminal is as it was.
///
/// # Errors
/// Where the terminal can't be used, or a part of the program panicked (the report is printed by
/// then).
pub async fn run(servers: Servers, start: Start) -> anyhow::Result<u8> {
    let mut signals = Signals::listen()?;
    let mut screen = Screen::open()?;
    let look = Look::from_environment(&|name| std::env::var(name).ok());
    let (settings, problems) = Settings::read(servers.settings());
    let ascii = start.ascii.then_some(true).or(settings.ascii);
    let look = look.chosen(settings.theme, ascii);
    let mut model = Model::new(look, screen.size()?, servers.rows(), &servers.problems());
    model.set(settings, problems);
    let (tell, told) = mpsc::unbounded_channel();
    let folders = Folders::of_user().map_err(anyhow::Error::msg)?;
    let drafts = Drafts::new(folders.drafts());
    let kept = drafts.all().into_iter();
    let kept = kept.map(|kept| ((kept.server, kept.tool), Draft::of_written(&kept.draft)));
    model.bench.remember(kept);
    let recorder = servers.records();
    let recorder = recorder.then(|| Recorder::new(folders.recordings()));
    let recordings = Recordings::new(recorder, tell.clone());
    let mut performer = Performer::new(servers, Keeper::new(drafts), recordings, folders, tell);
    let mut session = Session {
        model,
        dirty: true,
        torn: false,
        drawn: None,
        began: Instant::now(),
        titled: Titled::default(),
    };
    let code = session
        .stay(start, &mut screen, &mut signals, &mut performer, told)
        .await;
    // The operator has the terminal back before servers are given their time to end.
    drop(screen);
    for effect in farewell(&mut session.model) {
        performer.perform(effect);
    }
    performer.end().await;
    code
}

struct Session {
    model: Model,
    /// Whether something changed that is not drawn.
    dirty: bool,
    /// Whether the terminal may have lost what was drawn, as it may at every change of its size.
    torn: bool,
    /// When the last drawing was made.
    drawn: Option<Instant>,
    began: Instant,
    titled: Titled,
}

/// The terminal's title as it was last set, and when.
#[derive(Default)]
struct Titled {
    text: Option<String>,
    at: Option<Instant>,
}

impl Session {
    async fn stay(
        &mut self,
        start: Start,
        screen: &mut Screen,
        signals: &mut Signals,
        performer: &mut Performer,
        mut told: mpsc::UnboundedReceiver<Msg>,
    ) -> anyhow::Result<u8> {
        let effects = open(&mut self.model, start);
        // Something is seen before anything is contacted.
        self.draw(screen)?;
        for effect in effects {
            performer.perform(effect);
        }
        let mut keys = EventStream::new();
        let crashed = screen.crashed();
        let mut pulse = interval(PULSE);
        pulse.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            if self.dirty && self.may_draw() {
                self.draw(screen)?;
            }
            self.set_title(screen)?;
            let next = pin!(self.wake());
            let title = pin!(self.title_due());
            let msg = tokio::select! {
                biased;
                () = crashed.cancelled() => anyhow::bail!("stakeout ended after a panic"),
                number = signals.next() => return Ok(128 + number),
                event = keys.next() => match event {
                    Some(Ok(event)) => message(event),
                    Some(Err(_)) | None => return Ok(TERMINAL_GONE),
                },
                Some(msg) = told.recv() => Some(msg),
                () = next => Some(Msg::Tick { now: self.began.elapsed() }),
                () = title => None,
                _ = pulse.tick() => {
                    if !screen.is_there() {
                        return Ok(TERMINAL_GONE);
                    }
                    None
                }
            };
            let Some(msg) = msg else { continue };
            let mut effects = VecDeque::from(self.take(msg));
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Quit => return Ok(0),
                    Effect::Suspend => effects.extend(self.suspend(screen, signals).await?),
                    Effect::OpenEditor { text } => {
                        // Whoever reads keys meanwhile takes them from the editor.
                        drop(keys);
                        match self
                            .edit(&text, screen, signals, performer, &mut told)
                            .await?
                        {
                            Ok(more) => effects.extend(more),
                            Err(number) => return Ok(128 + number),
                        }
                        keys = EventStream::new();
                    }
                    Effect::Ring => screen.ring()?,
                    Effect::SetClipboard { encoded } => screen.set_clipboard(&encoded)?,
                    effect => performer.perform(effect),
                }
            }
        }
    }

    /// Changes the model. The time is told first, so that it is right whatever comes.
    fn take(&mut self, msg: Msg) -> Vec<Effect> {
        let now = self.began.elapsed();
        let mut effects = update(&mut self.model, Msg::Tick { now });
        self.dirty = true;
        self.torn |= matches!(msg, Msg::Resize { .. });
        effects.extend(update(&mut self.model, msg));
        effects
    }

    fn draw(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        if std::mem::take(&mut self.torn) {
            screen.forget()?;
        }
        screen.draw(&self.model)?;
        self.drawn = Some(Instant::now());
        self.dirty = false;
        Ok(())
    }

    /// Sets the terminal's title where it changed, and not too often.
    fn set_title(&mut self, screen: &mut Screen) -> anyhow::Result<()> {
        if let Some(text) = self.other_title()
            && self.titled.at.is_none_or(|at| at.elapsed() >= TITLE)
        {
            screen.set_title(&text)?;
            self.titled = Titled {
                text: Some(text),
                at: Some(Instant::now()),
            };
        }
        Ok(())
    }

    /// The title that is to be set.
    fn other_title(&self) -> Option<String> {
        title(&self.model).filter(|text| self.titled.text.as_ref() != Some(text))
    }

    fn may_draw(&self) -> bool {
        self.drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME)
    }

    /// Ends when the next drawing may be made, if one is due, or else when the time alone changes
    /// what is shown. Without either it never ends.
    fn wake(&self) -> impl Future<Output = ()> + use<> {
        let frame = self.drawn.filter(|_| self.dirty).map(|drawn| drawn + FRAME);
        let tick = self.model.next_tick().map(|at| self.began + at);
        until(frame.into_iter().chain(tick).min())
    }

    /// Ends when the next title may be set, if one is due. Without one it never ends.
    fn title_due(&self) -> impl Future<Output = ()> + use<> {
        until(self.other_title().and(self.titled.at).map(|at| at + TITLE))
    }

    /// Gives the terminal back, stops until the shell goes on with us, and takes it again.
    async fn suspend(
        &mut self,
        screen: &mut Screen,
        signals: &mut Signals,
    ) -> anyhow::Result<Vec<Effect>> {
        screen.lower()?;
        signals.stop_until_continued().await?;
        screen.raise()?;
        self.titled = Titled::default();
        let (columns, rows) = screen.size()?;
        Ok(self.take(Msg::Resize { columns, rows }))
    }

    /// Gives the terminal to the operator's editor, and takes it again when that is closed. Waits
    /// run on meanwhile, and what they tell is heard. Answers the number of the signal that ended
    /// us, if one did.
    async fn edit(
        &mut self,
        text: &str,
        screen: &mut Screen,
        signals: &mut Signals,
        performer: &mut Performer,
        told: &mut mpsc::UnboundedReceiver<Msg>,
    ) -> anyhow::Result<Result<Vec<Effect>, u8>> {
        screen.lower()?;
        let modes = screen.modes()?;
        let result = match Editing::start(text) {
            Ok(mut editing) => loop {
                tokio::select! {
                    biased;
                    number = signals.next_but_interrupts() => return Ok(Err(number)),
                    result = editing.finish() => break result,
                    Some(msg) = told.recv() => {
                        for effect in self.take(msg) {
                            match effect {
                                Effect::Ring => screen.ring()?,
                                effect => performer.perform(effect),
                            }
                        }
                    }
                }
            },
            Err(problem) => Err(problem),
        };
        signals.forget_interrupts();
        // Whatever the editor left behind.
        screen.set_modes(&modes)?;
        screen.raise()?;
        self.titled = Titled::default();
        let (columns, rows) = screen.size()?;
        let mut effects = self.take(Msg::Resize { columns, rows });
        effects.extend(self.take(Msg::Edited { result }));
        Ok(Ok(effects))
    }
}

/// Ends at that time, or never.
async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn message(event: Event) -> Option<Msg> {
    match event {
        Event::Key(key) => Some(Msg::Key(key)),
        Event::Paste(text) => Some(Msg::Paste(text)),
        Event::Resize(columns, rows) => Some(Msg::Resize { columns, rows }),
        Event::FocusGained | Event::FocusLost | Event::Mouse(_) => None,
    }
}
