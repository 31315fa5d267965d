//! A caller over stdio, one JSON-RPC message a line, and the process that it started.
#![allow(clippy::print_stderr)]

use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::support::{Lab, PATIENCE, at_most};

/// The value of a variable; none means that the test is to be skipped.
pub fn installed(variable: &str) -> Option<String> {
    let value = std::env::var(variable)
        .ok()
        .filter(|value| !value.is_empty());
    if value.is_none() {
        let required = std::env::var("STAKEOUT_REQUIRE_INTEROP").is_ok_and(|value| value == "1");
        assert!(!required, "set {variable}");
        eprintln!("skipped: set {variable}");
    }
    value
}

/// A home of its own, and the servers that `serve` knows.
pub struct Place {
    folder: TempDir,
    pub lab: Lab,
}

impl Place {
    /// A place whose configuration has one server, `lab`, in this mode.
    pub fn with_lab(mode: &str) -> Self {
        let place = Self {
            folder: TempDir::new().unwrap(),
            lab: Lab::new(),
        };
        let lab = place.lab.command(mode);
        let lab = json!({"command": lab.command, "args": lab.args});
        place.configure(json!({ "lab": lab }));
        place
    }

    /// Makes these the servers of the user's own file.
    pub fn configure(&self, servers: Value) {
        let folder = self.home().join(".config/stakeout");
        std::fs::create_dir_all(&folder).unwrap();
        let file = json!({ "mcpServers": servers });
        std::fs::write(folder.join("mcp.json"), file.to_string()).unwrap();
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// `stakeout serve` with these flags, not started yet.
    pub fn command(&self, flags: &[&str]) -> Command {
        self.command_of("serve", flags)
    }

    /// A command of stakeout's with these flags, not started yet.
    pub fn command_of(&self, subcommand: &str, flags: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stakeout"));
        command
            .arg(subcommand)
            .args(flags)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.home())
            .current_dir(self.home())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// A caller whose session has begun.
    pub async fn serve(&self, flags: &[&str]) -> Caller {
        let mut caller = Caller::start(self.command(flags));
        caller.greet().await;
        caller
    }
}

/// Somebody who calls.
pub struct Caller {
    pub process: Child,
    stdin: Option<ChildStdin>,
    stdout: Lines<BufReader<ChildStdout>>,
    calls: u64,
    /// The notifications that came so far.
    pub told: Vec<Value>,
}

impl Caller {
    pub fn start(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let stdout = process.stdout.take().unwrap();
        Self {
            stdin: process.stdin.take(),
            stdout: BufReader::new(stdout).lines(),
            process,
            calls: 0,
            told: Vec::new(),
        }
    }

    /// Begins a session.
    pub async fn greet(&mut self) {
        let me = json!({"name": "caller", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": me});
        let begun = self.request("initialize", params).await;
        assert_eq!(begun["result"]["serverInfo"]["name"], "stakeout");
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
    }

    pub async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).await.unwrap();
    }

    /// Sends a request, and answers its number.
    pub async fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.calls += 1;
        let id = self.calls;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        id
    }

    /// The next message; none once stdout has ended.
    pub async fn next(&mut self) -> Option<Value> {
        let line = at_most(PATIENCE, self.stdout.next_line()).await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}")))
    }

    /// The answer to the request of that number.
    pub async fn answer(&mut self, id: u64) -> Value {
        if let Some(position) = self.told.iter().position(|told| told["id"] == id) {
            return self.told.remove(position);
        }
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("it ended"));
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    /// Begins a call whose progress is told under its own number.
    pub async fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        let token = self.calls + 1;
        let meta = json!({ "progressToken": token });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        self.ask("tools/call", params).await
    }

    /// The result of a call; its text and its structure are the same.
    pub async fn result(&mut self, id: u64) -> Value {
        let answer = self.answer(id).await;
        let result = answer["result"].clone();
        assert!(result.is_object(), "{answer}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(text, result["structuredContent"].to_string());
        result
    }

    /// What a call brought, an error or not.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.begin(tool, arguments).await;
        self.result(id).await["structuredContent"].clone()
    }

    /// What a wait brought.
    pub async fn wait_for(&mut self, call: Value) -> Value {
        self.call("wait_for", call).await
    }

    /// The error of a wait that brings none else.
    pub async fn refused(&mut self, call: Value) -> Value {
        let id = self.begin("wait_for", call).await;
        let result = self.result(id).await;
        assert_eq!(result["isError"], true, "{result}");
        let error = result["structuredContent"]["error"].clone();
        assert!(error["code"].is_string(), "{error}");
        assert!(error["message"].is_string(), "{error}");
        assert!(!error["what_to_do"].as_str().unwrap().is_empty(), "{error}");
        error
    }

    /// The words of the progress notifications with that token.
    pub fn progress(&self, token: u64) -> Vec<(f64, String)> {
        let told = self
            .told
            .iter()
            .filter(|told| told["method"] == "notifications/progress");
        let told = told.map(|told| &told["params"]);
        let told = told.filter(|told| told["progressToken"] == token);
        told.map(|told| {
            let words = told["message"].as_str().unwrap().to_owned();
            (told["progress"].as_f64().unwrap(), words)
        })
        .collect()
    }

    /// Closes its stdin.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Sends the process a signal.
    pub fn signal(&self, signal: Signal) {
        send_signal(&self.process, signal);
    }

    /// How the process exited.
    pub async fn exited(&mut self) -> Option<i32> {
        at_most(PATIENCE, self.process.wait()).await.unwrap().code()
    }
}

pub fn send_signal(process: &Child, signal: Signal) {
    let id = i32::try_from(process.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(id).unwrap(), signal).unwrap();
}

/// A wait for a tool of the lab's.
pub fn wait_on(tool: &str, until: Value) -> Value {
    json!({"probe": {"server": "lab", "tool": tool, "args": {}}, "until": until, "poll_sec": 1})
}
