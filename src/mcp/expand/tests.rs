//! Variables in entries: what they become, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};

use super::*;
use crate::mcp::config::{demo_entry, parse_entry};
use crate::mcp::entry::Source;

fn entry(value: Value) -> ServerEntry {
    parse_entry("ci", &value, Source::CommandLine).unwrap()
}

/// An environment in which `TOKEN` is set, `EMPTY` is empty, and `NESTED` holds a reference.
fn lookup(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some("t0k".to_owned()),
        "EMPTY" => Some(String::new()),
        "NESTED" => Some("${TOKEN}".to_owned()),
        _ => None,
    }
}

#[test]
fn defaults_nested_without_end_are_refused_and_cost_no_time() {
    let nested = |depth: usize| format!("{}x{}", "${A:-".repeat(depth), "}".repeat(depth));
    assert_eq!(expanded(&nested(16)).unwrap(), "x");
    let error = expanded(&nested(100_000)).unwrap_err();
    assert!(
        error.to_string().contains("nested deeper than 16"),
        "{error}"
    );
    let entry = entry(json!({ "command": nested(100_000) }));
    assert_eq!(variables(&entry), ["A"]);
}

/// One argument, expanded.
fn expanded(text: &str) -> Result<String, ExpandError> {
    let entry = expand(&entry(json!({ "command": "a", "args": [text] })), &lookup)?;
    let Reach::Stdio(command) = entry.reach else {
        panic!()
    };
    Ok(command.args[0].clone())
}

#[test]
fn c1_every_string_value_is_expanded() {
    let stdio = entry(json!({
        "command": "${TOKEN}/a", "args": ["-t", "${TOKEN}"], "cwd": "/${TOKEN}",
        "env": { "A": "${env:TOKEN}", "${TOKEN}": "b" },
    }));
    let written = entry(json!({
        "command": "t0k/a", "args": ["-t", "t0k"], "cwd": "/t0k",
        "env": { "A": "t0k", "${TOKEN}": "b" },
    }));
    assert_eq!(expand(&stdio, &lookup), Ok(written));
    for kind in ["http", "sse"] {
        let remote = |token: &str| {
            entry(json!({
                "type": kind, "url": format!("https://{token}.example/"),
                "headers": { "Authorization": format!("Bearer {token}") },
            }))
        };
        assert_eq!(expand(&remote("${TOKEN}"), &lookup), Ok(remote("t0k")));
    }
    assert_eq!(expand(&demo_entry(), &lookup), Ok(demo_entry()));
}

#[test]
fn the_forms_of_a_reference() {
    for (text, value) in [
        ("${TOKEN}", "t0k"),
        ("a${TOKEN}b${env:TOKEN}c", "at0kbt0kc"),
        ("${TOKEN:-x}", "t0k"),
        ("${UNSET:-x y}", "x y"),
        ("${env:UNSET:-x}", "x"),
        ("${UNSET:-}", ""),
        ("${EMPTY:-x}", "x"),
        ("${EMPTY}", ""),
        ("${UNSET:-${TOKEN}}", "t0k"),
        ("${UNSET:-a${EMPTY:-b}c}d", "abcd"),
        ("${TOKEN:-${UNSET}}", "t0k"),
        ("${UNSET:-https://a:1/-}", "https://a:1/-"),
        (
            "$TOKEN $ {TOKEN} {TOKEN} %TOKEN%",
            "$TOKEN $ {TOKEN} {TOKEN} %TOKEN%",
        ),
        ("é${TOKEN}✓", "ét0k✓"),
        ("${NESTED}", "${TOKEN}"),
    ] {
        assert_eq!(expanded(text).unwrap(), value, "{text}");
    }
}

#[test]
fn c1_a_variable_that_is_not_set_is_named_with_its_field() {
    let remote = entry(json!({
        "url": "https://a.example", "headers": { "Authorization": "Bearer ${CI_TOKEN}" },
    }));
    assert_eq!(
        expand(&remote, &lookup).unwrap_err().to_string(),
        "`mcpServers.ci.headers.Authorization` needs the variable CI_TOKEN, which is not set; \
         set it, or write ${CI_TOKEN:-default}"
    );
    let field = |value: Value| match expand(&entry(value), &lookup) {
        Err(ExpandError::Unset { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(json!({ "command": "${X}" })), "mcpServers.ci.command");
    assert_eq!(
        field(json!({ "command": "a", "args": ["b", "${X}"] })),
        "mcpServers.ci.args[1]"
    );
    assert_eq!(
        field(json!({ "command": "a", "env": { "B": "${X}" } })),
        "mcpServers.ci.env.B"
    );
    assert_eq!(
        field(json!({ "command": "a", "cwd": "${X}" })),
        "mcpServers.ci.cwd"
    );
    assert_eq!(field(json!({ "url": "${X}" })), "mcpServers.ci.url");
    assert_eq!(
        field(json!({ "command": "${A:-${X}}" })),
        "mcpServers.ci.command"
    );
}

#[test]
fn a_reference_that_never_closes_or_means_nothing_is_an_error() {
    for text in ["a${TOKEN", "${", "${A:-${B}"] {
        let message = expanded(text).unwrap_err().to_string();
        assert_eq!(
            message, "`mcpServers.ci.args[0]` has a `${` that is never closed; add the `}`",
            "{text}"
        );
    }
    for (text, reference) in [
        ("${input:token}", "input:token"),
        ("${}", ""),
        ("${1A}", "1A"),
        ("${TOKEN-x}", "TOKEN-x"),
        ("${ TOKEN }", " TOKEN "),
    ] {
        let message = expanded(text).unwrap_err().to_string();
        let said = format!("has `${{{reference}}}`, which can't be expanded");
        assert!(message.contains(&said), "{text}: {message}");
    }
}

#[test]
fn the_variables_are_listed_once_each_and_without_expanding() {
    let stdio = entry(json!({
        "command": "${B}", "args": ["${A}", "$C ${env:B}", "${D:-${E}}", "${input:x} ${F}", "${"],
        "env": { "X": "${G:-1}" }, "cwd": "${H}",
    }));
    assert_eq!(variables(&stdio), ["B", "A", "D", "E", "F", "G", "H"]);
    assert_eq!(variables(&demo_entry()), [""; 0]);
}

#[test]
fn a_doubled_dollar_keeps_a_reference_as_it_is() {
    for (written, meant) in [
        ("Authorization:$${AUTH}", "Authorization:${AUTH}"),
        ("$${${TOKEN}}", "${t0k}"),
        ("$$${A}", "$${A}"),
        ("$${", "${"),
        ("${UNSET:-$${B}}", "${B}"),
    ] {
        assert_eq!(expanded(written).as_deref(), Ok(meant), "{written}");
    }
    let entry = entry(json!({ "command": "a", "args": ["$${NOT} ${TOKEN} ${A:-$${NOT}}"] }));
    assert_eq!(variables(&entry), ["TOKEN", "A"]);
}
