//! Where the binary runs: a home and a working folder of its own, and nothing else of ours.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Lab, PATIENCE, is_alive};

/// A home, and a folder to work in.
pub struct Place {
    folder: TempDir,
    pub lab: Lab,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        for name in ["home", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self {
            folder,
            lab: Lab::new(),
        }
    }

    /// A file of the working folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// Writes a file of the working folder.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The folder of the user's own configuration.
    pub fn config(&self) -> PathBuf {
        let folder = self.folder.path().join("config/stakeout");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state/stakeout")
    }

    /// Writes a file of the library.
    pub fn save(&self, file: &str, spec: &Value) {
        let folder = self.folder.path().join("data/stakeout/library");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(file), spec.to_string()).unwrap();
    }

    /// Writes the user's own list of servers.
    pub fn user_servers(&self, servers: &Value) {
        let file = serde_json::json!({ "mcpServers": servers });
        std::fs::write(self.config().join("mcp.json"), file.to_string()).unwrap();
    }

    /// The misbehaving server as an entry of `mcpServers`.
    pub fn entry(&self, mode: &str) -> Value {
        let command = self.lab.command(mode);
        serde_json::json!({ "command": command.command, "args": command.args })
    }

    /// The misbehaving server as a value of `--stdio`.
    pub fn stdio(&self, mode: &str) -> String {
        let command = self.lab.command(mode);
        let words = [vec![command.command], command.args].concat();
        shlex::try_join(words.iter().map(String::as_str)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stakeout"));
        command
            .args(args)
            .current_dir(self.folder.path().join("work"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.home())
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("XDG_DATA_HOME", self.folder.path().join("data"))
            .stdin(Stdio::null());
        command
    }

    /// Runs to its end.
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args), b"")
    }

    pub fn run_with_stdin(&self, args: &[&str], stdin: &str) -> Ran {
        Ran::of(self.command(args), stdin.as_bytes())
    }

    /// `run` against the misbehaving server with `tool`, and more.
    pub fn run_on(&self, tool: &str, args: &[&str]) -> Ran {
        let stdio = self.stdio("many-tools");
        self.run(&[&["run", "--stdio", &stdio, "--tool", tool], args].concat())
    }

    /// Starts the same, with pipes.
    pub fn start_on(&self, tool: &str, args: &[&str]) -> Running {
        let stdio = self.stdio("many-tools");
        self.start(&[&["run", "--stdio", &stdio, "--tool", tool], args].concat())
    }

    pub fn start(&self, args: &[&str]) -> Running {
        Running::of(self.command(args))
    }

    /// Waits until what the lab started is gone.
    pub fn all_gone(&self) {
        let started = self.lab.processes();
        assert!(!started.is_empty(), "no process was started");
        until("the processes are gone", || {
            !started.iter().any(|pid| is_alive(*pid))
        });
    }
}

impl Ran {
    fn of(command: Command, stdin: &[u8]) -> Self {
        let mut command = assert_cmd::Command::from_std(command);
        if !stdin.is_empty() {
            command.write_stdin(stdin);
        }
        Self::from(command.timeout(PATIENCE).output().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The lines of `--output jsonl`.
    pub fn events(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The `error` of a JSON output.
    pub fn error(&self) -> Value {
        let json = self.json();
        assert!(json["error"].is_object(), "{self:?}");
        json["error"].clone()
    }

    /// Asserts a code; shows everything otherwise.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts a part of stderr.
    #[track_caller]
    pub fn says(self, words: &str) -> Self {
        assert!(self.stderr.contains(words), "no {words:?} in {self:#?}");
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A command that runs; it is killed when it is dropped.
pub struct Running {
    pub child: Option<Child>,
}

impl Running {
    pub fn of(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self {
            child: Some(command.spawn().unwrap()),
        }
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(self.child.as_ref().unwrap());
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for its end, and takes what it wrote.
    pub fn end(mut self) -> Ran {
        let child = self.child.take().unwrap();
        let pid = child.id();
        let (told, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || told.send(child.wait_with_output().unwrap()));
        match ended.recv_timeout(PATIENCE) {
            Ok(output) => Ran::from(output),
            Err(_) => {
                let pid = i32::try_from(pid)
                    .ok()
                    .and_then(rustix::process::Pid::from_raw);
                let _ = rustix::process::kill_process(pid.unwrap(), rustix::process::Signal::KILL);
                panic!("it never ended");
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until something is true.
pub fn until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The folder that holds nothing but `programs`, for a PATH.
pub fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
