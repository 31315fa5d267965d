//! What the tests of connections share: the misbehaving server, and waiting for a condition.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod collector;
pub mod web;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use stakeout::mcp::{
    CallFailure, Connection, Host, HttpAddress, Observation, Reach, ServerEntry, Source,
    StdioCommand, ToolCall,
};
use stakeout::wait::{Note, Notes};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Long enough for a busy machine; no test waits for it unless it fails.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// What happens "at once" takes less than this, on a busy machine too.
pub const AT_ONCE: Duration = Duration::from_secs(3);

/// A folder in which a misbehaving server leaves its traces.
pub struct Lab {
    folder: TempDir,
}

impl Lab {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The command that starts the server in this mode.
    pub fn command(&self, mode: &str) -> StdioCommand {
        StdioCommand {
            command: server().display().to_string(),
            args: vec![mode.to_owned(), self.path().display().to_string()],
            ..StdioCommand::default()
        }
    }

    /// The command that starts the server through a shell.
    pub fn through_shell(&self, script: &str, mode: &str) -> StdioCommand {
        let server = self.command(mode);
        let mut args = vec!["-c".to_owned(), script.to_owned(), server.command];
        args.extend(server.args);
        StdioCommand {
            command: "sh".to_owned(),
            args,
            ..StdioCommand::default()
        }
    }

    pub async fn connect(&self, mode: &str) -> Connection {
        connect(Reach::Stdio(self.command(mode))).await
    }

    /// The processes that were started.
    pub fn processes(&self) -> Vec<u32> {
        let pids = std::fs::read_to_string(self.path().join("pids")).unwrap_or_default();
        pids.lines().map(|pid| pid.parse().unwrap()).collect()
    }

    /// The lines that the server has read.
    pub fn seen(&self) -> String {
        std::fs::read_to_string(self.path().join("seen")).unwrap_or_default()
    }

    /// Waits until this many processes were started.
    pub async fn started(&self, count: usize) {
        eventually("the processes start", || self.processes().len() >= count).await;
    }

    /// Waits until none of the processes that were started is left.
    pub async fn all_gone(&self) {
        let started = self.processes();
        assert!(!started.is_empty(), "no process was started");
        eventually("the processes are gone", || {
            !started.iter().any(|pid| is_alive(*pid))
        })
        .await;
    }
}

/// The program beside the tests' own.
fn server() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let profile = tests.parent().and_then(Path::parent).unwrap();
    let server = profile.join("examples").join("misbehaving_server");
    // `cargo test` builds it, `cargo test --test NAME` doesn't.
    assert!(
        server.is_file(),
        "run `cargo build --example misbehaving_server` first"
    );
    server
}

/// Whether a process runs; one that is dead and waits to be reaped doesn't.
pub fn is_alive(pid: u32) -> bool {
    if cfg!(target_os = "linux") {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.trim_start().chars().next());
        return !matches!(state, None | Some(None | Some('Z' | 'X')));
    }
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

/// Waits until something is true.
pub async fn eventually(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// What a future brings, which it must bring at once.
pub async fn at_once<T>(future: impl Future<Output = T>) -> T {
    at_most(AT_ONCE, future).await
}

/// What a future brings, which it must bring within this time.
pub async fn at_most<T>(time: Duration, future: impl Future<Output = T>) -> T {
    let start = Instant::now();
    let output = tokio::time::timeout(PATIENCE, future).await;
    let output = output.unwrap_or_else(|_| panic!("it never came"));
    assert!(start.elapsed() < time, "it took {:?}", start.elapsed());
    output
}

pub fn entry(reach: Reach) -> ServerEntry {
    ServerEntry {
        name: "lab".to_owned(),
        source: Source::CommandLine,
        reach,
        connect_timeout: None,
    }
}

pub fn address(url: &str) -> HttpAddress {
    HttpAddress {
        url: url.to_owned(),
        headers: BTreeMap::new(),
    }
}

pub async fn connect(reach: Reach) -> Connection {
    Connection::connect(&entry(reach), PATIENCE, &Host::default())
        .await
        .unwrap_or_else(|error| panic!("no connection: {error}"))
}

pub fn arguments(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        other => panic!("no object: {other}"),
    }
}

/// Calls a tool without arguments.
pub async fn call(connection: &Connection, tool: &str) -> Result<Observation, CallFailure> {
    call_with(connection, tool, Value::Object(Map::new()))
        .await
        .0
}

/// Calls a tool; also gives the notes that came meanwhile.
pub async fn call_with(
    connection: &Connection,
    tool: &str,
    args: Value,
) -> (Result<Observation, CallFailure>, Vec<Note>) {
    let (notes, mut told) = Notes::channel();
    let args = arguments(args);
    let call = ToolCall {
        tool,
        args: &args,
        wait_id: "wait-1",
        trace: None,
    };
    let outcome = connection.call(call, &notes).await;
    drop(notes);
    (outcome, drain(&mut told))
}

/// Whether a call failed since its connection is gone.
pub fn lost(failure: &CallFailure) -> bool {
    let words = "the connection to the server is lost";
    failure.cause.starts_with(words)
}

pub fn drain(told: &mut mpsc::Receiver<Note>) -> Vec<Note> {
    std::iter::from_fn(|| told.try_recv().ok()).collect()
}

/// Starts a call and drops it once `is_true`.
pub async fn abandon(connection: &Connection, tool: &str, is_true: impl FnMut() -> bool) {
    let (connection, tool) = (connection.clone(), tool.to_owned());
    let calling = tokio::spawn(async move { call(&connection, &tool).await });
    eventually("the call arrives", is_true).await;
    calling.abort();
    assert!(calling.await.unwrap_err().is_cancelled());
}
