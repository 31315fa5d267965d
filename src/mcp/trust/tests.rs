//! What an operator is shown, and what never.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::mcp::config::{demo_entry, parse_entry};
use crate::mcp::entry::Source;

fn entry(value: Value) -> ServerEntry {
    parse_entry("ci", &value, Source::CommandLine).unwrap()
}

#[test]
fn what_a_program_would_do_is_said_on_one_line_without_its_secrets() {
    let stdio = entry(json!({
        "command": "npx", "args": ["-y", "a b", "${PACKAGE}"], "cwd": "/srv/x y",
        "env": { "API_KEY": "s3cret", "PATH": "${HOME}/bin" },
    }));
    assert_eq!(
        would_run(&stdio),
        "npx -y 'a b' '${PACKAGE}'; in '/srv/x y'; sets API_KEY, PATH; reads PACKAGE, HOME"
    );
    assert_eq!(redacted(&stdio), "npx -y 'a b' '${PACKAGE}'");
}

#[test]
fn a1_where_a_token_would_go_is_said_without_the_token() {
    let remote = entry(json!({
        "url": "https://me:s3cret@a.example:8443/mcp?key=s3cret&team=${TEAM}&flag",
        "headers": { "Authorization": "Bearer s3cret", "X-Org": "${ORG}" },
    }));
    assert_eq!(
        would_run(&remote),
        "https://…@a.example:8443/mcp?key=…&team=${TEAM}&flag; \
         sends Authorization, X-Org; reads TEAM, ORG"
    );
    assert_eq!(
        redacted(&remote),
        "https://…@a.example:8443/mcp?key=…&team=${TEAM}&flag"
    );
}

#[test]
fn the_host_that_would_be_contacted_is_never_masked() {
    for url in [
        "https://evil.example#@good.example/mcp",
        r"https://evil.example\@good.example/mcp",
        "https://evil.example?@good.example/mcp",
        "https://evil.example/@good.example/mcp",
        "https://${X:-evil.example#}@good.example/mcp",
    ] {
        let shown = redacted(&entry(json!({ "url": url })));
        assert!(shown.contains("evil.example"), "{url} is shown as {shown}");
    }
}

#[test]
fn an_at_sign_in_a_path_is_no_user() {
    let remote = entry(json!({ "url": "https://a.example/@team/mcp" }));
    assert_eq!(redacted(&remote), "https://a.example/@team/mcp");
}

#[test]
fn an_entry_can_not_draw_a_line_of_its_own() {
    let hostile = entry(json!({
        "command": "rm", "args": ["-rf\n\u{1b}[2Kharmless", "\u{0}", "$(id)"], "cwd": "a\r\nb",
    }));
    let shown = would_run(&hostile);
    assert!(!shown.contains(char::is_control), "{shown:?}");
    assert!(shown.contains("'$(id)'"), "{shown}");
}

#[test]
fn the_demo_is_built_in() {
    assert_eq!(would_run(&demo_entry()), "in this process");
}

#[test]
fn the_fingerprint_is_canonical_and_unexpanded() {
    let one = entry(json!({ "command": "a", "args": ["${X}"], "env": { "B": "1", "A": "2" } }));
    let other = parse_entry(
        "renamed",
        &json!({ "timeout": 5, "env": { "A": "2", "B": "1" }, "args": ["${X}"], "command": "a" }),
        Source::Project(PathBuf::from("p")),
    )
    .unwrap();
    assert_eq!(
        fingerprint_source(&one),
        r#"{"type":"stdio","command":"a","args":["${X}"],"env":{"A":"2","B":"1"},"cwd":null}"#
    );
    assert_eq!(fingerprint_source(&one), fingerprint_source(&other));
}

#[test]
fn the_fingerprint_changes_with_everything_that_matters() {
    let values = [
        json!({ "command": "a" }),
        json!({ "command": "a", "args": ["b"] }),
        json!({ "command": "a", "args": ["b", "c"] }),
        json!({ "command": "a", "args": ["b c"] }),
        json!({ "command": "a", "env": { "X": "1" } }),
        json!({ "command": "a", "env": { "X": "2" } }),
        json!({ "command": "a", "cwd": "/" }),
        json!({ "url": "http://a" }),
        json!({ "url": "http://a", "type": "sse" }),
        json!({ "url": "http://a", "headers": { "X": "1" } }),
        json!({ "url": "http://a", "headers": { "X": "2" } }),
    ];
    let mut seen = std::collections::HashSet::new();
    for value in values {
        assert!(
            seen.insert(fingerprint_source(&entry(value.clone()))),
            "{value}"
        );
    }
}
