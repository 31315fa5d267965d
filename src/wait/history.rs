//! What a wait has seen.
//!
//! Owns the list of samples and their texts, equal ones once, and which text is the next to be
//! dropped. Must not know how much may be held, the screen, or files.

mod story;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use self::story::Told;
use super::condition::compared;
use super::{Call, Event, Sample};

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Which attempt, every one counted, from 1.
    pub sample: u64,
    /// When it started, since the first sample started.
    pub at: Duration,
    /// How long it took.
    pub latency: Duration,
    /// The round it belongs to, from 1.
    pub round: u32,
    /// What it brought.
    pub kind: EntryKind,
}

/// What an attempt brought.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryKind {
    /// An observation.
    Observed {
        /// The text; `None` once it was dropped, or where there never was one.
        text: Option<Arc<str>>,
        /// The sample that brought that text first, this one or an earlier one.
        first: u64,
        /// Bytes of the text.
        bytes: usize,
        /// Whether the tool reported an error.
        tool_error: bool,
        /// Whether it differs from the observation before, after `ignore`; the first never does.
        changed: bool,
    },
    /// None, and why.
    Failed {
        /// The cause.
        cause: String,
        /// Whether no other attempt could have fared better.
        hopeless: bool,
    },
}

impl Entry {
    /// The text, where there is one and it is still held.
    #[must_use]
    pub fn text(&self) -> Option<&Arc<str>> {
        match &self.kind {
            EntryKind::Observed { text, .. } => text.as_ref(),
            EntryKind::Failed { .. } => None,
        }
    }
}

/// Tells which samples changed. Over a large output `ignore` takes its time, so it is asked beside
/// whatever must answer at once.
#[derive(Debug)]
pub struct Changes {
    call: Call,
    /// The observation before, if there was one, where its text came along.
    before: Option<Option<Arc<str>>>,
}

impl Changes {
    /// Nothing seen yet. `call` says what counts as a change.
    #[must_use]
    pub fn new(call: Call) -> Self {
        Self { call, before: None }
    }

    /// Whether `event` is a sample that differs from the observation before, after `ignore`. The
    /// first never does.
    pub fn see(&mut self, event: &Event) -> bool {
        let Event::Sample(sample) = event else {
            return false;
        };
        let before = self.before.replace(sample.text.clone());
        match (before, &sample.text) {
            (None, _) => false,
            (Some(Some(before)), Some(text)) => {
                !Arc::ptr_eq(&before, text)
                    && compared(&self.call, &before) != compared(&self.call, text)
            }
            (Some(_), _) => true,
        }
    }
}

/// The attempts of a wait, oldest first.
#[derive(Debug, Clone, Default)]
pub struct History {
    entries: Vec<Entry>,
    /// The distinct texts that are held, the one that was seen longest ago first.
    held: VecDeque<Arc<str>>,
    /// The newest one, which is never dropped.
    newest: Option<Arc<str>>,
    held_bytes: usize,
    round: u32,
    changes: usize,
    told: Told,
}

impl History {
    /// A history without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what `event` adds; `changed` is what [`Changes::see`] says of it.
    pub fn record(&mut self, event: &Event, changed: bool) {
        self.told.take(event, self.entries.len());
        match event {
            Event::RoundStarted { round, .. } => self.round = *round,
            Event::Sample(sample) => {
                self.changes += usize::from(changed);
                let text = self.own(sample);
                if let Some(text) = &text {
                    self.hold(text);
                    self.newest = Some(Arc::clone(text));
                }
                self.entries.push(Entry {
                    sample: sample.sample,
                    at: sample.at_ms.0,
                    latency: sample.latency_ms.0,
                    round: self.round,
                    kind: EntryKind::Observed {
                        text,
                        first: sample.same_as.unwrap_or(sample.sample),
                        bytes: sample.bytes,
                        tool_error: sample.tool_error,
                        changed,
                    },
                });
            }
            Event::SampleFailed {
                sample,
                at_ms,
                latency_ms,
                cause,
                hopeless,
            } => self.entries.push(Entry {
                sample: *sample,
                at: at_ms.0,
                latency: latency_ms.0,
                round: self.round,
                kind: EntryKind::Failed {
                    cause: cause.clone(),
                    hopeless: *hopeless,
                },
            }),
            _ => {}
        }
    }

    /// The attempts, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many samples differed from the one before.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// The newest observation.
    #[must_use]
    pub fn last_text(&self) -> Option<&Arc<str>> {
        self.newest.as_ref()
    }

    /// Takes back the text of a sample, which was dropped and read again: all samples with the same
    /// text have it. It counts as the last one that was seen.
    pub fn restore(&mut self, sample: u64, text: &Arc<str>) {
        let first_of = |entry: &Entry| match entry.kind {
            EntryKind::Observed { first, .. } => Some(first),
            EntryKind::Failed { .. } => None,
        };
        let found = self
            .entries
            .binary_search_by_key(&sample, |entry| entry.sample);
        let Some(first) = found.ok().and_then(|at| first_of(&self.entries[at])) else {
            return;
        };
        let mut taken = false;
        for entry in &mut self.entries {
            if first_of(entry) == Some(first)
                && let EntryKind::Observed { text: own, .. } = &mut entry.kind
                && own.is_none()
            {
                *own = Some(Arc::clone(text));
                taken = true;
            }
        }
        if taken {
            self.hold(text);
        }
    }

    /// The text as it is held: the one that is there already, where the sample says whose it is, or a
    /// copy. What stays for long lies together then; between what comes and goes with every answer it
    /// would keep holes from being used.
    fn own(&self, sample: &Sample) -> Option<Arc<str>> {
        let text = sample.text.as_ref()?;
        let held = sample.same_as.and_then(|first| {
            let mut earlier = self.entries.iter().rev();
            earlier.find_map(|entry| match &entry.kind {
                EntryKind::Observed {
                    first: own, text, ..
                } if *own == first => text.clone(),
                _ => None,
            })
        });
        Some(held.unwrap_or_else(|| Arc::from(&**text)))
    }

    /// A text that comes back counts as new: what was seen last is the last to be dropped.
    fn hold(&mut self, text: &Arc<str>) {
        let known = self.held.iter().rposition(|held| Arc::ptr_eq(held, text));
        match known.and_then(|at| self.held.remove(at)) {
            Some(held) => self.held.push_back(held),
            None => {
                self.held_bytes += text.len();
                self.held.push_back(Arc::clone(text));
            }
        }
    }

    /// Bytes of the texts that are held.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    /// Whether there is a text to drop: the newest one stays.
    #[must_use]
    pub fn can_drop(&self) -> bool {
        self.held.len() > 1
    }

    /// Drops the text that was seen longest ago, if there is one to drop.
    pub fn drop_oldest(&mut self) {
        if !self.can_drop() {
            return;
        }
        let newest = self.newest.as_ref();
        let is_newest = |held: &Arc<str>| newest.is_some_and(|newest| Arc::ptr_eq(newest, held));
        let oldest = self.held.iter().position(|held| !is_newest(held));
        let Some(oldest) = oldest.and_then(|at| self.held.remove(at)) else {
            return;
        };
        self.held_bytes -= oldest.len();
        for entry in &mut self.entries {
            if let EntryKind::Observed { text, .. } = &mut entry.kind
                && text.as_ref().is_some_and(|text| Arc::ptr_eq(text, &oldest))
            {
                *text = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::wait::Millis;

    fn sample(text: &Arc<str>) -> Event {
        numbered(1, text)
    }

    fn same_as(first: u64, event: Event) -> Event {
        match event {
            Event::Sample(sample) => Event::Sample(Sample {
                same_as: Some(first),
                ..sample
            }),
            other => other,
        }
    }

    fn numbered(sample: u64, text: &Arc<str>) -> Event {
        Event::Sample(Sample {
            sample,
            at_ms: Millis::default(),
            latency_ms: Millis::default(),
            bytes: text.len(),
            tool_error: false,
            same_as: None,
            text_left_out: false,
            text: Some(Arc::clone(text)),
        })
    }

    #[test]
    fn w16_what_ignore_matches_is_no_change() {
        let call = json!({
            "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" },
            "ignore": "\\d+s ago",
        });
        let mut changes = Changes::new(Call::parse(&call).unwrap());
        let texts = ["up 1s ago", "up 2s ago", "down 2s ago", "down 3s ago"];
        let seen = texts.map(|text| changes.see(&sample(&Arc::from(text))));
        assert_eq!(seen, [false, false, true, false]);
    }

    #[test]
    fn the_newest_text_is_the_last_to_be_dropped_even_if_it_was_the_first_to_come() {
        let mut history = History::new();
        let steady: Arc<str> = "steady".into();
        history.record(&sample(&steady), false);
        for (number, other) in [(2, "one"), (4, "two")] {
            history.record(&numbered(number, &other.into()), false);
            history.record(&same_as(1, numbered(number + 1, &steady)), false);
        }
        assert_eq!(history.held_bytes(), "steadyonetwo".len());
        history.drop_oldest();
        let texts = history.entries().iter().map(|entry| entry.text());
        let texts: Vec<Option<&str>> = texts.map(|text| text.map(|text| &**text)).collect();
        let steady = Some("steady");
        assert_eq!(texts, [steady, None, steady, Some("two"), steady]);
        for _ in 0..9 {
            history.drop_oldest();
        }
        assert_eq!(history.held_bytes(), "steady".len());
        assert!(!history.can_drop());
    }

    #[test]
    fn a_text_that_is_read_again_is_that_of_all_samples_that_had_it() {
        let mut history = History::new();
        let texts = ["one", "two", "new"].map(Arc::<str>::from);
        history.record(&numbered(1, &texts[0]), false);
        history.record(&same_as(1, numbered(2, &texts[0])), false);
        history.record(&numbered(3, &texts[1]), true);
        history.record(&numbered(4, &texts[2]), true);
        for _ in 0..2 {
            history.drop_oldest();
        }
        assert_eq!(history.held_bytes(), "new".len());
        history.restore(2, &"one".into());
        history.restore(9, &"never".into());
        let held = |history: &History| -> Vec<bool> {
            let entries = history.entries().iter();
            entries.map(|entry| entry.text().is_some()).collect()
        };
        assert_eq!(held(&history), [true, true, false, true]);
        assert_eq!(history.held_bytes(), "newone".len());
        // The newest text stays, though another was seen since.
        history.drop_oldest();
        assert_eq!(held(&history), [false, false, false, true]);
        assert_eq!(history.last_text(), Some(&texts[2]));
    }
}
