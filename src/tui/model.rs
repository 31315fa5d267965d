//! The state of the screen.
//!
//! Owns everything that a drawing shows. It is changed by [`super::update`] alone. Must not know
//! the terminal or the clock: sizes and times are told.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::bench::{Bench, Focus, Link};
use super::document::Highlights;
use super::journal::Part;
use super::keys::{Action, Context, Keymap};
use super::layer::Layer;
use super::layout;
use super::library::Library;
use super::look::{Look, Tone};
use super::message::Id;
use super::reading::Reading;
use super::saved::ToSave;
use super::settings::Settings;
use super::watch::Wait;
use super::what_if::WhatIf;
use crate::app::ServerRow;
use crate::store::{Spec, SpecFile};

/// How long a second Ctrl-C after the first one quits.
pub const INTERRUPT_WINDOW: Duration = Duration::from_secs(2);

/// One of the places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where a wait is built.
    Bench,
    /// Where it is watched.
    Watch,
    /// Where saved waits and recordings are.
    Library,
}

/// A sentence in the bottom line, until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about to say.
    pub tone: Tone,
    /// The sentence.
    pub text: String,
    /// When it goes away by itself.
    pub until: Option<Duration>,
}

/// How the waits of this session went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Waits whose condition was met.
    pub met: usize,
    /// Waits that ended otherwise.
    pub unmet: usize,
}

/// What the operator wants of the terminal beside the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether the bell rings when a wait ends.
    pub bell: bool,
    /// Whether the terminal's title says how the waits stand.
    pub title: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bell: true,
            title: true,
        }
    }
}

/// What follows once a call is on the Bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Its server is connected to.
    Connect,
    /// The same, and it is run.
    Run,
    /// Nothing: no server is started for it.
    Rest,
    /// The same, and it is saved.
    Save,
}

/// A call on its way to the Bench: it is being found out whose tool it calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Of the effect.
    pub id: Id,
    /// The call, not yet checked.
    pub call: Value,
    /// How many budgets may follow one another.
    pub rounds: u32,
    /// The file that it was read from, and the spec in it.
    pub saved: Option<Box<(SpecFile, Spec)>>,
    /// What is odd about the text that it was read from.
    pub notices: Vec<String>,
    /// What follows.
    pub then: Then,
}

/// The state of the screen.
#[derive(Debug, Clone)]
pub struct Model {
    /// Cells across.
    pub columns: u16,
    /// Cells down.
    pub rows: u16,
    /// How things look.
    pub look: Look,
    /// Which key means what.
    pub keymap: Keymap,
    /// What is wanted of the terminal.
    pub options: Options,
    /// Time since the screen was opened.
    pub now: Duration,
    /// Where the operator is.
    pub place: Place,
    /// What lies on top, the top one last.
    pub layers: Vec<Layer>,
    /// Whether the focused pane has the whole screen.
    pub zoomed: bool,
    /// A sentence in the bottom line.
    pub notice: Option<Notice>,
    /// Until when Ctrl-C quits.
    pub interrupt_until: Option<Duration>,
    /// The Bench.
    pub bench: Bench,
    /// The Library.
    pub library: Library,
    /// The waits, by number.
    pub waits: BTreeMap<Id, Wait>,
    /// The one on the Watch.
    pub watched: Option<Id>,
    /// Destructive tools that the operator said yes to, by server and tool.
    pub allowed: HashSet<(String, String)>,
    /// The approval that is being remembered, and for which server.
    pub approving: Option<(Id, String)>,
    /// The effect that judges the samples of a wait by another condition.
    pub judging: Option<Id>,
    /// The effect that reads a journal.
    pub journal_read: Option<Id>,
    /// The call that is being loaded.
    pub loading: Option<Loading>,
    /// What is being saved, by the effect that saves it, whether or not its dialog is still open.
    pub saves: BTreeMap<Id, ToSave>,
    /// The saved file that is being read, to be loaded, and what follows.
    pub reading_kept: Option<(Id, Then)>,
    /// The recording that is being opened.
    pub opening: Option<Id>,
    /// What is wrong with the configuration, a sentence each.
    pub problems: Vec<String>,
    next_id: u64,
}

impl Model {
    /// The screen as it opens: on the Bench, with nothing contacted.
    #[must_use]
    pub fn new(
        look: Look,
        (columns, rows): (u16, u16),
        servers: Vec<ServerRow>,
        problems: &[String],
    ) -> Self {
        let mut model = Self {
            columns,
            rows,
            look,
            keymap: Keymap::default(),
            options: Options::default(),
            now: Duration::ZERO,
            place: Place::Bench,
            layers: Vec::new(),
            zoomed: false,
            notice: None,
            interrupt_until: None,
            bench: Bench::new(servers, problems),
            library: Library::default(),
            waits: BTreeMap::new(),
            watched: None,
            allowed: HashSet::new(),
            approving: None,
            judging: None,
            journal_read: None,
            loading: None,
            saves: BTreeMap::new(),
            reading_kept: None,
            opening: None,
            problems: problems.to_vec(),
            next_id: 0,
        };
        model.tell_problems();
        model
    }

    /// Takes what the operator set, and what is wrong with it.
    pub fn set(&mut self, settings: Settings, problems: Vec<String>) {
        self.keymap = settings.keymap;
        self.options = settings.options;
        self.problems.extend(problems);
        self.tell_problems();
    }

    fn tell_problems(&mut self) {
        let Some(first) = self.problems.first() else {
            return;
        };
        let help = self.key_of(Action::Help);
        // What goes before stays in view where the rest is cut.
        let room = usize::from(self.columns).saturating_sub(help.len() + 10);
        let text = match self.problems.len() {
            1 if first.width() <= room => first.clone(),
            1 => format!("{help} tells it whole: {first}"),
            all => format!("{help} tells {all} problems: {first}"),
        };
        self.say(Tone::Warn, text);
    }

    /// A number that was never given out.
    pub fn fresh_id(&mut self) -> Id {
        self.next_id += 1;
        Id(self.next_id)
    }

    /// The wait on the Watch.
    #[must_use]
    pub fn wait(&self) -> Option<&Wait> {
        self.watched.and_then(|id| self.waits.get(&id))
    }

    /// The wait on the Watch, to change it.
    pub fn wait_mut(&mut self) -> Option<&mut Wait> {
        self.watched.and_then(|id| self.waits.get_mut(&id))
    }

    /// The server that is looked at: that of the wait in view or under the cursor, or the one that the lists point at, or that of
    /// the tool on the Bench.
    #[must_use]
    pub fn server_in_view(&self) -> Option<&str> {
        let listed = matches!(self.layers.last(), Some(Layer::Waits { .. }));
        if let (true, Some(wait)) = (listed || self.place == Place::Watch, self.meant()) {
            return Some(&wait.server);
        }
        let bench = &self.bench;
        let target = bench.target.as_ref().map(|target| target.server.as_str());
        let target = target.filter(|server| !server.is_empty());
        let listed = bench.listed.as_deref();
        match bench.focus {
            Focus::Servers => bench.selected_server().map(|server| server.name.as_str()),
            Focus::Tools if layout::lists(self) => listed.or(target),
            _ => target.or(listed),
        }
    }

    /// The text where the operator is.
    #[must_use]
    pub fn reading(&self) -> Option<&Reading> {
        match self.place {
            Place::Bench => Some(&self.bench.preview),
            Place::Watch => self.wait().map(|wait| &wait.reading),
            Place::Library => Some(&self.library.reading),
        }
    }

    /// The text where the operator is, to scroll or search it.
    pub fn reading_mut(&mut self) -> Option<&mut Reading> {
        match self.place {
            Place::Bench => Some(&mut self.bench.preview),
            Place::Watch => self.wait_mut().map(|wait| &mut wait.reading),
            Place::Library => Some(&mut self.library.reading),
        }
    }

    /// The other condition that is asked of the wait on the Watch, where one is.
    #[must_use]
    pub fn what_if(&self) -> Option<&WhatIf> {
        self.layers.iter().find_map(Layer::what_if)
    }

    /// The same, to change it.
    pub fn what_if_mut(&mut self) -> Option<&mut WhatIf> {
        self.layers.iter_mut().find_map(Layer::what_if_mut)
    }

    /// What the condition matches in the observation where the operator is, where that is known.
    #[must_use]
    pub fn highlights(&self) -> Option<&Highlights> {
        if let Some(what_if) = self.what_if() {
            let text = self.wait().and_then(Wait::observation);
            let about = text.filter(|text| what_if.is_about(text));
            return about.map(|_| &what_if.assessment.highlights);
        }
        match self.place {
            Place::Bench => self.bench.highlights(),
            Place::Watch => self.wait()?.matched(),
            Place::Library => None,
        }
    }

    /// Where the condition's matches begin in the text where the operator is, in order.
    #[must_use]
    pub fn places_matched(&self) -> Vec<usize> {
        let places = self.highlights().map(Highlights::places);
        let places = places.unwrap_or_default().into_iter();
        match self
            .wait()
            .filter(|_| self.place == Place::Watch)
            .and_then(Wait::diff)
        {
            Some(diff) => places.filter_map(|at| diff.place_of_new(at)).collect(),
            None => places.collect(),
        }
    }

    /// Every text, wherever the operator is.
    pub fn readings_mut(&mut self) -> impl Iterator<Item = &mut Reading> {
        let waits = self.waits.values_mut().map(|wait| &mut wait.reading);
        let beside = [&mut self.bench.preview, &mut self.library.reading];
        beside.into_iter().chain(waits)
    }

    /// How the waits that are listed went.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |met| {
            let ended = self.waits.values().filter(|wait| wait.replay.is_none());
            ended.filter(|wait| wait.was_met() == Some(met)).count()
        };
        Counts {
            met: count(true),
            unmet: count(false),
        }
    }

    /// The waits that run.
    pub fn running(&self) -> impl Iterator<Item = &Wait> {
        self.waits.values().filter(|wait| wait.is_running())
    }

    /// Where a key would be pressed.
    #[must_use]
    pub fn context(&self) -> Context {
        match self.layers.last() {
            Some(Layer::Help(help)) if help.filtering => Context::HelpFilter,
            Some(Layer::Help(_)) => Context::Help,
            Some(Layer::Palette(_)) => Context::Palette,
            Some(Layer::Waits { .. }) => Context::WaitList,
            Some(Layer::Add(_)) => Context::Adding,
            Some(Layer::Save(saving)) if saving.is_typing() => Context::Saving,
            Some(Layer::Save(_)) => Context::SavingChoice,
            Some(Layer::Naming(_)) => Context::Naming,
            Some(Layer::Copy) => Context::Copy,
            Some(Layer::WhatIf(what_if)) => what_if.context(),
            Some(Layer::Journal(pane)) if pane.filtering => Context::JournalFilter,
            Some(Layer::Journal(pane)) if pane.opened().is_some() => Context::Message,
            Some(Layer::Journal(pane)) => match pane.part() {
                Part::Log => Context::ServerLog,
                Part::Messages => Context::Trace,
            },
            Some(Layer::Asking(asking)) if asking.typing => Context::Answer,
            Some(Layer::Asking(_)) => Context::Asked,
            Some(Layer::Question(_)) => Context::Question,
            Some(Layer::Offer(_)) => Context::Offer,
            None => self.context_below(),
        }
    }

    /// Where a key would be pressed if nothing lay on top.
    #[must_use]
    pub fn context_below(&self) -> Context {
        let context = match self.place {
            Place::Bench => self.bench.context(layout::lists(self)),
            Place::Watch if self.wait().is_some_and(|wait| wait.replay.is_some()) => {
                Context::Replay
            }
            Place::Watch => Context::Watch,
            Place::Library if self.library.filtering => Context::LibraryFilter,
            Place::Library if self.library.previewing => Context::LibraryText,
            Place::Library => Context::LibraryList,
        };
        let reads = context.is_reading();
        if reads && self.reading().is_some_and(Reading::is_typing) {
            Context::Search
        } else {
            context
        }
    }

    /// What to press for `action` where nothing lies on top: its key, or its name as a command.
    #[must_use]
    pub fn key_of(&self, action: Action) -> String {
        let own = self.keymap.key(self.context_below(), action);
        let anywhere = || {
            let mut contexts = self.keymap.contexts(action);
            contexts.find_map(|context| self.keymap.key(context, action))
        };
        match own.or_else(anywhere) {
            Some(key) => self.look.key(key),
            None => format!(":{}", action.name()),
        }
    }

    /// Says something in the bottom line, until the next key.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            tone,
            text: text.into(),
            until: None,
        });
    }

    /// When the drawing will change by time alone: the next whole second of whatever shows one, or
    /// the end of a notice.
    #[must_use]
    pub fn next_tick(&self) -> Option<Duration> {
        let mut since = Vec::new();
        since.extend(self.running().map(|wait| {
            if wait.round == 0 {
                wait.asked
            } else {
                wait.round_began
            }
        }));
        if let Link::Connecting { since: began, .. } = &self.bench.link {
            since.push(*began);
        }
        since.extend(self.bench.standings.connecting());
        since.extend(
            self.bench
                .attempt
                .in_flight
                .as_ref()
                .map(|(_, began, _)| *began),
        );
        let seconds = since.into_iter().map(|began| next_second(began, self.now));
        let notice = self.notice.as_ref().and_then(|notice| notice.until);
        let played = self.wait().and_then(|wait| wait.next_step(self.now));
        seconds.chain(notice).chain(played).min()
    }
}

/// The next moment after `now` that is whole seconds after `began`.
fn next_second(began: Duration, now: Duration) -> Duration {
    began + Duration::from_secs(now.saturating_sub(began).as_secs() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_fall_on_the_seconds_of_what_is_shown() {
        let millis = Duration::from_millis;
        assert_eq!(next_second(millis(300), millis(300)), millis(1300));
        assert_eq!(next_second(millis(300), millis(1299)), millis(1300));
        assert_eq!(next_second(millis(300), millis(1300)), millis(2300));
    }

    #[test]
    fn u13_an_idle_screen_has_no_tick() {
        let model = Model::new(
            Look {
                theme: crate::tui::look::Theme::Dark,
                unicode: true,
            },
            (80, 24),
            Vec::new(),
            &[],
        );
        assert_eq!(model.next_tick(), None);
    }
}
