//! Servers given on the command line, or typed on the screen.
//!
//! Owns what the values of `--stdio`, `--url`, `--header` and `--env` mean. Must not know the
//! parser of the command line. No message quotes a header's or a variable's value.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use super::entry_value::{check_header, check_url};
use crate::mcp::entry::{HttpAddress, Reach, ServerEntry, Source, StdioCommand};

/// A server from `--stdio`: split by POSIX quoting, with no shell, so `$HOME`, `|` and `#` are
/// ordinary text. It is named after its program, without folder and extension.
///
/// # Errors
/// One sentence, for an empty command line or one whose quotes don't match.
pub fn from_stdio_flag(
    command_line: &str,
    env: &[(String, String)],
) -> Result<ServerEntry, String> {
    let words = split(command_line).map_err(|problem| format!("--stdio {problem}"))?;
    stdio(words, env.iter().cloned().collect())
        .ok_or_else(|| "--stdio is empty; give the command line that starts the server".to_owned())
}

/// A server typed in one line: an address where it starts with `http://` or `https://`, else a
/// command line as in a shell, with `NAME=value` before it for variables. It is of
/// [`Source::Added`].
///
/// # Errors
/// One sentence that says what to write.
pub fn from_typed_line(line: &str) -> Result<ServerEntry, String> {
    let line = line.trim();
    let entry = if line.starts_with("http://") || line.starts_with("https://") {
        url(line, BTreeMap::new()).map_err(|problem| format!("the address {problem}"))?
    } else {
        let words = split(line).map_err(|problem| format!("the command line {problem}"))?;
        let count = words.iter().take_while(|word| assigns(word)).count();
        let (variables, command) = words.split_at(count);
        // It may hold a password, so it isn't quoted.
        if command.first().is_some_and(|word| word.contains("://")) {
            return Err(if variables.is_empty() {
                "this address can't be spoken to; one starts with http:// or https://".to_owned()
            } else {
                "variables are for a program; type the address alone".to_owned()
            });
        }
        let env = variables.iter().filter_map(|word| word.split_once('='));
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
        stdio(command.to_vec(), env.collect())
            .ok_or("type the command line that starts a server, or its address")?
    };
    Ok(ServerEntry {
        source: Source::Added,
        ..entry
    })
}

/// Whether a word sets a variable, as before a command in a shell.
fn assigns(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}

/// A server that a program is; `None` where there is no program.
fn stdio(words: Vec<String>, env: BTreeMap<String, String>) -> Option<ServerEntry> {
    let mut words = words.into_iter();
    let command = words.next().filter(|command| !command.is_empty())?;
    let name = Path::new(&command)
        .file_stem()
        .map_or_else(|| command.clone(), |stem| stem.to_string_lossy().into());
    let reach = Reach::Stdio(StdioCommand {
        command,
        args: words.collect(),
        env,
        cwd: None,
    });
    Some(from_command_line(name, reach))
}

/// A server from `--url`: streamable HTTP, or the legacy HTTP+SSE transport where the path's last
/// segment is `sse`. It is named after its host.
///
/// # Errors
/// One sentence, for an address that is not one of HTTP.
pub fn from_url_flag(url: &str, headers: &[(String, String)]) -> Result<ServerEntry, String> {
    let headers = headers.iter().cloned().collect();
    self::url(url, headers).map_err(|problem| format!("--url {problem}"))
}

fn url(url: &str, headers: BTreeMap<String, String>) -> Result<ServerEntry, String> {
    check_url(url)?;
    // An address with `${VAR}` in it need not be one yet; then all of it is the name.
    let parsed = reqwest::Url::parse(url).ok();
    let name = parsed
        .as_ref()
        .and_then(|parsed| parsed.host_str())
        .unwrap_or(url)
        .to_owned();
    let legacy = parsed
        .as_ref()
        .and_then(|parsed| parsed.path_segments())
        .and_then(|segments| segments.rev().find(|segment| !segment.is_empty()))
        .is_some_and(|last| last == "sse");
    let address = HttpAddress {
        url: url.to_owned(),
        headers,
    };
    let reach = if legacy {
        Reach::Sse(address)
    } else {
        Reach::Http(address)
    };
    Ok(from_command_line(name, reach))
}

/// A header from `--header 'Name: value'`.
///
/// # Errors
/// One sentence that says how a header is written.
pub fn parse_header_flag(flag: &str) -> Result<(String, String), String> {
    let (name, value) = flag
        .split_once(':')
        .ok_or("--header has no colon in it; write 'Name: value'")?;
    let (name, value) = (name.trim(), value.trim());
    check_header(name, value).map_err(|message| format!("--header: {message}"))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A variable from `--env NAME=value`. The value may be empty or have `=` in it.
///
/// # Errors
/// One sentence that says how a variable is written.
pub fn parse_env_flag(flag: &str) -> Result<(String, String), String> {
    match flag.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("--env must be NAME=value, with a name before the `=`".to_owned()),
    }
}

fn from_command_line(name: String, reach: Reach) -> ServerEntry {
    ServerEntry {
        name,
        source: Source::CommandLine,
        reach,
        connect_timeout: None,
    }
}

/// Splits by POSIX quoting. The splitter takes `#` for a comment and would drop the rest without a
/// word, so it travels as NUL, which no argument can hold.
fn split(command_line: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(&command_line.replace('#', "\0"))
        .ok_or("has a quote that is not closed, or ends in a backslash; close it or escape it")?;
    Ok(words
        .into_iter()
        .map(|word| word.replace('\0', "#"))
        .collect())
}
