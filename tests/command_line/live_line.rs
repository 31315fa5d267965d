//! Stderr, on a terminal and elsewhere.

use std::io::Read;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::json;

use crate::place::{Place, until};

const COLUMNS: u16 = 60;

/// What a terminal received.
struct Terminal {
    bytes: Arc<Mutex<Vec<u8>>>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Terminal {
    fn start(place: &Place, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let size = PtySize {
            rows: 10,
            cols: COLUMNS,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size).unwrap();
        let model = place.command(args);
        let mut command = CommandBuilder::new(model.get_program());
        command.args(model.get_args());
        command.cwd(model.get_current_dir().unwrap());
        command.env_clear();
        for (name, value) in model.get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).unwrap();
        drop(pty.slave);
        let mut reader = pty.master.try_clone_reader().unwrap();
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let received = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                received.lock().unwrap().extend_from_slice(&chunk[..count]);
            }
        });
        Self {
            bytes,
            child,
            _master: pty.master,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The screen as a person sees it.
    fn screen(&self) -> String {
        let mut parser = parser();
        parser.process(&self.bytes());
        parser.screen().contents()
    }

    /// Every screen that was seen on the way, one for each drawing.
    fn screens(&self) -> Vec<String> {
        let mut parser = parser();
        let bytes = self.bytes();
        let drawn = bytes.split(|byte| *byte == b'\r');
        drawn
            .map(|drawing| {
                parser.process(b"\r");
                parser.process(drawing);
                parser.screen().contents()
            })
            .collect()
    }

    fn end(&mut self) -> u32 {
        let mut code = None;
        until("the command ends", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        code.unwrap().exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parser() -> vt100::Parser {
    vt100::Parser::new(NonZero::new(10).unwrap(), NonZero::new(COLUMNS).unwrap(), 0)
}

fn on(place: &Place, tool: &str, args: &[&str], variables: &[(&str, &str)]) -> Terminal {
    let stdio = place.stdio("many-tools");
    let args = [
        &["run", "--stdio", &stdio, "--tool", tool, "--output", "none"],
        args,
    ]
    .concat();
    Terminal::start(place, &args, variables)
}

#[test]
fn a_terminal_has_one_live_line() {
    let place = Place::new();
    let args = ["--matches", "call 3", "--poll", "1", "--max-wait", "90"];
    let mut terminal = on(&place, "count", &args, &[]);
    assert_eq!(terminal.end(), 0);
    until("all is said", || {
        terminal.screen().contains("✔ matched after 2 s, 3 samples")
    });
    let screens = terminal.screens();
    assert!(
        screens
            .iter()
            .all(|screen| screen.trim_end().lines().count() <= 1),
        "{screens:#?}"
    );
    let live: Vec<&String> = screens
        .iter()
        .filter(|screen| screen.contains("▸ count"))
        .collect();
    assert!(
        live.iter().any(|line| line.contains("1:29 left")),
        "{live:#?}"
    );
    assert!(
        live.iter().any(|line| line.contains("2 samples")),
        "{live:#?}"
    );
    for spinner in ["◐", "◓", "◑", "◒"] {
        assert!(
            live.iter().any(|line| line.starts_with(spinner)),
            "no {spinner} in {live:#?}"
        );
    }
    assert!(
        live.iter()
            .all(|line| line.chars().count() < usize::from(COLUMNS)),
        "{live:#?}"
    );
    assert!(
        !terminal.screen().contains("▸"),
        "the line is taken away at the end"
    );
    assert!(
        terminal.text().contains("\u{1b}[38;5;10m") || terminal.text().contains("\u{1b}[32m"),
        "{:?}",
        terminal.text()
    );
}

#[test]
fn u7_hostile_output_stays_on_its_line() {
    let place = Place::new();
    let text = "ok\n\u{1b}]0;owned\u{7}\u{1b}[31m\ttab\r状态完成\u{202e}\u{9b}2J end";
    place.write("args.json", &json!({ "text": text }).to_string());
    let args = [
        "--args",
        "@args.json",
        "--matches",
        "zzz",
        "--poll",
        "1",
        "--max-wait",
        "3",
    ];
    let stdio = place.stdio("many-tools");
    // Short names leave room for the output.
    place.user_servers(&json!({ "s": place.entry("many-tools") }));
    drop(stdio);
    let args = [
        &["run", "--server", "s", "--tool", "say", "--output", "none"],
        &args[..],
    ]
    .concat();
    let mut terminal = Terminal::start(&place, &args, &[]);
    assert_eq!(terminal.end(), 124);
    until("all is said", || {
        terminal.screen().contains("timeout after 3 s")
    });
    let screens = terminal.screens();
    assert!(
        screens
            .iter()
            .all(|screen| screen.trim_end().lines().count() <= 1),
        "{screens:#?}"
    );
    assert!(
        screens.iter().any(|screen| screen.contains("│ ␛]0;owned")),
        "{screens:#?}"
    );
    let text = terminal.text();
    for hostile in ["\u{1b}]0;", "\u{1b}[31m\t", "\u{202e}", "\u{9b}"] {
        assert!(!text.contains(hostile), "{hostile:?} in {text:?}");
    }
}

#[test]
fn progress_is_shown_while_a_sample_is_in_flight() {
    let place = Place::new();
    place.user_servers(&json!({ "s": place.entry("many-tools") }));
    let args = [
        "run",
        "--server",
        "s",
        "--tool",
        "hang",
        "--matches",
        "x",
        "--poll",
        "1",
        "--max-wait",
        "3",
        "--output",
        "none",
    ];
    let mut terminal = Terminal::start(&place, &args, &[]);
    assert_eq!(terminal.end(), 3);
    until("the end is said", || {
        terminal
            .screen()
            .contains("gave no answer within the bound of 3 s")
    });
    assert!(
        terminal
            .screens()
            .iter()
            .any(|screen| screen.contains("0:01, 0:02 left, 0 samples"))
    );
}

#[test]
fn a_dumb_terminal_gets_lines_and_no_escapes() {
    let place = Place::new();
    let args = ["--matches", "call 2", "--poll", "1"];
    let mut terminal = on(&place, "count", &args, &[("TERM", "dumb")]);
    assert_eq!(terminal.end(), 0);
    until("all is said", || terminal.text().contains("✔ matched"));
    let text = terminal.text();
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(text.contains("0:00  sample 1, "), "{text:?}");
    assert!(text.contains("changed: call 2 of this process"), "{text:?}");
}

#[test]
fn colours_go_where_they_are_wanted() {
    let place = Place::new();
    let args = ["--arg", "text=a", "--matches", "a"];
    let mut terminal = on(&place, "say", &args, &[("NO_COLOR", "1")]);
    terminal.end();
    until("all is said", || terminal.text().contains("✔ matched"));
    assert!(!terminal.text().contains("m✔"), "{:?}", terminal.text());
    let stdio = place.stdio("many-tools");
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "say",
        "--arg",
        "text=a",
        "--matches",
        "a",
    ];
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = place.command(&args);
        command.envs(variables.iter().copied());
        crate::place::Running::of(command)
            .end()
            .exits(0)
            .stderr
            .contains("m✔")
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn json_lines_and_the_live_line_share_a_terminal() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "count",
        "--matches",
        "call 2",
        "--poll",
        "1",
        "--output",
        "jsonl",
    ];
    let mut terminal = Terminal::start(&place, &args, &[]);
    assert_eq!(terminal.end(), 0);
    until("all is said", || terminal.text().contains("✔ matched"));
    let text = terminal.text();
    let lines = text
        .split("\r\n")
        .filter(|line| line.contains("{\"event\""));
    for line in lines {
        let shown = line.rsplit("\u{1b}[2K").next().unwrap();
        assert!(
            serde_json::from_str::<serde_json::Value>(shown).is_ok(),
            "{line:?}"
        );
    }
}

#[test]
fn u10_text_on_a_terminal_is_cleaned() {
    let place = Place::new();
    place.write(
        "args.json",
        &json!({ "text": "one\r\n\u{1b}[31mtwo\u{9b}" }).to_string(),
    );
    let stdio = place.stdio("many-tools");
    for form in ["text", "json"] {
        let args = [
            "run",
            "--stdio",
            &stdio,
            "--tool",
            "say",
            "--args",
            "@args.json",
            "--matches",
            "two",
            "--output",
            form,
            "-q",
        ];
        let mut terminal = Terminal::start(&place, &args, &[]);
        assert_eq!(terminal.end(), 0);
        until("it is printed", || terminal.text().contains("two"));
        let text = terminal.text();
        assert!(
            !text.contains('\u{1b}') && !text.contains('\u{9b}'),
            "{text:?}"
        );
    }
}

#[test]
fn elsewhere_there_is_a_line_for_each_change() {
    let place = Place::new();
    let ran = place
        .run_on(
            "count",
            &["--matches", "call 3", "--ignore", "\\d of", "--poll", "1"],
        )
        .exits(0);
    let samples = ran
        .stderr
        .lines()
        .filter(|line| line.contains("sample "))
        .count();
    assert_eq!(samples, 1, "what is ignored is no change: {ran:?}");
    let ran = place
        .run_on("count", &["--matches", "call 3", "--poll", "1"])
        .exits(0);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 5, "{lines:#?}");
    assert!(lines[0].starts_with("  0:00  waiting for "), "{lines:#?}");
    assert!(
        lines[3].starts_with("  0:02  sample 3, ")
            && lines[3].ends_with(": changed: call 3 of this process"),
        "{lines:#?}"
    );
    assert_eq!(lines[4], "✔ matched after 2 s, 3 samples");
}

#[test]
fn t14_connecting_and_calling_show_how_long_they_take_and_leave_nothing() {
    let place = Place::new();
    for (args, mode, words) in [
        (&["tools"][..], "silent", "asking s for its tools, 0:0"),
        (&["call", "hang"], "many-tools", "calling s ▸ hang, 0:0"),
    ] {
        place.user_servers(&json!({ "s": place.entry(mode) }));
        let mut terminal = Terminal::start(&place, args, &[]);
        until("the line is drawn", || terminal.screen().contains(words));
        let pid = i32::try_from(terminal.child.process_id().unwrap()).unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        assert_eq!(terminal.end(), 130);
        until("the line is gone", || terminal.screen().trim().is_empty());
    }
    place.all_gone();
}
