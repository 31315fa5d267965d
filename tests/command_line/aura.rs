//! `run --output aura`: the events of AURA's streaming API.

use serde_json::{Value, json};

use crate::place::{Place, Ran};

/// The events of a stream: each its name and its data.
fn events(stream: &str) -> Vec<(String, Value)> {
    assert!(stream.ends_with("\n\n"), "{stream:?}");
    let event = |frame: &str| {
        let (name, data) = frame.split_once('\n').unwrap();
        let (name, data) = (
            name.strip_prefix("event: ").unwrap(),
            data.strip_prefix("data: ").unwrap(),
        );
        (name.to_owned(), serde_json::from_str(data).unwrap())
    };
    stream.trim_end().split("\n\n").map(event).collect()
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

fn aura(place: &Place, args: &[&str], length: Option<&str>) -> Ran {
    let stdio = place.stdio("many-tools");
    let args = [
        &["run", "--stdio", &stdio, "--output", "aura", "-q"][..],
        args,
    ]
    .concat();
    let mut command = place.command(&args);
    if let Some(length) = length {
        command.env("TOOL_RESULT_MAX_LENGTH", length);
    }
    crate::place::Running::of(command).end()
}

const SAY: [&str; 6] = ["--tool", "say", "--arg", "text=a", "--matches", "a"];

#[test]
fn a_wait_is_a_call_of_wait_for() {
    let place = Place::new();
    let told = events(&aura(&place, &SAY, None).exits(0).stdout);
    assert_eq!(
        names(&told),
        [
            "aura.tool_requested",
            "aura.tool_start",
            "aura.progress",
            "aura.tool_complete"
        ]
    );
    let data = |at: usize| &told[at].1;
    assert_eq!(
        data(0)["arguments"]["probe"],
        json!({"tool": "say", "args": {"text": "a"}})
    );
    assert_eq!(data(0)["arguments"]["until"], json!({"matches": "a"}));
    let progress = data(2)["message"].as_str().unwrap();
    assert!(progress.starts_with("sample 1, ") && progress.ends_with(": a"));
    assert_eq!(data(2)["phase"], "mcp_progress");
    assert!(data(2)["percent"].as_u64().unwrap() <= 100);
    assert_eq!(data(2)["progress_token"], data(1)["progress_token"]);
    assert_eq!(data(3)["success"], true);
    assert!(data(3)["duration_ms"].is_u64());
    assert!(data(3).get("error").is_none());
    let result: Value = serde_json::from_str(data(3)["result"].as_str().unwrap()).unwrap();
    assert_eq!(result["reason"], "matched");
    for (name, data) in &told {
        assert_eq!(data["agent_id"], "main", "{name}");
        assert_eq!(data["session_id"], told[0].1["session_id"], "{name}");
        assert!(data.get("trace_id").is_none(), "there is no trace");
        if name != "aura.progress" {
            assert_eq!(data["tool_name"], "wait_for");
            assert_eq!(data["tool_id"], told[0].1["tool_id"]);
        }
    }
}

#[test]
fn a_result_is_cut_at_as_many_characters_as_the_variable_says() {
    let place = Place::new();
    let text = format!("text=a{}", "ä".repeat(3000));
    let long = ["--tool", "say", "--arg", &text, "--matches", "a"];
    let result = |length: Option<&str>| {
        let told = events(&aura(&place, &long, length).exits(0).stdout);
        let (_, data) = told.last().unwrap();
        data["result"].as_str().unwrap().to_owned()
    };
    let whole = result(Some("0"));
    let parsed: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(
        parsed["last_observation"].as_str().unwrap().chars().count(),
        3001
    );
    for (length, characters) in [(None, 1000), (Some("50"), 50), (Some("no number"), 1000)] {
        let cut = result(length);
        let kept = cut.strip_suffix("... [truncated]").unwrap();
        assert_eq!(kept.chars().count(), characters);
        assert!(whole.starts_with(&kept[..40]));
    }
}

#[test]
fn a_timeout_is_a_result_and_an_error_is_none() {
    let place = Place::new();
    let timeout = [
        "--tool",
        "say",
        "--arg",
        "text=a",
        "--matches",
        "b",
        "--poll",
        "1",
        "--max-wait",
        "2",
        "--rounds",
        "2",
    ];
    let told = events(&aura(&place, &timeout, None).exits(124).stdout);
    let starts = names(&told);
    let starts = starts.iter().filter(|name| **name == "aura.tool_start");
    assert_eq!(starts.count(), 1, "rounds are one call");
    let (name, last) = told.last().unwrap();
    assert_eq!(
        (name.as_str(), &last["success"]),
        ("aura.tool_complete", &json!(true))
    );
    assert!(last["result"].as_str().unwrap().contains("timeout"));
    assert!(last["duration_ms"].as_u64().unwrap() >= 3900, "{last}");

    let failing = ["--tool", "bad-params", "--matches", "a"];
    let told = events(&aura(&place, &failing, None).exits(3).stdout);
    let (_, last) = told.last().unwrap();
    assert_eq!(last["success"], false);
    let error = last["error"].as_str().unwrap();
    assert!(error.starts_with("probe_failed: "), "{error}");
    assert!(last.get("result").is_none());
    let (name, before) = &told[told.len() - 2];
    assert_eq!(name, "aura.progress");
    assert!(before["message"].as_str().unwrap().contains(": failed: "));
}

#[test]
fn a_wait_that_never_begins_is_asked_for_and_over() {
    let place = Place::new();
    for (args, code, error) in [
        (
            &["--tool", "say", "--matches", "("][..],
            2,
            "invalid_pattern: ",
        ),
        (
            &["--tool", "nothing", "--matches", "a"],
            2,
            "unknown_probe_tool: ",
        ),
    ] {
        let told = events(&aura(&place, args, None).exits(code).stdout);
        assert_eq!(names(&told), ["aura.tool_requested", "aura.tool_complete"]);
        assert_eq!(
            told[0].1["arguments"]["until"]["matches"], args[3],
            "as it was asked for"
        );
        assert_eq!(told[1].1["success"], false);
        let said = told[1].1["error"].as_str().unwrap();
        assert!(said.starts_with(error), "{said}");
    }
}
