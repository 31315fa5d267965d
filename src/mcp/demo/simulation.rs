//! When a simulation started, and what chance says in it.
//!
//! Owns the clocks of the simulations of one connection, and the numbers drawn from a seed. Must
//! not know what is simulated.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Simulations kept for one connection; beyond them, the one unused for longest is dropped.
const KEPT: usize = 256;

/// Calls that don't say which wait they belong to share one simulation, as long as they come at
/// least this often: no wait polls more rarely. After a longer pause it starts afresh.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(300);

/// Where a simulation is when it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Time since its first call.
    pub(super) elapsed: Duration,
    /// Calls before this one.
    pub(super) calls: u64,
}

impl Moment {
    /// The part of `seconds` that has passed, from 0 to 1.
    pub(super) fn share_of(&self, seconds: u64) -> f64 {
        (self.elapsed.as_secs_f64() / Duration::from_secs(seconds.max(1)).as_secs_f64()).min(1.0)
    }
}

/// Which simulation a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The wait's id, where the call has one.
    pub(super) wait: Option<String>,
    /// The tool and its arguments.
    pub(super) probe: String,
}

/// The simulations of one connection, the one used last at the back.
#[derive(Debug, Default)]
pub(super) struct Simulations(VecDeque<Simulation>);

#[derive(Debug)]
struct Simulation {
    key: Key,
    started: Instant,
    last_call: Instant,
    calls: u64,
}

impl Simulations {
    /// Counts a call and says where its simulation is; the first call starts it.
    pub(super) fn look(&mut self, key: Key, now: Instant) -> Moment {
        let known = self.0.iter().position(|simulation| simulation.key == key);
        let mut simulation = known
            .and_then(|index| self.0.remove(index))
            .filter(|simulation| !simulation.is_forgotten(now))
            .unwrap_or(Simulation {
                key,
                started: now,
                last_call: now,
                calls: 0,
            });
        let moment = Moment {
            elapsed: now.saturating_duration_since(simulation.started),
            calls: simulation.calls,
        };
        simulation.calls += 1;
        simulation.last_call = now;
        self.0.push_back(simulation);
        if self.0.len() > KEPT {
            self.0.pop_front();
        }
        moment
    }
}

impl Simulation {
    fn is_forgotten(&self, now: Instant) -> bool {
        self.key.wait.is_none() && now.saturating_duration_since(self.last_call) > FORGOTTEN_AFTER
    }
}

/// Numbers drawn from a seed. The draw for one purpose doesn't depend on any other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    /// A number from 0 up to, but not including, 1, for the `index`th draw.
    pub(super) fn draw(self, index: u64) -> f64 {
        // 53 bits are what a double holds exactly.
        let bits = u32::try_from(self.bits(index) >> 32).unwrap_or(u32::MAX);
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }

    /// A whole number below `bound`, or 0.
    pub(super) fn below(self, index: u64, bound: u64) -> u64 {
        self.bits(index).checked_rem(bound).unwrap_or(0)
    }

    /// SplitMix64 of the seed, `index` steps on. Source: Steele, Lea and Flood, "Fast Splittable
    /// Pseudorandom Number Generators" (OOPSLA 2014).
    fn bits(self, index: u64) -> u64 {
        let mut bits = self
            .0
            .wrapping_mul(0xd134_2543_de82_ef95)
            .wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// A share from 0 to 1 as whole per cent.
pub(super) fn percent(share: f64) -> u8 {
    // A cast saturates, and the share is clamped besides.
    (share.clamp(0.0, 1.0) * 100.0) as u8
}

/// The part of a count that a share from 0 to 1 makes, rounded down.
pub(super) fn part(count: u64, share: f64) -> u64 {
    // Counts here are far below 2^53, so nothing is lost.
    (count as f64 * share.clamp(0.0, 1.0)) as u64
}
