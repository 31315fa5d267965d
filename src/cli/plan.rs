//! What is to be waited for: a spec, overridden by flags.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use serde_json::{Map, Value, json};

use super::flags::{ArgumentFlags, RunFlags, WaitFlags};
use crate::app::arguments;
use crate::mcp::{self, ServerEntry, Source};
use crate::store::Spec;

/// The name of a spec's own server where the call doesn't name one.
const SPEC_SERVER: &str = "spec";

/// A wait before it is parsed.
#[derive(Debug)]
pub struct Plan {
    pub wait: Value,
    pub name: Option<String>,
    pub rounds: u32,
    pub server: Option<ServerEntry>,
}

impl Plan {
    /// The plan of a `run`.
    pub fn of(flags: &RunFlags) -> anyhow::Result<Self> {
        let mut plan = match &flags.spec {
            Some(path) => {
                if is_stdin(path) && flags.wait.arguments.args.as_deref() == Some("-") {
                    bail!("standard input can be the spec or the arguments, not both; put one into a file");
                }
                Self::of_spec(path)?
            }
            None if flags.wait.tool.is_none() => {
                bail!("nothing to wait for; name a spec, or a tool with --tool and a condition with --matches, --not-matches or --quiet-for")
            }
            None => Self {
                wait: json!({ "probe": { "args": {} }, "until": {} }),
                name: None,
                rounds: 1,
                server: None,
            },
        };
        if let Value::Object(wait) = &mut plan.wait {
            override_by(wait, &flags.wait)?;
        }
        plan.rounds = flags.wait.rounds.unwrap_or(plan.rounds);
        Ok(plan)
    }

    /// The plan in a spec file, or on standard input.
    pub fn of_spec(path: &Path) -> anyhow::Result<Self> {
        let spec = if is_stdin(path) { Spec::parse(&stdin()?, path)? } else { Spec::read(path)? };
        let wait = Value::Object(spec.wait);
        let name = wait["probe"]["server"].as_str().unwrap_or(SPEC_SERVER);
        let server = spec
            .server
            .map(|server| mcp::parse_entry(name, &server, Source::Spec(path.to_owned())))
            .transpose()
            .map_err(|problem| anyhow!("{}: server: {problem}", path.display()))?;
        Ok(Self { wait, name: spec.name, rounds: spec.rounds, server })
    }
}

fn override_by(wait: &mut Map<String, Value>, flags: &WaitFlags) -> anyhow::Result<()> {
    if let Some(probe) = wait.get_mut("probe").and_then(Value::as_object_mut) {
        set(probe, "server", flags.server.as_ref());
        set(probe, "tool", flags.tool.as_ref());
        override_arguments(probe, &flags.arguments)?;
    }
    let mut until = Map::new();
    set(&mut until, "matches", flags.matches.as_ref());
    set(&mut until, "not_matches", flags.not_matches.as_ref());
    set(&mut until, "quiet_for_sec", flags.quiet_for);
    if !until.is_empty() {
        wait.insert("until".to_owned(), Value::Object(until));
    }
    set(wait, "poll_sec", flags.poll);
    set(wait, "max_wait_sec", flags.max_wait);
    set(wait, "fail_when", flags.fail_when.as_ref());
    set(wait, "tool_errors", flags.tool_errors.as_ref());
    set(wait, "retry_errors", flags.retry_errors);
    set(wait, "probe_timeout_sec", flags.probe_timeout);
    set(wait, "ignore", flags.ignore.as_ref());
    Ok(())
}

fn set(object: &mut Map<String, Value>, key: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), json!(value));
    }
}

fn override_arguments(probe: &mut Map<String, Value>, flags: &ArgumentFlags) -> anyhow::Result<()> {
    if let Some(args) = whole_arguments(flags)? {
        probe.insert("args".to_owned(), Value::Object(args));
    }
    if let Some(args) = probe.get_mut("args").and_then(Value::as_object_mut) {
        add_single_arguments(args, flags)?;
    }
    Ok(())
}

/// The arguments of a tool as flags give them.
pub fn arguments_of(flags: &ArgumentFlags) -> anyhow::Result<Map<String, Value>> {
    let mut args = whole_arguments(flags)?.unwrap_or_default();
    add_single_arguments(&mut args, flags)?;
    Ok(args)
}

fn whole_arguments(flags: &ArgumentFlags) -> anyhow::Result<Option<Map<String, Value>>> {
    let Some(given) = &flags.args else { return Ok(None) };
    let text = match given.strip_prefix('@') {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("--args: {path} can't be read"))?
        }
        None if given == "-" => stdin()?,
        None => given.clone(),
    };
    arguments::parse(&text).map(Some).map_err(|fault| anyhow!("--args: {fault}"))
}

fn add_single_arguments(args: &mut Map<String, Value>, flags: &ArgumentFlags) -> anyhow::Result<()> {
    for flag in &flags.arg {
        let Some((key, value)) = flag.split_once('=').filter(|(key, _)| !matches!(*key, "" | ":"))
        else {
            bail!("--arg {flag:?}: write K=V for a string, or K:=JSON for anything else");
        };
        match key.strip_suffix(':') {
            Some(key) => {
                let wrapped = format!("{{\"value\":{value}}}");
                let mut parsed = arguments::parse(&wrapped)
                    .map_err(|fault| anyhow!("--arg {flag:?}: {}", fault.message))?;
                let value = parsed.remove("value").filter(|_| parsed.is_empty());
                let value = value.ok_or_else(|| anyhow!("--arg {flag:?}: give one JSON value"))?;
                args.insert(key.to_owned(), value);
            }
            None => {
                args.insert(key.to_owned(), json!(value));
            }
        }
    }
    Ok(())
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn stdin() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("standard input can't be read")?;
    Ok(text)
}
