//! `${VAR}`, `${VAR:-default}` and `${env:VAR}` in a server's strings; `$${` stands for `${` itself.
//!
//! Owns the form of a reference and which fields may hold one: all values, never the names of
//! variables and headers. Must not know the environment: it is handed a way to look things up.
//! What a variable holds is never expanded again, and is never part of a message.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::entry::{HttpAddress, Reach, ServerEntry, StdioCommand};

/// How deep defaults may hold other references. A file that nobody approved is read as well.
const MAX_NESTING: usize = 16;

/// Why a server's strings could not be expanded. Says the field, such as
/// `mcpServers.ci.headers.Authorization`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// A variable is not set, and no default stands beside it.
    #[error(
        "`{field}` needs the variable {variable}, which is not set; \
         set it, or write ${{{variable}:-default}}"
    )]
    Unset {
        /// The field.
        field: String,
        /// The variable.
        variable: String,
    },
    /// A `${` without its `}`.
    #[error("`{field}` has a `${{` that is never closed; add the `}}`")]
    Unclosed {
        /// The field.
        field: String,
    },
    /// Defaults in defaults, deeper than anybody writes them.
    #[error("`{field}` has defaults nested deeper than {MAX_NESTING}; simplify it")]
    Nested {
        /// The field.
        field: String,
    },
    /// A `${…}` that only another program can fill in, such as VS Code's `${input:token}`.
    #[error(
        "`{field}` has `${{{reference}}}`, which can't be expanded outside of the program that knows \
         it; add the server to your own mcp.json with ${{VAR}} in its place"
    )]
    Foreign {
        /// The field.
        field: String,
        /// What stood between the braces.
        reference: String,
    },
    /// A `${…}` that means nothing here, such as `${1+2}`.
    #[error(
        "`{field}` has `${{{reference}}}`, which can't be expanded; \
         write ${{VAR}}, ${{VAR:-default}} or ${{env:VAR}}"
    )]
    Unknown {
        /// The field.
        field: String,
        /// What stood between the braces.
        reference: String,
    },
}

/// The server with every reference replaced by what `lookup` says. As in a shell, a default takes
/// the place of a variable that is not set or empty; it may hold references itself. `$VAR`
/// without braces stays as it is.
///
/// # Errors
/// The first reference that can't be expanded, by field.
pub fn expand(
    entry: &ServerEntry,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<ServerEntry, ExpandError> {
    rewrite(entry, &mut |field, text| {
        expand_text(text, lookup).map_err(|fault| {
            let field = format!("{}.{}.{field}", entry.source.section(), entry.name);
            match fault {
                Fault::Unset(variable) => ExpandError::Unset { field, variable },
                Fault::Unclosed => ExpandError::Unclosed { field },
                Fault::Nested => ExpandError::Nested { field },
                Fault::Unknown(reference) if is_foreign(&reference) => {
                    ExpandError::Foreign { field, reference }
                }
                Fault::Unknown(reference) => ExpandError::Unknown { field, reference },
            }
        })
    })
}

/// Whether other programs know what a reference means: what is asked of the user, what a file holds,
/// what a command prints.
fn is_foreign(reference: &str) -> bool {
    ["input:", "file:", "command:", "config:"]
        .iter()
        .any(|kind| reference.starts_with(kind))
}

/// The variables that a server's strings read, each once, in the order they stand there.
#[must_use]
pub fn variables(entry: &ServerEntry) -> Vec<String> {
    let mut names = Vec::new();
    let Ok(_) = rewrite(entry, &mut |_, text| {
        collect_variables(text, &mut names, MAX_NESTING);
        Ok::<_, Infallible>(text.to_owned())
    });
    names
}

/// Builds the entry again with each string value passed through `change`, which is told the field.
fn rewrite<E>(
    entry: &ServerEntry,
    change: &mut dyn FnMut(&str, &str) -> Result<String, E>,
) -> Result<ServerEntry, E> {
    let reach = match &entry.reach {
        Reach::Demo => Reach::Demo,
        Reach::Stdio(command) => Reach::Stdio(rewrite_command(command, change)?),
        Reach::Http(address) => Reach::Http(rewrite_address(address, change)?),
        Reach::Sse(address) => Reach::Sse(rewrite_address(address, change)?),
    };
    Ok(ServerEntry {
        reach,
        ..entry.clone()
    })
}

fn rewrite_command<E>(
    command: &StdioCommand,
    change: &mut dyn FnMut(&str, &str) -> Result<String, E>,
) -> Result<StdioCommand, E> {
    let program = change("command", &command.command)?;
    let args = command
        .args
        .iter()
        .enumerate()
        .map(|(index, argument)| change(&format!("args[{index}]"), argument))
        .collect::<Result<_, _>>()?;
    Ok(StdioCommand {
        command: program,
        args,
        env: rewrite_values("env", &command.env, change)?,
        cwd: command
            .cwd
            .as_deref()
            .map(|folder| change("cwd", folder))
            .transpose()?,
    })
}

fn rewrite_address<E>(
    address: &HttpAddress,
    change: &mut dyn FnMut(&str, &str) -> Result<String, E>,
) -> Result<HttpAddress, E> {
    Ok(HttpAddress {
        url: change("url", &address.url)?,
        headers: rewrite_values("headers", &address.headers, change)?,
    })
}

fn rewrite_values<E>(
    field: &str,
    values: &BTreeMap<String, String>,
    change: &mut dyn FnMut(&str, &str) -> Result<String, E>,
) -> Result<BTreeMap<String, String>, E> {
    values
        .iter()
        .map(|(name, value)| Ok((name.clone(), change(&format!("{field}.{name}"), value)?)))
        .collect()
}

enum Fault {
    Unset(String),
    Unclosed,
    Nested,
    Unknown(String),
}

fn expand_text(text: &str, lookup: &dyn Fn(&str) -> Option<String>) -> Result<String, Fault> {
    expand_nested(text, lookup, MAX_NESTING)
}

fn expand_nested(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    nesting: usize,
) -> Result<String, Fault> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(found) = next_reference(rest) {
        let (before, body, after) = match found {
            Found::Reference(parts) => parts,
            Found::Escaped(before, after) => {
                expanded.push_str(before);
                expanded.push_str("${");
                rest = after;
                continue;
            }
            Found::Unclosed => return Err(Fault::Unclosed),
        };
        expanded.push_str(before);
        let reference = Reference::parse(body).ok_or_else(|| Fault::Unknown(body.to_owned()))?;
        match (lookup(reference.variable), reference.default) {
            (Some(value), None) => expanded.push_str(&value),
            (Some(value), Some(_)) if !value.is_empty() => expanded.push_str(&value),
            (_, Some(default)) => {
                let nesting = nesting.checked_sub(1).ok_or(Fault::Nested)?;
                expanded.push_str(&expand_nested(default, lookup, nesting)?);
            }
            (None, None) => return Err(Fault::Unset(reference.variable.to_owned())),
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

/// What is nested too deep is never read, since expanding it fails.
fn collect_variables(text: &str, names: &mut Vec<String>, nesting: usize) {
    let mut rest = text;
    while let Some(found) = next_reference(rest) {
        let (body, after) = match found {
            Found::Reference((_, body, after)) => (body, after),
            Found::Escaped(_, after) => {
                rest = after;
                continue;
            }
            Found::Unclosed => return,
        };
        if let Some(reference) = Reference::parse(body) {
            if !names.iter().any(|name| name == reference.variable) {
                names.push(reference.variable.to_owned());
            }
            if let (Some(default), Some(nesting)) = (reference.default, nesting.checked_sub(1)) {
                collect_variables(default, names, nesting);
            }
        }
        rest = after;
    }
}

/// What stands between the braces of a reference.
struct Reference<'a> {
    variable: &'a str,
    default: Option<&'a str>,
}

impl<'a> Reference<'a> {
    fn parse(body: &'a str) -> Option<Self> {
        let body = body.strip_prefix("env:").unwrap_or(body);
        let (variable, default) = match body.split_once(":-") {
            Some((variable, default)) => (variable, Some(default)),
            None => (body, None),
        };
        let named = variable.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && variable
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        named.then_some(Self { variable, default })
    }
}

/// What the first `${` of a text is.
enum Found<'a> {
    /// The text before it, what its braces hold, and the text after.
    Reference((&'a str, &'a str, &'a str)),
    /// It is meant as it stands: the text before its escape, and the text after.
    Escaped(&'a str, &'a str),
    /// Its braces don't close.
    Unclosed,
}

/// Braces of a reference inside a default are matched.
fn next_reference(text: &str) -> Option<Found<'_>> {
    let start = text.find("${")?;
    let (before, body) = (&text[..start], &text[start + 2..]);
    if let Some(before) = before.strip_suffix('$') {
        return Some(Found::Escaped(before, body));
    }
    let mut depth = 1_usize;
    let mut previous = '\0';
    for (index, letter) in body.char_indices() {
        match letter {
            '{' if previous == '$' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let parts = (before, &body[..index], &body[index + 1..]);
            return Some(Found::Reference(parts));
        }
        previous = letter;
    }
    Some(Found::Unclosed)
}
