//! A wait in forms that others take: its output, its answer, a command line, an agent's call.
//!
//! Owns how each is written. Must not know where the text goes.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Servers;
use super::secrets::Secrets;
use crate::mcp::{self, Reach, ServerEntry, Source, TraceEntry};
use crate::text::{escape_json, escape_pattern, is_plain, without_controls};
use crate::wait::{Answer, Call, Ending, ToolErrors, Until};

/// What is to be copied.
#[derive(Debug, Clone, PartialEq)]
pub enum CopyOf {
    /// An observation, whole.
    Output(Arc<str>),
    /// What `stakeout run` would have printed.
    Answer(Box<Ending>),
    /// A command line that repeats the wait.
    CommandLine {
        /// Whose tool.
        server: String,
        /// The call.
        call: Box<Call>,
        /// Budgets that may follow one another.
        rounds: u32,
    },
    /// The arguments of an agent's `wait_for`.
    AgentsCall(Box<Call>),
    /// A message of the protocol, as it was written.
    Message(Arc<TraceEntry>),
    /// Where a file lies.
    Path(PathBuf),
}

impl CopyOf {
    /// What a sentence calls it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Output(_) => "output",
            Self::Answer(_) => "result",
            Self::CommandLine { .. } => "command line",
            Self::AgentsCall(_) => "agent's call",
            Self::Message(_) => "message",
            Self::Path(_) => "path",
        }
    }
}

/// A text to be copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedText {
    /// The text.
    pub text: String,
    /// Variables that stand in it for secrets that were left out, to be set before it is run.
    pub variables: Vec<String>,
}

impl Servers {
    /// The text of `what`, in which nothing moves, hides or reorders anything, and the variables that
    /// a command line reads in place of secrets.
    ///
    /// # Errors
    /// A sentence, for a wait that no command line can repeat.
    pub fn text_of(&self, what: &CopyOf) -> Result<CopiedText, String> {
        let text = match what {
            CopyOf::Output(text) => without_controls(text),
            CopyOf::Message(message) => escape_json(&message.text),
            CopyOf::Path(path) => without_controls(&path.to_string_lossy()),
            CopyOf::Answer(ending) => {
                let answer = serde_json::to_string(&Answer::from(&**ending));
                escape_json(&answer.map_err(|error| error.to_string())?)
            }
            CopyOf::AgentsCall(call) => {
                let call = format!("{:#}", portable(call));
                let lines: Vec<String> = call.lines().map(escape_json).collect();
                lines.join("\n")
            }
            CopyOf::CommandLine {
                server,
                call,
                rounds,
            } => {
                let entry = self.entry_of(server);
                let entry = entry.ok_or_else(|| format!("server {server:?} is gone"))?;
                return command_line(&entry, call, *rounds);
            }
        };
        let variables = Vec::new();
        Ok(CopiedText { text, variables })
    }
}

/// A command line for a shell that repeats the wait for a tool of `entry`'s, in this folder. The
/// values of headers and variables, and the secrets of an address, are left out of it: it reads
/// variables in their place.
///
/// # Errors
/// A sentence, for a wait that no command line can repeat.
pub fn command_line(entry: &ServerEntry, call: &Call, rounds: u32) -> Result<CopiedText, String> {
    let mut words = Words {
        words: vec!["stakeout".to_owned(), "run".to_owned()],
        secrets: Secrets::default(),
    };
    words.server(entry)?;
    words.call(call)?;
    if rounds > 1 {
        words.flag("rounds", &rounds.to_string());
    }
    if !words.words.iter().all(|word| is_plain(word)) {
        return Err("a name in it holds characters that no terminal shows".to_owned());
    }
    let text = shlex::try_join(words.words.iter().map(String::as_str))
        .map_err(|_| "the wait holds a NUL, which no command line can".to_owned())?;
    let variables = words.secrets.variables;
    Ok(CopiedText { text, variables })
}

/// The call without the server: whoever takes it has servers of its own.
fn portable(call: &Call) -> Value {
    let mut value = call.to_value();
    if let Some(probe) = value.get_mut("probe").and_then(Value::as_object_mut) {
        probe.shift_remove("server");
    }
    value
}

/// The words of a command line, not yet quoted.
struct Words {
    words: Vec<String>,
    /// What they read in place of secrets.
    secrets: Secrets,
}

impl Words {
    /// A flag and its value; one that looks like a flag itself is tied to it.
    fn flag(&mut self, name: &str, value: &str) {
        if value.starts_with('-') {
            self.words.push(format!("--{name}={value}"));
        } else {
            self.words.extend([format!("--{name}"), value.to_owned()]);
        }
    }

    /// How the server is given, so that a new process in this folder finds the same one.
    fn server(&mut self, entry: &ServerEntry) -> Result<(), String> {
        match &entry.source {
            Source::BuiltIn | Source::Project(_) | Source::User(_) => {}
            Source::ConfigFlag(path) => self.flag("mcp-config", &path.to_string_lossy()),
            Source::Program { .. } => self.words.push("--discover".to_owned()),
            Source::CommandLine | Source::Added | Source::Spec(_) => return self.reach(entry),
        }
        self.flag("server", &entry.name);
        Ok(())
    }

    /// The flags of a server that stands in no file. They must mean the same server.
    fn reach(&mut self, entry: &ServerEntry) -> Result<(), String> {
        let pairs = |values: &std::collections::BTreeMap<String, String>| -> Vec<_> {
            let values = values.iter();
            values
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect()
        };
        let again = match &entry.reach {
            Reach::Demo => return Ok(()),
            Reach::Stdio(command) => {
                let all = std::iter::once(&command.command).chain(&command.args);
                let line = shlex::try_join(all.map(String::as_str)).unwrap_or_default();
                self.flag("stdio", &line);
                for (key, value) in &command.env {
                    let value = self.secrets.reference(key, value);
                    self.flag("env", &format!("{key}={value}"));
                }
                mcp::from_stdio_flag(&line, &pairs(&command.env))
            }
            Reach::Http(address) | Reach::Sse(address) => {
                let url = self.secrets.url(&address.url);
                self.flag("url", &url);
                for (key, value) in &address.headers {
                    let value = self.secrets.header(key, value);
                    self.flag("header", &format!("{key}: {value}"));
                }
                mcp::from_url_flag(&address.url, &pairs(&address.headers))
            }
        };
        if again.is_ok_and(|again| again.reach == entry.reach) {
            Ok(())
        } else {
            let name = &entry.name;
            Err(format!(
                "no flags say how server {name:?} is reached; put it into a file of servers"
            ))
        }
    }

    fn call(&mut self, call: &Call) -> Result<(), String> {
        self.flag("tool", call.tool());
        if !call.args().is_empty() {
            self.flag("args", &arguments(call.args()));
        }
        match call.until() {
            Until::Matches(pattern) => self.flag("matches", &regex(pattern.source())?),
            Until::NotMatches(pattern) => self.flag("not-matches", &regex(pattern.source())?),
            Until::QuietForSec(seconds) => self.flag("quiet-for", &seconds.to_string()),
        }
        self.flag("poll", &call.poll().as_secs().to_string());
        self.flag("max-wait", &call.requested_max_wait_sec().to_string());
        if let Some(pattern) = call.fail_when() {
            self.flag("fail-when", &regex(pattern.source())?);
        }
        if call.tool_errors() != ToolErrors::Guard {
            self.flag("tool-errors", call.tool_errors().as_str());
        }
        if call.retry_errors() > 0 {
            self.flag("retry-errors", &call.retry_errors().to_string());
        }
        if let Some(limit) = call.probe_timeout() {
            self.flag("probe-timeout", &limit.as_secs().to_string());
        }
        if let Some(pattern) = call.ignore() {
            self.flag("ignore", &regex(pattern.source())?);
        }
        Ok(())
    }
}

/// Arguments as JSON, with what a terminal would obey escaped.
fn arguments(args: &Map<String, Value>) -> String {
    escape_json(&Value::Object(args.clone()).to_string())
}

/// A pattern of the same meaning, in which nothing hides.
fn regex(pattern: &str) -> Result<String, String> {
    let escaped = escape_pattern(pattern);
    let means = |pattern: &str| regex_syntax::parse(pattern).ok();
    if escaped == pattern || means(&escaped) == means(pattern) {
        Ok(escaped)
    } else {
        Err("a pattern in it holds characters that no terminal shows".to_owned())
    }
}
