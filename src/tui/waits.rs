//! The waits of this session together: their order, which one is meant, and how much of them is
//! kept.
//!
//! Owns what concerns more than one wait. Must not know how one is run, told or drawn.

use super::layer::Layer;
use super::message::Id;
use super::model::Model;
use super::watch::Wait;

/// Bytes of text that all waits hold together before the oldest texts are dropped. With the results
/// as they were sent, and what is worked out about the texts in view, it stays under 64 MiB.
const TEXT_LIMIT: usize = 48 * 1024 * 1024;
/// Waits that ended and are kept; beyond that, the first of them is forgotten.
const MOST_ENDED: usize = 50;

impl Model {
    /// The wait that a key means: the one under the cursor of the list, or else the one on the
    /// Watch.
    #[must_use]
    pub fn meant(&self) -> Option<&Wait> {
        let cursor = self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Waits { cursor } => Some(cursor),
            _ => None,
        });
        match cursor {
            Some(cursor) => self.waits.get(cursor),
            None => self.wait(),
        }
    }

    /// The same, to change it.
    pub fn meant_mut(&mut self) -> Option<&mut Wait> {
        let id = self.meant()?.id;
        self.waits.get_mut(&id)
    }

    /// Which wait `id` is in the order of their starts, from 1, and how many there are.
    #[must_use]
    pub fn place_of(&self, id: Id) -> (usize, usize) {
        (self.waits.range(..=id).count(), self.waits.len())
    }

    /// The wait that was started next after `id`, or last before it.
    #[must_use]
    pub fn neighbour(&self, id: Id, after: bool) -> Option<Id> {
        let next = if after {
            self.waits.range(id..).find(|(other, _)| **other != id)
        } else {
            self.waits.range(..id).next_back()
        };
        next.map(|(id, _)| *id)
    }

    /// Puts the wait `id` on the Watch.
    pub fn watch(&mut self, id: Id) {
        let now = self.now;
        if self.watched != Some(id)
            && let Some(before) = self.wait_mut()
        {
            before.pause(now);
            before.put_aside();
        }
        self.watched = Some(id);
    }

    /// The wait that ended last out of sight, and was not looked at since.
    #[must_use]
    pub fn unseen(&self) -> Option<&Wait> {
        let unseen = self.waits.values().filter(|wait| wait.unseen);
        unseen.max_by_key(|wait| wait.ended_at)
    }

    /// The wait to be forgotten because too many are kept.
    #[must_use]
    pub fn one_too_many(&self) -> Option<Id> {
        let mut ended = self.waits.values().filter(|wait| !wait.is_running());
        let first = ended.clone().find(|wait| self.watched != Some(wait.id))?;
        ended.nth(MOST_ENDED).map(|_| first.id)
    }

    /// Drops texts until all waits together are within their bound: the oldest of waits that ended
    /// and aren't looked at, in the order of their starts, then the oldest of whichever wait holds
    /// most.
    pub fn bound_texts(&mut self) {
        let held = |wait: &Wait| wait.history.held_bytes();
        while self.waits.values().map(held).sum::<usize>() > TEXT_LIMIT {
            let can_drop = self.waits.values().filter(|wait| wait.history.can_drop());
            let aside = |wait: &&Wait| !wait.is_running() && self.watched != Some(wait.id);
            let next = can_drop.clone().find(aside);
            let next = next.or_else(|| can_drop.max_by_key(|wait| held(wait)));
            let Some(id) = next.map(|wait| wait.id) else {
                return;
            };
            if let Some(wait) = self.waits.get_mut(&id) {
                wait.history.drop_oldest();
            }
        }
    }
}
