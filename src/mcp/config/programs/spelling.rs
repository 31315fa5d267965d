//! How programs spell the variables in their files, brought into ours.
//!
//! Owns the other spellings. What a program takes literally is escaped, so that it stays as it is:
//! programs such as `mcp-remote` read `${VAR}` in their arguments themselves. A reference that only
//! the other program can fill in stays one, to be refused by its name when the server is used.

use std::path::MAIN_SEPARATOR_STR;

use serde_json::Value;

use super::Surroundings;

/// Kinds of references that editors know beside `${env:NAME}`.
const FOREIGN: [&str; 4] = ["input", "command", "config", "file"];

/// A way to spell variables.
#[derive(Clone, Copy)]
pub(super) enum Spelling<'a> {
    /// As we do.
    Ours,
    /// There are none.
    Literal,
    /// `${env:NAME}`, `${userHome}`, `${workspaceFolder}` and the like.
    Editor(&'a Surroundings),
    /// `$NAME` and `${NAME}`.
    Dollar,
    /// `{env:NAME}` and `{file:PATH}`.
    Braces,
    /// `{{ env.NAME }}` and `{{ env.NAME | default: 'x' }}`.
    Template,
}

impl Spelling<'_> {
    /// Every string of `value` in our spelling; names stay as they are.
    pub(super) fn respell(self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.respell(item)).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), self.respell(value)))
                .collect(),
            other => other.clone(),
        }
    }

    fn text(self, text: &str) -> String {
        match self {
            Self::Ours => text.to_owned(),
            Self::Literal => escaped(text),
            Self::Editor(around) => replaced(text, "${", "}", |body| editor(body, around)),
            Self::Dollar => dollar(text),
            Self::Braces => replaced(text, "{", "}", |body| {
                let name = body.strip_prefix("env:");
                let name = name.or_else(|| body.starts_with("file:").then_some(body));
                name.map(|name| format!("${{{name}}}"))
            }),
            Self::Template => replaced(text, "{{", "}}", |body| Some(template(body.trim()))),
        }
    }
}

/// `text` with each `open…close` that `meaning` knows replaced, and the rest taken literally.
fn replaced(
    text: &str,
    open: &str,
    close: &str,
    meaning: impl Fn(&str) -> Option<String>,
) -> String {
    let mut result = String::with_capacity(text.len());
    // Where what is taken literally begins, and where the next reference is looked for.
    let (mut literal, mut from) = (0, 0);
    while let Some(start) = text[from..].find(open).map(|found| from + found) {
        let body = start + open.len();
        let Some(end) = text[body..].find(close).map(|found| body + found) else {
            break;
        };
        from = body;
        if let Some(meant) = meaning(&text[body..end]) {
            result.push_str(&escaped(&text[literal..start]));
            result.push_str(&meant);
            from = end + close.len();
            literal = from;
        }
    }
    result.push_str(&escaped(&text[literal..]));
    result
}

fn escaped(text: &str) -> String {
    text.replace("${", "$${")
}

fn editor(body: &str, around: &Surroundings) -> Option<String> {
    let folder = &around.folder;
    let place = match body {
        "userHome" => around.home.to_string_lossy(),
        "workspaceFolder" => folder.to_string_lossy(),
        "workspaceFolderBasename" => folder.file_name()?.to_string_lossy(),
        "pathSeparator" | "/" => MAIN_SEPARATOR_STR.into(),
        _ => {
            let (kind, _) = body.split_once(':')?;
            let known = kind == "env" || FOREIGN.contains(&kind);
            return known.then(|| format!("${{{body}}}"));
        }
    };
    Some(escaped(&place))
}

fn dollar(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('$') {
        let (before, from) = rest.split_at(start);
        result.push_str(before);
        let after = &from[1..];
        let name = name_at_start(after);
        if !name.is_empty() {
            result.push_str(&format!("${{{name}}}"));
            rest = &after[name.len()..];
        } else if let Some(inner) = after.strip_prefix('{')
            && let Some(end) = inner.find('}')
            && !name_at_start(inner).is_empty()
        {
            result.push_str(&from[..end + 3]);
            rest = &inner[end + 1..];
        } else {
            result.push_str(if after.starts_with('{') { "$$" } else { "$" });
            rest = after;
        }
    }
    result.push_str(rest);
    result
}

fn name_at_start(text: &str) -> &str {
    let of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let end = text.find(|letter| !of_name(letter)).unwrap_or(text.len());
    let name = &text[..end];
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        ""
    } else {
        name
    }
}

/// What stands between `{{` and `}}`. What isn't a variable stays, and is refused by its name.
fn template(body: &str) -> String {
    let Some(expression) = body.strip_prefix("env.") else {
        return format!("${{{body}}}");
    };
    let Some((name, filter)) = expression.split_once('|') else {
        return format!("${{{}}}", expression.trim());
    };
    let default = filter.trim().strip_prefix("default:").map(str::trim);
    match default.and_then(unquoted) {
        // A brace would close the reference.
        Some(default) if !default.contains(['{', '}']) => {
            format!("${{{}:-{default}}}", name.trim())
        }
        _ => format!("${{{body}}}"),
    }
}

fn unquoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
}
