//! Servers given on the command line.
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
    let mut words = split(command_line)?.into_iter();
    let command = words
        .next()
        .filter(|command| !command.is_empty())
        .ok_or("--stdio is empty; give the command line that starts the server")?;
    let name = Path::new(&command)
        .file_stem()
        .map_or_else(|| command.clone(), |stem| stem.to_string_lossy().into());
    Ok(from_command_line(
        name,
        Reach::Stdio(StdioCommand {
            command,
            args: words.collect(),
            env: env.iter().cloned().collect(),
            cwd: None,
        }),
    ))
}

/// A server from `--url`: streamable HTTP, or the legacy HTTP+SSE transport where the path's last
/// segment is `sse`. It is named after its host.
///
/// # Errors
/// One sentence, for an address that is not one of HTTP.
pub fn from_url_flag(url: &str, headers: &[(String, String)]) -> Result<ServerEntry, String> {
    check_url(url).map_err(|message| format!("--url {message}"))?;
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
        headers: headers.iter().cloned().collect::<BTreeMap<_, _>>(),
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
    let words = shlex::split(&command_line.replace('#', "\0")).ok_or(
        "--stdio has a quote that is not closed, or ends in a backslash; close it or escape it",
    )?;
    Ok(words
        .into_iter()
        .map(|word| word.replace('\0', "#"))
        .collect())
}
