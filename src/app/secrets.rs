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
    /// A reference to the variable that is named like what holds the secret; what is a reference
    /// already, or empty, stays as it is.
    pub(super) fn reference(&mut self, name: &str, value: &str) -> String {
        if value.is_empty() || value.contains("${") {
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

    /// The entry as a file of servers has it; `None` for the demo, which is always there.
    pub(super) fn entry(&mut self, entry: &ServerEntry) -> Option<Value> {
        let mut value = match &entry.reach {
            Reach::Demo => return None,
            Reach::Stdio(command) => {
                let mut value = json!({ "command": command.command });
                if !command.args.is_empty() {
                    value["args"] = json!(command.args);
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
