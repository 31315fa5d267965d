//! What flags do to a spec.

#![allow(clippy::unwrap_used)]

use clap::Parser;

use super::*;
use crate::cli::flags::{Arguments, Command};

fn flags(args: &[&str]) -> Box<RunFlags> {
    let args = [&["stakeout", "run"], args].concat();
    match Arguments::try_parse_from(args).unwrap().command {
        Some(Command::Run(flags)) => flags,
        other => unreachable!("{other:?}"),
    }
}

/// The plan of a spec in a file, with flags.
fn plan(spec: &Value, args: &[&str]) -> anyhow::Result<Plan> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.wait.json");
    std::fs::write(&file, spec.to_string()).unwrap();
    Plan::of(&flags(&[&[file.to_str().unwrap()], args].concat()))
}

fn spec() -> Value {
    json!({ "name": "n", "rounds": 4, "wait": {
        "probe": { "server": "s", "tool": "t", "args": { "a": 1, "b": 2 } },
        "until": { "matches": "x" }, "poll_sec": 3, "max_wait_sec": 60, "fail_when": "f",
        "tool_errors": "fail", "retry_errors": 1, "probe_timeout_sec": 9, "ignore": "i",
    }})
}

#[test]
fn a_spec_without_flags_stays_as_it_is() {
    let plan = plan(&spec(), &[]).unwrap();
    assert_eq!(plan.wait, spec()["wait"]);
    assert_eq!((plan.name.as_deref(), plan.rounds), (Some("n"), 4));
    assert!(plan.notices.is_empty() && plan.server.is_none());
}

#[test]
fn each_flag_overrides_its_own_field() {
    for (flags, pointer, value) in [
        (&["--server", "o"][..], "/probe/server", json!("o")),
        (&["--tool", "o"], "/probe/tool", json!("o")),
        (&["--args", "{\"c\":3}"], "/probe/args", json!({ "c": 3 })),
        (
            &["--arg", "b=x"],
            "/probe/args",
            json!({ "a": 1, "b": "x" }),
        ),
        (&["--arg", "c:=[1]"], "/probe/args/c", json!([1])),
        (&["--poll", "5s"], "/poll_sec", json!(5)),
        (&["--max-wait", "1m30s"], "/max_wait_sec", json!(90)),
        (&["--fail-when", "-o"], "/fail_when", json!("-o")),
        (&["--tool-errors", "guard"], "/tool_errors", json!("guard")),
        (&["--retry-errors", "7"], "/retry_errors", json!(7)),
        (&["--probe-timeout", "7"], "/probe_timeout_sec", json!(7)),
        (&["--ignore", "o"], "/ignore", json!("o")),
    ] {
        let plan = plan(&spec(), flags).unwrap();
        assert_eq!(plan.wait.pointer(pointer), Some(&value), "{flags:?}");
        let mut expected = spec()["wait"].clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        expected.pointer_mut(parent).unwrap()[key] = value;
        assert_eq!(plan.wait, expected, "nothing else changes with {flags:?}");
    }
    assert_eq!(plan(&spec(), &["--rounds", "2"]).unwrap().rounds, 2);
}

#[test]
fn a_condition_replaces_the_whole_condition() {
    for (flags, until) in [
        (&["--not-matches", "y"][..], json!({ "not_matches": "y" })),
        (&["--quiet-for", "1m"], json!({ "quiet_for_sec": 60 })),
        (
            &["--matches", "", "--quiet-for", "1"],
            json!({ "matches": "", "quiet_for_sec": 1 }),
        ),
    ] {
        assert_eq!(plan(&spec(), flags).unwrap().wait["until"], until);
    }
}

#[test]
fn arguments_are_replaced_whole_and_then_added_to_one_by_one() {
    let flags = [
        "--arg",
        "a=1",
        "--args",
        "{\"a\":0,\"z\":1}",
        "--arg",
        "a=2",
    ];
    let plan = plan(&spec(), &flags).unwrap();
    assert_eq!(plan.wait["probe"]["args"].to_string(), r#"{"a":"2","z":1}"#);
}

#[test]
fn a_server_on_the_command_line_replaces_the_one_that_the_spec_names() {
    let wait = plan(&spec(), &["--stdio", "x"]).unwrap().wait;
    assert_eq!(wait["probe"].get("server"), None);
    let wait = plan(&spec(), &["--url", "http://x", "--server", "y"])
        .unwrap()
        .wait;
    assert_eq!(wait["probe"]["server"], "y");
}

#[test]
fn a_specs_own_server_goes_by_the_name_that_the_call_gives_it() {
    let mut spec = spec();
    spec["server"] = json!({ "command": "c", "headersHelper": "h" });
    let plan_of = |spec: &Value, flags: &[&str]| plan(spec, flags).unwrap();
    let plan = plan_of(&spec, &[]);
    assert_eq!(plan.server.unwrap().name, "s");
    assert_eq!(plan.notices.len(), 1, "{:?}", plan.notices);
    spec["wait"]["probe"]["server"] = Value::Null;
    assert_eq!(plan_of(&spec, &[]).server.unwrap().name, "spec");
}

#[test]
fn flags_alone_make_a_call() {
    let plan = Plan::of(&flags(&["--tool", "t", "--quiet-for", "2"])).unwrap();
    assert_eq!(
        plan.wait,
        json!({ "probe": { "args": {}, "tool": "t" }, "until": { "quiet_for_sec": 2 } })
    );
    assert_eq!((plan.name, plan.rounds), (None, 1));
    let error = Plan::of(&flags(&["--matches", "x"])).unwrap_err();
    assert!(error.to_string().contains("name a spec"), "{error}");
}

#[test]
fn a_spec_with_a_bad_server_is_refused_with_its_place() {
    let mut spec = spec();
    spec["server"] = json!({ "command": 1 });
    let error = plan(&spec, &[]).unwrap_err().to_string();
    assert!(
        error.contains("x.wait.json: server: `command` is a number"),
        "{error}"
    );
}

#[test]
fn a_clamp_advises_rounds_unless_they_are_there() {
    let mut call = spec()["wait"].clone();
    call["max_wait_sec"] = json!(900);
    let call = Call::parse(&call).unwrap();
    assert_eq!(
        oddities(&call, 1),
        ["900 s clamped to 300 s; use --rounds 3"]
    );
    assert_eq!(
        oddities(&call, 2),
        ["900 s clamped to 300 s; use --rounds 3"]
    );
    assert_eq!(
        oddities(&call, 3),
        ["900 s clamped to 300 s in each of 3 rounds"]
    );
}
