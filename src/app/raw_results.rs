//! The results of a wait's newest samples as the servers sent them.
//!
//! Owns how many are kept. The engine never sees them; whoever looks at the wait pulls one by the
//! number of its sample.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Bytes that are kept for one wait, by and large; the newest result is kept whatever its size.
pub const RAW_RESULTS_LIMIT: usize = 8 * 1024 * 1024;
/// What a value weighs beside its texts.
const NODE: usize = 32;

/// The newest results of one wait. Cheap to clone; every clone sees the same.
#[derive(Debug, Clone, Default)]
pub struct RawResults(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// Sample, result, and what it weighs: nothing where the one before is the same.
    results: VecDeque<(u64, Arc<Value>, usize)>,
    bytes: usize,
}

impl RawResults {
    /// The result of that sample, as long as it is kept.
    #[must_use]
    pub fn get(&self, sample: u64) -> Option<Arc<Value>> {
        let kept = self.kept();
        let place = kept.results.binary_search_by_key(&sample, |(own, ..)| *own);
        let (_, result, _) = kept.results.get(place.ok()?)?;
        Some(Arc::clone(result))
    }

    /// Keeps the result of a sample that is newer than all before.
    pub(super) fn keep(&self, sample: u64, result: Value) {
        let mut kept = self.kept();
        let same = kept
            .results
            .back()
            .filter(|(_, newest, _)| **newest == result);
        let (result, weight) = match same {
            Some((_, newest, _)) => (Arc::clone(newest), 0),
            None => {
                let weight = weight(&result);
                (Arc::new(result), weight)
            }
        };
        kept.bytes += weight + NODE;
        kept.results.push_back((sample, result, weight));
        kept.drop_oldest();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn drop_oldest(&mut self) {
        while self.bytes > RAW_RESULTS_LIMIT && self.results.len() > 1 {
            let Some((_, result, weight)) = self.results.pop_front() else {
                return;
            };
            self.bytes -= NODE;
            match self.results.front_mut() {
                // The next one holds the same.
                Some((_, next, own)) if Arc::ptr_eq(next, &result) => *own = weight,
                _ => self.bytes -= weight,
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
    fn a_result_is_found_by_its_sample() {
        let results = RawResults::default();
        results.keep(1, json!({ "a": 1 }));
        results.keep(3, json!({ "a": 3 }));
        assert_eq!(*results.get(3).unwrap(), json!({ "a": 3 }));
        assert_eq!(results.get(2), None);
    }

    #[test]
    fn the_oldest_are_dropped_and_equal_ones_weigh_once() {
        let results = RawResults::default();
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
        assert!(results.kept().bytes <= RAW_RESULTS_LIMIT);
    }

    #[test]
    fn the_newest_is_kept_whatever_its_size() {
        let results = RawResults::default();
        results.keep(1, json!("x".repeat(2 * RAW_RESULTS_LIMIT)));
        assert!(results.get(1).is_some());
        results.keep(2, json!("y"));
        assert!(results.get(1).is_none() && results.get(2).is_some());
    }
}
