//! Which server a tool without one means.

use serde_json::json;

use crate::place::{Place, Ran};

fn server_of(ran: Ran) -> String {
    ran.exits(0).events()[0]["server"]
        .as_str()
        .unwrap()
        .to_owned()
}

const ECHO: [&str; 7] = [
    "run",
    "--tool",
    "echo",
    "--matches",
    ".",
    "--output",
    "jsonl",
];

#[test]
fn the_server_that_is_named_wins() {
    let place = Place::new();
    place.user_servers(&json!({ "one": place.entry("plain"), "two": place.entry("plain") }));
    assert_eq!(
        server_of(place.run(&[&ECHO[..], &["--server", "two"]].concat())),
        "two"
    );
}

#[test]
fn else_the_one_of_the_command_line_over_what_a_spec_names_or_brings() {
    let place = Place::new();
    place.user_servers(&json!({ "one": place.entry("plain"), "two": place.entry("plain") }));
    let stdio = place.stdio("plain");
    assert_eq!(
        server_of(place.run(&[&ECHO[..], &["--stdio", &stdio]].concat())),
        "misbehaving_server"
    );
    for wait in [
        json!({ "probe": { "server": "one", "tool": "echo", "args": {} }, "until": { "matches": "." } }),
        json!({ "probe": { "tool": "echo", "args": {} }, "until": { "matches": "." } }),
    ] {
        let spec = json!({ "wait": wait, "server": { "command": "nosuch" } });
        place.write("x.json", &spec.to_string());
        let args = ["run", "x.json", "--stdio", &stdio, "--output", "jsonl"];
        assert_eq!(server_of(place.run(&args)), "misbehaving_server");
    }
}

#[test]
fn else_the_only_one_configured_the_demo_aside() {
    let place = Place::new();
    place.user_servers(
        &json!({ "one": place.entry("plain"), "off": { "command": "x", "disabled": true } }),
    );
    assert_eq!(server_of(place.run(&ECHO)), "one");
}

#[test]
fn else_the_only_one_that_was_seen_to_have_the_tool() {
    let place = Place::new();
    place.user_servers(&json!({ "one": place.entry("plain"), "two": place.entry("many-tools") }));
    let call = [
        "run",
        "--tool",
        "say",
        "--arg",
        "text=a",
        "--matches",
        ".",
        "--output",
        "jsonl",
    ];
    let error = place.run(&call).exits(2).events().pop().unwrap();
    assert_eq!(error["error"]["candidates"], json!(["one", "two", "demo"]));
    place.run(&["tools", "one"]).exits(0);
    place.run(&["tools", "two"]).exits(0);
    assert_eq!(server_of(place.run(&call)), "two");
    let error = place.run(&ECHO).exits(2).events().pop().unwrap();
    assert_eq!(error["error"]["candidates"], json!(["one", "two"]));
    // The demo's own tools are known without asking.
    let args = [
        "run",
        "--tool",
        "queue_depth",
        "--matches",
        ".",
        "--output",
        "jsonl",
    ];
    assert_eq!(server_of(place.run(&args)), "demo");
}

#[test]
fn without_any_server_the_way_out_is_said() {
    let place = Place::new();
    place.run(&ECHO).exits(2).says(
        "no server is configured: give one with --server demo, --stdio, --url or --mcp-config",
    );
    place
        .run(&["call", "echo"])
        .exits(2)
        .says("no server is configured");
}

#[test]
fn an_unknown_tool_comes_with_near_names_and_other_servers() {
    let place = Place::new();
    place.user_servers(&json!({ "one": place.entry("plain"), "two": place.entry("many-tools") }));
    place.run(&["tools", "two"]).exits(0);
    let error = place
        .run(&["run", "--server", "one", "--tool", "ecko", "--matches", "."])
        .exits(2)
        .error();
    assert_eq!(error["near"], json!(["echo"]));
    let error = place
        .run(&["run", "--server", "one", "--tool", "say", "--matches", "."])
        .exits(2)
        .error();
    assert_eq!(error["elsewhere"], json!(["two"]));
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("it is a tool of two"),
        "{error}"
    );
}
