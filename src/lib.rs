//! stakeout watches one MCP tool until its output says what an operator is waiting for.
//!
//! # The map of the house
//!
//! Folders are rooms, and imports go one way:
//!
//! ```text
//! text → wait → mcp | store → app → cli | tui | serve → main
//! ```
//!
//! | room | owns | must not know |
//! | --- | --- | --- |
//! | [`text`] | sanitising, durations, diff | anything of ours |
//! | [`wait`] | the call, the condition, the engine, its events, the history | MCP, files, the screen, arguments |
//! | [`mcp`] | configuration, connections, tool lists, rendering results, the demo server | files of ours, the screen |
//! | [`store`] | settings, specs, recordings, drafts, trust, what is remembered, the log, folders | MCP, the screen |
//! | [`app`] | puts a probe and an engine together, arguments, why not, spans; what every front end calls | the screen, clap |
//! | [`cli`] | the command line | the screen |
//! | [`tui`] | the screen | the command line |
//! | [`serve`] | the engine as an MCP tool | the screen, the command line |
//!
//! A wait starts in a front end as a [`wait::Call`], `app` finds the server that has the tool and
//! makes a [`wait::Probe`] of it, [`wait::engine`] samples that probe and tells its story as
//! [`wait::Event`]s, and the front end shows them. `tests/architecture.rs` holds the arrows.

pub mod app;
pub mod cli;
pub mod mcp;
pub mod serve;
pub mod store;
pub mod text;
pub mod tui;
pub mod wait;
