//! What is to be waited for: a spec, overridden by flags.

use std::io::Read;
use std::path::Path;

use anyhow::{anyhow, bail};
use serde_json::{Map, Value, json};

use super::flags::{ArgumentFlags, ConditionFlags, RunFlags, WaitFlags};
use crate::app::{arguments, spec_entry};
use crate::mcp::{self, ServerEntry};
use crate::store::{Folders, Spec, SpecFile, Specs, name_of, unreadable};
use crate::wait::{Call, MAX_WAIT_CAP_SEC};

/// A wait before it is parsed.
#[derive(Debug)]
pub struct Plan {
    /// The file of the spec as it was read, and what is in it; not where a call was found in a larger
    /// text.
    pub saved: Option<Box<(SpecFile, Spec)>>,
    /// The call, with what the flags say.
    pub wait: Value,
    /// Where the call stands in its file; nowhere, if it is the whole file or made of flags.
    pub call_path: &'static str,
    /// What the spec is called, where it is one of a file or says so.
    pub name: Option<String>,
    /// How many budgets may follow one another, from 1.
    pub rounds: u32,
    /// The server that the spec brings along.
    pub server: Option<ServerEntry>,
    /// What the operator should know about the spec, a sentence each.
    pub notices: Vec<String>,
}

impl Plan {
    /// The plan of a `run`.
    ///
    /// # Errors
    /// A sentence, for a spec that can't be read and for flags that make no call.
    pub fn of(flags: &RunFlags) -> anyhow::Result<Self> {
        let mut plan = match &flags.spec {
            Some(path) => {
                if is_stdin(path) && flags.wait.arguments.args.as_deref() == Some("-") {
                    bail!(
                        "standard input can be the spec or the arguments, not both; \
                         put one into a file"
                    );
                }
                Self::of_spec(path)?
            }
            None if flags.wait.tool.is_none() => bail!(
                "nothing to wait for; name a spec, or a tool with --tool and a condition with \
                 --matches, --not-matches or --quiet-for"
            ),
            None => Self {
                wait: json!({ "probe": { "args": {} }, "until": {} }),
                saved: None,
                call_path: "",
                name: None,
                rounds: 1,
                server: None,
                notices: Vec::new(),
            },
        };
        if let Value::Object(wait) = &mut plan.wait {
            if flags.servers.give_a_server() {
                forget_server(wait);
            }
            override_by(wait, &flags.wait)?;
        }
        plan.rounds = flags.wait.rounds.unwrap_or(plan.rounds);
        Ok(plan)
    }

    /// The plan in a spec: in a file, on standard input, or in the library by its name.
    ///
    /// # Errors
    /// A sentence that names the file.
    pub fn of_spec(given: &Path) -> anyhow::Result<Self> {
        let (path, spec, file) = if is_stdin(given) {
            (given.to_owned(), Spec::parse(&stdin()?, given)?, None)
        } else {
            let folders = Folders::of_user().map_err(anyhow::Error::msg)?;
            let located = Specs::new(folders.library()).locate(given);
            let path = located.map_err(anyhow::Error::msg)?;
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|error| cannot_read(error, &path.display()))?;
            let file = SpecFile::of(&path, &text);
            let spec = Spec::parse(&text, &path)?;
            (path, spec, Some(file))
        };
        let path = path.as_path();
        let place = path.display();
        let mut notices: Vec<String> = spec
            .found_at
            .iter()
            .map(|at| format!("{place}: found a call at {at}"))
            .collect();
        let warnings = spec.server.iter().flat_map(mcp::entry_warnings);
        notices.extend(warnings.map(|warning| format!("{place}: server: {warning}")));
        let server = spec_entry(&spec, path);
        let server = server.map_err(|problem| anyhow!("{place}: server: {problem}"))?;
        let call_path = spec.call_path();
        let file = file.filter(|_| spec.found_at.is_none());
        let wait = Value::Object(spec.wait.clone());
        let name = if file.is_some() {
            Some(name_of(&spec, path))
        } else {
            spec.name.clone()
        };
        Ok(Self {
            saved: file.map(|file| Box::new((file, spec.clone()))),
            wait,
            call_path,
            name,
            rounds: spec.rounds,
            server,
            notices,
        })
    }
}

/// What is valid but will surprise: one sentence each.
pub fn oddities(call: &Call, rounds: u32) -> Vec<String> {
    let mut odd = call.oddities();
    let asked = call.requested_max_wait_sec();
    let covered = MAX_WAIT_CAP_SEC.saturating_mul(u64::from(rounds)) >= asked;
    if asked > MAX_WAIT_CAP_SEC
        && covered
        && let Some(advice) = odd.first_mut()
    {
        // The clamp is told first, and advises what was done already.
        *advice = format!("{asked} s clamped to {MAX_WAIT_CAP_SEC} s in each of {rounds} rounds");
    }
    odd
}

/// A server on the command line is meant, whatever server the spec names.
fn forget_server(wait: &mut Map<String, Value>) {
    if let Some(probe) = wait.get_mut("probe").and_then(Value::as_object_mut) {
        probe.shift_remove("server");
    }
}

fn override_by(wait: &mut Map<String, Value>, flags: &WaitFlags) -> anyhow::Result<()> {
    if let Some(probe) = wait.get_mut("probe").and_then(Value::as_object_mut) {
        set(probe, "server", flags.server.as_ref());
        set(probe, "tool", flags.tool.as_ref());
        override_arguments(probe, &flags.arguments)?;
    }
    override_condition(wait, &flags.condition);
    set(wait, "poll_sec", flags.poll);
    set(wait, "max_wait_sec", flags.max_wait);
    set(wait, "retry_errors", flags.retry_errors);
    set(wait, "probe_timeout_sec", flags.probe_timeout);
    Ok(())
}

/// Puts the condition of the flags where the call has another.
pub fn override_condition(wait: &mut Map<String, Value>, flags: &ConditionFlags) {
    let mut until = Map::new();
    set(&mut until, "matches", flags.matches.as_ref());
    set(&mut until, "not_matches", flags.not_matches.as_ref());
    set(&mut until, "quiet_for_sec", flags.quiet_for);
    if !until.is_empty() {
        wait.insert("until".to_owned(), Value::Object(until));
    }
    set(wait, "fail_when", flags.fail_when.as_ref());
    set(wait, "tool_errors", flags.tool_errors.as_ref());
    set(wait, "ignore", flags.ignore.as_ref());
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
    let Some(given) = &flags.args else {
        return Ok(None);
    };
    let text = match given.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| cannot_read(error, &format!("--args: {path}")))?,
        None if given == "-" => stdin()?,
        None => given.clone(),
    };
    arguments::parse(&text)
        .map(Some)
        .map_err(|fault| anyhow!("--args: {fault}"))
}

fn add_single_arguments(
    args: &mut Map<String, Value>,
    flags: &ArgumentFlags,
) -> anyhow::Result<()> {
    for flag in &flags.arg {
        let Some((key, value)) = flag
            .split_once('=')
            .filter(|(key, _)| !matches!(*key, "" | ":"))
        else {
            bail!("--arg {flag:?}: write K=V for a string, or K:=JSON for anything else");
        };
        match key.strip_suffix(':') {
            Some(key) => {
                let wrapped = format!("{{\"value\":{value}}}");
                let mut parsed = arguments::parse(&wrapped).map_err(|fault| {
                    let message = fault.message;
                    anyhow!(
                        "--arg {flag:?}: {message}; for a string, write {key}=… without the colon"
                    )
                })?;
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
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|error| cannot_read(error, &"standard input"))?;
    Ok(text)
}

fn cannot_read(error: std::io::Error, what: &dyn std::fmt::Display) -> anyhow::Error {
    let sentence = format!("{what}: {}", unreadable(&error));
    anyhow::Error::new(error).context(sentence)
}

#[cfg(test)]
mod tests;
