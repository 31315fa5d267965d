//! Every row of the exit table that needs no signal.

use serde_json::json;

use crate::place::{Place, Ran};

fn code_of(ran: Ran, exit: i32) -> String {
    ran.exits(exit).error()["code"].as_str().unwrap().to_owned()
}

#[test]
fn matched_and_settled_are_0() {
    let place = Place::new();
    place
        .run_on("say", &["--arg", "text=a", "--matches", "a"])
        .exits(0);
    let ran = place
        .run_on(
            "say",
            &["--arg", "text=a", "--quiet-for", "1", "--poll", "1"],
        )
        .exits(0);
    assert_eq!(ran.json()["reason"], "settled");
}

#[test]
fn w1_fail_when_is_1() {
    let ran = Place::new()
        .run_on(
            "say",
            &[
                "--arg",
                "text=failed",
                "--matches",
                "a",
                "--fail-when",
                "failed",
            ],
        )
        .exits(1)
        .says("fail_when matched");
    assert_eq!(ran.json()["reason"], "failed");
}

#[test]
fn usage_is_2() {
    let place = Place::new();
    for args in [
        &["run"][..],
        &["run", "--nonsense"],
        &["run", "--tool", "x", "--output", "xml"],
        &["run", "--tool", "x", "--rounds", "0"],
        &["run", "--tool", "x", "--rounds", "1001"],
        &["run", "--tool", "x", "--retry-errors", "-1"],
        &["run", "--tool", "x", "--stdio", "a", "--url", "http://x"],
        &["run", "--tool", "x", "--stdio", "'"],
        &["run", "--tool", "x", "--stdio", ""],
        &["run", "--tool", "x", "--url", "ftp://x"],
        &[
            "run", "--tool", "x", "--url", "http://x", "--header", "nocolon",
        ],
        &["run", "--tool", "x", "--header", "A: b"],
        &["run", "--tool", "x", "--stdio", "a", "--env", "=b"],
        &["run", "nosuch.wait.json"],
        &["call"],
        &["call", "x", "--probe-timeout", "0"],
        &["check"],
        &["tools", "a", "b"],
        &["nonsense"],
    ] {
        let ran = place.run(args).exits(2);
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn c11_a_duration_that_is_none_is_2() {
    for flag in [
        "--poll",
        "--max-wait",
        "--quiet-for",
        "--probe-timeout",
        "--connect-timeout",
    ] {
        for value in ["abc", "1.5", "-1", "5x", ""] {
            let ran = Place::new()
                .run(&["run", "--tool", "x", &format!("{flag}={value}")])
                .exits(2);
            ran.says("such as 90, 90s or 1m30s");
        }
    }
}

#[test]
fn a_refused_call_is_2() {
    let place = Place::new();
    for (args, code) in [
        (&["--tool", ""][..], "empty_probe_tool"),
        (&["--tool", "x"], "until_not_exactly_one"),
        (
            &["--tool", "x", "--matches", "a", "--quiet-for", "1"],
            "until_not_exactly_one",
        ),
        (&["--tool", "x", "--matches", "("], "invalid_pattern"),
        (
            &["--tool", "x", "--matches", "a", "--fail-when", "("],
            "invalid_pattern",
        ),
        (
            &["--tool", "x", "--matches", "a", "--ignore", "("],
            "invalid_pattern",
        ),
        (
            &["--tool", "x", "--matches", "a", "--poll", "0"],
            "zero_poll",
        ),
        (&["--tool", "x", "--quiet-for", "0"], "zero_quiet"),
        (
            &["--tool", "x", "--matches", "a", "--max-wait", "0"],
            "zero_max_wait",
        ),
        (
            &[
                "--tool",
                "x",
                "--matches",
                "a",
                "--poll",
                "310",
                "--max-wait",
                "400",
            ],
            "poll_exceeds_bound",
        ),
        (
            &["--tool", "x", "--quiet-for", "301", "--max-wait", "301"],
            "quiet_exceeds_bound",
        ),
        (
            &["--tool", "x", "--matches", "a", "--probe-timeout", "0"],
            "zero_probe_timeout",
        ),
        (
            &["--tool", "x", "--matches", "a", "--tool-errors", "x"],
            "malformed",
        ),
    ] {
        assert_eq!(
            code_of(place.run(&[&["run"], args].concat()), 2),
            code,
            "{args:?}"
        );
    }
    place.write(
        "typo.json",
        &json!({ "probe": { "tool": "x", "args": {}, "arg": 1 }, "until": { "matches": "a" } })
            .to_string(),
    );
    assert_eq!(
        code_of(place.run(&["run", "typo.json"]), 2),
        "unknown_field"
    );
    place.write(
        "list.json",
        &json!({ "probe": { "tool": "x", "args": [] }, "until": { "matches": "a" } }).to_string(),
    );
    assert_eq!(
        code_of(place.run(&["run", "list.json"]), 2),
        "args_not_object"
    );
}

#[test]
fn an_ambiguous_or_untrusted_server_and_an_unknown_tool_are_2() {
    let place = Place::new();
    let run = |place: &Place| place.run(&["run", "--tool", "x", "--matches", "a"]);
    assert_eq!(code_of(run(&place), 2), "server_ambiguous");
    place.user_servers(&json!({ "a": { "command": "a" }, "b": { "command": "b" } }));
    let ran = run(&place).exits(2);
    assert_eq!(ran.error()["candidates"], json!(["a", "b", "demo"]));
    let place = Place::new();
    place.write(
        ".mcp.json",
        &json!({ "mcpServers": { "p": place.entry("plain") } }).to_string(),
    );
    assert_eq!(code_of(run(&place), 2), "untrusted_server");
    assert!(place.lab.processes().is_empty());
    assert_eq!(
        code_of(place.run_on("nosuch", &["--matches", "a"]), 2),
        "unknown_probe_tool"
    );
}

#[test]
fn a_probe_that_fails_is_3() {
    let place = Place::new();
    let error = place
        .run_on("bad-params", &["--matches", "a"])
        .exits(3)
        .error();
    assert_eq!(
        (&error["code"], &error["sample"]),
        (&json!("probe_failed"), &json!(1))
    );
    let error = place.run_on("dies", &["--matches", "a"]).exits(3).error();
    assert_eq!(error["code"], "probe_failed");
    let cause = error["cause"].as_str().unwrap();
    assert!(
        cause.contains("exited with code 3") && cause.contains("out of cheese"),
        "{cause}"
    );
}

#[test]
fn an_error_after_a_good_sample_carries_what_was_seen() {
    let args = ["--matches", "zzz", "--poll", "1"];
    let error = Place::new().run_on("dies-once", &args).exits(3).error();
    assert_eq!(error["code"], "probe_failed");
    assert_eq!(error["sample"], 2);
    assert_eq!(error["samples"], 1);
    assert_eq!(error["last_observation"], "process 1, call 1");
}

#[test]
fn w17_a_probe_that_never_answers_is_3_at_the_bound_and_is_cancelled() {
    let place = Place::new();
    let error = place
        .run_on(
            "hang",
            &["--matches", "a", "--poll", "1", "--max-wait", "2"],
        )
        .exits(3)
        .error();
    assert_eq!(error["code"], "probe_timed_out");
    assert_eq!(error["effective_max_wait_sec"], 2);
    assert!(place.lab.seen().contains("notifications/cancelled"));
    place.all_gone();
}

#[test]
fn an_output_over_the_limit_is_3_and_at_the_limit_is_read() {
    let place = Place::new();
    let error = place
        .run_on("too-large", &["--matches", "a"])
        .exits(3)
        .error();
    assert_eq!(error["code"], "observation_too_large");
    assert_eq!(
        (&error["bytes"], &error["limit"]),
        (&json!(262_145), &json!(262_144))
    );
    place.write(
        "args.json",
        &json!({ "text": "a".repeat(262_144) }).to_string(),
    );
    let ran = place
        .run_on("say", &["--args", "@args.json", "--matches", "a$"])
        .exits(0);
    assert_eq!(
        ran.json()["last_observation"].as_str().unwrap().len(),
        262_144
    );
    let longest = ran
        .stderr
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap();
    assert!(longest <= 220, "a line of {longest} characters");
}

#[test]
fn a_server_that_can_not_be_reached_is_3() {
    let place = Place::new();
    let run = |flag: &str, value: &str| {
        place
            .run(&["run", flag, value, "--tool", "x", "--matches", "a"])
            .exits(3)
            .error()
    };
    let error = run("--stdio", "nosuchprogram --flag");
    assert_eq!(
        (&error["code"], &error["step"]),
        (&json!("server_unavailable"), &json!("starting"))
    );
    let error = run("--stdio", &place.stdio("exits-at-start"));
    let cause = error["cause"].as_str().unwrap();
    assert!(
        cause.contains("code 7") && cause.contains("no kubeconfig"),
        "{cause}"
    );
    let error = run("--url", "http://127.0.0.1:9/mcp");
    assert_eq!(
        (&error["code"], &error["step"]),
        (&json!("server_unavailable"), &json!("connecting"))
    );
    let error = place
        .run(&["run", "--server", "nosuch", "--tool", "x", "--matches", "a"])
        .exits(3)
        .error();
    assert!(
        error["cause"].as_str().unwrap().contains("there are: demo"),
        "{error}"
    );
}

#[test]
fn w19_a_timeout_is_124() {
    let ran = Place::new()
        .run_on(
            "say",
            &[
                "--arg",
                "text=a",
                "--matches",
                "b",
                "--poll",
                "1",
                "--max-wait",
                "2",
            ],
        )
        .exits(124)
        .says("timeout after 2 s");
    assert_eq!(ran.json()["reason"], "timeout");
    assert_eq!(ran.json()["last_observation"], "a");
}
