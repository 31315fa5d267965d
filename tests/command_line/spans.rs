//! Waits as a collector of traces sees them.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::place::{Place, Ran, Running, until};
use crate::support::collector::Collector;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const SAY: [&str; 6] = [
    "--tool",
    "say",
    "--arg",
    "text=secret words",
    "--matches",
    "w",
];

/// `run` against the misbehaving server with more in the environment.
fn start(place: &Place, args: &[&str], environment: &[(&str, &str)]) -> Running {
    let stdio = place.stdio("many-tools");
    let mut command = place.command(&[&["run", "--stdio", &stdio], args].concat());
    command.envs(environment.iter().copied());
    Running::of(command)
}

fn run(place: &Place, args: &[&str], environment: &[(&str, &str)]) -> Ran {
    start(place, args, environment).end()
}

/// `run` with a collector, and more in the environment.
fn traced(collector: &Collector, args: &[&str], more: &[(&str, &str)]) -> (Place, Ran) {
    let place = Place::new();
    let url = collector.url();
    let environment = [&[("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str())][..], more].concat();
    let ran = run(&place, args, &environment);
    (place, ran)
}

#[test]
fn a_wait_is_a_span_and_each_sample_one_below_it() {
    let collector = Collector::start();
    let args = [
        "--tool",
        "count",
        "--matches",
        "call 3",
        "--poll",
        "1",
        "--fail-when",
        "never",
    ];
    let (place, ran) = traced(
        &collector,
        &args,
        &[("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20x")],
    );
    let result = ran.exits(0).json();
    let (wait, samples) = collector.wait();
    let attributes = &wait.attributes;
    assert_eq!(attributes["orchestration.probe_tool"], "count");
    assert_eq!(
        attributes["orchestration.wait_condition"],
        json!({"matches": "call 3"}).to_string()
    );
    assert_eq!(attributes["orchestration.poll_count"], result["samples"]);
    assert_eq!(attributes["orchestration.stop_reason"], "matched");
    let elapsed = attributes["orchestration.elapsed_ms"].as_u64().unwrap();
    assert_eq!(elapsed / 1000, result["elapsed_sec"].as_u64().unwrap());
    assert_eq!(attributes.len(), 5, "{attributes:?}");
    assert_eq!((wait.parent.as_str(), wait.status.0, wait.kind), ("", 0, 1));

    assert_eq!(samples.len(), 3);
    for (at, sample) in samples.iter().enumerate() {
        let attributes = &sample.attributes;
        assert_eq!(attributes["tool.name"], "count");
        assert_eq!(attributes["sample.number"], at + 1);
        assert_eq!(attributes["sample.status"], "ok");
        assert_eq!(attributes["tool.result.length"], 22);
        let latency = attributes["sample.latency_ms"].as_f64().unwrap();
        let lasted = (sample.time.1 - sample.time.0) as f64 / 1e6;
        assert!((latency - lasted).abs() < 50.0, "{latency} {lasted}");
        assert!(attributes.contains_key("mcp.server.name"));
        assert_eq!(attributes.len(), 6, "{attributes:?}");
        assert_eq!((sample.status.0, sample.kind), (0, 3), "kind 3 is a client");
        let told = format!("00-{}-{}-01", sample.trace, sample.id);
        assert!(place.lab.seen().contains(&told), "the server is told of it");
    }
    let resource = collector.resource();
    assert_eq!(resource["service.name"], "stakeout");
    assert_eq!(resource["service.version"], env!("CARGO_PKG_VERSION"));
    let request = &collector.requests()[0];
    assert!(
        request.head.starts_with("POST /v1/traces "),
        "{}",
        request.head
    );
    let head = request.head.to_lowercase();
    assert!(head.contains("authorization: bearer x"), "{head}");
    assert!(
        head.contains("content-type: application/x-protobuf"),
        "{head}"
    );
}

#[test]
fn neither_arguments_nor_outputs_are_recorded_unless_outputs_are_asked_for() {
    let collector = Collector::start();
    traced(&collector, &SAY, &[]).1.exits(0);
    let secret = b"secret words";
    for request in collector.requests() {
        assert!(
            !request
                .body
                .windows(secret.len())
                .any(|part| part == secret)
        );
    }
    for (length, result) in [
        (None, "secret words"),
        (Some("6"), " … (12 bytes in all) … "),
    ] {
        let collector = Collector::start();
        let mut more = vec![("OTEL_RECORD_CONTENT", "true")];
        more.extend(length.map(|length| ("OTEL_CONTENT_MAX_LENGTH", length)));
        traced(&collector, &SAY, &more).1.exits(0);
        assert_eq!(collector.wait().1[0].attributes["tool.result"], result);
    }
}

#[test]
fn a_wait_that_fails_says_so_without_words_of_the_servers() {
    let args = ["--tool", "bad-params", "--matches", "a"];
    let collector = Collector::start();
    traced(&collector, &args, &[]).1.exits(3);
    let (wait, samples) = collector.wait();
    assert_eq!(wait.attributes["orchestration.stop_reason"], "probe_failed");
    assert_eq!(wait.attributes["error.type"], "probe_failed");
    assert_eq!(wait.attributes["orchestration.poll_count"], 1);
    assert_eq!(wait.status, (2, "probe_failed".to_owned()));
    assert_eq!(samples[0].attributes["sample.status"], "failed");
    assert_eq!(
        samples[0].status,
        (2, "the call brought no observation".to_owned())
    );

    let collector = Collector::start();
    traced(&collector, &args, &[("OTEL_RECORD_CONTENT", "true")])
        .1
        .exits(3);
    let (wait, samples) = collector.wait();
    for span in [&wait, &samples[0]] {
        assert!(
            span.status.1.contains("replicas must be positive"),
            "{span:?}"
        );
    }

    let collector = Collector::start();
    let error = ["--tool", "internal-error", "--matches", "kubectl"];
    traced(&collector, &error, &[]).1.exits(0);
    let (wait, samples) = collector.wait();
    assert_eq!((wait.status.0, samples[0].status.0), (0, 2));
    assert_eq!(samples[0].attributes["sample.status"], "tool_error");

    let collector = Collector::start();
    let unknown = ["--tool", "nothing", "--matches", "a"];
    traced(&collector, &unknown, &[]).1.exits(2);
    let (wait, samples) = collector.wait();
    assert_eq!(wait.attributes["error.type"], "unknown_probe_tool");
    assert_eq!(
        (
            wait.attributes["orchestration.poll_count"].as_u64(),
            samples.len()
        ),
        (Some(0), 0)
    );
}

#[test]
fn a_signal_ends_the_spans_and_sends_them() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130)] {
        let (place, collector) = (Place::new(), Collector::start());
        let url = collector.url();
        let args = ["--tool", "hang", "--matches", "a"];
        let running = start(&place, &args, &[("OTEL_EXPORTER_OTLP_ENDPOINT", &url)]);
        until("the call arrives", || {
            place.lab.seen().contains("tools/call")
        });
        running.signal(signal);
        running.end().exits(code);
        let (wait, samples) = collector.wait();
        assert_eq!(wait.attributes["error.type"], "cancelled");
        assert_eq!(wait.attributes["orchestration.poll_count"], 0);
        assert_eq!(samples[0].attributes["sample.status"], "cancelled");
        assert_eq!(samples[0].attributes["tool.cancelled"], true);
    }
}

#[test]
fn the_trace_of_whoever_started_us_goes_on() {
    let collector = Collector::start();
    let more = [("TRACEPARENT", PARENT), ("TRACESTATE", "vendor=1")];
    let args = [&SAY[..], &["--output", "aura"]].concat();
    let (place, ran) = traced(&collector, &args, &more);
    let (wait, samples) = collector.wait();
    assert_eq!(
        (wait.trace.as_str(), wait.parent.as_str()),
        (TRACE, "b7ad6b7169203331")
    );
    assert_eq!(wait.state, "vendor=1");
    let told = format!("\"traceparent\":\"00-{TRACE}-{}-01\"", samples[0].id);
    let seen = place.lab.seen();
    assert!(
        seen.contains(&told) && seen.contains("\"tracestate\":\"vendor=1\""),
        "{seen}"
    );
    let stdout = ran.exits(0).stdout;
    assert_eq!(
        stdout.matches(&format!("\"trace_id\":\"{TRACE}\"")).count(),
        4,
        "{stdout}"
    );
}

#[test]
fn without_a_collector_a_trace_is_passed_on_and_nothing_else_is() {
    let place = Place::new();
    run(&place, &SAY, &[("TRACEPARENT", PARENT)]).exits(0);
    assert!(place.lab.seen().contains(PARENT));
    for nonsense in [None, Some("nonsense")] {
        let place = Place::new();
        let environment: Vec<_> = nonsense
            .map(|value| ("TRACEPARENT", value))
            .into_iter()
            .collect();
        run(&place, &SAY, &environment).exits(0);
        assert!(!place.lab.seen().contains("traceparent"));
    }
}

#[test]
fn the_standard_variables_are_obeyed() {
    for off in [
        ("OTEL_SDK_DISABLED", "true"),
        ("OTEL_TRACES_EXPORTER", "none"),
        ("OTEL_TRACES_SAMPLER", "always_off"),
    ] {
        let collector = Collector::start();
        let ran = traced(&collector, &SAY, &[off]).1.exits(0);
        assert!(collector.requests().is_empty(), "{off:?}");
        assert!(!ran.stderr.contains("span"), "{ran:?}");
    }
    let (collector, elsewhere) = (Collector::start(), Collector::start());
    let traces = format!("{}/traces", elsewhere.url());
    let more = [
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", traces.as_str()),
        ("OTEL_SERVICE_NAME", "night-watch"),
        ("OTEL_RESOURCE_ATTRIBUTES", "team=ops"),
    ];
    traced(&collector, &SAY, &more).1.exits(0);
    assert!(collector.requests().is_empty());
    assert!(elsewhere.requests()[0].head.starts_with("POST /traces "));
    let resource = elsewhere.resource();
    assert_eq!(
        (&resource["service.name"], &resource["team"]),
        (&json!("night-watch"), &json!("ops"))
    );
}

#[test]
fn what_can_not_be_done_is_said_in_a_sentence_and_the_wait_goes_on() {
    let collector = Collector::start();
    for (variable, value, words) in [
        (
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "grpc",
            "set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf",
        ),
        ("OTEL_TRACES_EXPORTER", "zipkin", "set it to otlp or none"),
        (
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "collector",
            "write http://… or https://…",
        ),
    ] {
        let (place, ran) = traced(&collector, &SAY, &[(variable, value)]);
        ran.exits(0).says(words);
        let log = crate::place::text_of(&place.state().join("stakeout.log"));
        assert!(log.contains(words), "{log}");
        let quiet = [&SAY[..], &["--quiet"]].concat();
        assert_eq!(
            traced(&collector, &quiet, &[(variable, value)])
                .1
                .exits(0)
                .stderr,
            ""
        );
    }
    assert!(collector.requests().is_empty());
}

#[test]
fn a_collector_that_is_down_or_hangs_holds_up_nothing() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let hangs = format!("http://{}", silent.local_addr().unwrap());
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let down = format!("http://{gone}");
    for (url, limit, words) in [
        (&down, 2500, "look whether a collector answers"),
        (&hangs, 3500, "the last spans may be lost"),
    ] {
        let place = Place::new();
        let began = Instant::now();
        let args = ["--tool", "count", "--matches", "call 3", "--poll", "1"];
        let more = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str()),
            ("OTEL_BSP_SCHEDULE_DELAY", "100"),
        ];
        let ran = run(&place, &args, &more).exits(0);
        let took = began.elapsed();
        let waited = ran.json()["elapsed_sec"].as_u64().unwrap();
        assert_eq!(waited, 2, "the wait itself is as long as ever");
        let beyond = took - Duration::from_secs(2);
        assert!(beyond < Duration::from_millis(limit), "{url}: {beyond:?}");
        let log = crate::place::text_of(&place.state().join("stakeout.log"));
        let told = log.matches(words).count();
        assert_eq!(told, 1, "once, however often it is tried: {log}");
    }
}

#[test]
fn no_command_that_does_not_wait_is_traced() {
    let collector = Collector::start();
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let mut command = place.command(&["call", "say", "--arg", "text=a", "--stdio", &stdio]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
    Running::of(command).end().exits(0);
    assert!(collector.requests().is_empty());
}

/// What differs between two runs of one wait.
fn without_times(mut attributes: serde_json::Map<String, Value>) -> Value {
    for time in ["orchestration.elapsed_ms", "sample.latency_ms"] {
        attributes.remove(time);
    }
    Value::Object(attributes)
}

#[test]
fn the_demo_servers_rollout_is_traced() {
    let (place, collector) = (Place::new(), Collector::start());
    let mut command = place.command(&[
        "run",
        "--tool",
        "rollout_status",
        "--arg",
        "duration_sec:=1",
        "--matches",
        "3/3",
        "--poll",
        "1",
    ]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
    Running::of(command).end().exits(0);
    let (wait, samples) = collector.wait();
    assert_eq!(
        without_times(wait.attributes),
        json!({
            "orchestration.probe_tool": "rollout_status",
            "orchestration.wait_condition": "{\"matches\":\"3/3\"}",
            "orchestration.poll_count": samples.len(),
            "orchestration.stop_reason": "matched",
        })
    );
    assert_eq!(samples[0].attributes["mcp.server.name"], "demo");
}
