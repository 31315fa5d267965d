//! The vectors of the wait contract, and a probe that plays their scripts.
//!
//! `WAIT_VECTORS=<folder>` takes another folder's `*.json`.

#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use stakeout::wait::{Notes, Output, Probe, SampleFailure};

#[derive(Deserialize)]
pub struct Vectors {
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub call: Value,
    #[serde(default)]
    pub probe: Vec<Step>,
    pub expect: Expect,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub text: Option<String>,
    pub tool_error: Option<String>,
    pub error: Option<String>,
    pub hang: Option<bool>,
    #[serde(default)]
    pub latency_ms: u64,
    #[serde(default = "once")]
    pub times: usize,
}

pub fn once() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    Result(Value),
    Error(Value),
}

/// Plays the steps of a vector; the last one repeats.
pub struct Script<'s> {
    pub steps: &'s [Step],
    pub next: usize,
}

impl Probe for Script<'_> {
    async fn sample(&mut self, _number: u64, _notes: Notes) -> Result<Output, SampleFailure> {
        let step = &self.steps[self.next.min(self.steps.len() - 1)];
        self.next += 1;
        if step.hang == Some(true) {
            return std::future::pending().await;
        }
        if step.latency_ms > 0 {
            tokio::time::sleep(Duration::from_millis(step.latency_ms)).await;
        }
        match (&step.text, &step.tool_error, &step.error) {
            (Some(text), None, None) => Ok(Output {
                text: text.repeat(step.times),
                tool_error: false,
            }),
            (None, Some(text), None) => Ok(Output {
                text: format!("Tool returned an error: {}", text.repeat(step.times)),
                tool_error: true,
            }),
            (None, None, Some(cause)) => Err(SampleFailure {
                cause: cause.clone(),
                hopeless: false,
            }),
            _ => panic!("a step says one thing"),
        }
    }
}

/// Every file of vectors, in the order of their names.
pub fn files() -> Vec<PathBuf> {
    let folder = std::env::var_os("WAIT_VECTORS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"),
        PathBuf::from,
    );
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}

/// A file of vectors.
pub fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    let vectors: Vectors =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    vectors.cases
}

/// A runtime whose clock is paused from the start.
pub fn paused() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}
