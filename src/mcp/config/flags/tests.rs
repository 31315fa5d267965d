//! Servers and variables given on the command line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn a_stdio_flag_is_split_by_quoting_alone() {
    let env = [("A".to_owned(), "1".to_owned())];
    let flag = r#"/opt/my\ tools/server.py --name 'a b' "c \"d\"" $HOME #chan | x '' "#;
    let entry = from_stdio_flag(flag, &env).unwrap();
    assert_eq!(
        (entry.name.as_str(), entry.source),
        ("server", Source::CommandLine)
    );
    let Reach::Stdio(command) = entry.reach else {
        panic!()
    };
    assert_eq!(command.command, "/opt/my tools/server.py");
    assert_eq!(
        command.args,
        ["--name", "a b", "c \"d\"", "$HOME", "#chan", "|", "x", ""]
    );
    assert_eq!(command.env, pairs(&[("A", "1")]));
}

#[test]
fn a_stdio_flag_that_can_not_be_split_or_is_empty_is_refused() {
    for flag in ["a 'b", "a \"b", "a \\"] {
        let message = from_stdio_flag(flag, &[]).unwrap_err();
        assert!(
            message.contains("a quote that is not closed"),
            "{flag}: {message}"
        );
    }
    for flag in ["", "  ", "''"] {
        let message = from_stdio_flag(flag, &[]).unwrap_err();
        assert!(message.contains("--stdio is empty"), "{flag}: {message}");
    }
}

#[test]
fn a_url_flag_is_http_unless_its_path_ends_in_sse() {
    let headers = [("X".to_owned(), "y".to_owned())];
    for (url, name, legacy) in [
        ("https://ci.example/mcp", "ci.example", false),
        ("http://localhost:3001/sse", "localhost", true),
        ("http://localhost:3001/a/sse/?k=v", "localhost", true),
        ("http://[::1]:1/sse/mcp", "[::1]", false),
        ("https://ci.example", "ci.example", false),
    ] {
        let entry = from_url_flag(url, &headers).unwrap();
        assert_eq!(entry.name, name, "{url}");
        let (Reach::Http(address) | Reach::Sse(address)) = &entry.reach else {
            panic!()
        };
        assert_eq!(address.url, url);
        assert_eq!(address.headers, pairs(&[("X", "y")]));
        assert_eq!(matches!(entry.reach, Reach::Sse(_)), legacy, "{url}");
    }
    for refused in ["ci.example/mcp", "ws://a", "file:///etc/passwd", ""] {
        let message = from_url_flag(refused, &[]).unwrap_err();
        assert!(message.starts_with("--url "), "{refused}: {message}");
    }
}

#[test]
fn a1_header_and_env_flags_are_parsed_or_refused() {
    let owned = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
    assert_eq!(
        parse_header_flag("Authorization: Bearer a:b"),
        owned("Authorization", "Bearer a:b")
    );
    assert_eq!(parse_header_flag("X-Empty:"), owned("X-Empty", ""));
    assert!(
        parse_header_flag("Authorization")
            .unwrap_err()
            .contains("'Name: value'")
    );
    assert_eq!(parse_env_flag("A=b=c"), owned("A", "b=c"));
    assert_eq!(parse_env_flag("A="), owned("A", ""));
    for refused in ["A", "=b", ""] {
        assert!(
            parse_env_flag(refused).unwrap_err().contains("NAME=value"),
            "{refused}"
        );
    }
}

#[test]
fn a1_no_message_about_a_flag_quotes_its_value() {
    for flag in ["s3cret", "bad name: s3cret", ": s3cret", "X: s3cret\u{7}"] {
        let message = parse_header_flag(flag).unwrap_err();
        assert!(!message.contains("s3cret"), "{message}");
    }
}

#[test]
fn a_typed_line_is_an_address_or_a_command_line() {
    let http = from_typed_line("  https://x.example/mcp ").unwrap();
    assert_eq!(
        (http.name.as_str(), http.source),
        ("x.example", Source::Added)
    );
    assert!(matches!(http.reach, Reach::Http(_)));
    let sse = from_typed_line("http://x.example/sse").unwrap();
    assert!(matches!(sse.reach, Reach::Sse(_)));
    let stdio = from_typed_line("TOKEN='a b' _X= npx -y 's r v' A=b").unwrap();
    let Reach::Stdio(command) = stdio.reach else {
        panic!()
    };
    assert_eq!(command.command, "npx");
    assert_eq!(command.args, ["-y", "s r v", "A=b"]);
    let env: Vec<_> = command.env.iter().collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = [pair("TOKEN", "a b"), pair("_X", "")];
    assert_eq!(
        env,
        expected.iter().map(|(n, v)| (n, v)).collect::<Vec<_>>()
    );
}

#[test]
fn a_typed_line_that_is_neither_says_what_to_write() {
    for (line, told) in [
        (
            "",
            "type the command line that starts a server, or its address",
        ),
        (
            "A=b",
            "type the command line that starts a server, or its address",
        ),
        ("npx 'a", "the command line has a quote that is not closed"),
        ("ws://x/mcp", "one starts with http:// or https://"),
        ("http://", "the address is not a usable address"),
    ] {
        let error = from_typed_line(line).unwrap_err();
        assert!(error.contains(told), "{line}: {error}");
    }
}

#[test]
fn a1_a_variable_may_hold_an_address_and_no_complaint_quotes_it() {
    let line = "DATABASE_URL=postgres://u:s3cret@h/db npx -y x";
    let Reach::Stdio(command) = from_typed_line(line).unwrap().reach else {
        panic!()
    };
    assert_eq!(command.command, "npx");
    assert_eq!(command.env["DATABASE_URL"], "postgres://u:s3cret@h/db");
    for line in ["ws://u:s3cret@h/mcp", "TOKEN=s3cret https://u:s3cret@h/mcp"] {
        let error = from_typed_line(line).unwrap_err();
        assert!(!error.contains("s3cret"), "{error}");
    }
}
