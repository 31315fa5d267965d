//! `stakeout check`.

use serde_json::{Value, json};

use crate::place::{Place, Ran, Running};

fn check(place: &Place, spec: &Value) -> Ran {
    place.write("x.wait.json", &spec.to_string());
    place.run(&["check", "x.wait.json"])
}

fn call() -> Value {
    json!({ "probe": { "tool": "queue_depth", "args": {} }, "until": { "matches": "x" } })
}

#[test]
fn a_portable_call_is_said_to_be_one() {
    let ran = check(&Place::new(), &call()).exits(0);
    assert_eq!(
        ran.stdout,
        "x.wait.json: valid\n\
         \x20 until     {\"matches\":\"x\"}\n\
         \x20 budget    a sample every 2 s for at most 120 s\n\
         \x20 portable  yes: it uses nothing but the contract's core\n\
         \x20 server    demo, built in: in this process\n"
    );
    assert_eq!(ran.stderr, "");
}

#[test]
fn extensions_are_named() {
    let mut wait = call();
    wait["probe"]["server"] = json!("demo");
    wait["fail_when"] = json!("y");
    wait["retry_errors"] = json!(1);
    let ran = check(&Place::new(), &json!({ "wait": wait, "rounds": 3 })).exits(0);
    assert!(
        ran.stdout
            .contains("portable  no: it uses probe.server, fail_when, retry_errors\n"),
        "{ran:?}"
    );
    assert!(ran.stdout.contains("120 s, 3 rounds\n"), "{ran:?}");
}

#[test]
fn every_fault_is_told_by_code_and_field() {
    let spec = json!({
        "probe": { "tool": "", "args": [], "arg": 1 },
        "until": { "matches": "(", "quiet": 1 },
        "poll_sec": 0, "max_wait_sec": -1, "tool_errors": "x", "probe_timeout_sec": 0, "ignore": "[",
    });
    let ran = check(&Place::new(), &spec).exits(2);
    assert_eq!(ran.stdout, "");
    let told: Vec<&str> = ran
        .stderr
        .lines()
        .map(|line| line.strip_prefix("x.wait.json: ").unwrap())
        .collect();
    for (code, field) in [
        ("unknown_field", "probe.arg"),
        ("empty_probe_tool", "probe.tool"),
        ("args_not_object", "probe.args"),
        ("unknown_field", "until.quiet"),
        ("invalid_pattern", "until.matches"),
        ("zero_poll", "poll_sec"),
        ("malformed", "max_wait_sec"),
        ("malformed", "tool_errors"),
        ("zero_probe_timeout", "probe_timeout_sec"),
        ("invalid_pattern", "ignore"),
    ] {
        let start = format!("{code}: {field} ");
        assert!(
            told.iter().any(|line| line.starts_with(&start)),
            "no {start} in {told:#?}"
        );
    }
    assert_eq!(told.len(), 10, "{told:#?}");
}

#[test]
fn a_fault_in_a_spec_is_named_by_the_path_in_its_file() {
    let mut wait = call();
    wait["until"]["matches"] = json!("(");
    wait["polls"] = json!(1);
    let ran = check(&Place::new(), &json!({ "wait": wait })).exits(2);
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert!(told[0].starts_with("x.wait.json: unknown_field: wait.polls is no field"));
    assert!(told[1].starts_with("x.wait.json: invalid_pattern: wait.until.matches "));
}

#[test]
fn w13_what_is_odd_is_said() {
    let mut wait = call();
    wait["until"] = json!({ "quiet_for_sec": 60 });
    wait["max_wait_sec"] = json!(60);
    let ran = check(&Place::new(), &wait).exits(0);
    assert!(
        ran.stdout
            .contains("odd       a quiet window of 60 s equals the bound"),
        "{ran:?}"
    );
    assert!(
        ran.stdout
            .contains("lower quiet_for_sec or raise max_wait_sec\n"),
        "{ran:?}"
    );
    let mut wait = call();
    wait["max_wait_sec"] = json!(600);
    let ran = check(&Place::new(), &wait).exits(0);
    assert!(
        ran.stdout
            .contains("odd       600 s clamped to 300 s; use --rounds 2\n"),
        "{ran:?}"
    );
}

#[test]
fn the_specs_own_server_and_its_variables_are_told_without_their_values() {
    let place = Place::new();
    let spec = json!({ "wait": call(), "server": {
        "command": "prog", "args": ["--region", "${REGION:-eu}"], "env": { "TOKEN": "${SET_ONE}", "KEY": "${UNSET_ONE}" },
    }});
    place.write("x.wait.json", &spec.to_string());
    let mut command = place.command(&["check", "x.wait.json"]);
    command.env("SET_ONE", "s3cret");
    let ran = Running::of(command).end().exits(0);
    for line in [
        "server    spec, spec x.wait.json: prog --region '${REGION:-eu}' (not trusted yet)\n",
        "variable  REGION (not set; its default is used)\n",
        "variable  SET_ONE (set)\n",
        "variable  UNSET_ONE (not set)\n",
    ] {
        assert!(ran.stdout.contains(line), "no {line:?} in {ran:#?}");
    }
    assert!(!format!("{ran:?}").contains("s3cret"), "{ran:?}");
}

#[test]
fn a_server_that_is_missing_or_unclear_is_told() {
    let place = Place::new();
    let mut wait = call();
    wait["probe"]["server"] = json!("ci");
    let ran = check(&place, &wait).exits(0);
    assert!(
        ran.stdout.contains("server    ci (not configured here)\n"),
        "{ran:?}"
    );
    place.user_servers(&json!({ "a": { "command": "x" }, "b": { "command": "y" } }));
    wait["probe"] = json!({ "tool": "t", "args": {} });
    let ran = check(&place, &wait).exits(0);
    assert!(
        ran.stdout
            .contains("server    not named; it could be a, b, demo\n"),
        "{ran:?}"
    );
}

#[test]
fn a_bad_spec_is_refused_with_its_place() {
    let place = Place::new();
    for (spec, words) in [
        (
            json!({ "wait": call(), "round": 2 }),
            "round is no field of a spec",
        ),
        (
            json!({ "wait": call(), "rounds": 0 }),
            "rounds must be a whole number from 1 to 1000",
        ),
        (
            json!({ "wait": call(), "server": { "url": "x" } }),
            "server: `url` must start with http",
        ),
        (
            json!({ "wait": call(), "server": {} }),
            "neither a `command` to start nor a `url`",
        ),
        (json!({ "wait": [] }), "wait must be a JSON object"),
        (json!({ "mcpServers": {} }), "there is no call in it"),
        (json!(3), "there is no call in it"),
    ] {
        check(&place, &spec)
            .exits(2)
            .says(&format!("x.wait.json: {words}").replace("x.wait.json: neither", "neither"));
    }
}

#[test]
fn stdin_can_be_checked() {
    let ran = Place::new()
        .run_with_stdin(&["check", "-"], &call().to_string())
        .exits(0);
    assert!(ran.stdout.starts_with("-: valid\n"), "{ran:?}");
}
