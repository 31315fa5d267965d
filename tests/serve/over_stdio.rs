//! A session over stdio: waiting, hearing of it, stopping it.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::caller::{Caller, Place, wait_on};
use crate::support::{at_most, at_once, eventually};

const EVERYTHING: &[&str] = &["--allow", "lab/*"];

#[tokio::test]
async fn a_wait_tells_each_sample_and_ends_with_the_five_fields() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let id = caller
        .begin("wait_for", wait_on("count", json!({"matches": "call 3"})))
        .await;
    let result = caller.result(id).await;
    assert_eq!(result["isError"], false);
    let expected = json!({
        "reason": "matched", "last_observation": "call 3 of this process", "elapsed_sec": 2,
        "samples": 3, "effective_max_wait_sec": 120,
    });
    assert_eq!(
        result["structuredContent"].to_string(),
        expected.to_string()
    );
    let told = caller.progress(id);
    let numbers: Vec<f64> = told.iter().map(|(number, _)| *number).collect();
    assert!(
        numbers.windows(2).all(|pair| pair[0] < pair[1]),
        "{numbers:?}"
    );
    let words: Vec<&str> = told.iter().map(|(_, words)| words.as_str()).collect();
    let expected = [
        "0:00: reaching lab",
        "0:00, 2:00 left: sample 1: call 1 of this process",
        "0:01, 1:59 left: sample 2, changed: call 2 of this process",
        "0:02, 1:58 left: sample 3, changed: call 3 of this process",
    ];
    assert_eq!(words, expected);
}

#[tokio::test]
async fn w23_a_wait_that_hears_nothing_is_told_of_within_ten_seconds() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let mut call = wait_on("hang", json!({"matches": "x"}));
    call["max_wait_sec"] = json!(9);
    let id = caller.begin("wait_for", call).await;
    let error = caller.result(id).await["structuredContent"]["error"].clone();
    assert_eq!(error["code"], "probe_timed_out");
    let told = caller.progress(id);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[1].1.ends_with("left: waiting for the first sample"),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_timeout_is_a_result() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let mut call = wait_on("say", json!({"matches": "done"}));
    call["probe"]["args"] = json!({"text": "working"});
    call["max_wait_sec"] = json!(2);
    let id = caller.begin("wait_for", call).await;
    let result = caller.result(id).await;
    assert_eq!(result["isError"], false);
    let result = &result["structuredContent"];
    assert_eq!(result["reason"], "timeout");
    assert_eq!(result["last_observation"], "working");
    assert_eq!(result["effective_max_wait_sec"], 2);
}

#[tokio::test]
async fn a_message_shows_what_a_server_sent_without_its_escapes() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let mut call = wait_on("say", json!({"matches": "red"}));
    call["probe"]["args"] = json!({"text": "\u{1b}[31mred\u{7}"});
    let id = caller.begin("wait_for", call).await;
    let result = caller.result(id).await;
    let observed = &result["structuredContent"]["last_observation"];
    assert_eq!(observed, "\u{1b}[31mred\u{7}");
    let (_, words) = caller.progress(id).pop().unwrap();
    assert!(!words.contains(char::is_control), "{words:?}");
    assert!(words.contains("red"), "{words:?}");
}

#[tokio::test]
async fn w10_a_cancelled_wait_stops_and_the_probed_server_sees_it() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let id = caller
        .begin("wait_for", wait_on("hang", json!({"matches": "x"})))
        .await;
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    caller
        .send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id, "reason": "enough"}}),
        )
        .await;
    eventually("the server sees the cancellation", || {
        place.lab.seen().contains("notifications/cancelled")
    })
    .await;
    // Nothing answers a request that was cancelled, and the next one finds the same connection.
    let result = caller
        .wait_for(wait_on("count", json!({"matches": "call"})))
        .await;
    assert_eq!(result["reason"], "matched");
    let ids = caller.told.iter().filter(|told| told["id"] == id);
    assert_eq!(ids.count(), 0, "{:?}", caller.told);
    assert_eq!(place.lab.processes().len(), 1);
}

#[tokio::test]
async fn all_waits_share_one_connection() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(
            caller
                .begin("wait_for", wait_on("count", json!({"matches": "call"})))
                .await,
        );
    }
    let mut answered = 0;
    while answered < ids.len() {
        let message = at_once(caller.next()).await.unwrap();
        answered += usize::from(message["result"]["isError"] == false);
    }
    assert_eq!(place.lab.processes().len(), 1);
}

#[tokio::test]
async fn a_signal_ends_waits_as_cancelled_and_then_the_servers() {
    let place = Place::with_lab("many-tools");
    for signal in [Signal::TERM, Signal::INT] {
        let mut caller = place.serve(EVERYTHING).await;
        let before = place.lab.seen().matches("\"hang\"").count();
        let id = caller
            .begin("wait_for", wait_on("hang", json!({"matches": "x"})))
            .await;
        eventually("the call arrives", || {
            place.lab.seen().matches("\"hang\"").count() > before
        })
        .await;
        caller.signal(signal);
        let result = caller.result(id).await;
        assert_eq!(result["structuredContent"]["error"]["code"], "cancelled");
        assert_eq!(caller.exited().await, Some(0));
        place.lab.all_gone().await;
    }
    assert_eq!(
        place.lab.seen().matches("notifications/cancelled").count(),
        2
    );
}

#[tokio::test]
async fn a_caller_that_hangs_up_takes_its_waits_along() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(EVERYTHING).await;
    caller
        .begin("wait_for", wait_on("hang", json!({"matches": "x"})))
        .await;
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    caller.hang_up();
    // Hosts end a server by force after two seconds.
    assert_eq!(
        at_most(Duration::from_secs(2), caller.exited()).await,
        Some(0)
    );
    assert!(place.lab.seen().contains("notifications/cancelled"));
    place.lab.all_gone().await;
}

#[tokio::test]
async fn the_stateless_revision_needs_no_session() {
    let place = Place::with_lab("many-tools");
    let mut caller = Caller::start(place.command(EVERYTHING));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "caller", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}, "progressToken": "p"});
    let discovered = caller
        .request("server/discover", json!({"_meta": meta}))
        .await;
    let versions = discovered["result"]["supportedVersions"]
        .as_array()
        .unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{versions:?}");
    let call = wait_on("count", json!({"matches": "call 2"}));
    let params = json!({"name": "wait_for", "arguments": call, "_meta": meta});
    let answer = caller.request("tools/call", params).await;
    let result = &answer["result"];
    assert_eq!(result["resultType"], "complete", "{answer}");
    assert_eq!(result["structuredContent"]["samples"], 2);
    assert_eq!(caller.told.len(), 3, "{:?}", caller.told);
}

#[tokio::test]
async fn t13_only_tools_are_offered() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&[]).await;
    let unknown = caller.call_raw("rollback").await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert_eq!(unknown["error"]["message"], "Unknown tool: rollback");
    for method in ["tasks/list", "logging/setLevel", "completion/complete"] {
        let params = json!({"level": "info", "ref": {"type": "ref/prompt", "name": "x"},
            "argument": {"name": "a", "value": "b"}});
        let answer = caller.request(method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
}

impl Caller {
    async fn call_raw(&mut self, tool: &str) -> serde_json::Value {
        self.request("tools/call", json!({"name": tool, "arguments": {}}))
            .await
    }
}
