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
