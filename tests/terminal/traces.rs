//! The spans of a wait on the screen, beside those of the same wait without one.

use std::process::Command;

use rustix::process::Signal;
use serde_json::{Map, Value, json};

use crate::collector::{Collector, Exported};
use crate::pty::Pty;

/// A wait that is the same wherever it runs.
fn spec() -> Value {
    json!({
        "probe": {"server": "demo", "tool": "rollout_status", "args": {"duration_sec": 1}},
        "until": {"matches": "(?m)^web\\s+3/3"},
        "poll_sec": 2
    })
}

/// The screen on a wait, with a collector.
fn screen(collector: &Collector, spec: &Value) -> Pty {
    let script = format!(
        "export OTEL_EXPORTER_OTLP_ENDPOINT={}; echo '{spec}' > a.wait.json; \
         exec \"$STAKEOUT\" a.wait.json",
        collector.url()
    );
    Pty::shell(&script)
}

/// What is the same in any two runs of one wait.
fn essence(collector: &Collector) -> (Exported, Vec<Exported>) {
    let timeless = |span: Exported| {
        let differs = ["orchestration.elapsed_ms", "sample.latency_ms"];
        let attributes = span.attributes.into_iter().map(|(name, value)| {
            let value = if differs.contains(&name.as_str()) {
                Value::Null
            } else {
                value
            };
            (name, value)
        });
        Exported {
            attributes: attributes.collect::<Map<_, _>>(),
            trace: String::new(),
            id: String::new(),
            parent: String::new(),
            time: (0, 0),
            ..span
        }
    };
    let (wait, samples) = collector.wait();
    (timeless(wait), samples.into_iter().map(timeless).collect())
}

#[test]
fn the_same_wait_has_the_same_spans_on_the_screen_and_without_it() {
    let (by_screen, by_run) = (Collector::start(), Collector::start());
    let mut pty = screen(&by_screen, &spec());
    pty.until("the spec", |screen| screen.contains("; r runs it"));
    pty.press("r");
    pty.until("a match", |screen| screen.contains("matched after"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);

    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("a.wait.json");
    std::fs::write(&file, spec().to_string()).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_stakeout"))
        .args(["run", "--quiet"])
        .arg(&file)
        .env("HOME", home.path())
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", by_run.url())
        .status()
        .unwrap();
    assert!(ran.success());

    let (wait, samples) = essence(&by_run);
    assert_eq!(samples.len(), 2);
    assert_eq!(essence(&by_screen), (wait, samples));
}

#[test]
fn leaving_the_screen_sends_the_spans_of_waits_that_it_ends() {
    for leave in [None, Some(Signal::TERM)] {
        let collector = Collector::start();
        let mut endless = spec();
        endless["until"] = json!({"matches": "never"});
        let mut pty = screen(&collector, &endless);
        pty.until("the spec", |screen| screen.contains("; r runs it"));
        pty.press("r");
        pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
        match leave {
            Some(signal) => pty.signal(signal),
            None => {
                pty.press("q");
                pty.until("the question", |screen| screen.contains("Quit?"));
                pty.press("y");
            }
        }
        pty.exit_code();
        let (wait, samples) = collector.wait();
        assert_eq!(wait.attributes["error.type"], "cancelled");
        assert!(!samples.is_empty());
    }
}
