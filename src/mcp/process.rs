//! A server that is a child process of ours, from its start to its end.
//!
//! Owns the child, its session, and the ending of both. Must not know the protocol. A child runs in
//! a session of its own, without our terminal, and nothing of that session outlives it: not when
//! it is closed, not when it exits by itself, not when our runtime goes away.

mod session;

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessSession};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::StdioCommand;
use super::journal::{Journal, KEPT_LINE_BYTES, LogKind};
use super::wire::{Line, Lines};
use session::Session;

/// How long a child may take to end after its stdin closed, and again after TERM.
const GRACE: Duration = Duration::from_millis(500);
/// How long the pipes of a child that exited are still read: a grandchild may hold them open.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// How long the end of a connection waits to learn how the child ended.
const OBITUARY: Duration = Duration::from_millis(250);
/// How long a child may take to exit after its stdout closed, to have done so by itself.
const LAST_BREATH: Duration = Duration::from_millis(50);
/// What is said of a child that didn't exit by itself.
const NO_LONGER_TALKING: &str = "it closed its stdin or stdout while it went on running";
/// What children never inherit: our own credentials.
const WITHHELD: [&str; 5] = [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
    "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
    "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    "STAKEOUT_TOKEN",
];
/// Bytes that are read from stderr at once.
const CHUNK: usize = 8 * 1024;

/// A running child. Cheap to clone; it doesn't end by being dropped, but by [`Process::end`].
#[derive(Debug, Clone)]
pub(super) struct Process {
    ending: CancellationToken,
    stage: watch::Receiver<Stage>,
    journal: Journal,
}

/// How far a child is.
#[derive(Debug, Clone, Copy)]
enum Stage {
    Running,
    /// The child itself has exited; what it started may still be there.
    Exited(Exit),
    /// Nothing of its session is left.
    Gone(Exit),
}

#[derive(Debug, Clone, Copy)]
struct Exit {
    at: Instant,
    /// None where the system could not tell.
    status: Option<ExitStatus>,
    /// Whether it exited by itself, rather than because we asked or made it.
    by_itself: bool,
}

/// The ends of a child's pipes that the protocol runs over.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

impl Process {
    /// Starts a program, and watches over it until it is gone.
    ///
    /// # Errors
    /// One sentence, when it can't be started.
    pub(super) fn start(
        command: &StdioCommand,
        journal: &Journal,
    ) -> Result<(Self, Pipes), String> {
        let mut wrapped = CommandWrap::from(prepare(command));
        wrapped.wrap(ProcessSession).wrap(KillOnDrop);
        let mut child = wrapped
            .spawn()
            .map_err(|error| cannot_start(command, &error))?;
        let pipes = (child.stdin().take(), child.stdout().take());
        let (Some(stderr), (Some(stdin), Some(stdout)), Some(id)) =
            (child.stderr().take(), pipes, child.id())
        else {
            return Err(format!("{} started without its pipes", command.command));
        };
        let session = Session::of(id)?;
        journal.event(format!("process {id} started"));
        let ending = CancellationToken::new();
        let (stage_sender, stage) = watch::channel(Stage::Running);
        let supervision = Supervision {
            child,
            session,
            ending: ending.clone(),
            stage: stage_sender,
            stderr: tokio::spawn(drain(stderr, journal.clone())),
            journal: journal.clone(),
        };
        tokio::spawn(supervision.run());
        let process = Self {
            ending,
            stage,
            journal: journal.clone(),
        };
        Ok((process, Pipes { stdin, stdout }))
    }

    /// Asks for the end: stdin closed, 500 ms, TERM, 500 ms, KILL. Returns at once.
    pub(super) fn end(&self) {
        self.ending.cancel();
    }

    /// Waits until the end was asked for, or came by itself: whoever holds stdin lets go of it.
    pub(super) async fn ending(&self) {
        self.ending.cancelled().await;
    }

    /// Waits until nothing of the child's session is left.
    pub(super) async fn gone(&self) {
        let mut stage = self.stage.clone();
        // An error means that the supervision is gone, and the child with it.
        let _ = stage
            .wait_for(|stage| matches!(stage, Stage::Gone(_)))
            .await;
    }

    /// Waits until the child has exited and what it wrote last has had time to arrive.
    pub(super) async fn said_its_last(&self) {
        if let Some(exit) = self.exited().await {
            sleep_until(exit.at + LAST_WORDS).await;
        }
    }

    /// Waits a moment for a child whose stdout closed: most have just exited.
    pub(super) async fn takes_its_last_breath(&self) {
        let _ = timeout(LAST_BREATH, self.exited()).await;
    }

    /// How the child ended, once it has had a moment to: its exit code or signal, and the last
    /// lines of its stderr.
    pub(super) async fn obituary(&self) -> String {
        let exit = timeout(OBITUARY, self.exited()).await;
        let ended = match exit.ok().flatten() {
            Some(exit) => exit.to_string(),
            None => NO_LONGER_TALKING.to_owned(),
        };
        self.with_stderr(ended)
    }

    /// A sentence, with the last lines of stderr behind it, if there are any.
    pub(super) fn with_stderr(&self, sentence: String) -> String {
        super::cause::with_stderr(sentence, &self.journal)
    }

    async fn exited(&self) -> Option<Exit> {
        let mut stage = self.stage.clone();
        let stage = stage
            .wait_for(|stage| !matches!(stage, Stage::Running))
            .await
            .ok()?;
        match *stage {
            Stage::Running => None,
            Stage::Exited(exit) | Stage::Gone(exit) => Some(exit),
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let status = self.status;
        if !self.by_itself {
            formatter.write_str(NO_LONGER_TALKING)?;
            return match status.and_then(|status| status.code()) {
                Some(code @ 1..) => write!(formatter, ", then exited with code {code}"),
                _ => Ok(()),
            };
        }
        match (
            status.and_then(|status| status.code()),
            status.and_then(|status| status.signal()),
        ) {
            (Some(code), _) => write!(formatter, "it exited with code {code}"),
            (None, Some(signal)) => match session::signal_name(signal) {
                Some(name) => write!(formatter, "it was killed by signal {signal} ({name})"),
                None => write!(formatter, "it was killed by signal {signal}"),
            },
            (None, None) => write!(formatter, "it exited"),
        }
    }
}

fn prepare(command: &StdioCommand) -> Command {
    let mut prepared = Command::new(&command.command);
    prepared
        .args(&command.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in WITHHELD {
        prepared.env_remove(name);
    }
    prepared.envs(&command.env);
    if let Some(folder) = &command.cwd {
        prepared.current_dir(folder);
    }
    prepared
}

fn cannot_start(command: &StdioCommand, error: &io::Error) -> String {
    let program = &command.command;
    if let Some(folder) = &command.cwd
        && !Path::new(folder).is_dir()
    {
        return format!("can't start {program} in {folder}: there is no such folder");
    }
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("can't start {program}: there is no such program; check the command and PATH")
        }
        io::ErrorKind::PermissionDenied => {
            format!("can't start {program}: it may not be executed; check its permissions")
        }
        _ => format!("can't start {program}: {error}"),
    }
}

/// Reads stderr to its end, whoever wrote it, so that no writer ever blocks.
async fn drain(mut stderr: ChildStderr, journal: Journal) {
    let mut lines = Lines::new(KEPT_LINE_BYTES);
    let mut keep = |line: Line| match line {
        Line::Whole(bytes) => journal.line(LogKind::Stderr, &bytes),
        Line::TooLong { head, .. } => journal.line(LogKind::Stderr, &head),
    };
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        lines.push(&chunk[..count], &mut keep);
    }
    lines.finish(&mut |line| match line {
        Line::Whole(bytes) if bytes.is_empty() => {}
        other => keep(other),
    });
}

/// What watches over a child.
struct Supervision {
    child: Box<dyn ChildWrapper>,
    session: Session,
    ending: CancellationToken,
    stage: watch::Sender<Stage>,
    stderr: JoinHandle<()>,
    journal: Journal,
}

impl Supervision {
    async fn run(mut self) {
        let (status, by_itself) = tokio::select! {
            biased;
            status = self.child.wait() => {
                // Under load both may have come. Whoever was asked to end didn't exit by itself, but
                // no signal has been sent yet.
                let signalled = status.as_ref().is_ok_and(|status| status.signal().is_some());
                (status, signalled || !self.ending.is_cancelled())
            }
            () = self.ending.cancelled() => (self.end_child().await, false),
        };
        let exit = Exit {
            at: Instant::now(),
            status: status.ok(),
            by_itself,
        };
        // Its last words explain its exit: they go first.
        let _ = timeout(LAST_WORDS, &mut self.stderr).await;
        match by_itself {
            true => self.journal.trouble(exit.to_string()),
            false => self.journal.event("its process was ended"),
        }
        self.stage.send_replace(Stage::Exited(exit));
        self.ending.cancel();
        self.session.end(GRACE).await;
        self.stderr.abort();
        self.stage.send_replace(Stage::Gone(exit));
    }

    /// Ends the child, whose stdin has been closed.
    async fn end_child(&mut self) -> io::Result<ExitStatus> {
        if let Ok(status) = timeout(GRACE, self.child.wait()).await {
            return status;
        }
        self.session.terminate();
        if let Ok(status) = timeout(GRACE, self.child.wait()).await {
            return status;
        }
        self.session.kill();
        self.child.wait().await
    }
}
