//! Servers from files and flags: trust, variables, secrets, timeouts.

use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::{Value, json};

use crate::place::{Place, Running, text_of, until};
use crate::support::web::{Web, stream};

const SECRET: &str = "s3cr3t-value";

fn project(place: &Place, servers: Value) {
    place.write(".mcp.json", &json!({ "mcpServers": servers }).to_string());
}

#[test]
fn a_projects_server_is_not_started_before_it_is_trusted() {
    let place = Place::new();
    let mut entry = place.entry("plain");
    entry["env"] = json!({ "TOKEN": SECRET, "OTHER": "${HOME}" });
    entry["cwd"] = json!("/");
    project(&place, json!({ "p": entry }));
    for command in [
        &["run", "--tool", "echo", "--matches", "."][..],
        &["call", "echo"],
        &["tools"],
    ] {
        let ran = place.run(command).exits(2);
        let ran = ran
            .says("\"p\" is not trusted yet")
            .says("misbehaving_server plain")
            .says("in /");
        let ran = ran
            .says("sets OTHER, TOKEN")
            .says("reads HOME")
            .says("--trust if you trust .mcp.json");
        assert!(!format!("{ran:?}").contains(SECRET), "{ran:?}");
        assert!(place.lab.processes().is_empty());
    }
    place
        .run(&["run", "--tool", "echo", "--matches", ".", "--trust"])
        .exits(0);
    // Once is once.
    place.run(&["tools"]).exits(2);
    place.all_gone();
}

#[test]
fn a_specs_own_server_is_not_started_before_it_is_trusted() {
    let place = Place::new();
    let wait = json!({ "probe": { "tool": "echo", "args": {} }, "until": { "matches": "." } });
    place.write(
        "x.json",
        &json!({ "wait": wait, "server": place.entry("plain") }).to_string(),
    );
    let error = place.run(&["run", "x.json"]).exits(2).error();
    assert_eq!(error["code"], "untrusted_server");
    assert_eq!(error["server"], "spec");
    assert_eq!(error["origin"], "x.json");
    assert!(
        error["would_run"]
            .as_str()
            .unwrap()
            .contains("misbehaving_server plain"),
        "{error}"
    );
    place.run(&["run", "x.json", "--trust"]).exits(0);
}

#[test]
fn the_users_own_file_and_mcp_config_need_no_approval() {
    let place = Place::new();
    place.user_servers(&json!({ "u": place.entry("plain") }));
    place.run(&["call", "echo", "--server", "u"]).exits(0);
    place.write(
        "more.json",
        &format!(
            "// ours\n{}",
            json!({ "mcpServers": { "m": place.entry("plain") } })
        ),
    );
    place
        .run(&["call", "echo", "--server", "m", "--mcp-config", "more.json"])
        .exits(0);
}

#[test]
fn a_disabled_server_is_not_started_and_says_so() {
    let place = Place::new();
    let mut entry = place.entry("plain");
    entry["disabled"] = json!(true);
    place.user_servers(&json!({ "off": entry }));
    place
        .run(&["tools", "off"])
        .exits(3)
        .says("its entry says disabled; turn it on there");
    assert!(place.lab.processes().is_empty());
}

#[test]
fn c1_a_variable_that_is_not_set_is_named_with_its_field() {
    let place = Place::new();
    place.user_servers(&json!({
        "web": { "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer ${NO_SUCH_TOKEN}" } },
        "other": { "command": "x" },
    }));
    place.run(&["servers"]).exits(0);
    let error = place
        .run(&["run", "--server", "web", "--tool", "x", "--matches", "."])
        .exits(3)
        .error();
    assert_eq!(error["step"], "configuration");
    let cause = error["cause"].as_str().unwrap();
    assert!(
        cause.contains("mcpServers.web.headers.Authorization"),
        "{cause}"
    );
    assert!(cause.contains("NO_SUCH_TOKEN, which is not set"), "{cause}");
}

#[test]
fn a1_secrets_are_sent_and_never_printed() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let web = runtime.block_on(Web::answering(|_| {
        axum::response::IntoResponse::into_response((axum::http::StatusCode::UNAUTHORIZED, "no"))
    }));
    let place = Place::new();
    let url = web.url("/mcp");
    place.user_servers(&json!({
        "web": { "url": url, "headers": { "Authorization": format!("Bearer {SECRET}") } },
        "local": { "command": "nosuch", "env": { "TOKEN": SECRET } },
    }));
    let header = format!("X-Token: {SECRET}");
    for command in [
        &["servers"][..],
        &["servers", "--json"],
        &["tools", "web", "-v"],
        &["tools", "local", "-v"],
        &[
            "run",
            "--server",
            "web",
            "--tool",
            "x",
            "--matches",
            ".",
            "--output",
            "jsonl",
            "-v",
        ],
        &[
            "run",
            "--url",
            &url,
            "--header",
            &header,
            "--tool",
            "x",
            "--matches",
            ".",
            "-v",
        ],
        &["servers", "--url", &url, "--header", &header],
    ] {
        let ran = place.run(command);
        assert!(!format!("{ran:?}").contains(SECRET), "{ran:?}");
    }
    assert!(web.requests().iter().any(|request| {
        request
            .headers
            .get("authorization")
            .is_some_and(|value| value.to_str().unwrap().contains(SECRET))
    }));
}

#[test]
fn c5_stdio_is_split_by_posix_quoting_without_a_shell() {
    let place = Place::new();
    let folder = place.path("a b'$HOME\"#c");
    std::fs::create_dir(&folder).unwrap();
    let server = place.lab.command("plain").command;
    let words = [server.as_str(), "plain", folder.to_str().unwrap()];
    let stdio = shlex::try_join(words).unwrap();
    place.run(&["call", "echo", "--stdio", &stdio]).exits(0);
    assert!(!text_of(&folder.join("pids")).is_empty());
}

#[test]
fn c2_a_server_has_our_environment_and_what_env_adds() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let value = |name: &str| {
        let mut command = place.command(&["call", "environment", "--stdio", &stdio]);
        command.args([
            "--arg",
            &format!("name={name}"),
            "--env",
            "ADDED=${HOME}/x",
            "--env",
            "EMPTY=",
        ]);
        command
            .env("OURS", "ours")
            .env("OTEL_EXPORTER_OTLP_HEADERS", "k=v");
        Running::of(command).end().exits(0).stdout
    };
    assert_eq!(value("OURS"), "ours\n");
    assert_eq!(value("ADDED"), format!("{}/x\n", place.home().display()));
    assert_eq!(value("EMPTY"), "\n");
    assert_eq!(value("OTEL_EXPORTER_OTLP_HEADERS"), "(unset)\n");
}

#[test]
fn t14_connecting_has_its_own_timeout_with_the_flag_over_the_entry() {
    let place = Place::new();
    let stdio = place.stdio("silent");
    let began = std::time::Instant::now();
    let error = place
        .run(&[
            "run",
            "--stdio",
            &stdio,
            "--tool",
            "x",
            "--matches",
            ".",
            "--connect-timeout",
            "1",
        ])
        .exits(3)
        .error();
    assert_eq!(
        (&error["code"], &error["step"]),
        (&json!("server_unavailable"), &json!("initialize"))
    );
    let cause = error["cause"].as_str().unwrap();
    assert!(
        cause.contains("no answer within 1 s") && cause.contains("warming up"),
        "{cause}"
    );
    assert!(began.elapsed().as_secs() < 8, "{:?}", began.elapsed());
    let mut entry = place.entry("silent");
    entry["timeout"] = json!(200);
    place.user_servers(&json!({ "slow": entry }));
    place
        .run(&["tools", "slow"])
        .exits(3)
        .says("no answer within 0.2 s");
    place.all_gone();
}

#[test]
fn a_headers_helper_is_never_run_and_said_to_be_left_out() {
    let place = Place::new();
    let marker = place.path("ran");
    let helper = format!("touch {}", marker.display());
    let wait = json!({ "probe": { "tool": "x", "args": {} }, "until": { "matches": "." } });
    let server = json!({ "url": "http://127.0.0.1:9/mcp", "headersHelper": helper });
    place.write(
        "x.json",
        &json!({ "wait": wait, "server": server }).to_string(),
    );
    place
        .run(&["run", "x.json", "--trust"])
        .exits(3)
        .says("x.json: server: `headersHelper` is never run");
    place
        .run(&["check", "x.json"])
        .exits(0)
        .stdout
        .contains("headersHelper")
        .then_some(())
        .unwrap();
    assert!(!marker.exists());
}

#[test]
fn a_wait_over_http_is_met_and_a_signal_cancels_its_request() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let web = runtime.block_on(Web::rmcp());
    let place = Place::new();
    let url = web.url("/mcp");
    let met = [
        "run",
        "--url",
        &url,
        "--tool",
        "echo",
        "--arg",
        "k=v",
        "--matches",
        "v",
    ];
    let ran = place.run(&met).exits(0);
    assert_eq!(ran.json()["last_observation"], "{\"k\":\"v\"}");
    let web = runtime.block_on(Web::scripted(|script| match script.tool() {
        Some(_) => stream(futures::stream::pending()),
        None => script.usual(),
    }));
    let url = web.url("/mcp");
    let running = place.start(&["run", "--url", &url, "--tool", "echo", "--matches", "x"]);
    until("the call arrives", || web.calls() > 0);
    running.signal(rustix::process::Signal::INT);
    assert_eq!(running.end().exits(130).error()["code"], "cancelled");
    assert!(web.saw("notifications/cancelled"));
}

#[test]
fn w11_a_web_server_that_restarts_is_waited_for() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let web = runtime.block_on(Web::scripted(|script| script.usual()));
    let place = Place::new();
    let url = web.url("/mcp");
    let running = place.start(&[
        "run",
        "--url",
        &url,
        "--tool",
        "echo",
        "--matches",
        "second",
        "--poll",
        "1",
        "--retry-errors",
        "20",
        "--output",
        "jsonl",
    ]);
    until("a call arrives", || web.calls() > 0);
    let port = runtime.block_on(web.stop());
    let web = runtime.block_on(Web::scripted_at(port, |script| {
        if script.tool().is_some() {
            let text = serde_json::json!({ "content": [{ "type": "text", "text": "second" }] });
            let answer =
                serde_json::json!({ "jsonrpc": "2.0", "id": script.body["id"], "result": text });
            return axum::response::IntoResponse::into_response(axum::Json(answer));
        }
        script.usual()
    }));
    let events = running.end().exits(0).events();
    assert_eq!(
        events.last().unwrap()["result"]["last_observation"],
        "second"
    );
    drop(web);
}

#[test]
fn a6_a_token_that_is_refused_in_a_wait_ends_it_at_once_whatever_the_retries() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let web = runtime.block_on(Web::scripted(move |script| match script.tool() {
        Some(_) if calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) > 0 => {
            (StatusCode::UNAUTHORIZED, "the token has expired").into_response()
        }
        _ => script.usual(),
    }));
    let place = Place::new();
    let url = web.url("/mcp");
    let ran = place.run(&[
        "run",
        "--url",
        &url,
        "--tool",
        "echo",
        "--matches",
        "never",
        "--poll",
        "1s",
        "--retry-errors",
        "50",
    ]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("the token has expired"), "{ran:?}");
    assert!(ran.stderr.contains("Authorization header"), "{ran:?}");
    assert_eq!(web.calls(), 2);
}
