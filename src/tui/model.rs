//! The state of the screen.
//!
//! Owns everything that a drawing shows. It is changed by [`super::update`] alone. Must not know
//! the terminal or the clock: sizes and times are told.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use serde_json::Value;

use super::bench::{Bench, Focus, Link};
use super::journal::Part;
use super::keys::{Context, Keymap};
use super::layer::Layer;
use super::layout;
use super::look::{Look, Tone};
use super::message::Id;
use super::watch::Wait;
use crate::app::ServerRow;

/// How long a second Ctrl-C after the first one quits.
pub const INTERRUPT_WINDOW: Duration = Duration::from_secs(2);

/// One of the places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where a wait is built.
    Bench,
    /// Where it is watched.
    Watch,
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

/// A call on its way to the Bench: it is being found out whose tool it calls.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Of the effect.
    pub id: Id,
    /// The call, not yet checked.
    pub call: Value,
    /// How many budgets may follow one another.
    pub rounds: u32,
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
    /// The waits, by number.
    pub waits: BTreeMap<Id, Wait>,
    /// The one on the Watch.
    pub watched: Option<Id>,
    /// How they went.
    pub counts: Counts,
    /// Whether a wait that ended out of sight was met, until the Watch is looked at.
    pub unseen: Option<bool>,
    /// Destructive tools that the operator said yes to, by server and tool.
    pub allowed: HashSet<(String, String)>,
    /// The approval that is being remembered, and for which server.
    pub approving: Option<(Id, String)>,
    /// The call that is being loaded.
    pub loading: Option<Loading>,
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
        let notice = problems.first().map(|text| Notice {
            tone: Tone::Warn,
            text: match problems.len() - 1 {
                0 => text.clone(),
                more => format!("{text} (and {more} more, below the list of servers)"),
            },
            until: None,
        });
        Self {
            columns,
            rows,
            look,
            keymap: Keymap::default(),
            now: Duration::ZERO,
            place: Place::Bench,
            layers: Vec::new(),
            zoomed: false,
            notice,
            interrupt_until: None,
            bench: Bench::new(servers, problems),
            waits: BTreeMap::new(),
            watched: None,
            counts: Counts::default(),
            unseen: None,
            allowed: HashSet::new(),
            approving: None,
            loading: None,
            next_id: 0,
        }
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

    /// The server that is looked at: that of the wait, or the one that the lists point at, or that of
    /// the tool on the Bench.
    #[must_use]
    pub fn server_in_view(&self) -> Option<&str> {
        if let (Place::Watch, Some(wait)) = (self.place, self.wait()) {
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

    /// The waits that run.
    pub fn running(&self) -> impl Iterator<Item = &Wait> {
        self.waits.values().filter(|wait| wait.is_running())
    }

    /// Where a key would be pressed.
    #[must_use]
    pub fn context(&self) -> Context {
        match self.layers.last() {
            Some(Layer::Help { .. }) => Context::Help,
            Some(Layer::Add(_)) => Context::Adding,
            Some(Layer::Journal(pane)) if pane.filtering => Context::Filter,
            Some(Layer::Journal(pane)) if pane.opened().is_some() => Context::Message,
            Some(Layer::Journal(pane)) => match pane.part() {
                Part::Log => Context::ServerLog,
                Part::Messages => Context::Trace,
            },
            Some(Layer::Question(_)) => Context::Question,
            Some(Layer::Offer(_)) => Context::Offer,
            None => self.context_below(),
        }
    }

    /// Where a key would be pressed if nothing lay on top.
    #[must_use]
    pub fn context_below(&self) -> Context {
        match self.place {
            Place::Bench => self.bench.context(layout::lists(self)),
            Place::Watch => Context::Watch,
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
        seconds.chain(notice).min()
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
                colour: true,
                unicode: true,
            },
            (80, 24),
            Vec::new(),
            &[],
        );
        assert_eq!(model.next_tick(), None);
    }
}
