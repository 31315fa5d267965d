//! Which entries are taken, and what is said of the others.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::json;

use super::*;

fn parse(value: Value) -> Result<ServerEntry, String> {
    parse_entry("ci", &value, Source::CommandLine)
}

#[test]
fn c5_arguments_arrive_as_they_are_written() {
    let windows = json!({ "command": "C:\\Program Files\\a b.exe", "args": ["C:\\x\\", "a b", "$HOME", "'q'"] });
    let Reach::Stdio(command) = parse(windows).unwrap().reach else {
        panic!()
    };
    assert_eq!(command.command, "C:\\Program Files\\a b.exe");
    assert_eq!(command.args, ["C:\\x\\", "a b", "$HOME", "'q'"]);
}

#[test]
fn the_type_chooses_the_transport_and_a_url_alone_is_http() {
    let url = "https://a.example/sse";
    let address = HttpAddress {
        url: url.to_owned(),
        ..HttpAddress::default()
    };
    for kind in [
        json!("http"),
        json!("streamable-http"),
        json!("streamableHttp"),
        Value::Null,
    ] {
        let entry = parse(json!({ "url": url, "type": kind })).unwrap();
        assert_eq!(entry.reach, Reach::Http(address.clone()), "{kind}");
    }
    let entry = parse(json!({ "url": url, "type": "sse" })).unwrap();
    assert_eq!(entry.reach, Reach::Sse(address));
    let both = json!({ "url": url, "command": "a", "type": "stdio" });
    assert!(matches!(parse(both).unwrap().reach, Reach::Stdio(_)));
}

#[test]
fn c11_a_timeout_is_milliseconds_or_refused() {
    let with = |timeout: Value| parse(json!({ "command": "a", "timeout": timeout }));
    assert_eq!(
        with(json!(1500)).unwrap().connect_timeout,
        Some(Duration::from_millis(1500))
    );
    assert_eq!(with(Value::Null).unwrap().connect_timeout, None);
    for refused in [
        json!("30s"),
        json!("30000"),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(true),
    ] {
        let message = with(refused.clone()).unwrap_err();
        assert!(
            message.contains("a whole number of milliseconds"),
            "{refused}: {message}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_entry_is_said_with_the_field() {
    let cases = [
        (
            json!({ "command": "a", "url": "http://b" }),
            "both a `command` and a `url`",
        ),
        (json!({ "command": " " }), "`command` is empty"),
        (
            json!({ "command": ["a"] }),
            "`command` is a list, not a string",
        ),
        (json!({ "type": "stdio" }), "needs a `command`"),
        (json!({ "type": "sse", "command": "a" }), "needs a `url`"),
        (
            json!({ "type": "ws", "url": "ws://a" }),
            "`type` is \"ws\", which is not known",
        ),
        (
            json!({ "command": "a", "args": "b" }),
            "`args` must be a list of strings",
        ),
        (
            json!({ "command": "a", "args": ["-p", 80] }),
            "`args[1]` is a number, not a string",
        ),
        (
            json!({ "command": "a", "env": { "PORT": 80 } }),
            "`env.PORT` is a number",
        ),
        (
            json!({ "command": "a", "env": { "A=B": "c" } }),
            "`env` is empty or has `=`",
        ),
        (
            json!({ "command": "a", "env": [] }),
            "`env` must be an object of strings",
        ),
        (
            json!({ "command": "a", "disabled": "yes" }),
            "`disabled` must be true or false",
        ),
        (
            json!({ "url": "ftp://a" }),
            "`url` must start with http:// or https://",
        ),
        (
            json!({ "url": "localhost" }),
            "`url` must start with http:// or https://",
        ),
        (
            json!({ "url": "http://a:b" }),
            "`url` is not a usable address",
        ),
        (
            json!({ "url": "http://a", "headers": { "a b": "c" } }),
            "\"a b\" can't be the name",
        ),
    ];
    for (value, words) in cases {
        let message = parse(value.clone()).unwrap_err();
        assert!(message.contains(words), "{value}: {message}");
    }
}

#[test]
fn a_url_with_a_variable_is_looked_at_when_it_is_used() {
    assert!(parse(json!({ "url": "${BASE}/mcp" })).is_ok());
}

#[test]
fn a1_no_message_quotes_the_value_of_a_header() {
    let message =
        parse(json!({ "url": "http://a", "headers": { "X-Key": "s3cret\n" } })).unwrap_err();
    assert!(
        message.contains("X-Key") && !message.contains("s3cret"),
        "{message}"
    );
}
