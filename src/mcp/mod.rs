//! Everything that is MCP: which servers there are, how to speak to them, what they answer, and
//! the demo server.
//!
//! Owns configuration as data, connections, tool lists and the rendering of results. Must not know
//! our own files or the screen. rmcp's types stay in this room.

mod call;
mod cause;
mod client;
mod connection;
mod http;
mod log;
mod process;
mod render;
mod request;
mod sse;
mod stdio;
mod tools;
mod wire;
pub use call::{CallFailure, ToolCall};
pub use connection::{ConnectError, Connection};
pub use log::ServerLog;
pub use render::{Observation, render};
pub use tools::{Tool, ToolList};

mod entry;

pub use entry::{DEMO, HttpAddress, Reach, ServerEntry, Source, StdioCommand};
