//! The server scenarios of the official conformance suite, where it is installed: `STAKEOUT_CALLERS_NODE` is a
//! folder with `@modelcontextprotocol/conformance` in its `node_modules`, and `STAKEOUT_CONFORMANCE_NODE` the Node 22
//! that it needs. Without them the test is skipped, unless `STAKEOUT_REQUIRE_INTEROP=1`.

use std::path::Path;

use serde_json::Value;
use tokio::process::Command;

use crate::caller::{Place, installed};
use crate::support::{PATIENCE, at_most};

/// What passes, all that applies to a server with two tools of its own and nothing else.
const PASSED: [&str; 9] = [
    "localhost-host-rebinding-rejected",
    "localhost-host-valid-accepted",
    "ping",
    "server-accepts-multiple-post-streams",
    "server-initialize",
    "server-sse-priming-event",
    "server-sse-retry-field",
    "server-sse-streams-functional",
    "tools-list",
];

/// How the suite is told that a method is of a capability that isn't offered, and what it asks for without looking
/// at what is offered: logging, completion, prompts and resources.
const NOT_OFFERED: &str = "Failed: MCP error -32601: ";
const METHODS: [(&str, &str); 14] = [
    ("completion-complete", "completion/complete"),
    ("logging-set-level", "logging/setLevel"),
    ("prompts-get-embedded-resource", "prompts/get"),
    ("prompts-get-simple", "prompts/get"),
    ("prompts-get-with-args", "prompts/get"),
    ("prompts-get-with-image", "prompts/get"),
    ("prompts-list", "prompts/list"),
    ("resources-list", "resources/list"),
    ("resources-read-binary", "resources/read"),
    ("resources-read-text", "resources/read"),
    ("resources-subscribe", "resources/subscribe"),
    ("resources-templates-read", "resources/read"),
    ("resources-unsubscribe", "resources/subscribe"),
    ("tools-call-with-logging", "logging/setLevel"),
];

/// How the suite is told that there is no such tool, and the tools that it wants of every server.
const UNKNOWN: &str = "Failed: MCP error -32602: Unknown tool: ";
const TOOLS: [(&str, &str); 10] = [
    (
        "elicitation-sep1034-general",
        "test_elicitation_sep1034_defaults",
    ),
    (
        "elicitation-sep1330-general",
        "test_elicitation_sep1330_enums",
    ),
    ("tools-call-audio", "test_audio_content"),
    ("tools-call-elicitation", "test_elicitation"),
    ("tools-call-embedded-resource", "test_embedded_resource"),
    ("tools-call-error", "test_error_handling"),
    ("tools-call-image", "test_image_content"),
    ("tools-call-mixed-content", "test_multiple_content_types"),
    ("tools-call-sampling", "test_sampling"),
    ("tools-call-simple-text", "test_simple_text"),
];

/// What fails for want of one of its tools as well, and says so in words of its own.
const OTHERS: [(&str, &str); 3] = [
    (
        "tools-call-with-progress",
        "Failed: MCP error -32602: Unknown tool: test_tool_with_progress",
    ),
    (
        "json-schema-2020-12-tool-found",
        "Tool 'json_schema_2020_12_tool' not found. Available tools: wait_for, list_probes",
    ),
    // It resumes the answer of a tool that there isn't, which was an error and is over.
    (
        "server-sse-disconnect-resume",
        "Server did not send tool response after client reconnected with Last-Event-ID",
    ),
];

#[tokio::test]
async fn the_conformance_suite_fails_only_what_is_not_offered() {
    let (Some(folder), Some(node)) = (
        installed("STAKEOUT_CALLERS_NODE"),
        installed("STAKEOUT_CONFORMANCE_NODE"),
    ) else {
        return;
    };
    let place = Place::with_lab("plain");
    let web = place.listen(&[]).await;
    let results = place.home().join("results");
    let mut suite = Command::new(node);
    suite
        .arg(Path::new(&folder).join("node_modules/.bin/conformance"))
        .args([
            "server",
            "--suite",
            "all",
            "--url",
            &web.url(),
            "--output-dir",
        ])
        .arg(&results)
        .kill_on_drop(true);
    let said = at_most(4 * PATIENCE, suite.output()).await.unwrap();
    let said = [said.stdout, said.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(results.is_dir(), "{said}");
    let (passed, failed) = checks(&results);
    assert_eq!(passed, PASSED, "{said}");
    let missing = (METHODS.iter()).map(|(id, method)| (*id, format!("{NOT_OFFERED}{method}")));
    let tools = (TOOLS.iter()).map(|(id, tool)| (*id, format!("{UNKNOWN}{tool}")));
    let others = (OTHERS.iter()).map(|(id, words)| (*id, (*words).to_owned()));
    let mut expected: Vec<_> = (missing.chain(tools).chain(others))
        .map(|(id, words)| (id.to_owned(), words))
        .collect();
    expected.sort();
    assert_eq!(failed, expected, "{said}");
}

/// The checks that passed, and those that did not with their reasons, sorted.
fn checks(results: &Path) -> (Vec<String>, Vec<(String, String)>) {
    let (mut passed, mut failed) = (Vec::new(), Vec::new());
    for scenario in std::fs::read_dir(results).unwrap() {
        let checks = std::fs::read(scenario.unwrap().path().join("checks.json")).unwrap();
        let checks: Vec<Value> = serde_json::from_slice(&checks).unwrap();
        for check in checks {
            let id = check["id"].as_str().unwrap().to_owned();
            match check["status"].as_str().unwrap() {
                "SUCCESS" => passed.push(id),
                "INFO" => {}
                _ => {
                    let words = check["errorMessage"].as_str().unwrap_or_default();
                    failed.push((id, words.to_owned()));
                }
            }
        }
    }
    passed.sort();
    failed.sort();
    (passed, failed)
}
