//! A wait as it is watched: its story so far, and which sample is looked at.
//!
//! Owns what the events of one wait add up to. Must not know how it is drawn.

mod beside;
mod summary;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::beside::Beside;
use super::document::{Highlights, first_difference};
use super::message::Id;
use super::reading::Reading;
use super::why::Why;
use crate::text::{Diff, Difference};
use crate::wait::{
    AfterSleep, Call, Ending, Entry, EntryKind, Event, History, Note, Pattern, Reason,
};

/// Texts whose highlights are remembered, so that stepping to and fro costs nothing.
const REMEMBERED: usize = 16;
/// Cells of the signs beside a diff.
pub const GUTTER: u16 = 2;
/// Notes of the sample in flight that are kept to be shown.
const NOTES: usize = 3;

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
    /// What was said about the sample in flight, newest last.
    pub notes: VecDeque<Note>,
    /// Whether the tool ever said something: the line of the notes then stays while the wait runs.
    pub noted: bool,
    /// The samples during which the server was reconnected.
    pub reconnected: HashSet<u64>,
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
            history: History::new(),
            phase: Phase::Starting,
            stopping: false,
            asked: now,
            round: 0,
            round_began: now,
            ended_at: now,
            notes: VecDeque::new(),
            noted: false,
            reconnected: HashSet::new(),
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

    /// Whether it is not over.
    #[must_use]
    pub fn is_running(&self) -> bool {
        !matches!(self.phase, Phase::Ended(_))
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
        matches!(&self.phase, Phase::Ended(Ok(result)) if result.reason == Reason::Timeout)
    }

    /// The next round was asked for.
    pub fn go_on(&mut self, now: Duration) {
        self.phase = Phase::Starting;
        self.stopping = false;
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
                self.notes.clear();
            }
            Event::Note { note, sample, .. } => {
                self.noted |= matches!(note, Note::Progress { .. } | Note::Log { .. });
                if *note == Note::Reconnected {
                    self.reconnected.insert(*sample);
                }
                self.notes.push_back(note.clone());
                if self.notes.len() > NOTES {
                    self.notes.pop_front();
                }
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
        self.notes.clear();
        self.ended_at = now;
    }

    /// Whether a line is kept for notes: there is one, or there will be more.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        !self.notes.is_empty() || (self.noted && self.is_running())
    }

    fn took(&mut self, latency: Duration) {
        let place = self.latencies.partition_point(|other| *other <= latency);
        self.latencies.insert(place, latency);
    }

    /// Time of the round so far, and what is left of its budget.
    #[must_use]
    pub fn budget(&self, now: Duration) -> (Duration, Duration) {
        let until = if self.is_running() {
            now
        } else {
            self.ended_at
        };
        let elapsed = match self.round {
            0 => Duration::ZERO,
            _ if self.phase == Phase::Starting => Duration::ZERO,
            _ => until
                .saturating_sub(self.round_began)
                .min(self.call.bound()),
        };
        (elapsed, self.call.bound() - elapsed)
    }

    /// The index of the sample that is looked at.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        let newest = self.history.entries().len().checked_sub(1)?;
        match self.position {
            Position::Follow => Some(newest),
            Position::Hold(index) => Some(index.min(newest)),
        }
    }

    /// How many samples came since the view was held.
    #[must_use]
    pub fn newer(&self) -> usize {
        self.index()
            .map_or(0, |index| self.history.entries().len() - 1 - index)
    }

    /// Looks at the sample at `index`, and stays there.
    pub fn look_at(&mut self, index: usize) {
        if let Some(newest) = self.history.entries().len().checked_sub(1) {
            self.position = Position::Hold(index.min(newest));
        }
    }

    /// Steps by samples, and stays there.
    pub fn step(&mut self, by: isize) {
        if let Some(index) = self.index() {
            self.look_at(index.saturating_add_signed(by));
        }
    }

    /// Steps to the next change in the given direction, or to the end of the story there.
    pub fn step_to_change(&mut self, forward: bool) {
        let Some(index) = self.index() else { return };
        let weighs = |index: &usize| self.mark(*index) != Mark::Same;
        let found = if forward {
            (index + 1..self.history.entries().len()).find(weighs)
        } else {
            (0..index).rev().find(weighs)
        };
        let end = if forward { usize::MAX } else { 0 };
        self.look_at(found.unwrap_or(end));
    }

    /// Holds the view where it is, or follows again.
    pub fn toggle_hold(&mut self) {
        match self.position {
            Position::Follow => self.step(0),
            Position::Hold(_) => self.position = Position::Follow,
        }
    }

    /// What the cell of the sample at `index` says.
    #[must_use]
    pub fn mark(&self, index: usize) -> Mark {
        let entries = self.history.entries();
        if index + 1 == entries.len()
            && let Phase::Ended(Ok(result)) = &self.phase
        {
            match result.reason {
                Reason::Matched | Reason::Settled => return Mark::Matched,
                Reason::Failed => return Mark::FailedWhen,
                Reason::Timeout => {}
            }
        }
        match entries.get(index).map(|entry| &entry.kind) {
            Some(EntryKind::Failed { .. }) => Mark::Failed,
            Some(EntryKind::Observed {
                tool_error: true, ..
            }) => Mark::ToolError,
            Some(EntryKind::Observed { changed: true, .. }) => Mark::Changed,
            _ => Mark::Same,
        }
    }

    /// The sample that is looked at.
    #[must_use]
    pub fn entry(&self) -> Option<&Entry> {
        self.history.entries().get(self.index()?)
    }

    /// Sees to it that the sample that is looked at is read, in that many columns and rows.
    pub fn show_sample(&mut self, columns: usize, height: usize) {
        let diff = self.diff().map(|diff| Arc::clone(&diff.text));
        let change = self.diff().and_then(Diff::first_change);
        let signs = diff.as_ref().map_or(0, |_| usize::from(GUTTER));
        let shown = match (self.entry(), &self.phase) {
            (Some(entry), _) => Some((entry.sample, diff.unwrap_or_else(|| text_of(entry)))),
            // An error before the first sample may be long, and has no other place.
            (None, Phase::Ended(Err(failure))) => {
                let words = super::outcome::error_in_words(&failure.error);
                Some((0, Arc::from(words)))
            }
            (None, _) => None,
        };
        let Some((sample, text)) = shown else {
            self.reading.document = None;
            return;
        };
        let before = self.reading.document.as_ref();
        let before = before.map(|document| Arc::clone(document.text()));
        let other_sample = std::mem::replace(&mut self.shown, sample) != sample;
        let columns = columns.saturating_sub(signs);
        self.reading.show(&text, columns, height);
        let follows = self.position == Position::Follow && !self.scrolled;
        if follows
            && let Some(before) = before.filter(|before| !Arc::ptr_eq(before, &text))
            && before != text
        {
            let new = other_sample.then(|| first_difference(&before, &text));
            self.reading.reveal(change.or(new));
        }
        self.reveal_match();
    }

    /// What ended the wait is in view, as long as nobody has scrolled.
    fn reveal_match(&mut self) {
        let Phase::Ended(Ok(result)) = &self.phase else {
            return;
        };
        let reason = result.reason;
        if self.scrolled || self.position != Position::Follow {
            return;
        }
        let ranges = self.matched().map(|found| match reason {
            Reason::Failed => &found.fail_when,
            _ => &found.until,
        });
        let first = ranges.and_then(|ranges| ranges.first());
        let first = first.map(|range| range.start);
        let place = match self.diff() {
            Some(diff) => first.and_then(|at| diff.place_of_new(at)),
            None => first,
        };
        self.reading.reveal(place);
    }

    /// Whether there is anything to highlight.
    #[must_use]
    pub fn has_patterns(&self) -> bool {
        self.call.until().pattern().is_some() || self.call.fail_when().is_some()
    }

    /// The patterns whose matches are highlighted.
    #[must_use]
    pub fn patterns(&self) -> (Option<Pattern>, Option<Pattern>) {
        (
            self.call.until().pattern().cloned(),
            self.call.fail_when().cloned(),
        )
    }

    /// What was found in `text`, if it was looked for.
    #[must_use]
    pub fn highlights(&self, text: &Arc<str>) -> Option<&Arc<Highlights>> {
        let known = self
            .highlights
            .iter()
            .find(|(known, _)| Arc::ptr_eq(known, text));
        known.map(|(_, highlights)| highlights)
    }

    /// What was found in the observation that is looked at, where that is known.
    #[must_use]
    pub fn matched(&self) -> Option<&Highlights> {
        let found = self.observation().and_then(|text| self.highlights(text));
        found.map(|found| &**found)
    }

    /// Remembers what was found in `text`.
    pub fn found(&mut self, text: Arc<str>, highlights: Highlights) {
        if self.highlights.len() == REMEMBERED {
            self.highlights.pop_front();
        }
        self.highlights.push_back((text, Arc::new(highlights)));
    }

    /// The observation that is looked at, where it is held.
    #[must_use]
    pub fn observation(&self) -> Option<&Arc<str>> {
        self.entry().and_then(Entry::text)
    }
}

/// The observation of a sample, or why there is none.
fn text_of(entry: &Entry) -> Arc<str> {
    match &entry.kind {
        EntryKind::Failed { cause } => Arc::from(cause.as_str()),
        EntryKind::Observed {
            text: Some(text), ..
        } => Arc::clone(text),
        EntryKind::Observed {
            text: None, bytes, ..
        } => Arc::from(format!("{bytes} bytes, no longer held in memory")),
    }
}
