//! Everything that is MCP: which servers there are, how to speak to them, what they answer, and
//! the demo server.
//!
//! Owns configuration as data, connections, tool lists and the rendering of results. Must not know
//! our own files or the screen. rmcp's types stay in this room and in `serve`.

mod call;
mod cause;
mod client;
mod connection;
mod elicitation;
mod http;
mod journal;
mod process;
mod render;
mod request;
mod sse;
mod stdio;
mod streams;
mod tools;
mod trace_context;
mod wire;
pub use call::{CallFailure, ToolCall};
pub use cause::without_stderr;
pub use connection::{ConnectError, Connection, Host};
pub use elicitation::{Asked, Elicitation, Questions, Reply, Wanted};
pub use http::client_builder;
pub use journal::{Direction, Journal, LogEntry, LogKind, Page, TraceEntry, TraceKind};
pub use render::{ERROR_PREFIX, Observation, blocks_in_full, render};
pub use streams::serve_streams;
pub use tools::{Tool, ToolList};
pub use trace_context::TraceContext;

mod entry;

pub use entry::{DEMO, HttpAddress, Program, Reach, ServerEntry, Source, StdioCommand};

// Configuration, its expansion, and what an operator is asked to trust.
mod config;
mod expand;
mod trust;
pub use config::{
    ConfigFile, ConfigProblem, Configured, EntryState, Listed, Surroundings, assemble, demo_entry,
    entry_warnings, from_stdio_flag, from_typed_line, from_url_flag, parse_entry, parse_env_flag,
    parse_file, parse_header_flag, parse_program_file,
};
pub use expand::{ExpandError, expand, variables};
pub use trust::{fingerprint_source, redacted, rewrite_secrets, would_run};

// The demo server.
pub mod demo;
