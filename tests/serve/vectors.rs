//! Vectors of the contract through the wire, in real time: `wait_for` called by an MCP client, against
//! servers that play the steps. All of them run at once.
//!
//! They are those that real time can't make ambiguous: none ends at the very moment of a bound.

use std::path::Path;

use serde_json::{Map, Value, json};
use stakeout::text::one_line;

use crate::caller::Place;

const CHOSEN: &[(&str, &[&str])] = &[
    (
        "contract",
        &[
            "matches on the first sample",
            "not_matches holds when the pattern is gone",
            "not_matches holds on an empty observation",
            "quiet settles once unchanged for the window",
            "quiet that flips back is a change",
            "a hanging first sample is an error at the bound",
            "a probe that hangs later times out with the earlier observation",
            "a failing probe ends the wait with its sample number",
            "a tool error is an observation with its prefix",
            "an observation of exactly the cap is taken",
            "one byte over the cap is an error",
            "the cap counts bytes, not characters",
            "over the cap on a later sample",
            "multi-line mode by inline flag",
            "unicode in pattern and observation",
            "lookaround is refused",
        ],
    ),
    (
        "beyond",
        &[
            "fail_when stops the wait",
            "fail_when is looked at before the condition",
            "fail_when sees tool errors",
            "retry_errors rides out a short outage",
        ],
    ),
    (
        "random",
        &[
            "random 1-26",
            "random 1-28",
            "random 1-37",
            "random 1-41",
            "random 1-48",
        ],
    ),
];

/// The chosen cases, each with its call, its steps and what is expected.
fn cases() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut cases = Vec::new();
    for (file, names) in CHOSEN {
        let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).unwrap();
        let vectors: Value = serde_json::from_str(&text).unwrap();
        let all = vectors["cases"].as_array().unwrap();
        for name in *names {
            let case = all.iter().find(|case| case["name"] == *name);
            cases.push(case.unwrap_or_else(|| panic!("no vector {name:?}")).clone());
        }
    }
    cases
}

#[tokio::test]
async fn twenty_vectors_and_more_give_their_answers_through_the_wire() {
    let place = Place::with_lab("plain");
    let cases = cases();
    assert!(cases.len() >= 20);
    let mut servers = Map::new();
    for (number, case) in cases.iter().enumerate() {
        let folder = place.home().join(format!("v{number}"));
        std::fs::create_dir(&folder).unwrap();
        let steps = case.get("probe").cloned().unwrap_or_else(|| json!([]));
        std::fs::write(folder.join("steps"), steps.to_string()).unwrap();
        let server = place.lab.command("vector");
        let server = json!({"command": server.command, "args": ["vector", folder]});
        servers.insert(format!("v{number}"), server);
    }
    place.configure(Value::Object(servers));
    let mut caller = place.serve(&[]).await;
    let mut waits = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let mut call = case["call"].clone();
        call["probe"]["server"] = json!(format!("v{number}"));
        waits.push(caller.begin("wait_for", call).await);
    }
    let mut wrong = Vec::new();
    for (id, case) in waits.into_iter().zip(&cases) {
        let got = caller.result(id).await["structuredContent"].clone();
        if let Some(difference) = difference(&case["expect"], &got) {
            wrong.push(format!("{}: {difference}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What is wrong with an answer, if anything is.
fn difference(expect: &Value, got: &Value) -> Option<String> {
    if let Some(expected) = expect.get("result") {
        let mut expected = expected.clone();
        let last = &mut expected["last_observation"];
        if let (Some(text), Some(times)) = (last["text"].as_str(), last["times"].as_u64()) {
            *last = json!(text.repeat(usize::try_from(times).unwrap()));
        }
        let short = |value: &Value| one_line(&value.to_string(), 200);
        let said = || format!("expected {}, got {}", short(&expected), short(got));
        return (*got != expected).then(said);
    }
    let error = &got["error"];
    let expected = expect["error"].as_object().unwrap();
    let wrong = expected.iter().find(|(key, value)| match key.as_str() {
        "message_contains" => {
            let message = error["message"].as_str().unwrap_or_default();
            !message.contains(value.as_str().unwrap())
        }
        key => error[key] != **value,
    });
    wrong.map(|(key, value)| format!("expected {key} {value}, got {error}"))
}
