//! Another program on the terminal for a while: the operator's editor.
//!
//! Owns which editor it is, the file that it edits, and what comes back. Must not know what the text
//! is for.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Write, stdin};
use std::process::{ExitStatus, Stdio};

use tempfile::NamedTempFile;
use tokio::process::{Child, Command};

use crate::store::unreadable;

/// The editor where nobody says which.
const USUAL: &str = "vi";

/// A text in a file, and the editor that has it open.
pub(super) struct Editing {
    /// Readable by the user alone; removed when it is dropped.
    file: NamedTempFile,
    name: String,
    before: String,
    child: Child,
}

impl Editing {
    /// Starts the editor on `text`. The terminal must be given back by then.
    pub(super) fn start(text: &str) -> Result<Self, String> {
        let words = editor(&|name| std::env::var_os(name))?;
        let unwritten = |error| format!("the arguments could not be put into a file: {error}");
        let file = file_of(text).map_err(unwritten)?;
        let (program, args) = words.split_first().ok_or("no editor is set")?;
        let mut command = Command::new(program);
        command.args(args).arg(file.path()).kill_on_drop(true);
        if !stdin().is_terminal() {
            let terminal = File::open("/dev/tty").map_err(|error| unstarted(program, &error))?;
            command.stdin(Stdio::from(terminal));
        }
        let child = command
            .spawn()
            .map_err(|error| unstarted(program, &error))?;
        Ok(Self {
            file,
            name: program.clone(),
            before: text.to_owned(),
            child,
        })
    }

    /// Waits until the editor is closed, and answers the text as it is then.
    pub(super) async fn finish(&mut self) -> Result<String, String> {
        let kept = "the arguments are as they were";
        let name = &self.name;
        let status = self.child.wait().await;
        let status =
            status.map_err(|error| format!("{name} was lost sight of: {error}; {kept}"))?;
        if !status.success() {
            return Err(format!("{name} ended with {}; {kept}", ended(status)));
        }
        let text = std::fs::read_to_string(self.file.path());
        let text = text.map_err(|error| format!("{}; {kept}", unreadable(&error)))?;
        Ok(without_added_line_break(&self.before, text))
    }
}

fn unstarted(program: &str, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such program".to_owned(),
        _ => error.to_string(),
    };
    format!("{program:?} could not be started: {why}; set VISUAL or EDITOR to your editor")
}

/// The words of the command that starts the editor; at least one.
fn editor(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Vec<String>, String> {
    for name in ["VISUAL", "EDITOR"] {
        let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
            continue;
        };
        let words = value.to_str().and_then(shlex::split);
        let words = words.filter(|words| !words.is_empty());
        return words.ok_or_else(|| format!("{name} is no command line; correct its quotes"));
    }
    Ok(vec![USUAL.to_owned()])
}

fn file_of(text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("stakeout-")
        .suffix(".json")
        .tempfile()?;
    file.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        file.write_all(b"\n")?;
    }
    file.flush()?;
    Ok(file)
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

/// Editors end a text with a line break; a text that had none gets none.
fn without_added_line_break(before: &str, mut text: String) -> String {
    if !before.ends_with('\n') && text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<Vec<String>, String> {
        editor(&|name| {
            let pair = pairs.iter().find(|(key, _)| *key == name);
            pair.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn visual_comes_before_editor_and_vi_is_there_for_everyone() {
        assert_eq!(of(&[]).unwrap(), ["vi"]);
        assert_eq!(of(&[("VISUAL", ""), ("EDITOR", "nano")]).unwrap(), ["nano"]);
        let both = [("VISUAL", "code --wait 'a b'"), ("EDITOR", "nano")];
        assert_eq!(of(&both).unwrap(), ["code", "--wait", "a b"]);
        let said = of(&[("EDITOR", "vi 'unclosed")]).unwrap_err();
        assert!(said.starts_with("EDITOR is no command line"), "{said}");
    }

    #[test]
    fn the_line_break_that_an_editor_adds_is_not_the_operators() {
        let text = |before: &str, after: &str| without_added_line_break(before, after.to_owned());
        assert_eq!(text("{}", "{\"a\":1}\n"), "{\"a\":1}");
        assert_eq!(text("{}", "{}\r\n"), "{}");
        assert_eq!(text("{}", "{}\n\n"), "{}\n");
        assert_eq!(text("{}\n", "{}\n"), "{}\n");
    }
}
