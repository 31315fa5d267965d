//! Everything that is MCP: which servers there are, how to speak to them, what they answer, and
//! the demo server.
//!
//! Owns configuration as data, connections, tool lists and the rendering of results. Must not know
//! our own files or the screen. rmcp's types stay in this room.

mod connection;
mod entry;

pub use entry::{DEMO, HttpAddress, Reach, ServerEntry, Source, StdioCommand};
