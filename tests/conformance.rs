//! The wait contract: every vector, on a paused clock.
//!
//! `WAIT_VECTORS=<folder>` runs the same test on another folder's `*.json`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use stakeout::wait::{
    Call, Chain, Ending, Notes, Outcome, Output, Probe, SampleFailure, WaitFailure, engine,
};
use tokio_util::sync::CancellationToken;

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    call: Value,
    #[serde(default)]
    probe: Vec<Step>,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    text: Option<String>,
    tool_error: Option<String>,
    error: Option<String>,
    hang: Option<bool>,
    #[serde(default)]
    latency_ms: u64,
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Expect {
    Result(Value),
    Error(Value),
}

/// Plays the steps of a vector; the last one repeats.
struct Script<'s> {
    steps: &'s [Step],
    next: usize,
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

async fn run(case: &Case) -> Ending {
    let call = Call::parse(&case.call)
        .map_err(|refusal| WaitFailure::before_the_first_sample(refusal.into()))?;
    let mut script = Script {
        steps: &case.probe,
        next: 0,
    };
    let stop = CancellationToken::new();
    engine::run(&call, &mut script, &mut Chain::new(), &mut |_| {}, &stop).await
}

/// What is wrong with the answer, if anything is.
fn difference(expect: &Expect, ending: &Ending) -> Option<String> {
    let got = serde_json::to_value(Outcome::from(ending)).unwrap();
    match expect {
        Expect::Result(expected) => {
            let got = &got["result"];
            let mut expected = expected.clone();
            if let Some(text) = expected["last_observation"]["text"].as_str() {
                let times = expected["last_observation"]["times"].as_u64().unwrap();
                expected["last_observation"] = json!(text.repeat(usize::try_from(times).unwrap()));
            }
            (*got != expected).then(|| format!("expected {expected:.300}, got {got:.300}"))
        }
        Expect::Error(expected) => {
            let error = &got["error"];
            expected
                .as_object()
                .unwrap()
                .iter()
                .find_map(|(key, value)| {
                    let holds = if key == "message_contains" {
                        error["message"]
                            .as_str()
                            .unwrap_or("")
                            .contains(value.as_str().unwrap())
                    } else {
                        &error[key] == value
                    };
                    (!holds).then(|| format!("expected {key} {value}, got {got:.300}"))
                })
        }
    }
}

fn vector_files() -> Vec<PathBuf> {
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

#[test]
fn every_vector_gives_its_one_right_answer() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for file in vector_files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let vectors: Vectors = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for case in &vectors.cases {
            cases += 1;
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap();
            let ending = runtime.block_on(run(case));
            if let Some(difference) = difference(&case.expect, &ending) {
                wrong.push(format!("{} · {}: {difference}", file.display(), case.name));
            }
        }
    }
    assert!(cases > 0, "no vectors found");
    assert!(
        wrong.is_empty(),
        "{} of {cases} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
