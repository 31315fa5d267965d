//! What a refusal says: every fault, in order, with the field, the value and the way out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};
use stakeout::wait::Call;

fn faults(call: &Value) -> Vec<(String, String)> {
    Call::check(call)
        .unwrap_err()
        .iter()
        .map(|fault| (fault.code().to_owned(), fault.field().to_owned()))
        .collect()
}

fn message(call: &Value) -> String {
    Call::parse(call).unwrap_err().to_string()
}

fn call(change: impl FnOnce(&mut Value)) -> Value {
    let mut call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
    change(&mut call);
    call
}

#[test]
fn every_fault_is_found_in_the_order_of_the_contract() {
    let call = json!({
        "ignore": "(",
        "probe_timeout_sec": 0,
        "retry_errors": 1.5,
        "tool_errors": "never",
        "fail_when": 3,
        "max_wait_sec": 5,
        "poll_sec": 9,
        "until": { "matches": "[", "typo": 1 },
        "probe": { "server": "", "tool": "", "args": [], "nmae": 1 },
        "typo": true,
    });
    let expected = [
        ("unknown_field", "typo"),
        ("unknown_field", "probe.nmae"),
        ("empty_probe_tool", "probe.tool"),
        ("args_not_object", "probe.args"),
        ("unknown_field", "until.typo"),
        ("invalid_pattern", "until.matches"),
        ("poll_exceeds_bound", "poll_sec"),
        ("malformed", "probe.server"),
        ("malformed", "fail_when"),
        ("malformed", "tool_errors"),
        ("malformed", "retry_errors"),
        ("zero_probe_timeout", "probe_timeout_sec"),
        ("invalid_pattern", "ignore"),
    ];
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(code, field)| ((*code).to_owned(), (*field).to_owned()))
        .collect();
    assert_eq!(faults(&call), expected);
}

#[test]
fn w5_a_pattern_is_refused_in_one_sentence_before_anything_runs() {
    let message = message(&call(|call| {
        call["until"] = json!({ "matches": "[unclosed" })
    }));
    assert_eq!(
        message,
        "until.matches \"[unclosed\" is no valid regex: unclosed character class"
    );
}

#[test]
fn the_cap_is_mentioned_where_it_played_a_part() {
    let capped = message(&call(|call| {
        call["poll_sec"] = json!(310);
        call["max_wait_sec"] = json!(400);
    }));
    assert_eq!(
        capped,
        "poll_sec 310 is not below the bound of 300 s (max_wait_sec 400 is capped at 300); \
         lower poll_sec; a bound can't be over 300 s"
    );
    let free = message(&call(|call| call["poll_sec"] = json!(120)));
    assert_eq!(
        free,
        "poll_sec 120 is not below the bound of 120 s (max_wait_sec); \
         lower poll_sec or raise max_wait_sec (at most 300)"
    );
}

#[test]
fn a_wrong_value_is_shown_and_a_large_one_only_named() {
    let small = message(&call(|call| call["poll_sec"] = json!("2")));
    assert!(
        small.starts_with("poll_sec is \"2\"; it must be a whole number"),
        "{small}"
    );
    let large = message(&call(|call| call["poll_sec"] = json!("x".repeat(9_000))));
    assert!(
        large.starts_with("poll_sec is a string; it must be"),
        "{large}"
    );
}

#[test]
fn w13_a_window_equal_to_the_bound_is_accepted_and_called_odd() {
    let call = Call::parse(&call(|call| {
        call["until"] = json!({ "quiet_for_sec": 120 })
    }))
    .unwrap();
    let odd = call.oddities();
    assert_eq!(odd.len(), 1);
    assert!(odd[0].contains("no real probe can settle it"), "{odd:?}");
}

#[test]
fn a_bound_over_the_cap_is_clamped_and_said() {
    let call = Call::parse(&call(|call| call["max_wait_sec"] = json!(600))).unwrap();
    assert_eq!(call.effective_max_wait_sec(), 300);
    assert_eq!(call.oddities(), ["600 s clamped to 300 s; use --rounds 2"]);
}

#[test]
fn a_call_without_extensions_is_portable() {
    assert!(Call::parse(&call(|_| ())).unwrap().extensions().is_empty());
    let extended = Call::parse(&call(|call| {
        call["probe"]["server"] = json!("ci");
        call["fail_when"] = json!("y");
    }));
    assert_eq!(
        extended.unwrap().extensions(),
        ["probe.server", "fail_when"]
    );
}
