//! The results of the newest samples as the servers sent them.
//!
//! Owns how many are kept, of all waits together. The engine never sees them; whoever looks at a
//! wait pulls one by the number of its sample.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Bytes that are kept of all waits, by and large; the newest result is kept whatever its size.
pub const RAW_RESULTS_LIMIT: usize = 8 * 1024 * 1024;
/// What a value weighs beside its texts.
const NODE: usize = size_of::<Value>();

/// The newest results of all waits. Cheap to clone; every clone sees the same.
#[derive(Debug, Clone, Default)]
pub struct RawPool(Arc<Mutex<Kept>>);

/// The newest results of one wait.
#[derive(Debug, Clone)]
pub struct RawResults {
    pool: RawPool,
    wait: u64,
}

#[derive(Debug, Default)]
struct Kept {
    /// In the order in which they came.
    results: VecDeque<RawResult>,
    bytes: usize,
}

#[derive(Debug)]
struct RawResult {
    wait: u64,
    sample: u64,
    value: Arc<Value>,
    /// What it weighs: nothing where an older one is the same value.
    weight: usize,
}

impl RawPool {
    /// The results of the wait of that number.
    #[must_use]
    pub fn of(&self, wait: u64) -> RawResults {
        let pool = self.clone();
        RawResults { pool, wait }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RawResults {
    /// The result of that sample, as long as it is kept.
    #[must_use]
    pub fn get(&self, sample: u64) -> Option<Arc<Value>> {
        let kept = self.pool.kept();
        let mut own = kept.results.iter().filter(|own| own.wait == self.wait);
        let found = own.find(|own| own.sample == sample)?;
        Some(Arc::clone(&found.value))
    }

    /// Lets all of them go.
    pub fn forget(&self) {
        let mut kept = self.pool.kept();
        kept.results.retain(|own| own.wait != self.wait);
        // Equal values are shared within a wait alone.
        kept.bytes = kept.results.iter().map(|own| own.weight + NODE).sum();
    }

    /// Keeps the result of a sample that is newer than all before of its wait.
    pub(super) fn keep(&self, sample: u64, result: Value) {
        let mut kept = self.pool.kept();
        let mut own = kept.results.iter().rev();
        let newest = own.find(|own| own.wait == self.wait);
        let same = newest.filter(|newest| *newest.value == result);
        let (value, weight) = match same {
            Some(newest) => (Arc::clone(&newest.value), 0),
            None => {
                let weight = weight(&result);
                (Arc::new(result), weight)
            }
        };
        kept.bytes += weight + NODE;
        kept.results.push_back(RawResult {
            wait: self.wait,
            sample,
            value,
            weight,
        });
        kept.drop_oldest();
    }
}

impl Kept {
    fn drop_oldest(&mut self) {
        while self.bytes > RAW_RESULTS_LIMIT && self.results.len() > 1 {
            let Some(oldest) = self.results.pop_front() else {
                return;
            };
            self.bytes -= NODE;
            let mut later = self.results.iter_mut();
            match later.find(|later| Arc::ptr_eq(&later.value, &oldest.value)) {
                Some(same) => same.weight = oldest.weight,
                None => self.bytes -= oldest.weight,
            }
        }
    }
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    let inside: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(weight).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| key.len() + weight(value))
            .sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inside + NODE
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn large(letter: &str) -> Value {
        json!({ "content": [{ "type": "text", "text": letter.repeat(RAW_RESULTS_LIMIT / 4) }] })
    }

    #[test]
    fn a_result_is_found_by_its_wait_and_its_sample() {
        let pool = RawPool::default();
        let results = pool.of(1);
        results.keep(1, json!({ "a": 1 }));
        results.keep(3, json!({ "a": 3 }));
        pool.of(2).keep(3, json!({ "b": 3 }));
        assert_eq!(*results.get(3).unwrap(), json!({ "a": 3 }));
        assert_eq!(*pool.of(2).get(3).unwrap(), json!({ "b": 3 }));
        assert_eq!(results.get(2), None);
    }

    #[test]
    fn the_oldest_are_dropped_and_equal_ones_weigh_once() {
        let results = RawPool::default().of(1);
        for sample in 1..=50 {
            results.keep(sample, large("a"));
        }
        for (sample, letter) in [(51, "b"), (52, "c")] {
            results.keep(sample, large(letter));
        }
        assert!(results.get(1).is_some());
        results.keep(53, large("d"));
        assert!(results.get(1).is_none() && results.get(50).is_none());
        assert!(results.get(51).is_some() && results.get(53).is_some());
        assert!(results.pool.kept().bytes <= RAW_RESULTS_LIMIT);
    }

    #[test]
    fn u14_all_waits_share_one_bound_and_one_that_is_forgotten_holds_nothing() {
        let pool = RawPool::default();
        for wait in 1..=20 {
            pool.of(wait).keep(1, large("a"));
            pool.of(wait).keep(2, large("a"));
            assert!(pool.kept().bytes <= RAW_RESULTS_LIMIT);
        }
        assert!(pool.of(1).get(1).is_none() && pool.of(20).get(1).is_some());
        for wait in 1..=20 {
            pool.of(wait).forget();
        }
        assert_eq!(pool.kept().bytes, 0);
    }

    #[test]
    fn the_newest_is_kept_whatever_its_size() {
        let results = RawPool::default().of(1);
        results.keep(1, json!("x".repeat(2 * RAW_RESULTS_LIMIT)));
        assert!(results.get(1).is_some());
        results.keep(2, json!("y"));
        assert!(results.get(1).is_none() && results.get(2).is_some());
    }
}
