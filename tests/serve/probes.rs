//! Which tools may be probed.

use std::process::Stdio;

use serde_json::json;

use crate::caller::{Place, wait_on};
use crate::support::eventually;

const BEGUN: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}}"#;
const TOOLS: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"look","inputSchema":{"type":"object"}HINT}]}}"#;

#[tokio::test]
async fn a_probe_that_is_not_read_only_is_refused_until_it_is_allowed() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/say"]).await;
    let error = caller
        .refused(wait_on("count", json!({"matches": "x"})))
        .await;
    assert_eq!(error["code"], "probe_not_allowed");
    assert_eq!(
        (&error["server"], &error["tool"]),
        (&json!("lab"), &json!("count"))
    );
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("--allow 'lab/count'"), "{message}");
    assert!(!place.lab.seen().contains("tools/call"), "it was called");
    let mut call = wait_on("say", json!({"matches": "x"}));
    call["probe"]["args"] = json!({"text": "x"});
    assert_eq!(caller.wait_for(call).await["reason"], "matched");
    // The demo's tools say that they only read.
    let call = json!({"probe": {"server": "demo", "tool": "queue_depth", "args": {}},
        "until": {"matches": "depth"}});
    assert_eq!(caller.wait_for(call).await["reason"], "matched");
}

#[tokio::test]
async fn a_server_that_comes_back_with_another_tool_is_not_probed_on() {
    let place = Place::with_lab("plays");
    let begun = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}"#;
    let tools = r#"{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"look","inputSchema":{"type":"object"}HINT}]}}"#;
    let (safe, unsafe_now) = (
        tools.replace("HINT", r#","annotations":{"readOnlyHint":true}"#),
        tools.replace("HINT", ""),
    );
    let script = |tools: &str, look: &str| {
        let lines = format!("initialize\t{begun}\ntools/list\t{tools}\nlook\t{look}\n");
        std::fs::write(place.lab.path().join("script"), lines).unwrap();
    };
    script(
        &safe,
        r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"well"}]}}"#,
    );
    let mut caller = place.serve(&[]).await;
    let mut call = wait_on("look", json!({"matches": "ill"}));
    call["retry_errors"] = json!(5);
    let id = caller.begin("wait_for", call).await;
    crate::support::eventually("it is sampled", || place.lab.seen().contains("\"look\"")).await;
    script(&unsafe_now, "exit");
    let result = caller.result(id).await;
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "probe_not_allowed", "{result}");
    assert_eq!(error["last_observation"], "well");
}

#[tokio::test]
async fn a_tool_that_changes_is_asked_about_again_whoever_connected() {
    let place = Place::with_lab("plays");
    let (begun, tools) = (BEGUN, TOOLS);
    let write = |hint: &str, look: &str| {
        let tools = tools.replace("HINT", hint);
        let lines = format!("initialize\t{begun}\ntools/list\t{tools}\nlook\t{look}\n");
        std::fs::write(place.lab.path().join("script"), lines).unwrap();
    };
    let well = r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"well"}]}}"#;
    let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    write(r#","annotations":{"readOnlyHint":true}"#, well);
    let mut caller = place.serve(&[]).await;
    let id = caller
        .begin("wait_for", wait_on("look", json!({"matches": "ill"})))
        .await;
    eventually("it is sampled", || place.lab.seen().contains("\"look\"")).await;
    // From now on the server announces that its tools have changed, and they have.
    write("", &format!("{changed}\nlook\t{well}"));
    let result = caller.result(id).await;
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "probe_not_allowed", "{result}");
}

#[tokio::test]
async fn stakeout_never_waits_for_itself() {
    let place = Place::with_lab("many-tools");
    let me = json!({"command": env!("CARGO_BIN_EXE_stakeout"), "args": ["serve"]});
    place.configure(json!({ "me": me }));
    let mut caller = place.serve(&["--allow", "*/*"]).await;
    let call = json!({"probe": {"server": "me", "tool": "wait_for", "args": {}},
        "until": {"matches": "x"}});
    let error = caller.refused(call).await;
    assert_eq!(error["code"], "probe_not_allowed");
    let listed = caller.call("list_probes", json!({"server": "me"})).await;
    let probes = listed["probes"].as_array().unwrap();
    assert_eq!(probes.len(), 2);
    assert!(
        probes.iter().all(|probe| probe["allowed"] == false),
        "{listed}"
    );
}

#[tokio::test]
async fn a_projects_server_needs_trust() {
    let place = Place::with_lab("many-tools");
    let lab = place.lab.command("many-tools");
    let project = json!({"mcpServers": {"theirs": {"command": lab.command, "args": lab.args}}});
    std::fs::write(place.home().join(".mcp.json"), project.to_string()).unwrap();
    let mut call = wait_on("count", json!({"matches": "call"}));
    call["probe"]["server"] = json!("theirs");
    let mut caller = place.serve(&["--allow", "*/*"]).await;
    let error = caller.refused(call.clone()).await;
    assert_eq!(error["code"], "untrusted_server");
    assert!(error["what_to_do"].as_str().unwrap().contains("--trust"));
    // How it would be started is the operator's to know.
    assert!(!error.to_string().contains("misbehaving"), "{error}");
    assert!(place.lab.processes().is_empty(), "it was started");
    let mut caller = place.serve(&["--allow", "*/*", "--trust"]).await;
    assert_eq!(caller.wait_for(call).await["reason"], "matched");
}

#[tokio::test]
async fn an_unnamed_server_is_found_or_the_candidates_are_told() {
    let place = Place::with_lab("many-tools");
    let mut call = wait_on("count", json!({"matches": "call"}));
    call["probe"]
        .as_object_mut()
        .unwrap()
        .shift_remove("server");
    let mut caller = place.serve(&["--allow", "*/*"]).await;
    assert_eq!(caller.wait_for(call.clone()).await["reason"], "matched");
    let lab = place.lab.command("many-tools");
    let lab = json!({"command": lab.command, "args": lab.args});
    place.configure(json!({"one": lab, "two": lab}));
    let mut caller = place.serve(&["--allow", "*/*"]).await;
    call["probe"]["tool"] = json!("killed");
    let error = caller.refused(call).await;
    assert_eq!(error["code"], "server_ambiguous");
    assert!(!error.to_string().contains("--server"), "{error}");
}

#[tokio::test]
async fn c11_what_is_ours_alone_never_reaches_a_server() {
    let place = Place::with_lab("many-tools");
    let secret = "s3cret-of-ours";
    let mut command = place.command(&["--allow", "lab/*"]);
    let names = [
        "STAKEOUT_TOKEN",
        "OTEL_EXPORTER_OTLP_HEADERS",
        "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    ];
    for name in names {
        command.env(name, secret);
    }
    command.env("PLAIN", "seen").stdin(Stdio::piped());
    let mut caller = crate::caller::Caller::start(command);
    caller.greet().await;
    let ask = |name: &str| {
        let mut call = wait_on("environment", json!({"matches": "."}));
        call["probe"]["args"] = json!({ "name": name });
        call
    };
    let result = caller.wait_for(ask("PLAIN")).await;
    assert_eq!(result["last_observation"], "seen");
    for name in names {
        let result = caller.wait_for(ask(name)).await;
        assert_eq!(result["last_observation"], "(unset)", "{name}");
    }
}

#[tokio::test]
async fn an_allow_that_names_no_tool_is_refused_at_the_start() {
    let place = Place::with_lab("many-tools");
    let output = place.command(&["--allow", "lab"]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("write it as SERVER/TOOL"), "{said}");
}
