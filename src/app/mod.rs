//! Puts a probe, an engine and a server together: what every front end calls.
//!
//! Must not know the screen or clap.

pub mod arguments;
