//! What one entry of `mcpServers` means.
//!
//! Owns the fields of an entry and the words for what is wrong with them. Must not know files:
//! the same form is a spec's `server`. Unknown keys are other programs' business and are
//! tolerated. No message quotes a header's or a variable's value, since it may be secret.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use super::EntryState;
use crate::mcp::entry::{DEMO, HttpAddress, Reach, ServerEntry, Source, StdioCommand};

/// What is wrong with an entry, and in which of its fields.
pub(super) struct EntryFault {
    pub(super) field: Option<&'static str>,
    pub(super) message: String,
}

type Read<T> = Result<T, EntryFault>;

/// Reads one server, such as an entry of `mcpServers` or a spec's `server`: `command`, `args`,
/// `env`, `cwd`, or `url`, `headers`, and `type` and `timeout` (milliseconds) beside them.
///
/// # Errors
/// One sentence that names the field and says what to do.
pub fn parse_entry(name: &str, value: &Value, source: Source) -> Result<ServerEntry, String> {
    read(name, value, source)
        .map(|(entry, _)| entry)
        .map_err(|fault| fault.message)
}

/// What an entry asks for and will not get, a sentence each. The entry works without it, or fails
/// when it is used.
#[must_use]
pub fn entry_warnings(value: &Value) -> Vec<String> {
    let refused = [
        (
            "headersHelper",
            "`headersHelper` is never run, so its headers are not sent; \
             put them in `headers`, with ${VAR} for what is secret",
        ),
        (
            "envFile",
            "`envFile` is not read; set its variables in your environment, or put them in `env`",
        ),
    ];
    let asked = |field: &str| value.get(field).is_some_and(|value| !value.is_null());
    refused
        .into_iter()
        .filter(|(field, _)| asked(field))
        .map(|(_, sentence)| sentence.to_owned())
        .collect()
}

/// Reads one server, with the field at fault where it can't be.
pub(super) fn read(name: &str, value: &Value, source: Source) -> Read<EntryState> {
    check_name(name)?;
    let Some(fields) = value.as_object() else {
        return fault(
            None,
            "the entry must be an object with a `command` or a `url`",
        );
    };
    let disabled = match present(fields, "disabled") {
        None => false,
        Some(Value::Bool(disabled)) => *disabled,
        Some(_) => return fault(Some("disabled"), "`disabled` must be true or false"),
    };
    let entry = ServerEntry {
        name: name.to_owned(),
        source,
        reach: reach(fields)?,
        connect_timeout: timeout(fields)?,
    };
    Ok((entry, disabled))
}

fn check_name(name: &str) -> Read<()> {
    if name.trim().is_empty() {
        return fault(None, "the server's name is empty; give it one");
    }
    if name == DEMO {
        return fault(
            None,
            "the name `demo` belongs to the built-in server; rename this one",
        );
    }
    Ok(())
}

fn reach(fields: &Map<String, Value>) -> Read<Reach> {
    let has = |field| present(fields, field).is_some();
    match transport(fields)? {
        Some(Transport::Stdio) => stdio(fields).map(Reach::Stdio),
        Some(Transport::Http) => address(fields).map(Reach::Http),
        Some(Transport::Sse) => address(fields).map(Reach::Sse),
        None if has("command") && has("url") => fault(
            Some("url"),
            "the entry has both a `command` and a `url`; remove one, or choose with `type`",
        ),
        None if has("command") => stdio(fields).map(Reach::Stdio),
        None if has("url") => address(fields).map(Reach::Http),
        None => fault(
            None,
            "the entry has neither a `command` to start nor a `url` to connect to; add one",
        ),
    }
}

enum Transport {
    Stdio,
    Http,
    Sse,
}

fn transport(fields: &Map<String, Value>) -> Read<Option<Transport>> {
    let Some(name) = text(fields, "type")? else {
        return Ok(None);
    };
    match name {
        "stdio" => Ok(Some(Transport::Stdio)),
        "http" | "streamable-http" | "streamableHttp" => Ok(Some(Transport::Http)),
        "sse" => Ok(Some(Transport::Sse)),
        other => fault(
            Some("type"),
            format!("`type` is {other:?}, which is not known; use \"stdio\", \"http\" or \"sse\""),
        ),
    }
}

fn stdio(fields: &Map<String, Value>) -> Read<StdioCommand> {
    let command = match text(fields, "command")? {
        None => return fault(None, "a stdio server needs a `command`; add one"),
        Some(command) if command.trim().is_empty() => {
            return fault(
                Some("command"),
                "`command` is empty; name the program to start",
            );
        }
        Some(command) => command.to_owned(),
    };
    let env = texts(fields, "env")?;
    if env
        .keys()
        .any(|name| name.is_empty() || name.contains(['=', '\0']))
    {
        return fault(
            Some("env"),
            "a name in `env` is empty or has `=` in it; write \"NAME\": \"value\"",
        );
    }
    Ok(StdioCommand {
        command,
        args: args(fields)?,
        env,
        cwd: text(fields, "cwd")?.map(str::to_owned),
    })
}

fn args(fields: &Map<String, Value>) -> Read<Vec<String>> {
    let Some(value) = present(fields, "args") else {
        return Ok(Vec::new());
    };
    let Some(items) = value.as_array() else {
        return fault(
            Some("args"),
            "`args` must be a list of strings, one for each argument",
        );
    };
    items
        .iter()
        .enumerate()
        .map(|(index, item)| match item {
            Value::String(argument) => Ok(argument.clone()),
            other => fault(
                Some("args"),
                format!("`args[{index}]` is {}, not a string; quote it", kind(other)),
            ),
        })
        .collect()
}

fn address(fields: &Map<String, Value>) -> Read<HttpAddress> {
    let Some(url) = text(fields, "url")? else {
        return fault(None, "an HTTP server needs a `url`; add one");
    };
    check_url(url).map_err(|message| EntryFault {
        field: Some("url"),
        message: format!("`url` {message}"),
    })?;
    let headers = texts(fields, "headers")?;
    for (name, value) in &headers {
        check_header(name, value).map_err(|message| EntryFault {
            field: Some("headers"),
            message: format!("`headers`: {message}"),
        })?;
    }
    Ok(HttpAddress {
        url: url.to_owned(),
        headers,
    })
}

/// Whether an address can be used. One with `${VAR}` in it is looked at when it is expanded.
pub(super) fn check_url(url: &str) -> Result<(), String> {
    if url.contains("${") {
        return Ok(());
    }
    if !["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        return Err("must start with http:// or https://".to_owned());
    }
    reqwest::Url::parse(url)
        .map(|_| ())
        .map_err(|error| format!("is not a usable address: {error}"))
}

/// Whether a header can be sent. The value is never quoted.
pub(super) fn check_header(name: &str, value: &str) -> Result<(), String> {
    if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
        return Err(format!("{name:?} can't be the name of a header"));
    }
    if value
        .chars()
        .any(|letter| letter.is_control() && letter != '\t')
    {
        return Err(format!(
            "the value of {name} has a line break or another control character in it"
        ));
    }
    Ok(())
}

fn timeout(fields: &Map<String, Value>) -> Read<Option<Duration>> {
    let Some(value) = present(fields, "timeout") else {
        return Ok(None);
    };
    match value.as_u64() {
        Some(milliseconds) if milliseconds > 0 => Ok(Some(Duration::from_millis(milliseconds))),
        _ => fault(
            Some("timeout"),
            format!(
                "`timeout` is {value}; write a whole number of milliseconds above 0, \
                 such as 30000 for 30 s"
            ),
        ),
    }
}

/// A field that is there and not null.
fn present<'a>(fields: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    fields.get(field).filter(|value| !value.is_null())
}

fn text<'a>(fields: &'a Map<String, Value>, field: &'static str) -> Read<Option<&'a str>> {
    match present(fields, field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => fault(
            Some(field),
            format!("`{field}` is {}, not a string; quote it", kind(other)),
        ),
    }
}

fn texts(fields: &Map<String, Value>, field: &'static str) -> Read<BTreeMap<String, String>> {
    let Some(value) = present(fields, field) else {
        return Ok(BTreeMap::new());
    };
    let Some(pairs) = value.as_object() else {
        return fault(
            Some(field),
            format!("`{field}` must be an object of strings"),
        );
    };
    pairs
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => Ok((name.clone(), text.clone())),
            other => fault(
                Some(field),
                format!(
                    "`{field}.{name}` is {}, not a string; quote it",
                    kind(other)
                ),
            ),
        })
        .collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn fault<T>(field: Option<&'static str>, message: impl Into<String>) -> Read<T> {
    Err(EntryFault {
        field,
        message: message.into(),
    })
}
