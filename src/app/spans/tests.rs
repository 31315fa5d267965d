//! What of a trace comes in, goes out and is kept back.

#![allow(clippy::unwrap_used)]
use super::*;

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn given(traceparent: &str, tracestate: Option<&str>) -> TraceContext {
    TraceContext {
        traceparent: traceparent.to_owned(),
        tracestate: tracestate.map(str::to_owned),
    }
}

fn request() -> WaitRequest {
    let call = serde_json::json!({
        "probe": {"tool": "t", "args": {}},
        "until": {"matches": "a"}
    });
    WaitRequest {
        call: crate::wait::Call::parse(&call).unwrap(),
        server: "s".to_owned(),
        name: None,
        rounds: 1,
    }
}

#[test]
fn what_a_server_said_is_recorded_on_request_alone() {
    let length = |record: Option<&str>, length: Option<&str>| {
        content_length(|name| {
            let value = if name == RECORD_CONTENT {
                record
            } else {
                length
            };
            value.map(str::to_owned)
        })
    };
    assert_eq!(length(None, Some("5")), None);
    assert_eq!(length(Some("false"), Some("5")), None);
    assert_eq!(length(Some("1"), None), None);
    assert_eq!(length(Some("True"), None), Some(1000));
    assert_eq!(length(Some("true"), Some(" 50 ")), Some(50));
    assert_eq!(length(Some("true"), Some("many")), Some(1000));
}

#[test]
fn a_place_in_a_trace_survives_the_way_in_and_out() {
    let state = Some("vendor=1,other=2");
    let through = of_context(&context(&given(PARENT, state))).unwrap();
    assert_eq!(through, given(PARENT, state));
    for nonsense in ["", "00-0-0-01", "not a trace", &PARENT.replace('7', "g")] {
        assert_eq!(of_context(&context(&given(nonsense, state))), None);
    }
}

#[test]
fn without_an_exporter_a_callers_trace_is_passed_on() {
    let spans = WaitSpans::begin(&request(), Some(given(PARENT, None)));
    assert_eq!(spans.trace_context(), Some(given(PARENT, None)));
    assert_eq!(
        spans.trace_id().as_deref(),
        Some("0af7651916cd43dd8448eb211c80319c")
    );
    let spans = WaitSpans::begin(&request(), None);
    assert_eq!(spans.trace_context(), None);
    assert_eq!(spans.trace_id(), None);
}

#[test]
fn without_an_exporter_nothing_long_or_malformed_is_passed_on() {
    let told = |traceparent: &str, state: &str| {
        let parent = given(traceparent, Some(state));
        WaitSpans::begin(&request(), Some(parent)).trace_context()
    };
    let passed = |state| Some(given(PARENT, state));
    let spaced = told(PARENT, "vendor=1, other=2");
    assert_eq!(spaced, passed(Some("vendor=1,other=2")));
    let long = format!("vendor={}", "x".repeat(900_000));
    for state in [
        &long,
        "no member",
        "UPPER=1",
        "vendor=a\nb",
        "vendor=\u{e9}",
    ] {
        assert_eq!(told(PARENT, state), passed(None), "{state:.20}");
    }
    let many: Vec<String> = (0..100_000).map(|number| format!("v{number}=1")).collect();
    let kept = many[..32].join(",");
    assert_eq!(told(PARENT, &many.join(",")), passed(Some(&kept)));
    let later = format!("01{}-{}", &PARENT[2..], "x".repeat(900_000));
    let told = told(&later, "vendor=1");
    assert!(told.is_none_or(|told| told.traceparent == PARENT));
}

#[test]
fn the_readme_names_every_attribute() {
    let attribute = r#"(?m)^ +"?((?:orchestration|error|tool|mcp|sample)\.[a-z_.]+)"? = "#;
    let attribute = regex::Regex::new(attribute).unwrap();
    let readme = include_str!("../../../README.md");
    let (_, traces) = readme.split_once("\n## Traces\n").unwrap();
    let mut seen = 0;
    for found in attribute.captures_iter(include_str!("../spans.rs")) {
        assert!(
            traces.contains(&format!("`{}`", &found[1])),
            "{}",
            &found[1]
        );
        seen += 1;
    }
    assert_eq!(seen, 14);
}
