//! How much work a server's schema may make.
//!
//! Owns the bound: references let a small schema unfold into more than anyone waits for. Must not
//! know what the work is.

use std::cell::Cell;

use serde_json::Value;

/// Steps that are taken at once, of some 100 ns each. A form of hundreds of fields takes thousands.
const MOST: usize = 100_000;
/// Bytes of a text that are copied in one step.
const STEP: usize = 64;

/// What may still be done.
#[derive(Debug)]
pub(super) struct Work {
    left: Cell<usize>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            left: Cell::new(MOST),
        }
    }

    /// Takes that many steps. Answers whether they were left.
    pub(super) fn spend(&self, steps: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(steps));
        left > steps
    }

    /// Takes the steps that a copy of `text` costs. Answers whether they were left.
    pub(super) fn spend_on_text(&self, text: &str) -> bool {
        self.spend(text.len() / STEP)
    }

    /// Whether nothing is left: what was found since isn't all there is.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// The `items` as long as there is a step left for each.
    pub(super) fn limit<T>(&self, items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        items.take_while(|_| self.spend(1))
    }
}

/// The steps that a copy of `value` costs.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / STEP,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(members) => {
            let members = members.iter();
            1 + members
                .map(|(name, value)| name.len() / STEP + weight(value))
                .sum::<usize>()
        }
        _ => 1,
    }
}
