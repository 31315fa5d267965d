//! What each program calls the fields of an entry.

use serde_json::{Map, Value, json};

use crate::mcp::config::entry_value::EntryFault;
use crate::mcp::entry::Program;

type Fields = Map<String, Value>;

/// The entry with the common names: `command`, `args`, `env`, `cwd`, `url`, `headers`, `type`,
/// `timeout` in milliseconds, and `disabled`.
pub(super) fn common(program: Program, fields: Fields) -> Result<Fields, EntryFault> {
    match program {
        Program::ClaudeDesktop | Program::ClaudeCode | Program::Cursor | Program::VsCode => {
            Ok(fields)
        }
        Program::Windsurf => Ok(windsurf(fields)),
        Program::Zed => zed(fields),
        Program::Codex => codex(fields),
        Program::Gemini => Ok(gemini(fields)),
        Program::Opencode => opencode(fields),
        Program::Aura => aura(fields),
    }
}

fn windsurf(mut fields: Fields) -> Fields {
    rename(&mut fields, "serverUrl", "url");
    fields
}

fn zed(mut fields: Fields) -> Result<Fields, EntryFault> {
    // Older files have all of it in `command`.
    if let Some(Value::Object(mut command)) = fields.get("command").cloned() {
        rename(&mut command, "path", "command");
        fields.shift_remove("command");
        for (name, value) in command {
            fields.insert(name, value);
        }
    }
    if !fields.contains_key("command") && !fields.contains_key("url") {
        return Err(fault(
            None,
            "a Zed extension starts this server, which only Zed can do; \
             add its command line or address yourself",
        ));
    }
    disabled_unless_enabled(&mut fields);
    // It is about calls, not about connecting.
    fields.shift_remove("timeout");
    Ok(fields)
}

fn codex(mut fields: Fields) -> Result<Fields, EntryFault> {
    disabled_unless_enabled(&mut fields);
    rename(&mut fields, "startup_timeout_ms", "timeout");
    if let Some(seconds) = fields.shift_remove("startup_timeout_sec") {
        let milliseconds = seconds.as_f64().map(|seconds| (seconds * 1000.0).round());
        let milliseconds = milliseconds.filter(|count| (1.0..1e15).contains(count));
        let milliseconds = milliseconds.ok_or_else(|| {
            let message = format!(
                "`startup_timeout_sec` is {seconds}; write a number of seconds above 0, such as 30"
            );
            fault(Some("startup_timeout_sec"), message)
        })?;
        fields.insert("timeout".to_owned(), json!(milliseconds as u64));
    }
    rename(&mut fields, "http_headers", "headers");
    let mut sent = Fields::new();
    if let Some(Value::Object(named)) = fields.shift_remove("env_http_headers") {
        let named = named.iter().filter_map(|(header, name)| {
            let reference = format!("${{{}}}", name.as_str()?);
            Some((header.clone(), Value::String(reference)))
        });
        sent.extend(named);
    }
    if let Some(Value::String(name)) = fields.shift_remove("bearer_token_env_var") {
        let token = format!("Bearer ${{{name}}}");
        sent.insert("Authorization".to_owned(), Value::String(token));
    }
    if !sent.is_empty() {
        let headers = fields.entry("headers").or_insert_with(|| json!({}));
        if let Some(headers) = headers.as_object_mut() {
            headers.extend(sent);
        }
    }
    Ok(fields)
}

fn gemini(mut fields: Fields) -> Fields {
    if fields.contains_key("httpUrl") {
        fields.shift_remove("url");
        fields.shift_remove("command");
        rename(&mut fields, "httpUrl", "url");
        set(&mut fields, "type", "http");
    } else if fields.contains_key("url") && !fields.contains_key("type") {
        fields.shift_remove("command");
        set(&mut fields, "type", "sse");
    }
    fields
}

fn opencode(mut fields: Fields) -> Result<Fields, EntryFault> {
    disabled_unless_enabled(&mut fields);
    rename(&mut fields, "environment", "env");
    match fields.get("type").and_then(Value::as_str) {
        Some("local") => set(&mut fields, "type", "stdio"),
        Some("remote") => set(&mut fields, "type", "http"),
        _ => {}
    }
    split_command(&mut fields, "command")?;
    Ok(fields)
}

fn aura(mut fields: Fields) -> Result<Fields, EntryFault> {
    rename(&mut fields, "transport", "type");
    if fields.get("type").and_then(Value::as_str) == Some("http_streamable") {
        set(&mut fields, "type", "http");
    }
    split_command(&mut fields, "cmd")?;
    Ok(fields)
}

/// A command that is a list of words: the program and its first arguments, before `args`.
fn split_command(fields: &mut Fields, name: &'static str) -> Result<(), EntryFault> {
    let Some(Value::Array(words)) = fields.get(name) else {
        rename(fields, name, "command");
        return Ok(());
    };
    let mut words = words.clone().into_iter();
    let program = words.next().ok_or_else(|| {
        fault(
            Some(name),
            format!("`{name}` is empty; name the program to start"),
        )
    })?;
    fields.shift_remove(name);
    fields.insert("command".to_owned(), program);
    let args = fields.entry("args").or_insert(Value::Null);
    let mut all: Vec<Value> = words.collect();
    match args {
        Value::Null => *args = Value::Array(all),
        Value::Array(more) => {
            all.append(more);
            *args = Value::Array(all);
        }
        // What is wrong with it is said when the entry is read.
        _ => {}
    }
    Ok(())
}

fn disabled_unless_enabled(fields: &mut Fields) {
    if fields.get("enabled") == Some(&Value::Bool(false)) {
        fields.insert("disabled".to_owned(), Value::Bool(true));
    }
}

/// Gives a field its common name, unless that is taken.
fn rename(fields: &mut Fields, name: &str, common: &str) {
    if fields.get(common).is_none_or(Value::is_null)
        && let Some(value) = fields.shift_remove(name)
    {
        fields.insert(common.to_owned(), value);
    }
}

fn set(fields: &mut Fields, name: &str, value: &str) {
    fields.insert(name.to_owned(), Value::String(value.to_owned()));
}

fn fault(field: Option<&'static str>, message: impl Into<String>) -> EntryFault {
    EntryFault {
        field,
        message: message.into(),
    }
}
