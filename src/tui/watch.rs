//! A wait as it is watched: its story so far, and which sample is looked at.
//!
//! Owns what the events of one wait add up to. Must not know how it is drawn.

mod beside;
mod place;
mod reading;
mod recorded;
mod replay;
mod runs;
mod summary;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::beside::Beside;
use super::document::Highlights;
use super::in_flight::InFlight;
use super::message::Id;
use super::reading::Reading;
use super::saved::Saved;
use super::why::Why;
use crate::text::Difference;
use crate::wait::{AfterSleep, Call, Ending, Event, History, Note, Reason};

pub use recorded::Recorded;
pub use replay::Replay;
pub use runs::Run;

/// Texts whose highlights are remembered, so that stepping to and fro costs nothing.
const REMEMBERED: usize = 16;
/// Cells of the signs beside a diff.
pub const GUTTER: u16 = 2;

/// What the wait is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// Connecting, before the first sample.
    Starting,
    /// A sample is in flight.
    Sampling {
        /// Which.
        sample: u64,
        /// Since when, on the loop's clock.
        since: Duration,
    },
    /// Asleep.
    Sleeping {
        /// Until when, on the loop's clock.
        until: Duration,
        /// What comes then.
        then: AfterSleep,
    },
    /// Over.
    Ended(Ending),
}

/// What one cell of the timeline says. The order is the weight: the weightiest of a group is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// As before.
    Same,
    /// Not as before.
    Changed,
    /// Not judged: its text is gone.
    Lost,
    /// The tool reported an error.
    ToolError,
    /// No observation.
    Failed,
    /// `fail_when` matched.
    FailedWhen,
    /// The condition was met.
    Matched,
}

/// Which sample is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The newest, always.
    Follow,
    /// The one at this index.
    Hold(usize),
}

/// A wait.
#[derive(Debug, Clone)]
pub struct Wait {
    /// Its number.
    pub id: Id,
    /// Whose tool.
    pub server: String,
    /// The call.
    pub call: Call,
    /// Budgets that may follow one another.
    pub rounds: u32,
    /// The saved wait that it began as, or was saved as.
    pub saved: Option<Arc<Saved>>,
    /// What is played, where it is a recording; its times are the recording's own then.
    pub replay: Option<Replay>,
    /// What it has seen.
    pub history: History,
    /// What it is doing.
    pub phase: Phase,
    /// Whether the operator has asked it to stop.
    pub stopping: bool,
    /// When it was asked for, on the loop's clock.
    pub asked: Duration,
    /// The round it is in, from 1; 0 before the first.
    pub round: u32,
    /// When that round began, on the loop's clock.
    pub round_began: Duration,
    /// When it ended, on the loop's clock.
    pub ended_at: Duration,
    /// Whether it ended out of sight and was not looked at since.
    pub unseen: bool,
    /// What was said about the sample in flight.
    pub notes: InFlight,
    /// Whether the tool ever said something: the line of the notes then stays while the wait runs.
    pub noted: bool,
    /// The samples during which the server was reconnected.
    pub reconnected: HashSet<u64>,
    /// Its recording.
    pub recorded: Recorded,
    /// Which sample is looked at.
    pub position: Position,
    /// The text of the sample that is looked at.
    pub reading: Reading,
    /// The number of the sample whose text that is; 0 for an error before the first.
    pub shown: u64,
    /// Whether the operator has scrolled by hand: nothing else scrolls then.
    pub scrolled: bool,
    /// The search for matches that is under way, and in which text.
    pub searching: Option<(Id, Arc<str>)>,
    /// Why the condition doesn't hold for a text.
    pub whys: Beside<1, Option<Why>>,
    /// Whether a changed sample is shown beside the one before.
    pub diffs: bool,
    /// How texts differ from those before them.
    pub differences: Beside<2, Difference>,
    latencies: Vec<Duration>,
    highlights: VecDeque<(Arc<str>, Arc<Highlights>)>,
}

impl Wait {
    /// A wait that was just asked for.
    #[must_use]
    pub fn new(id: Id, server: String, call: Call, rounds: u32, now: Duration) -> Self {
        Self {
            id,
            server,
            call,
            rounds,
            saved: None,
            replay: None,
            history: History::new(),
            phase: Phase::Starting,
            stopping: false,
            asked: now,
            round: 0,
            round_began: now,
            ended_at: now,
            unseen: false,
            notes: InFlight::default(),
            noted: false,
            reconnected: HashSet::new(),
            recorded: Recorded::default(),
            position: Position::Follow,
            reading: Reading::default(),
            shown: 0,
            scrolled: false,
            searching: None,
            whys: Beside::default(),
            diffs: true,
            differences: Beside::default(),
            latencies: Vec::new(),
            highlights: VecDeque::new(),
        }
    }

    /// Whether it is not over. What is recorded is over, even if more of it comes.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.replay.is_none() && !matches!(self.phase, Phase::Ended(_))
    }

    /// Whether its condition was met; `None` while it runs.
    #[must_use]
    pub fn was_met(&self) -> Option<bool> {
        match &self.phase {
            Phase::Ended(Ok(result)) => {
                Some(matches!(result.reason, Reason::Matched | Reason::Settled))
            }
            Phase::Ended(Err(_)) => Some(false),
            _ => None,
        }
    }

    /// Whether it can go on with another round.
    #[must_use]
    pub fn can_continue(&self) -> bool {
        self.replay.is_none()
            && matches!(&self.phase, Phase::Ended(Ok(result)) if result.reason == Reason::Timeout)
    }

    /// The next round was asked for.
    pub fn go_on(&mut self, now: Duration) {
        self.phase = Phase::Starting;
        self.stopping = false;
        self.unseen = false;
        self.asked = now;
        self.position = Position::Follow;
    }

    /// Takes what the wait tells at `now`, the moment it was heard. `changed` says whether it is a
    /// sample that changed.
    pub fn told(&mut self, event: &Event, changed: bool, now: Duration) {
        self.history.record(event, changed);
        match event {
            Event::RoundStarted { round, .. } => {
                self.round = *round;
                self.round_began = now;
            }
            Event::SampleStarted { sample, .. } => {
                self.phase = Phase::Sampling {
                    sample: *sample,
                    since: now,
                };
                self.notes = InFlight::default();
            }
            Event::Note { note, sample, .. } => {
                self.noted |= matches!(note, Note::Progress { .. } | Note::Log { .. });
                if *note == Note::Reconnected {
                    self.reconnected.insert(*sample);
                }
                self.notes.take(note);
            }
            Event::Sample(sample) => self.took(sample.latency_ms.0),
            Event::SampleFailed { latency_ms, .. } => self.took(latency_ms.0),
            Event::Sleeping { for_ms, then, .. } => {
                self.phase = Phase::Sleeping {
                    until: now + for_ms.0,
                    then: *then,
                };
            }
            Event::WaitStarted(_) | Event::WaitEnded { .. } => {}
        }
    }

    /// The wait is over.
    pub fn ended(&mut self, ending: Ending, now: Duration) {
        self.phase = Phase::Ended(ending);
        self.stopping = false;
        self.notes = InFlight::default();
        // The loop ends a timeout at its bound; we hear of it a moment later or earlier.
        self.ended_at = match &self.phase {
            Phase::Ended(Ok(result)) if result.reason == Reason::Timeout => {
                self.round_began + self.call.bound()
            }
            _ => now,
        };
    }

    /// Whether a line is kept for notes: there is one, or there will be more.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        !self.notes.is_empty() || (self.noted && self.is_running())
    }

    /// Another wait is looked at: what was worked out about the texts of this one is let go, so that
    /// it holds no more of them than its history says.
    pub fn put_aside(&mut self) {
        self.reading = self.reading.afresh();
        self.scrolled = false;
        self.searching = None;
        self.highlights.clear();
        self.whys = Beside::default();
        self.differences = Beside::default();
    }

    fn took(&mut self, latency: Duration) {
        // How far a call had got says nothing once it is over.
        self.notes.progress = None;
        let place = self.latencies.partition_point(|other| *other <= latency);
        self.latencies.insert(place, latency);
    }

    /// Time of the round so far, and what is left of its budget.
    #[must_use]
    pub fn budget(&self, now: Duration) -> (Duration, Duration) {
        let until = match self.recorded_time(now) {
            Some(at) => at,
            None if self.is_running() => now,
            None => self.ended_at,
        };
        let elapsed = match self.round {
            0 => Duration::ZERO,
            _ if self.phase == Phase::Starting && self.replay.is_none() => Duration::ZERO,
            _ => until
                .saturating_sub(self.round_began)
                .min(self.call.bound()),
        };
        (elapsed, self.call.bound() - elapsed)
    }
}
