//! Servers as others may read them: variables stand in the place of secrets.
//!
//! Owns which values are taken for secrets and what the variables are called. Must not know where
//! the text goes.

use serde_json::{Value, json};

use crate::mcp::{self, Reach, ServerEntry};

/// The variables that stand for secrets so far.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    /// Their names, in the order in which they were needed.
    pub(super) variables: Vec<String>,
}

impl Secrets {
    /// A reference to the variable that is named like what holds the secret; what holds nothing but
    /// references already, with or without a scheme before them, stays as it is.
    pub(super) fn reference(&mut self, name: &str, value: &str) -> String {
        if is_reference(value) {
            return value.to_owned();
        }
        let of_name = |letter: char| match letter {
            _ if letter.is_ascii_alphanumeric() => letter,
            _ => '_',
        };
        let mut variable: String = name.chars().map(of_name).collect();
        if variable != name || name.chars().all(|letter| letter.is_ascii_lowercase()) {
            variable.make_ascii_uppercase();
        }
        if variable.starts_with(|first: char| first.is_ascii_digit()) {
            variable.insert(0, '_');
        }
        let reference = format!("${{{variable}}}");
        if !self.variables.contains(&variable) {
            self.variables.push(variable);
        }
        reference
    }

    /// The same for a header, in capitals as variables usually are.
    pub(super) fn header(&mut self, name: &str, value: &str) -> String {
        self.reference(&name.to_ascii_uppercase(), value)
    }

    /// An address whose user and query values are references.
    pub(super) fn url(&mut self, url: &str) -> String {
        mcp::rewrite_secrets(url, &mut |name, value| self.reference(name, value))
    }

    /// The arguments of a command, in which the values of headers and of flags and variables that
    /// are named like secrets are references.
    fn arguments(&mut self, args: &[String]) -> Vec<String> {
        let mut before: Option<&str> = None;
        let mut written = Vec::new();
        for word in args {
            let value_of = before.take();
            written.push(match (value_of, word.split_once('=')) {
                (Some(flag), _) if is_header(flag) => self.header_line(word),
                (Some(flag), _) => self.reference(bare(flag), word),
                (None, Some((flag, value))) if is_header(flag) => {
                    format!("{flag}={}", self.header_line(value))
                }
                (None, Some((name, value))) if is_secret(name) => {
                    format!("{name}={}", self.reference(bare(name), value))
                }
                (None, _) if is_secret_header(word) => self.header_line(word),
                (None, _) => {
                    let takes = is_header(word) || (word.starts_with('-') && is_secret(word));
                    before = takes.then_some(word.as_str());
                    word.clone()
                }
            });
        }
        written
    }

    /// `Name: value`, the value a reference.
    fn header_line(&mut self, line: &str) -> String {
        match line.split_once(':') {
            Some((name, value)) => format!("{name}: {}", self.header(name, value.trim())),
            None => self.reference("HEADER", line),
        }
    }

    /// The entry as a file of servers has it; `None` for the demo, which is always there.
    pub(super) fn entry(&mut self, entry: &ServerEntry) -> Option<Value> {
        let mut value = match &entry.reach {
            Reach::Demo => return None,
            Reach::Stdio(command) => {
                let mut value = json!({ "command": command.command });
                if !command.args.is_empty() {
                    value["args"] = json!(self.arguments(&command.args));
                }
                if !command.env.is_empty() {
                    let env = command.env.iter();
                    let env = env.map(|(name, value)| (name, self.reference(name, value)));
                    value["env"] = env.collect();
                }
                if let Some(folder) = &command.cwd {
                    value["cwd"] = json!(folder);
                }
                value
            }
            Reach::Http(address) | Reach::Sse(address) => {
                let kind = match &entry.reach {
                    Reach::Sse(_) => "sse",
                    _ => "http",
                };
                let mut value = json!({ "type": kind, "url": self.url(&address.url) });
                if !address.headers.is_empty() {
                    let headers = address.headers.iter();
                    let headers = headers.map(|(name, value)| (name, self.header(name, value)));
                    value["headers"] = headers.collect();
                }
                value
            }
        };
        if let Some(timeout) = entry.connect_timeout {
            let millis = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
            value["timeout"] = json!(millis);
        }
        Some(value)
    }
}

/// Parts of the names of what is secret.
const SECRET: &[&str] = &[
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "auth",
    "credential",
    "cookie",
];
/// Words that may stand before a reference: schemes of `Authorization`.
const SCHEMES: &[&str] = &["bearer", "basic", "token"];

fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    !name.contains(char::is_whitespace) && SECRET.iter().any(|part| name.contains(part))
}

/// Whether a word is a header that is named like a secret: `Authorization: Bearer x`.
fn is_secret_header(word: &str) -> bool {
    let name = word.split_once(": ").map(|(name, _)| name);
    name.is_some_and(is_secret)
}

/// Whether a flag takes a header.
fn is_header(flag: &str) -> bool {
    matches!(flag, "-H" | "--header" | "--headers")
}

/// A flag without its dashes.
fn bare(flag: &str) -> &str {
    flag.trim_start_matches('-')
}

/// Whether a value is made of references alone, but for a scheme before them.
fn is_reference(value: &str) -> bool {
    let mut rest = value.trim();
    if let Some((scheme, after)) = rest.split_once(' ')
        && SCHEMES.contains(&scheme.to_lowercase().as_str())
    {
        rest = after.trim_start();
    }
    while let Some(after) = rest.strip_prefix("${") {
        match after.split_once('}') {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_secrets_of_a_command_line_are_left_out() {
        for (args, left) in [
            (
                "--header|Authorization: Bearer s3cret",
                "--header|Authorization: ${AUTHORIZATION}",
            ),
            ("-H|X-Team: s3cret", "-H|X-Team: ${X_TEAM}"),
            ("--header=X-Team: s3cret", "--header=X-Team: ${X_TEAM}"),
            ("--api-key|s3cret|run", "--api-key|${API_KEY}|run"),
            ("--token=s3cret", "--token=${TOKEN}"),
            ("-e|DB_PASSWORD=s3cret", "-e|DB_PASSWORD=${DB_PASSWORD}"),
            ("Cookie: s3cret", "Cookie: ${COOKIE}"),
            ("-y|mcp-remote|https://x/mcp", "-y|mcp-remote|https://x/mcp"),
            ("--token|${TOKEN}", "--token|${TOKEN}"),
            ("--token|s3cret-${X}", "--token|${TOKEN}"),
            (
                "--header|Authorization: Bearer ${X}",
                "--header|Authorization: Bearer ${X}",
            ),
        ] {
            let args: Vec<String> = args.split('|').map(str::to_owned).collect();
            let written = Secrets::default().arguments(&args).join("|");
            assert_eq!(written, left);
        }
    }
}
