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
    /// Typed on the screen, for this session.
    Added,
    /// The spec that is being run, by its path.
    Spec(PathBuf),
    /// A file given by `--mcp-config`.
    ConfigFlag(PathBuf),
    /// `./.mcp.json`.
    Project(PathBuf),
    /// The user's own `stakeout/mcp.json`.
    User(PathBuf),
    /// A file of another program.
    Program {
        /// Whose.
        program: Program,
        /// Where it lies.
        path: PathBuf,
        /// Whether it lies in the current folder, so that somebody else may have written it.
        of_project: bool,
    },
}

impl Source {
    /// What a file calls the table that its servers are in.
    #[must_use]
    pub fn section(&self) -> &'static str {
        match self {
            Self::Program { program, .. } => program.section(),
            _ => "mcpServers",
        }
    }
}

/// A program whose files list servers, in the order in which they are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// VS Code.
    VsCode,
    /// Windsurf.
    Windsurf,
    /// Zed.
    Zed,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// AURA, whose files lie anywhere and are given by path.
    Aura,
}

impl Program {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "Claude Desktop",
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Windsurf => "Windsurf",
            Self::Zed => "Zed",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
            Self::Aura => "AURA",
        }
    }

    /// What its files call the table that the servers are in.
    #[must_use]
    pub fn section(self) -> &'static str {
        match self {
            Self::ClaudeDesktop
            | Self::ClaudeCode
            | Self::Cursor
            | Self::Windsurf
            | Self::Gemini => "mcpServers",
            Self::VsCode => "servers",
            Self::Zed => "context_servers",
            Self::Codex => "mcp_servers",
            Self::Opencode => "mcp",
            Self::Aura => "mcp.servers",
        }
    }
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
