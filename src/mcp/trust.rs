//! What an operator is shown before a server is started or contacted, and what is remembered.
//!
//! Owns the words for what an entry would do and the text that stands for it in a hash. Must not
//! know who was asked or where answers are kept. Values of headers and variables, passwords in an
//! address and the values of its query are never part of what is shown.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::json;

use super::entry::{HttpAddress, Reach, ServerEntry, StdioCommand};
use super::expand::variables;

/// Canonical JSON of what an entry does, unexpanded, for a hash: equal for entries that start or
/// contact the same thing in the same way, whatever their name, source and timeout.
#[must_use]
pub fn fingerprint_source(entry: &ServerEntry) -> String {
    let value = match &entry.reach {
        Reach::Demo => json!({ "type": "demo" }),
        Reach::Stdio(StdioCommand {
            command,
            args,
            env,
            cwd,
        }) => {
            json!({ "type": "stdio", "command": command, "args": args, "env": env, "cwd": cwd })
        }
        Reach::Http(HttpAddress { url, headers }) => {
            json!({ "type": "http", "url": url, "headers": headers })
        }
        Reach::Sse(HttpAddress { url, headers }) => {
            json!({ "type": "sse", "url": url, "headers": headers })
        }
    };
    value.to_string()
}

/// One line that says what choosing this server would do: the command line or address, the folder,
/// the names of what is set or sent, and the variables that are read.
#[must_use]
pub fn would_run(entry: &ServerEntry) -> String {
    let mut parts = vec![redacted(entry)];
    match &entry.reach {
        Reach::Demo => {}
        Reach::Stdio(command) => {
            if let Some(folder) = &command.cwd {
                parts.push(format!("in {}", quoted(folder)));
            }
            parts.extend(names("sets", &command.env));
        }
        Reach::Http(address) | Reach::Sse(address) => {
            parts.extend(names("sends", &address.headers));
        }
    }
    let read = variables(entry);
    if !read.is_empty() {
        parts.push(format!("reads {}", read.join(", ")));
    }
    parts.join("; ")
}

/// The command line, quoted for a shell, or the address, on one line and without secrets.
#[must_use]
pub fn redacted(entry: &ServerEntry) -> String {
    match &entry.reach {
        Reach::Demo => "in this process".to_owned(),
        Reach::Stdio(command) => std::iter::once(&command.command)
            .chain(&command.args)
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" "),
        Reach::Http(address) | Reach::Sse(address) => one_line(&masked_url(&address.url)),
    }
}

fn names(verb: &str, values: &BTreeMap<String, String>) -> Option<String> {
    if values.is_empty() {
        return None;
    }
    let names: Vec<_> = values.keys().map(|name| one_line(name)).collect();
    Some(format!("{verb} {}", names.join(", ")))
}

/// A word as a shell takes it. Only a NUL can't be quoted, and `one_line` leaves none.
fn quoted(word: &str) -> String {
    let word = one_line(word);
    shlex::try_quote(&word).map_or_else(|_| word.clone(), |quoted| quoted.into_owned())
}

/// Control characters are shown as escapes, so that an entry can't draw a line of its own.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

/// An address whose user information and query values are masked. References stay: they name a
/// variable and hold no secret.
fn masked_url(url: &str) -> String {
    rewrite_secrets(url, &mut |_, _| "…".to_owned())
}

/// An address whose user information and query values `rewrite` writes, from the name and the value
/// of each. Query values that are references stay.
pub fn rewrite_secrets(url: &str, rewrite: &mut dyn FnMut(&str, &str) -> String) -> String {
    let (address, query) = match url.split_once('?') {
        Some((address, query)) => (address, Some(query)),
        None => (url, None),
    };
    let mut masked = mask_user(address, rewrite);
    if let Some(query) = query {
        let pairs: Vec<_> = query
            .split('&')
            .map(|pair| mask_pair(pair, rewrite))
            .collect();
        masked.push('?');
        masked.push_str(&pairs.join("&"));
    }
    masked
}

fn mask_user(address: &str, rewrite: &mut dyn FnMut(&str, &str) -> String) -> String {
    let host = address.find("://").map_or(0, |scheme| scheme + 3);
    // All that ends a host for those who connect: what stands behind it is no user, and masking up
    // to an `@` there would hide the real host and show another.
    let end = address[host..]
        .find(['/', '\\', '#'])
        .map_or(address.len(), |end| host + end);
    match address[host..end].rfind('@') {
        Some(at) => {
            let user = rewrite("URL user", &address[host..host + at]);
            format!("{}{user}{}", &address[..host], &address[host + at..])
        }
        None => address.to_owned(),
    }
}

fn mask_pair(pair: &str, rewrite: &mut dyn FnMut(&str, &str) -> String) -> String {
    match pair.split_once('=') {
        Some((name, value)) if !value.starts_with("${") => {
            format!("{name}={}", rewrite(name, value))
        }
        _ => pair.to_owned(),
    }
}
