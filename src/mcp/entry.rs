//! One server as it is configured: how to reach it, and where that was said.
//!
//! Owns the types only. Strings are as they were written: `${VAR}` is expanded when the server is
//! used, by [`super::expand`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The name of the built-in server; it can't be shadowed.
pub const DEMO: &str = "demo";

/// A configured server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// The name it goes by.
    pub name: String,
    /// Where it was configured.
    pub source: Source,
    /// How it is reached.
    pub reach: Reach,
    /// The entry's own connect timeout, from `timeout` (milliseconds in the file).
    pub connect_timeout: Option<Duration>,
}

/// Where a server was configured, from the most to the least specific.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Compiled in.
    BuiltIn,
    /// `--stdio` or `--url`.
    CommandLine,
    /// The spec that is being run, by its path.
    Spec(PathBuf),
    /// A file given by `--mcp-config`.
    ConfigFlag(PathBuf),
    /// `./.mcp.json`.
    Project(PathBuf),
    /// The user's own `stakeout/mcp.json`.
    User(PathBuf),
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// The demo server, in this process.
    Demo,
    /// A child process that speaks over its stdin and stdout.
    Stdio(StdioCommand),
    /// Streamable HTTP.
    Http(HttpAddress),
    /// The legacy HTTP+SSE transport.
    Sse(HttpAddress),
}

/// A program to start. No shell stands between: the arguments arrive as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StdioCommand {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables beside the inherited ones.
    pub env: BTreeMap<String, String>,
    /// The folder it runs in, or ours.
    pub cwd: Option<String>,
}

/// An address to speak to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpAddress {
    /// The endpoint.
    pub url: String,
    /// Headers of every request. Values may be secret: they are never printed.
    pub headers: BTreeMap<String, String>,
}
