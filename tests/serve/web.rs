//! A server over HTTP, and requests as bytes.

use std::net::SocketAddr;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::caller::{Place, send_signal};
use crate::support::{PATIENCE, at_most};

impl Place {
    /// `stakeout serve` on some port of the loopback.
    pub async fn listen(&self, flags: &[&str]) -> Web {
        let flags: Vec<&str> = [&["--http", "127.0.0.1:0"], flags].concat();
        Web::start(self.command(&flags)).await
    }
}

/// A server over HTTP, in a process of its own.
pub struct Web {
    process: Child,
    pub address: SocketAddr,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> String {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut lines = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let found = lines
            .next()
            .unwrap_or_else(|| panic!("no {name}: {}", self.head));
        found.1.to_owned()
    }

    /// The messages of a stream.
    pub fn events(&self) -> Vec<Value> {
        let mut rest = self.body.as_str();
        let mut body = String::new();
        // Each chunk has its length before it.
        while let Some((length, after)) = rest.split_once("\r\n") {
            let length = usize::from_str_radix(length, 16).unwrap();
            body.push_str(&after[..length]);
            rest = after[length..].trim_start();
        }
        let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
        let events = events.map(str::trim).filter(|event| !event.is_empty());
        events
            .map(|event| serde_json::from_str(event).unwrap())
            .collect()
    }
}

impl Web {
    /// Starts a command, and waits until it says where it listens.
    pub async fn start(mut command: Command) -> Self {
        let mut process = command.stdin(Stdio::null()).spawn().unwrap();
        let stderr = process.stderr.take().unwrap();
        let mut lines = BufReader::new(stderr).lines();
        let said = at_most(PATIENCE, lines.next_line()).await.unwrap();
        let said = said.unwrap_or_else(|| panic!("it said nothing"));
        let url = said.strip_prefix("stakeout: serving MCP at http://");
        let address = url.and_then(|url| url.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("it said: {said}"));
        let address = address.replace("0.0.0.0", "127.0.0.1").parse().unwrap();
        Self { process, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Sends a request, and reads until the connection ends, however long that takes.
    async fn request(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // Who refuses a large body may do so before it was read.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        Answer::parse(&String::from_utf8_lossy(&answer))
    }

    pub async fn get(&self, path: &str) -> Answer {
        let host = self.address;
        self.request(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
        .await
    }

    /// Posts a message, with these headers over the usual ones.
    pub async fn post(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        at_most(PATIENCE, self.post_patiently(headers, body)).await
    }

    /// The same for an answer that takes its time.
    pub async fn post_patiently(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        self.request(&self.posted(headers, body)).await
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.process.id().unwrap()
    }

    fn posted(&self, headers: &[(&str, &str)], body: &str) -> String {
        let mut request = "POST /mcp HTTP/1.1\r\nConnection: close\r\n".to_owned();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        request.push_str("Accept: application/json, text/event-stream\r\n");
        request.push_str("Content-Type: application/json\r\n");
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        request
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

impl Answer {
    fn parse(answer: &str) -> Self {
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("{answer:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }
}
