//! Every flag, once: parsing and help come from here.

mod replay;
mod serve;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

pub use replay::{ConditionFlags, ReplayFlags};
pub use serve::ServeFlags;

use super::plan::Plan;

use crate::app::ServerOptions;
use crate::mcp::{self, ServerEntry, Source};
use crate::store::{MAX_ROUNDS, RecordingReader, is_recording};
use crate::text::parse_seconds;

/// What `run --help` ends with.
const RUN_EPILOGUE: &str = "\
Durations are whole seconds or units: 90, 90s, 1m30s.

Exit codes:
  0      matched or settled
  1      --fail-when matched
  2      usage, a call that was refused, a tool that the server doesn't have,
         a server that is ambiguous or untrusted
  3      the probe failed, timed out or returned too much, or there was no
         server to reach
  124    the budget ended
  128+n  ended by signal n

Examples:
  stakeout run build.wait.json --rounds 4
  stakeout run --tool queue_depth --arg queue=mail --matches '\"depth\": 0'
  stakeout run --url http://localhost:8080/mcp --tool job_logs --quiet-for 30s";

/// Watch one MCP tool until its output says what you are waiting for.
#[derive(Debug, Parser)]
#[command(name = "stakeout", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "Without a command, the screen opens.")]
pub struct Arguments {
    /// A spec or a recording to open on the screen: a file, the name of a saved wait, or - for standard input
    #[arg(value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// Draw the screen with ASCII alone, as where the locale has nothing else
    #[arg(long)]
    pub ascii: bool,
    /// What to do without a screen.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

impl Arguments {
    /// The recording that is to be opened on the screen, if one is. It is told by what is in it, not by
    /// its name.
    ///
    /// # Errors
    /// A sentence, where it can't be read.
    pub fn recording(&self) -> anyhow::Result<Option<PathBuf>> {
        match &self.spec {
            Some(path) if is_recording(path) => {
                RecordingReader::open(path)?;
                Ok(Some(path.clone()))
            }
            _ => Ok(None),
        }
    }

    /// The plan in the spec that is to be opened on the screen, if one is.
    ///
    /// # Errors
    /// A sentence, where it can't be read, or is a command that came too late.
    pub fn plan(&self) -> anyhow::Result<Option<Plan>> {
        let Some(path) = &self.spec else {
            return Ok(None);
        };
        let name = path.to_string_lossy();
        let is_command = Self::command()
            .get_subcommands()
            .any(|command| command.get_name() == name);
        if is_command && !path.exists() {
            anyhow::bail!(
                "{name} is a command; its flags go after it, as in stakeout {name} --stdio …"
            );
        }
        Plan::of_spec(path).map(Some)
    }
}

/// What can be done without a screen.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Wait until a tool's output says what you are waiting for
    Run(Box<RunFlags>),
    /// Call a tool once, and print its observation; exit code 1 on a tool error
    Call(CallFlags),
    /// List a server's tools
    Tools(ToolsFlags),
    /// List the servers, and where they come from
    Servers(ServersFlags),
    /// List the saved waits and the recordings
    List(ListFlags),
    /// Validate a spec: is it portable, what does it need, what is odd about it
    Check(CheckFlags),
    /// Play back a recording; with a condition, say what the wait would have come to
    Replay(ReplayFlags),
    /// Be an MCP server whose tool wait_for waits, for agents
    Serve(Box<ServeFlags>),
    /// Be the demo server, over stdin and stdout
    DemoServer,
    /// Print what completes this command line in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of stakeout, or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
}

impl Command {
    /// Whether it waits, so that there is something to trace.
    #[must_use]
    pub fn waits(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Serve(_))
    }

    /// Whether nothing is to be said on stderr.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        matches!(self, Self::Run(flags) if flags.quiet)
    }

    /// Whether errors are to be told with their chain.
    #[must_use]
    pub fn is_verbose(&self) -> bool {
        match self {
            Self::Run(flags) => flags.servers.verbose,
            Self::Call(flags) => flags.servers.verbose,
            Self::Tools(flags) => flags.servers.verbose,
            Self::Servers(flags) => flags.servers.verbose,
            Self::List(flags) => flags.verbose,
            Self::Check(flags) => flags.servers.verbose,
            Self::Replay(flags) => flags.verbose,
            Self::Serve(flags) => flags.servers.verbose,
            Self::DemoServer | Self::Completions { .. } | Self::Man { .. } => false,
        }
    }
}

/// Which servers there are, beside those of the user and of the project.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Servers")]
pub struct ServerFlags {
    /// Start this command line as a server; split by POSIX quoting, without a shell
    #[arg(long, value_name = "COMMAND", conflicts_with = "url")]
    stdio: Option<String>,
    /// A variable for --stdio's server, beside the inherited ones
    #[arg(long, value_name = "K=V", requires = "stdio")]
    env: Vec<String>,
    /// Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse
    #[arg(long)]
    url: Option<String>,
    /// A header for --url's server
    #[arg(long, value_name = "K: V", requires = "url")]
    header: Vec<String>,
    /// A file with mcpServers, or AURA's or Codex's TOML, over the project's ./.mcp.json and the
    /// user's own
    #[arg(long, value_name = "FILE")]
    mcp_config: Vec<PathBuf>,
    /// Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code,
    /// Windsurf, Zed, Codex, Gemini CLI and opencode
    #[arg(long)]
    discover: bool,
    /// Approve the servers of the project's files and of the spec, for this once
    #[arg(long)]
    trust: bool,
    /// How long connecting may take, over an entry's own timeout [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = parse_timeout)]
    connect_timeout: Option<u64>,
    /// Tell errors with their causes
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

impl ServerFlags {
    /// Whether a server is given on the command line itself.
    #[must_use]
    pub fn give_a_server(&self) -> bool {
        self.stdio.is_some() || self.url.is_some()
    }

    /// The flags as `app` takes them, with the server that a spec brings along.
    ///
    /// # Errors
    /// A sentence for a flag that can't be used.
    pub fn options(&self, spec: Option<ServerEntry>) -> anyhow::Result<ServerOptions> {
        let pairs = |flags: &[String], parse: fn(&str) -> Result<(String, String), String>| {
            let parsed: Result<Vec<_>, _> = flags.iter().map(|flag| parse(flag)).collect();
            parsed.map_err(anyhow::Error::msg)
        };
        let mut given = Vec::new();
        if let Some(command_line) = &self.stdio {
            let env = pairs(&self.env, mcp::parse_env_flag)?;
            given.push(mcp::from_stdio_flag(command_line, &env).map_err(anyhow::Error::msg)?);
        }
        if let Some(url) = &self.url {
            let headers = pairs(&self.header, mcp::parse_header_flag)?;
            given.push(mcp::from_url_flag(url, &headers).map_err(anyhow::Error::msg)?);
        }
        debug_assert!(
            given
                .iter()
                .all(|entry| entry.source == Source::CommandLine)
        );
        given.extend(spec);
        Ok(ServerOptions {
            given,
            config_files: self.mcp_config.clone(),
            discover: self.discover,
            trust: self.trust,
            connect_timeout: self.connect_timeout.map(Duration::from_secs),
        })
    }
}

/// The flags of `run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EPILOGUE)]
pub struct RunFlags {
    /// A spec: a file, the name of a saved wait, or - for standard input; flags override it
    #[arg(value_name = "SPEC")]
    pub spec: Option<PathBuf>,
    /// The call as flags.
    #[command(flatten)]
    pub wait: WaitFlags,
    /// What stdout gets: json (the result), jsonl (every event as it happens), text (the last
    /// observation), aura (server-sent events in AURA's words) or none
    #[arg(long, value_enum, value_name = "FORM", default_value = "json")]
    #[arg(hide_possible_values = true, help_heading = "Output")]
    pub output: OutputForm,
    /// Record the wait to this new file alone, instead of one among the recordings
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,
    /// Don't record the wait
    #[arg(long, conflicts_with = "record", help_heading = "Output")]
    pub no_record: bool,
    /// Say nothing on stderr
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

/// A call as flags.
#[derive(Debug, Default, Args)]
pub struct WaitFlags {
    /// Which server's tool; needed only where it isn't clear
    #[arg(long, value_name = "NAME", help_heading = "Probe")]
    pub server: Option<String>,
    /// The tool to sample
    #[arg(long, value_name = "NAME", help_heading = "Probe")]
    pub tool: Option<String>,
    /// What the tool gets.
    #[command(flatten)]
    pub arguments: ArgumentFlags,
    /// What it is waited for.
    #[command(flatten)]
    pub condition: ConditionFlags,
    /// From the end of one sample to the start of the next [default: 2s]
    #[arg(long, value_name = "DURATION", value_parser = parse_seconds, help_heading = "Budget")]
    pub poll: Option<u64>,
    /// The budget; over 300s is clamped to 300s [default: 120s]
    #[arg(long, value_name = "DURATION", value_parser = parse_seconds, help_heading = "Budget")]
    pub max_wait: Option<u64>,
    /// How many budgets may follow one another; only a timeout starts the next [default: 1]
    #[arg(long, value_name = "N", help_heading = "Budget")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_ROUNDS as i64))]
    pub rounds: Option<u32>,
    /// How many failed samples in a row are tolerated [default: 0]
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub retry_errors: Option<u64>,
    /// How long one sample may take
    #[arg(long, value_name = "DURATION", value_parser = parse_seconds, help_heading = "Budget")]
    pub probe_timeout: Option<u64>,
}

/// What a tool gets.
#[derive(Debug, Default, Args)]
pub struct ArgumentFlags {
    /// The arguments: a JSON object, @FILE, or - for standard input
    #[arg(
        long,
        value_name = "JSON|@FILE|-",
        allow_hyphen_values = true,
        help_heading = "Probe"
    )]
    pub args: Option<String>,
    /// One argument: K=V is a string, K:=JSON is anything else
    #[arg(
        long,
        value_name = "K=V|K:=JSON",
        allow_hyphen_values = true,
        help_heading = "Probe"
    )]
    pub arg: Vec<String>,
}

/// What stdout gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputForm {
    /// The result, or an object with the error
    Json,
    /// Every event as it happens, the result last
    Jsonl,
    /// The last observation
    Text,
    /// The events of AURA's streaming API
    Aura,
    /// Nothing
    None,
}

/// The flags of `call`.
#[derive(Debug, Args)]
pub struct CallFlags {
    /// The tool
    pub tool: String,
    /// Which server's tool; needed only where it isn't clear
    #[arg(long, value_name = "NAME", help_heading = "Probe")]
    pub server: Option<String>,
    /// What the tool gets.
    #[command(flatten)]
    pub arguments: ArgumentFlags,
    /// How long the call may take
    #[arg(long, value_name = "DURATION", value_parser = parse_timeout, help_heading = "Probe")]
    pub probe_timeout: Option<u64>,
    /// Print the result as it came, not as it is observed
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

/// The flags of `tools`.
#[derive(Debug, Args)]
pub struct ToolsFlags {
    /// The server; needed only where there are several
    pub server: Option<String>,
    /// The server, said as `run` and `call` take it
    #[arg(
        long = "server",
        value_name = "SERVER",
        conflicts_with = "server",
        hide = true
    )]
    pub named: Option<String>,
    /// Print the tools with their schemas
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

/// The flags of `servers`.
#[derive(Debug, Args)]
pub struct ServersFlags {
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

/// The flags of `list`.
#[derive(Debug, Args)]
pub struct ListFlags {
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Tell errors with their causes
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

/// The flags of `check`.
#[derive(Debug, Args)]
pub struct CheckFlags {
    /// The spec: a file, the name of a saved wait, or - for standard input
    pub spec: PathBuf,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

/// A duration in which something can happen.
fn parse_timeout(text: &str) -> Result<u64, String> {
    match parse_seconds(text)? {
        0 => Err("nothing is done in no time; give at least 1s".to_owned()),
        seconds => Ok(seconds),
    }
}
