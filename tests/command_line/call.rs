//! `stakeout call`.

use serde_json::json;

use crate::place::{Place, Ran};

fn call(place: &Place, tool: &str, args: &[&str]) -> Ran {
    let stdio = place.stdio("many-tools");
    place.run(&[&["call", tool, "--stdio", &stdio], args].concat())
}

#[test]
fn r8_stdout_is_the_observation_and_nothing_else() {
    let place = Place::new();
    let ran = call(&place, "echo", &["--args", "{\"a\": [1]}", "--arg", "b=2"]).exits(0);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("{\"a\":[1],\"b\":\"2\"}\n", "")
    );
    place.all_gone();
}

#[test]
fn r6_a_tool_error_is_1() {
    let ran = call(&Place::new(), "internal-error", &[]).exits(1);
    assert_eq!(ran.stdout, "Tool returned an error: kubectl: not found\n");
}

#[test]
fn a_failed_call_is_3_and_an_unknown_tool_2() {
    let place = Place::new();
    call(&place, "bad-params", &[])
        .exits(3)
        .says("replicas must be positive");
    let ran = call(&place, "ecko", &[])
        .exits(2)
        .says("did you mean echo?");
    assert_eq!(ran.stdout, "");
}

#[test]
fn json_is_the_result_as_it_came() {
    let ran = call(&Place::new(), "say", &["--arg", "text=a", "--json"]).exits(0);
    assert_eq!(
        ran.json(),
        json!({ "content": [{ "type": "text", "text": "a" }] })
    );
}

#[test]
fn a_call_has_its_own_timeout_and_is_cancelled() {
    let place = Place::new();
    call(&place, "hang", &["--probe-timeout", "1"])
        .exits(3)
        .says("no answer within 1 s (--probe-timeout)");
    assert!(place.lab.seen().contains("notifications/cancelled"));
    place.all_gone();
}

#[test]
fn r5_a_large_output_is_printed_whole() {
    let place = Place::new();
    let lines: String = (0..100_000).map(|line| format!("{line}\n")).collect();
    place.write("args.json", &json!({ "text": lines }).to_string());
    let ran = call(&place, "say", &["--args", "@args.json"]).exits(0);
    assert_eq!(ran.stdout, lines);
}
