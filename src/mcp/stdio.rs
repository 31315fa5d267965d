//! The protocol as lines over a pair of pipes.
//!
//! Owns the transport over stdin and stdout of a child, or over any other pair of byte streams.
//! Must not know which messages are sent. rmcp's own transport waits for grandchildren, drops
//! replies that it can't read and hides what is no message; this one doesn't.

use std::collections::VecDeque;
use std::future::Future;
use std::io;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::DropGuard;

use super::journal::{Journal, LogKind};
use super::process::{Pipes, Process};
use super::wire::{self, Line, Lines, MAX_MESSAGE, Reading, Replies};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;
/// Messages that may wait for a server to read them: a few of each wait, of as many as may run at once.
const BACKLOG: usize = 4096;
/// Results that rmcp's types would lose something of.
const RAW_RESULTS: &[&str] = &["tools/call", "tools/list", "tasks/get"];

/// A message on its way out, and where it is told that it is out.
type Outgoing = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// Messages as lines.
pub(super) struct LineTransport {
    input: Box<dyn AsyncRead + Send + Unpin>,
    lines: Lines,
    ready: VecDeque<ServerJsonRpcMessage>,
    replies: Replies,
    journal: Journal,
    output: mpsc::Sender<Outgoing>,
    process: Option<Process>,
    chunk: Vec<u8>,
    _ended: DropGuard,
}

impl LineTransport {
    /// Over the pipes of a child. The child ends with the transport, and the other way round.
    pub(super) fn of_child(
        process: Process,
        pipes: Pipes,
        journal: Journal,
        ended: DropGuard,
    ) -> Self {
        Self::new(pipes.stdout, pipes.stdin, Some(process), journal, ended)
    }

    /// Over two halves of a stream.
    pub(super) fn of_streams(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        journal: Journal,
        ended: DropGuard,
    ) -> Self {
        Self::new(input, output, None, journal, ended)
    }

    fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        process: Option<Process>,
        journal: Journal,
        ended: DropGuard,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        tokio::spawn(write_all(output, receiver, process.clone()));
        Self {
            input: Box::new(input),
            lines: Lines::new(MAX_MESSAGE),
            ready: VecDeque::new(),
            replies: Replies::raw(RAW_RESULTS),
            journal,
            output: sender,
            process,
            chunk: vec![0; CHUNK],
            _ended: ended,
        }
    }

    /// Reads once; 0 at the end, which for a child is also its exit, whoever holds its stdout.
    async fn read(&mut self) -> usize {
        let read = match &self.process {
            Some(process) => tokio::select! {
                biased;
                () = process.said_its_last() => return 0,
                read = self.input.read(&mut self.chunk) => read,
            },
            None => self.input.read(&mut self.chunk).await,
        };
        read.unwrap_or(0)
    }

    fn take(&mut self, count: usize) {
        let Self {
            lines,
            ready,
            replies,
            journal,
            chunk,
            ..
        } = self;
        let mut tell = |line: Line| ready.extend(message_in(line, replies, journal));
        match count {
            0 => lines.finish(&mut tell),
            count => lines.push(&chunk[..count], &mut tell),
        }
    }
}

/// The message in a line; what is none goes to the log.
fn message_in(line: Line, replies: &Replies, journal: &Journal) -> Option<ServerJsonRpcMessage> {
    let (bytes, reading) = match line {
        Line::Whole(bytes) => {
            let reading = wire::read(&bytes, replies);
            (bytes, reading)
        }
        Line::TooLong { head, envelope } => (head, wire::too_large(&envelope, replies)),
    };
    match reading {
        Reading::Message(message) => {
            journal.received(&message, &bytes);
            Some(*message)
        }
        Reading::Blank => None,
        Reading::Noise => {
            journal.line(LogKind::Noise, &bytes);
            None
        }
    }
}

/// Writes messages in the order in which they were sent, until the transport or the child ends;
/// then lets go of the stream, which is how a child learns that it shall end.
async fn write_all(
    mut output: impl AsyncWrite + Unpin,
    mut messages: mpsc::Receiver<Outgoing>,
    process: Option<Process>,
) {
    let ending = async {
        match &process {
            Some(process) => process.ending().await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(ending);
    loop {
        let next = tokio::select! {
            () = &mut ending => return,
            next = messages.recv() => next,
        };
        let Some((bytes, told)) = next else { return };
        let written = tokio::select! {
            () = &mut ending => return,
            written = write(&mut output, &bytes) => written,
        };
        let failed = written.is_err();
        let _ = told.send(written);
        if failed {
            // A server that doesn't listen any more can't be spoken to.
            if let Some(process) = &process {
                process.end();
            }
            return;
        }
    }
}

async fn write(output: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes).await?;
    output.flush().await
}

impl Transport<RoleClient> for LineTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.replies.expect(&message);
        let (told, written) = oneshot::channel();
        // Queued before the future is polled: rmcp polls sends side by side, in any order.
        let queued = line_of(&message).and_then(|line| {
            self.journal.sent(&message, &line);
            let sent = self.output.try_send((line, told));
            sent.map_err(|_| not_listening())
        });
        async move {
            queued?;
            written.await.unwrap_or_else(|_| Err(not_listening()))
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let count = self.read().await;
            self.take(count);
            if count == 0 && self.ready.is_empty() {
                if let Some(process) = &self.process {
                    process.takes_its_last_breath().await;
                }
                return None;
            }
        }
    }

    /// Doesn't wait: calls in flight learn of the end when this returns.
    async fn close(&mut self) -> io::Result<()> {
        if let Some(process) = &self.process {
            process.end();
        }
        Ok(())
    }
}

impl Drop for LineTransport {
    fn drop(&mut self) {
        if let Some(process) = &self.process {
            process.end();
        }
    }
}

fn line_of(message: &ClientJsonRpcMessage) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message).map_err(io::Error::other)?;
    line.push(b'\n');
    Ok(line)
}

fn not_listening() -> io::Error {
    io::Error::new(
        io::ErrorKind::BrokenPipe,
        "the server doesn't listen any more",
    )
}
