//! Five hundred waits at once over HTTP: for a minute, and when it is stopped. They run where `STAKEOUT_LOAD` is `1`, or the
//! path of another build of the program, such as a release build, and print what they measured.
#![allow(clippy::print_stderr)]

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

use crate::caller::Place;
use crate::web::Web;

const WAITS: usize = 500;
const POLL: f64 = 2.0;
const BUDGET: u64 = 60;
/// What a sample may be late by.
const LATE: f64 = POLL * 0.05;
/// Bytes of memory that a wait may take, beside its observation.
const MEMORY: usize = 100 * 1024;

/// What one wait brought.
struct Waited {
    result: Value,
    /// By how many seconds the latest sample was late.
    late: f64,
    took: Duration,
}

async fn wait(web: &Web, number: usize, max_wait_sec: u64) -> Waited {
    let call = json!({
        "probe": {"server": "demo", "tool": "queue_depth",
            "args": {"duration_sec": 300, "depth": 1_000_000, "seed": number}},
        "until": {"matches": "never"}, "poll_sec": POLL as u64, "max_wait_sec": max_wait_sec});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "load", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}, "progressToken": number});
    let params = json!({"name": "wait_for", "arguments": call, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params});
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "wait_for"),
    ];
    let start = Instant::now();
    let patience = Duration::from_secs(max_wait_sec + 30);
    let answer = timeout(patience, web.post_patiently(&headers, &message.to_string())).await;
    let answer = answer.unwrap_or_else(|_| panic!("wait {number} is lost"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let messages = answer.events();
    let samples = messages.iter().filter(|message| {
        let words = message["params"]["message"].as_str();
        words.is_some_and(|words| words.contains("sample"))
    });
    let at: Vec<f64> = samples
        .map(|told| told["params"]["progress"].as_f64().unwrap())
        .collect();
    let late = at
        .windows(2)
        .map(|pair| pair[1] - pair[0] - POLL)
        .fold(0.0, f64::max);
    Waited {
        result: messages.last().unwrap()["result"]["structuredContent"].clone(),
        late,
        took: start.elapsed(),
    }
}

/// Bytes of memory that a process has.
fn memory(web: &Web) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", web.id())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    let kib: usize = line.trim().trim_end_matches(" kB").parse().unwrap();
    kib * 1024
}

/// A serving program with places for all, if the load is asked for.
async fn serving(place: &Place) -> Option<Web> {
    let Ok(binary) = std::env::var("STAKEOUT_LOAD") else {
        eprintln!("skipped: set STAKEOUT_LOAD");
        return None;
    };
    let binary = match binary.as_str() {
        "1" => env!("CARGO_BIN_EXE_stakeout").to_owned(),
        path => path.to_owned(),
    };
    let mut command = Command::new(binary);
    command
        .args(["serve", "--http", "127.0.0.1:0", "--max-waits", "500"])
        .env("HOME", place.home())
        .current_dir(place.home())
        .stderr(std::process::Stdio::piped())
        .kill_on_drop(true);
    Some(Web::start(command).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_waits_for_a_minute() {
    let place = Place::with_lab("plain");
    let Some(web) = serving(&place).await else {
        return;
    };
    // What is there for the first wait is there for all.
    wait(&web, 0, 3).await;
    let idle = memory(&web);
    let waits = (1..=WAITS).map(|number| wait(&web, number, BUDGET));
    let looking = async {
        tokio::time::sleep(Duration::from_secs(BUDGET - 5)).await;
        memory(&web)
    };
    let (waited, busy) = tokio::join!(futures::future::join_all(waits), looking);
    let each = busy.saturating_sub(idle) / WAITS;
    let late = waited.iter().map(|waited| waited.late).fold(0.0, f64::max);
    let longest = waited.iter().map(|waited| waited.took).max().unwrap();
    eprintln!(
        "{WAITS} waits: {} KiB idle, {} KiB each; at most {:.0} ms late; the last after {longest:.2?}",
        idle / 1024,
        each / 1024,
        late * 1000.0
    );
    for waited in &waited {
        assert_eq!(waited.result["reason"], "timeout", "{}", waited.result);
        assert_eq!(waited.result["elapsed_sec"], BUDGET, "{}", waited.result);
    }
    assert!(late <= LATE, "{late} s late");
    assert!(each < MEMORY, "{each} bytes each");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_waits_are_told_of_the_end() {
    let place = Place::with_lab("plain");
    let Some(mut web) = serving(&place).await else {
        return;
    };
    let stopping = (1..=WAITS).map(|number| wait(&web, number, BUDGET));
    let stop = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        web.signal(Signal::TERM);
        Instant::now()
    };
    let (stopped, since) = tokio::join!(futures::future::join_all(stopping), stop);
    for stopped in &stopped {
        assert_eq!(
            stopped.result["error"]["code"], "cancelled",
            "{}",
            stopped.result
        );
    }
    assert_eq!(web.exited().await, Some(0));
    let took = since.elapsed();
    eprintln!("all of them were told of the end, and it stopped within {took:.2?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}
