//! The place in a distributed trace, as it travels in `_meta`.
//!
//! Owns its two keys, which are those of W3C Trace Context. Must not know what is traced.

use serde_json::{Map, Value, json};

const PARENT: &str = "traceparent";
const STATE: &str = "tracestate";

/// A place in a trace, in the words of W3C Trace Context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace, the span in it, and whether it is recorded.
    pub traceparent: String,
    /// What others want to be passed on.
    pub tracestate: Option<String>,
}

impl TraceContext {
    /// What `read` says of the keys `traceparent` and `tracestate`, if it has the first. Whether it
    /// means anything is not looked at.
    #[must_use]
    pub fn read(read: impl Fn(&str) -> Option<String>) -> Option<Self> {
        Some(Self {
            traceparent: read(PARENT)?,
            tracestate: read(STATE).filter(|state| !state.is_empty()),
        })
    }

    /// What a caller says in `_meta`.
    #[must_use]
    pub fn of_meta(meta: &Map<String, Value>) -> Option<Self> {
        Self::read(|key| meta.get(key)?.as_str().map(str::to_owned))
    }

    /// Says it to whom is called.
    pub(super) fn write(&self, meta: &mut Map<String, Value>) {
        meta.insert(PARENT.to_owned(), json!(self.traceparent));
        if let Some(state) = &self.tracestate {
            meta.insert(STATE.to_owned(), json!(state));
        }
    }
}
