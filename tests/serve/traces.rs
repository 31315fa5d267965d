//! The spans of a caller's wait, which go on from the caller's own.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::caller::{Caller, Place, wait_on};
use crate::support::collector::{Collector, Exported};
use crate::support::eventually;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

async fn traced(place: &Place, collector: &Collector) -> Caller {
    let mut command = place.command(&["--allow", "lab/*"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
    let mut caller = Caller::start(command);
    caller.greet().await;
    caller
}

/// A call below a span of the caller's.
fn call_in_a_trace(call: &Value) -> Value {
    let meta = json!({"traceparent": format!("00-{TRACE}-{CALLER}-01"), "tracestate": "vendor=1"});
    json!({"name": "wait_for", "arguments": call, "_meta": meta})
}

/// What is the same in any two runs of one wait.
fn essence(span: &Exported) -> Value {
    let mut attributes = span.attributes.clone();
    let time = match span.name.as_str() {
        "mcp.tool_call" => "sample.latency_ms",
        _ => "orchestration.elapsed_ms",
    };
    assert!(attributes.remove(time).is_some(), "{span:?}");
    json!([
        span.name,
        span.kind,
        attributes,
        span.status.0,
        span.status.1
    ])
}

#[tokio::test]
async fn a_wait_goes_on_in_the_trace_of_its_caller_and_its_server_in_that_of_the_wait() {
    let (place, collector) = (Place::with_lab("many-tools"), Collector::start());
    let mut caller = traced(&place, &collector).await;
    let call = wait_on("count", json!({"matches": "call 2"}));
    let id = caller.ask("tools/call", call_in_a_trace(&call)).await;
    let result = caller.result(id).await;
    assert_eq!(result["structuredContent"]["reason"], "matched");
    caller.hang_up();
    assert_eq!(caller.exited().await, Some(0));

    let (wait, samples) = collector.wait();
    assert_eq!((wait.trace.as_str(), wait.parent.as_str()), (TRACE, CALLER));
    assert_eq!((wait.state.as_str(), samples.len()), ("vendor=1", 2));
    for sample in &samples {
        let told = format!("\"traceparent\":\"00-{TRACE}-{}-01\"", sample.id);
        assert!(place.lab.seen().contains(&told), "{}", place.lab.seen());
    }

    // The same wait without a caller has the same spans.
    let by_run = Collector::start();
    let place = Place::with_lab("many-tools");
    std::fs::write(place.home().join("a.wait.json"), call.to_string()).unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_stakeout"))
        .args(["run", "a.wait.json", "--quiet"])
        .current_dir(place.home())
        .env("HOME", place.home())
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", by_run.url())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let (alone, its_samples) = by_run.wait();
    assert_eq!(essence(&wait), essence(&alone));
    let all = |samples: &[Exported]| samples.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(all(&samples), all(&its_samples));
}

#[tokio::test]
async fn a_caller_without_a_trace_begins_one_and_nonsense_is_no_trace() {
    for parent in [None, Some("00-nonsense")] {
        let (place, collector) = (Place::with_lab("many-tools"), Collector::start());
        let mut caller = traced(&place, &collector).await;
        let call = wait_on("count", json!({"matches": "call"}));
        let meta = match parent {
            Some(parent) => json!({ "traceparent": parent }),
            None => json!({}),
        };
        let params = json!({"name": "wait_for", "arguments": call, "_meta": meta});
        let id = caller.ask("tools/call", params).await;
        caller.result(id).await;
        caller.hang_up();
        caller.exited().await;
        let (wait, _) = collector.wait();
        assert_eq!(wait.parent, "");
        assert_ne!(wait.trace, TRACE);
    }
}

#[tokio::test]
async fn waits_that_are_cancelled_or_ended_by_a_signal_send_their_spans() {
    let (place, collector) = (Place::with_lab("many-tools"), Collector::start());
    let mut caller = traced(&place, &collector).await;
    let hang = wait_on("hang", json!({"matches": "a"}));
    let cancelled = caller.begin("wait_for", hang.clone()).await;
    eventually("the first call arrives", || {
        place.lab.seen().matches("tools/call").count() == 1
    })
    .await;
    let gone = json!({"requestId": cancelled});
    caller
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": gone}))
        .await;
    caller.begin("wait_for", hang).await;
    eventually("the second call arrives", || {
        place.lab.seen().matches("tools/call").count() == 2
    })
    .await;
    caller.signal(Signal::TERM);
    caller.exited().await;
    let spans = collector.spans();
    let waits = spans
        .iter()
        .filter(|span| span.name == "orchestration.wait_for");
    let reasons: Vec<_> = waits
        .map(|wait| &wait.attributes["orchestration.stop_reason"])
        .collect();
    assert_eq!(reasons, ["cancelled", "cancelled"]);
}
