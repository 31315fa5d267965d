//! The wait: what is asked, how it is carried out, and the story it tells.
//!
//! Owns the call, the condition, the engine, its events and the history. Must not know MCP, files,
//! the screen, or what the arguments of a tool mean. It runs on a [`Probe`] and Tokio's clock alone.

mod probe;

pub use probe::{Note, Notes, Output, Probe, SampleFailure};
