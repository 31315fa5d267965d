//! `stakeout run`: flags, outputs, notices.

use serde_json::{Value, json};

use crate::place::Place;

const SAY: &str = r#"{"text": "web  3/3"}"#;

fn spec(wait: Value) -> String {
    json!({ "name": "n", "wait": wait, "rounds": 1 }).to_string()
}

#[test]
fn the_result_has_exactly_its_five_fields_in_their_order() {
    let ran = Place::new()
        .run_on("say", &["--args", SAY, "--matches", "3/3"])
        .exits(0);
    assert_eq!(
        ran.stdout,
        "{\"reason\":\"matched\",\"last_observation\":\"web  3/3\",\"elapsed_sec\":0,\
         \"samples\":1,\"effective_max_wait_sec\":120}\n"
    );
}

#[test]
fn every_flag_reaches_the_call() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let ran = place
        .run(&[
            "run",
            "--stdio",
            &stdio,
            "--tool",
            "say",
            "--args",
            SAY,
            "--matches",
            "3/3",
            "--poll",
            "1s",
            "--max-wait",
            "1m30s",
            "--fail-when",
            "zzz",
            "--tool-errors",
            "observe",
            "--retry-errors",
            "2",
            "--probe-timeout",
            "5",
            "--ignore",
            "\\d+",
            "--rounds",
            "3",
            "--connect-timeout",
            "20s",
            "--output",
            "jsonl",
            "--server",
            "misbehaving_server",
        ])
        .exits(0);
    let header = &ran.events()[0];
    assert_eq!(
        header["wait"],
        json!({
            "probe": { "server": "misbehaving_server", "tool": "say", "args": { "text": "web  3/3" } },
            "until": { "matches": "3/3" }, "poll_sec": 1, "max_wait_sec": 90, "fail_when": "zzz",
            "tool_errors": "observe", "retry_errors": 2, "probe_timeout_sec": 5, "ignore": "\\d+",
        })
    );
    assert_eq!(header["rounds"], 3);
    assert_eq!(header["server"], "misbehaving_server");
}

#[test]
fn flags_override_the_spec_field_by_field_and_its_condition_whole() {
    let place = Place::new();
    place.write(
        "x.wait.json",
        &spec(json!({
            "probe": { "tool": "other", "args": { "text": "kept", "n": 1 } },
            "until": { "quiet_for_sec": 5 }, "poll_sec": 9, "fail_when": "never",
        })),
    );
    let stdio = place.stdio("many-tools");
    let ran = place
        .run(&[
            "run",
            "x.wait.json",
            "--stdio",
            &stdio,
            "--tool",
            "echo",
            "--arg",
            "n=2",
            "--not-matches",
            "zzz",
            "--poll",
            "2",
            "--output",
            "jsonl",
        ])
        .exits(0);
    let header = &ran.events()[0];
    assert_eq!(header["name"], "n");
    assert_eq!(
        header["wait"],
        json!({
            "probe": { "tool": "echo", "args": { "text": "kept", "n": "2" } },
            "until": { "not_matches": "zzz" }, "poll_sec": 2, "max_wait_sec": 120, "fail_when": "never",
        })
    );
}

#[test]
fn f17_single_arguments_are_strings_unless_they_say_json() {
    let args = [
        "--arg",
        "a=1",
        "--arg",
        "b:=1",
        "--arg",
        "c:={\"d\":[1,null]}",
        "--arg",
        "e=",
        "--arg",
        "url=http://x/?q=1",
        "--arg",
        "text:=\"x\"",
        "--arg",
        "ns:key=v",
        "--matches",
        ".",
    ];
    let ran = Place::new().run_on("echo", &args).exits(0);
    assert_eq!(
        ran.json()["last_observation"],
        r#"{"a":"1","b":1,"c":{"d":[1,null]},"e":"","url":"http://x/?q=1","text":"x","ns:key":"v"}"#
    );
}

#[test]
fn arguments_come_inline_from_a_file_and_from_stdin() {
    let place = Place::new();
    place.write(
        "args.json",
        r#"{"b": 18446744073709551615, "a": {"x": 1.50}}"#,
    );
    let ran = place
        .run_on("echo", &["--args", "@args.json", "--matches", "."])
        .exits(0);
    assert_eq!(
        ran.json()["last_observation"],
        r#"{"b":18446744073709551615,"a":{"x":1.5}}"#
    );
    let stdio = place.stdio("many-tools");
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "echo",
        "--args",
        "-",
        "--arg",
        "z=1",
        "--matches",
        ".",
    ];
    let ran = place.run_with_stdin(&args, "{\"y\": 2}").exits(0);
    assert_eq!(ran.json()["last_observation"], r#"{"y":2,"z":"1"}"#);
}

#[test]
fn a_spec_comes_from_stdin() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let call =
        json!({ "probe": { "tool": "echo", "args": { "k": 1 } }, "until": { "matches": "k" } });
    let ran = place
        .run_with_stdin(&["run", "-", "--stdio", &stdio], &call.to_string())
        .exits(0);
    assert_eq!(ran.json()["last_observation"], "{\"k\":1}");
    let both = ["run", "-", "--args", "-"];
    place
        .run_with_stdin(&both, &call.to_string())
        .exits(2)
        .says("not both");
}

#[test]
fn a_call_inside_a_trace_is_found_named_and_run() {
    let place = Place::new();
    let call =
        json!({ "probe": { "tool": "echo", "args": { "k": 1 } }, "until": { "matches": "k" } });
    let trace = json!([{ "function": { "name": "wait_for", "arguments": call.to_string() } }]);
    place.write("trace.json", &trace.to_string());
    let stdio = place.stdio("many-tools");
    let ran = place
        .run(&["run", "trace.json", "--stdio", &stdio])
        .exits(0);
    ran.says("trace.json: found a call at [0].function.arguments");
}

#[test]
fn a_bound_over_the_cap_is_clamped_and_said_on_stderr() {
    let ran = Place::new()
        .run_on(
            "say",
            &["--args", SAY, "--matches", "3/3", "--max-wait", "10m"],
        )
        .exits(0)
        .says("600 s clamped to 300 s; use --rounds 2\n");
    assert_eq!(ran.json()["effective_max_wait_sec"], 300);
    Place::new()
        .run_on(
            "say",
            &[
                "--args",
                SAY,
                "--matches",
                "3/3",
                "--max-wait",
                "10m",
                "--rounds",
                "2",
            ],
        )
        .exits(0)
        .says("600 s clamped to 300 s in each of 2 rounds\n");
}

#[test]
fn quiet_says_nothing_on_stderr() {
    let place = Place::new();
    for (args, code) in [
        (
            &[
                "--quiet",
                "--args",
                SAY,
                "--matches",
                "3/3",
                "--max-wait",
                "600",
            ][..],
            0,
        ),
        (
            &[
                "-q",
                "--args",
                SAY,
                "--matches",
                "zzz",
                "--poll",
                "1",
                "--max-wait",
                "2",
            ][..],
            124,
        ),
        (&["-q", "--args", SAY, "--matches", "("][..], 2),
    ] {
        let ran = place.run_on("say", args).exits(code);
        assert_eq!(ran.stderr, "", "{args:?}");
        assert!(ran.json().is_object());
    }
    let ran = place
        .run_on("bad-params", &["-q", "--matches", "x"])
        .exits(3);
    assert_eq!(ran.stderr, "");
}

#[test]
fn text_is_the_last_observation_and_none_is_nothing() {
    let place = Place::new();
    let args = [
        "--arg",
        "text=a\u{1b}[31mb",
        "--matches",
        "b",
        "--output",
        "text",
    ];
    let ran = place.run_on("say", &args).exits(0);
    assert_eq!(ran.stdout, "a\u{1b}[31mb\n", "a pipe gets it as it came");
    let args = ["--args", SAY, "--matches", "3/3", "--output", "none"];
    assert_eq!(place.run_on("say", &args).exits(0).stdout, "");
    let ran = place
        .run_on("bad-params", &["--matches", "x", "--output", "text"])
        .exits(3);
    assert_eq!(ran.stdout, "");
    ran.says("replicas must be positive");
}

#[test]
fn jsonl_is_every_event_with_the_result_last() {
    let args = [
        "--args",
        SAY,
        "--quiet-for",
        "1",
        "--poll",
        "1",
        "--output",
        "jsonl",
    ];
    let events = Place::new().run_on("say", &args).exits(0).events();
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "wait_started",
            "round_started",
            "sample_started",
            "sample",
            "sleeping",
            "sample_started",
            "sample",
            "wait_ended"
        ]
    );
    assert_eq!(events[3]["text"], "web  3/3");
    assert_eq!(events[6]["same_as"], 1);
    assert_eq!(events[7]["result"]["reason"], "settled");
}

#[test]
fn a_wait_that_never_begins_answers_in_the_form_that_was_asked_for() {
    let place = Place::new();
    let refused = |form| {
        place
            .run_on("say", &["--args", SAY, "--matches", "(", "--output", form])
            .exits(2)
    };
    let error = refused("json").error();
    assert_eq!(error["code"], "invalid_pattern");
    assert_eq!(error["field"], "until.matches");
    assert_eq!(
        (&error["samples"], &error["last_observation"]),
        (&json!(0), &Value::Null)
    );
    let ran = refused("jsonl");
    assert_eq!(ran.events().len(), 1);
    assert_eq!(ran.events()[0]["error"]["code"], "invalid_pattern");
    for form in ["text", "none"] {
        let ran = refused(form).says("unclosed group");
        assert_eq!(ran.stdout, "");
    }
    assert!(place.lab.processes().is_empty(), "nothing was started");
}

#[test]
fn an_unavailable_server_is_a_story_with_a_head_and_an_end() {
    let place = Place::new();
    let stdio = place.stdio("exits-at-start");
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "x",
        "--matches",
        "x",
        "--output",
        "jsonl",
    ];
    let events = place.run(&args).exits(3).events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["event"], "wait_started");
    assert_eq!(events[1]["error"]["code"], "server_unavailable");
}

#[test]
fn only_a_timeout_starts_the_next_round() {
    let place = Place::new();
    let args = [
        "--args",
        SAY,
        "--matches",
        "zzz",
        "--poll",
        "1",
        "--max-wait",
        "2",
        "--rounds",
        "2",
    ];
    let ran = place.run_on("say", &args).exits(124).says("round 2 of 2");
    assert_eq!(ran.json()["reason"], "timeout");
    ran.says("in round 2 of 2");
    let args = ["--args", SAY, "--matches", "3/3", "--rounds", "2"];
    assert!(
        !place
            .run_on("say", &args)
            .exits(0)
            .stderr
            .contains("round 2")
    );
}

#[test]
fn t8_a_wait_goes_on_over_a_server_that_was_lost() {
    let place = Place::new();
    let args = [
        "--matches",
        "process 2, call 2",
        "--poll",
        "1",
        "--retry-errors",
        "2",
        "--output",
        "jsonl",
    ];
    let ran = place
        .run_on("dies-once", &args)
        .exits(0)
        .says("exited with code 3");
    let told: Vec<String> = ran
        .events()
        .iter()
        .filter_map(|event| {
            let note = event["note"].as_str().or(event["text"].as_str());
            note.map(str::to_owned)
                .or_else(|| (event["event"] == "sample_failed").then(|| "failed".to_owned()))
        })
        .collect();
    assert_eq!(
        told,
        [
            "process 1, call 1",
            "failed",
            "reconnecting",
            "reconnected",
            "process 2, call 1",
            "process 2, call 2"
        ]
    );
    assert_eq!(place.lab.processes().len(), 2);
    assert_eq!(
        place.lab.seen().matches("tools/list").count(),
        2,
        "tools are listed again"
    );
    place.all_gone();
}

#[test]
fn w14_a_timeout_names_the_last_error() {
    let args = [
        "--matches",
        "zzz",
        "--poll",
        "1",
        "--max-wait",
        "3",
        "--retry-errors",
        "9",
    ];
    let ran = Place::new().run_on("bad-params", &args).exits(3);
    let error = ran.error();
    // Where the machine is busy, the budget can end during the last look.
    assert!(["probe_failed", "probe_timed_out"].contains(&error["code"].as_str().unwrap()));
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("replicas must be positive"),
        "{error}"
    );
}

#[test]
fn w11_a_failure_that_is_retried_is_told_and_the_wait_goes_on() {
    let args = [
        "--matches",
        "well again",
        "--poll",
        "1",
        "--retry-errors",
        "1",
    ];
    let ran = Place::new()
        .run_on("fails-once", &args)
        .exits(0)
        .says("failed: the server answered");
    assert_eq!(ran.json()["samples"], 1);
}

#[test]
fn a_tool_error_is_guarded_observed_or_a_failure() {
    let place = Place::new();
    let base = ["--not-matches", "zzz", "--poll", "1", "--max-wait", "2"];
    let with = |how: &'static str| {
        place.run_on(
            "internal-error",
            &[&base[..], &["--tool-errors", how]].concat(),
        )
    };
    with("guard").exits(124);
    with("observe").exits(0);
    with("fail").exits(3);
    with("panic")
        .exits(2)
        .says("it must be \"guard\", \"observe\" or \"fail\"");
}
