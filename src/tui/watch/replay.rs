//! A recording as it is played on the Watch.
//!
//! Owns the clock of the recording: where it stands, and how fast it runs. Must not know files: what
//! is recorded comes from beside the loop.

use std::path::PathBuf;
use std::time::Duration;

use super::super::message::Id;
use super::{Position, Wait};
use crate::app::{Batch, Extent, Opened};
use crate::store::RECORDING_SUFFIX;
use crate::wait::{Entry, Event};

/// How many seconds of a recording pass in one, the slowest first.
const SPEEDS: [(f64, &str); 7] = [
    (0.25, "0.25"),
    (0.5, "0.5"),
    (1.0, "1"),
    (2.0, "2"),
    (4.0, "4"),
    (8.0, "8"),
    (16.0, "16"),
];
/// As fast as it happened.
const AS_IT_WAS: usize = 2;
/// The shortest time between two steps of a clock: no more is seen.
const SHORTEST_TICK: Duration = Duration::from_millis(16);

/// What is played.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The file.
    pub path: PathBuf,
    /// When it was recorded, in local time.
    pub started: String,
    /// How much of it there is.
    pub extent: Extent,
    speed: usize,
    clock: Clock,
    /// When each round began, since the first sample started.
    rounds: Vec<Duration>,
    /// The last moment that is known.
    end: Duration,
}

/// The clock of a recording; its times are since the first sample started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    Stands(Duration),
    /// It stood at `from` at the moment `since` of the loop's clock.
    Runs {
        from: Duration,
        since: Duration,
    },
}

impl Replay {
    fn new(path: PathBuf, started: String) -> Self {
        Self {
            path,
            started,
            extent: Extent::Reading,
            speed: AS_IT_WAS,
            clock: Clock::Stands(Duration::ZERO),
            rounds: Vec::new(),
            end: Duration::ZERO,
        }
    }

    /// Whether the clock runs.
    #[must_use]
    pub fn plays(&self) -> bool {
        matches!(self.clock, Clock::Runs { .. })
    }

    /// How many times as fast as it happened the clock runs, as a number.
    #[must_use]
    pub fn speed(&self) -> &'static str {
        SPEEDS[self.speed].1
    }

    /// The name of the file, without what all recordings end with.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.strip_suffix(RECORDING_SUFFIX).unwrap_or(&name);
        stem.to_owned()
    }

    /// Where the clock stands at the moment `now` of the loop's.
    fn at(&self, now: Duration) -> Duration {
        match self.clock {
            Clock::Stands(at) => at,
            Clock::Runs { from, since } => {
                let passed = now.saturating_sub(since).mul_f64(SPEEDS[self.speed].0);
                from.saturating_add(passed).min(self.end)
            }
        }
    }

    /// Which round is on at a moment of the recording, from 1, and when it began.
    fn round_at(&self, at: Duration) -> (u32, Duration) {
        let begun = self.rounds.partition_point(|began| *began <= at).max(1);
        let began = self.rounds.get(begun - 1).copied().unwrap_or_default();
        (u32::try_from(begun).unwrap_or(u32::MAX), began)
    }
}

impl Wait {
    /// A recording that was just opened.
    #[must_use]
    pub fn replayed(id: Id, opened: Opened, now: Duration) -> Self {
        let mut wait = Self::new(id, opened.server, opened.call, opened.rounds, now);
        wait.recorded.path = Some(opened.path.clone());
        wait.replay = Some(Replay::new(opened.path, opened.started));
        wait
    }

    /// Takes more of what is recorded.
    pub fn take(&mut self, batch: Batch) {
        for (event, changed) in &batch.events {
            let at = event.at();
            self.told(event, *changed, at);
            let Some(replay) = &mut self.replay else {
                return;
            };
            replay.end = replay.end.max(at);
            if let Event::RoundStarted { at_ms, .. } = event {
                replay.rounds.push(at_ms.0);
            }
        }
        if let Some(replay) = &mut self.replay {
            replay.extent = batch.extent;
            let end = replay.end;
            if let Some(ending) = batch.ending {
                self.ended(ending, end);
            }
        }
        if self.position == Position::Follow {
            self.stand_still();
        }
    }

    /// Whether it is a recording whose clock runs.
    #[must_use]
    pub fn plays(&self) -> bool {
        self.replay.as_ref().is_some_and(Replay::plays)
    }

    /// Lets the clock run from where it stands, or from the first sample where it stands at the end;
    /// or stops it.
    pub fn toggle_playing(&mut self, now: Duration) {
        let at_end = self.newer() == 0;
        let first = self.history.entries().first().map(completed);
        let Some(replay) = &mut self.replay else {
            return;
        };
        if replay.plays() {
            self.pause(now);
            return;
        }
        let from = match first {
            None => return,
            Some(first) if at_end => first,
            Some(_) => replay.at(now),
        };
        replay.clock = Clock::Runs { from, since: now };
        self.scrolled = false;
        self.play_on(now);
    }

    /// Stops the clock where it is.
    pub fn pause(&mut self, now: Duration) {
        if let Some(replay) = &mut self.replay {
            replay.clock = Clock::Stands(replay.at(now));
        }
    }

    /// Makes the clock faster, or slower. Answers whether it could be.
    pub fn change_speed(&mut self, faster: bool, now: Duration) -> bool {
        let Some(replay) = &mut self.replay else {
            return false;
        };
        let next = match faster {
            true => Some(replay.speed + 1).filter(|next| *next < SPEEDS.len()),
            false => replay.speed.checked_sub(1),
        };
        let Some(next) = next else { return false };
        if replay.plays() {
            let from = replay.at(now);
            replay.clock = Clock::Runs { from, since: now };
        }
        replay.speed = next;
        true
    }

    /// Looks at the sample that was the newest where the clock stands. Answers whether the clock runs.
    pub fn play_on(&mut self, now: Duration) -> bool {
        let Some(replay) = self.replay.as_mut().filter(|replay| replay.plays()) else {
            return false;
        };
        let at = replay.at(now);
        let at_end = at >= replay.end;
        if at_end {
            replay.clock = Clock::Stands(at);
        }
        self.position = if at_end {
            Position::Follow
        } else {
            let entries = self.history.entries();
            let seen = entries.partition_point(|entry| completed(entry) <= at);
            Position::Hold(seen.saturating_sub(1))
        };
        self.set_round(at);
        true
    }

    /// The clock stands where the sample that is looked at was complete; at the end, where the
    /// recording is.
    pub fn stand_still(&mut self) {
        let looked_at = self.entry().map(completed);
        let newest = self.position == Position::Follow;
        let Some(replay) = &mut self.replay else {
            return;
        };
        let at = looked_at.filter(|_| !newest).unwrap_or(replay.end);
        replay.clock = Clock::Stands(at);
        self.set_round(at);
    }

    fn set_round(&mut self, at: Duration) {
        if let Some(replay) = &self.replay {
            (self.round, self.round_began) = replay.round_at(at);
        }
    }

    /// Where the clock of a recording stands.
    #[must_use]
    pub fn recorded_time(&self, now: Duration) -> Option<Duration> {
        Some(self.replay.as_ref()?.at(now))
    }

    /// When the clock of a recording will next change what is shown, while it runs: at the next
    /// sample, the next whole second of the round, or the end.
    #[must_use]
    pub fn next_step(&self, now: Duration) -> Option<Duration> {
        let replay = self.replay.as_ref().filter(|replay| replay.plays())?;
        let at = replay.at(now);
        let entries = self.history.entries();
        let seen = entries.partition_point(|entry| completed(entry) <= at);
        let seconds = at.saturating_sub(self.round_began).as_secs() + 1;
        let second = self.round_began + Duration::from_secs(seconds);
        let next = entries.get(seen).map_or(replay.end, completed);
        let next = next.min(second).min(replay.end);
        let wait = next.saturating_sub(at).div_f64(SPEEDS[replay.speed].0);
        Some(now + wait.max(SHORTEST_TICK))
    }
}

/// When a sample was complete.
fn completed(entry: &Entry) -> Duration {
    entry.at + entry.latency
}
