//! What a call may ask for: refusals, errors, caps, and how many at once.

use serde_json::{Value, json};

use crate::caller::{Place, wait_on};
use crate::support::eventually;

#[tokio::test]
async fn a_refused_call_says_what_to_do_and_samples_nothing() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/*"]).await;
    let good = wait_on("count", json!({"matches": "x"}));
    let with = |pointer: &str, value: Value| {
        let mut call = good.clone();
        match call.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => drop(
                call.as_object_mut()
                    .unwrap()
                    .insert(pointer[1..].to_owned(), value),
            ),
        }
        call
    };
    for (call, code) in [
        (with("/probe/tool", json!("")), "empty_probe_tool"),
        (with("/probe/args", json!([])), "args_not_object"),
        (with("/until", json!({"matches": "("})), "invalid_pattern"),
        (
            with("/until", json!({"matches": "x".repeat(90_000) + "("})),
            "invalid_pattern",
        ),
        (with("/until", json!({"quiet_for_sec": 0})), "zero_quiet"),
        (
            with("/until", json!({"matches": "x", "not_matches": "x"})),
            "until_not_exactly_one",
        ),
        (with("/poll_sec", json!(0)), "zero_poll"),
        (with("/poll_sec", json!(300)), "poll_exceeds_bound"),
        (with("/poll_sec", json!("2")), "malformed"),
        (with("/max_wait_sec", json!(0)), "zero_max_wait"),
        (
            with("/until", json!({"quiet_for_sec": 121})),
            "quiet_exceeds_bound",
        ),
        (with("/probe_timeout_sec", json!(0)), "zero_probe_timeout"),
        (with("/rounds", json!(2)), "unknown_field"),
        (
            with("/probe/args", json!({"run": {"ids": [1, 1e20]}})),
            "malformed",
        ),
        (json!({}), "malformed"),
    ] {
        let error = caller.refused(call).await;
        assert_eq!(error["code"], code, "{error}");
        assert!(error.to_string().len() < 8 * 1024);
    }
    assert!(place.lab.processes().is_empty(), "a server was started");
}

#[tokio::test]
async fn errors_on_the_way_are_small_and_whole_in_what_matters() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/*"]).await;
    let error = caller
        .refused(wait_on("too-large", json!({"matches": "b"})))
        .await;
    assert_eq!(error["code"], "observation_too_large");
    assert_eq!(
        (&error["sample"], &error["bytes"]),
        (&json!(1), &json!(262_145))
    );
    let error = caller
        .refused(wait_on("bad-params", json!({"matches": "b"})))
        .await;
    assert_eq!(error["code"], "probe_failed");
    assert!(
        error["cause"]
            .as_str()
            .unwrap()
            .contains("replicas must be positive")
    );
    let error = caller
        .refused(wait_on("cout", json!({"matches": "b"})))
        .await;
    assert_eq!(error["code"], "unknown_probe_tool");
    assert_eq!(error["near"][0], "count", "{error}");
    let mut call = wait_on("count", json!({"matches": "b"}));
    call["probe"]["server"] = json!("nowhere");
    assert_eq!(caller.refused(call).await["code"], "server_unavailable");
}

#[tokio::test]
async fn w23_the_operators_bounds_are_told_and_enforced() {
    let place = Place::with_lab("many-tools");
    let flags = [
        "--allow",
        "lab/*",
        "--max-wait-cap",
        "4s",
        "--default-max-wait",
        "3s",
    ];
    let mut caller = place.serve(&flags).await;
    let tools = caller.request("tools/list", json!({})).await;
    let tool = &tools["result"]["tools"][0];
    let description = tool["description"].as_str().unwrap();
    assert!(
        description.contains("at most 4 seconds, and for 3"),
        "{description}"
    );
    assert_eq!(
        tool["inputSchema"]["properties"]["max_wait_sec"]["default"],
        3
    );
    let mut call = wait_on("count", json!({"matches": "call 1"}));
    let result = caller.wait_for(call.clone()).await;
    assert_eq!(result["effective_max_wait_sec"], 3, "{result}");
    call["max_wait_sec"] = json!(900);
    call["until"] = json!({"matches": "call 2"});
    let result = caller.wait_for(call.clone()).await;
    assert_eq!(result["effective_max_wait_sec"], 4, "{result}");
    call["poll_sec"] = json!(5);
    let error = caller.refused(call).await;
    assert_eq!(error["code"], "poll_exceeds_bound");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("max_wait_sec 900 is capped at 4"),
        "{message}"
    );
}

#[tokio::test]
async fn a_callers_error_has_nothing_of_a_servers_stderr() {
    let place = Place::with_lab("exits-at-start");
    let mut caller = place.serve(&["--allow", "lab/*"]).await;
    let error = caller
        .refused(wait_on("count", json!({"matches": "x"})))
        .await;
    assert_eq!(error["code"], "server_unavailable");
    assert!(
        error["cause"].as_str().unwrap().contains("code 7"),
        "{error}"
    );
    assert!(!error.to_string().contains("kubeconfig"), "{error}");
    let listed = caller.call("list_probes", json!({"server": "lab"})).await;
    assert!(!listed.to_string().contains("kubeconfig"), "{listed}");
}

#[tokio::test]
async fn one_wait_too_many_is_refused_until_another_has_ended() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/*", "--max-waits", "1"]).await;
    let first = caller
        .begin("wait_for", wait_on("hang", json!({"matches": "x"})))
        .await;
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    let error = caller
        .refused(wait_on("count", json!({"matches": "x"})))
        .await;
    assert_eq!(
        (&error["code"], &error["limit"]),
        (&json!("too_many_waits"), &json!(1))
    );
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": first}});
    caller.send(&cancelled).await;
    eventually("the server sees the cancellation", || {
        place.lab.seen().contains("notifications/cancelled")
    })
    .await;
    let result = caller
        .wait_for(wait_on("count", json!({"matches": "call"})))
        .await;
    assert_eq!(result["reason"], "matched");
}
