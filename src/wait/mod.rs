//! The wait: what is asked, how it is carried out, and the story it tells.
//!
//! Owns the call, the condition, the engine, its events and the history. Must not know MCP, files,
//! the screen, or what the arguments of a tool mean. It runs on a [`Probe`] and Tokio's clock alone.

mod call;
mod condition;
pub mod engine;
mod error;
mod event;
mod history;
mod outcome;
mod parse;
mod pattern;
mod probe;
mod refusal;
pub mod schema;
mod what_if;

pub use call::{
    Bounds, Call, DEFAULT_MAX_WAIT_SEC, DEFAULT_POLL_SEC, MAX_WAIT_CAP_SEC, ToolErrors, Until,
};
pub use condition::{Evaluator, Verdict, compared};
pub use engine::Chain;
pub use error::{CAUSE_LIMIT, OBSERVATION_LIMIT, WaitError, WaitFailure};
pub use event::{AfterSleep, Event, FORMAT_VERSION, Header, Millis, Outcome, Sample};
pub use history::{Changes, Entry, EntryKind, History};
pub use outcome::{Answer, Ending, Reason, WaitResult};
pub use pattern::Pattern;
pub use probe::{Note, Notes, Output, Probe, SampleFailure};
pub use refusal::Refusal;
pub use what_if::{Judged, Stop, WhatIf};
