//! Callers that others wrote, where they are installed: `STAKEOUT_CALLERS_NODE` is a folder with
//! `@modelcontextprotocol/sdk`, `client` and `inspector` in its `node_modules`,
//! `STAKEOUT_CALLERS_PYTHON` a Python that has `mcp`. Without them the tests are skipped, unless
//! `STAKEOUT_REQUIRE_INTEROP=1`. What they do is in `tests/interop`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::process::Command;

use crate::caller::{Place, installed, wait_on};
use crate::support::{PATIENCE, at_most};

const SERVE: [&str; 3] = ["serve", "--allow", "lab/*"];

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/interop")
        .join(name)
}

/// How a caller reaches the server: the words for its command line.
async fn over_stdio_and_http<F: Future<Output = ()>>(call: impl Fn(Place, Vec<String>) -> F) {
    let place = Place::with_lab("many-tools");
    let words = ["stdio", env!("CARGO_BIN_EXE_stakeout")]
        .into_iter()
        .chain(SERVE);
    call(place, words.map(str::to_owned).collect()).await;
    let place = Place::with_lab("many-tools");
    let web = place.listen(&SERVE[1..]).await;
    call(place, vec!["http".to_owned(), web.url()]).await;
}

/// What a command prints, as JSON.
async fn printed(place: &Place, command: &mut Command) -> Value {
    let command = command.env("HOME", place.home()).current_dir(place.home());
    let output = at_most(2 * PATIENCE, command.kill_on_drop(true).output())
        .await
        .unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// What every caller's script must have found.
fn check(place: &Place, found: &Value) {
    assert_eq!(found["tools"], json!(["wait_for", "list_probes"]));
    let matched = json!({
        "reason": "matched", "last_observation": "call 2 of this process", "elapsed_sec": 1,
        "samples": 2, "effective_max_wait_sec": 120,
    });
    assert_eq!(
        found["matched"],
        json!({"is_error": false, "content": matched})
    );
    // A client may drop what arrives together with the result.
    let mut told = found["told"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str);
    assert!(
        told.any(|words| words.ends_with("sample 1: call 1 of this process")),
        "{found}"
    );
    for (key, code) in [("refusal", "invalid_pattern"), ("error", "probe_failed")] {
        assert_eq!(found[key]["is_error"], true, "{key}");
        assert_eq!(found[key]["content"]["error"]["code"], code);
    }
    assert_eq!(found["timeout"]["is_error"], false);
    assert_eq!(found["timeout"]["content"]["reason"], "timeout");
    assert_eq!(found["cancelled"], true);
    assert!(
        place.lab.seen().contains("notifications/cancelled"),
        "nobody told the probed server"
    );
    assert_eq!(found["after"]["content"]["probes"][0]["tool"], "count");
}

#[tokio::test]
async fn called_by_the_python_sdk_in_both_eras() {
    let Some(python) = installed("STAKEOUT_CALLERS_PYTHON") else {
        return;
    };
    for (mode, version) in [("auto", "2026-07-28"), ("legacy", "2025-11-25")] {
        over_stdio_and_http(async |place, words| {
            let mut command = Command::new(&python);
            command
                .arg(script("python_caller.py"))
                .arg(mode)
                .args(words);
            let found = printed(&place, &mut command).await;
            assert_eq!(found["protocol"], version);
            check(&place, &found);
        })
        .await;
    }
}

#[tokio::test]
async fn called_by_both_typescript_sdks() {
    let Some(node) = installed("STAKEOUT_CALLERS_NODE") else {
        return;
    };
    // Modules are looked for beside the script.
    let caller = Path::new(&node).join("typescript_caller.mjs");
    std::fs::copy(script("typescript_caller.mjs"), &caller).unwrap();
    for sdk in ["sdk", "client"] {
        over_stdio_and_http(async |place, words| {
            let mut command = Command::new("node");
            command.arg(&caller).arg(sdk).args(words);
            check(&place, &printed(&place, &mut command).await);
        })
        .await;
    }
}

/// The Inspector tells neither progress nor lets a call be cancelled, so it shows the rest.
#[tokio::test]
async fn called_by_the_inspector() {
    let Some(node) = installed("STAKEOUT_CALLERS_NODE") else {
        return;
    };
    let inspector = Path::new(&node).join("node_modules/.bin/mcp-inspector");
    over_stdio_and_http(async |place, words| {
        let ask = async |more: &[String]| {
            let mut command = Command::new(&inspector);
            command.arg("--cli").args(&words[1..]);
            if words[0] == "http" {
                command.args(["--transport", "http"]);
            }
            printed(&place, command.args(more)).await
        };
        let listed = ask(&["--method", "tools/list"].map(str::to_owned)).await;
        assert_eq!(listed["tools"][0]["name"], "wait_for");
        let mut brief = wait_on("count", json!({"matches": "never"}));
        brief["max_wait_sec"] = json!(2);
        for (wait, is_error, pointer, value) in [
            (
                wait_on("count", json!({"matches": "call"})),
                false,
                "/reason",
                "matched",
            ),
            (brief, false, "/reason", "timeout"),
            (
                wait_on("count", json!({"matches": "("})),
                true,
                "/error/code",
                "invalid_pattern",
            ),
            (
                wait_on("bad-params", json!({"matches": "x"})),
                true,
                "/error/code",
                "probe_failed",
            ),
        ] {
            let mut more = ["--method", "tools/call", "--tool-name", "wait_for"]
                .map(str::to_owned)
                .to_vec();
            for (key, value) in wait.as_object().unwrap() {
                more.extend(["--tool-arg".to_owned(), format!("{key}={value}")]);
            }
            let result = ask(&more).await;
            assert_eq!(result["isError"], is_error, "{result}");
            assert_eq!(
                result["structuredContent"].pointer(pointer),
                Some(&json!(value))
            );
        }
    })
    .await;
}
