//! Whole configuration files, and which entry of several wins.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::mcp::entry::{HttpAddress, StdioCommand};

fn project(text: &str) -> ConfigFile {
    let path = PathBuf::from(".mcp.json");
    ConfigFile {
        source: Source::Project(path.clone()),
        path,
        text: text.to_owned(),
    }
}

fn read(text: &str) -> (Vec<EntryState>, Vec<String>) {
    let (entries, problems) = parse_file(&project(text));
    (entries, problems.iter().map(ToString::to_string).collect())
}

fn names(entries: &[EntryState]) -> Vec<&str> {
    entries
        .iter()
        .map(|(entry, _)| entry.name.as_str())
        .collect()
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn every_field_of_a_file_is_read_with_comments_and_trailing_commas() {
    let (entries, problems) = read(
        r#"{
            // the build farm
            "mcpServers": {
                "ci": {
                    "command": "npx", "args": ["-y", "ci-server",],
                    "env": { "TOKEN": "${CI_TOKEN}" }, "cwd": "/srv", "timeout": 45000, /* ms */
                },
                "deploy": {
                    "url": "https://deploy.example/mcp",
                    "headers": { "Authorization": "Bearer ${DEPLOY}" },
                    "disabled": true,
                },
            },
        }"#,
    );
    assert_eq!(problems, [""; 0]);
    let source = Source::Project(PathBuf::from(".mcp.json"));
    let ci = ServerEntry {
        name: "ci".to_owned(),
        source: source.clone(),
        reach: Reach::Stdio(StdioCommand {
            command: "npx".to_owned(),
            args: vec!["-y".to_owned(), "ci-server".to_owned()],
            env: pairs(&[("TOKEN", "${CI_TOKEN}")]),
            cwd: Some("/srv".to_owned()),
        }),
        connect_timeout: Some(Duration::from_secs(45)),
    };
    let deploy = ServerEntry {
        name: "deploy".to_owned(),
        source,
        reach: Reach::Http(HttpAddress {
            url: "https://deploy.example/mcp".to_owned(),
            headers: pairs(&[("Authorization", "Bearer ${DEPLOY}")]),
        }),
        connect_timeout: None,
    };
    assert_eq!(entries, [(ci, false), (deploy, true)]);
}

#[test]
fn c3_a_bad_entry_is_named_with_its_line_and_hides_no_good_one() {
    let (entries, problems) = read(
        r#"{ "mcpServers": {
            "good": { "command": "a" },
            "slow": {
                "command": "b",
                "timeout": "30s"
            },
            "empty": {},
            "text": "c",
            "demo": { "command": "d" },
            "": { "command": "e" },
            "late": { "url": "http://localhost:1/mcp" }
        } }"#,
    );
    assert_eq!(names(&entries), ["good", "late"]);
    assert_eq!(
        problems,
        [
            ".mcp.json:5: server `slow`: `timeout` is \"30s\"; write a whole number of milliseconds above 0, such as 30000 for 30 s",
            ".mcp.json:7: server `empty`: the entry has neither a `command` to start nor a `url` to connect to; add one",
            ".mcp.json:8: server `text`: the entry must be an object with a `command` or a `url`",
            ".mcp.json:9: server `demo`: the name `demo` belongs to the built-in server; rename this one",
            ".mcp.json:10: server ``: the server's name is empty; give it one",
        ]
    );
}

#[test]
fn c3_a_file_that_is_no_json_is_one_problem_with_its_line() {
    let (entries, problems) = read("{\n  \"mcpServers\": {\n    \"a\" { } } }");
    assert!(entries.is_empty());
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with(".mcp.json:3: this is not valid JSON: "),
        "{problems:?}"
    );
}

#[test]
fn other_spellings_of_json_are_refused() {
    for text in [
        "{'mcpServers': {}}",
        "{mcpServers: {}}",
        "{\"mcpServers\": {}} {}",
    ] {
        assert_eq!(read(text).1.len(), 1, "{text}");
    }
}

#[test]
fn c4_only_mcp_servers_is_looked_at_and_unknown_keys_are_tolerated() {
    let (entries, problems) = read(
        r#"{
            "servers": { "other": { "command": "x" } },
            "theme": "dark",
            "mcpServers": { "ci": { "command": "a", "alwaysAllow": ["x"], "icon": 1 } }
        }"#,
    );
    assert_eq!(names(&entries), ["ci"]);
    assert_eq!(problems, [""; 0]);
}

#[test]
fn a_file_without_servers_says_so_unless_it_is_empty() {
    for text in [
        "",
        " \n",
        "{}",
        "// nothing yet\n",
        "{\"mcpServers\": null}",
        "{\"mcpServers\": {}}",
    ] {
        assert_eq!(read(text), (vec![], vec![]), "{text}");
    }
    assert_eq!(
        read("{\"servers\": {}}").1,
        [".mcp.json: there is no `mcpServers` in this file, so it adds no server"]
    );
    assert_eq!(
        read("{\n\"mcpServers\": []}").1,
        [".mcp.json:2: `mcpServers` must be an object that maps names to servers"]
    );
    assert_eq!(
        read("[]").1,
        [".mcp.json:1: this must be a JSON object with `mcpServers` in it"]
    );
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let (entries, problems) = read("\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"b\"}}}");
    assert_eq!((names(&entries), problems), (vec!["a"], vec![]));
}

#[test]
fn of_two_entries_with_one_name_in_a_file_the_last_counts() {
    let (entries, problems) = read(
        "{\"mcpServers\": {\n\"a\": {\"command\": \"first\"},\n\"a\": {\"command\": \"last\"}}}",
    );
    let Reach::Stdio(command) = &entries[0].0.reach else {
        panic!()
    };
    assert_eq!((entries.len(), command.command.as_str()), (1, "last"));
    assert_eq!(
        problems,
        [
            ".mcp.json:2: server `a`: the name is used again on line 3, and that entry counts; rename one of them"
        ]
    );
}

#[test]
fn a_headers_helper_is_said_not_to_run_and_the_entry_is_kept() {
    let (entries, problems) = read(
        "{\"mcpServers\": {\"a\": {\"url\": \"https://a.example\", \"headersHelper\": \"/bin/token\"}}}",
    );
    assert_eq!(names(&entries), ["a"]);
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains("`headersHelper` is never run"),
        "{problems:?}"
    );
}

#[test]
fn the_more_specific_server_of_a_name_wins_and_the_other_is_shadowed() {
    let path = PathBuf::from("f");
    let sources = [
        Source::User(path.clone()),
        Source::Project(path.clone()),
        Source::ConfigFlag(PathBuf::from("z")),
        Source::ConfigFlag(PathBuf::from("a")),
        Source::Spec(path),
        Source::CommandLine,
    ];
    let entries = sources
        .iter()
        .map(|source| {
            let value = json!({ "command": "x" });
            (parse_entry("ci", &value, source.clone()).unwrap(), false)
        })
        .collect();
    let listed: Vec<_> = assemble(entries, Vec::new())
        .servers
        .into_iter()
        .map(|listed| (listed.entry.source, listed.shadowed))
        .collect();
    let [user, project, first, second, spec, line] = sources;
    assert_eq!(
        listed,
        [
            (line, false),
            (spec, true),
            (first, true),
            (second, true),
            (project, true),
            (user, true),
            (Source::BuiltIn, false),
        ]
    );
}

#[test]
fn the_demo_is_always_there_last_and_never_shadowed() {
    let listed = assemble(Vec::new(), Vec::new()).servers;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].entry, demo_entry());
    assert!(!listed[0].shadowed);
    let impostor = from_stdio_flag("/opt/demo.py", &[]).unwrap();
    let listed = assemble(vec![(impostor, false)], Vec::new()).servers;
    assert_eq!(listed[0].entry.name, "demo-2");
    assert_eq!(
        (listed[1].entry.name.as_str(), listed[1].shadowed),
        ("demo", false)
    );
}

#[test]
fn a_disabled_server_of_the_project_turns_the_users_off() {
    let path = PathBuf::from("f");
    let entry = |source| parse_entry("ci", &json!({ "command": "x" }), source).unwrap();
    let entries = vec![
        (entry(Source::User(path.clone())), false),
        (entry(Source::Project(path)), true),
    ];
    let listed = assemble(entries, Vec::new()).servers;
    assert!(listed[0].disabled && !listed[0].shadowed);
    assert!(!listed[1].disabled && listed[1].shadowed);
}

#[test]
fn servers_from_the_command_line_get_distinct_names() {
    let flags = ["npx a", "npx b", "/usr/bin/npx c"];
    let entries = flags
        .iter()
        .map(|flag| (from_stdio_flag(flag, &[]).unwrap(), false))
        .collect();
    let listed = assemble(entries, Vec::new()).servers;
    let names: Vec<_> = listed
        .iter()
        .map(|listed| listed.entry.name.as_str())
        .collect();
    assert_eq!(names, ["npx", "npx-2", "npx-3", "demo"]);
    assert!(listed.iter().all(|listed| !listed.shadowed));
}

#[test]
fn a_server_in_use_stays_what_it_is_when_other_programs_files_are_read_again() {
    let found = |command: &str| {
        let path = PathBuf::from("claude.json");
        let entry = |name: &str| ServerEntry {
            name: name.to_owned(),
            source: Source::Program {
                program: crate::mcp::Program::ClaudeDesktop,
                path: path.clone(),
                of_project: false,
            },
            reach: from_stdio_flag(command, &[]).unwrap().reach,
            connect_timeout: None,
        };
        vec![(entry("used"), false), (entry("idle"), false)]
    };
    let nobody = HashSet::new();
    let mut configured = assemble(Vec::new(), Vec::new());
    configured.discovered(found("before"), Vec::new(), &nobody);
    let in_use = HashSet::from(["used".to_owned()]);
    let commands = |configured: &Configured| -> Vec<String> {
        let listed = configured.servers.iter();
        let listed = listed.filter(|listed| listed.entry.reach != Reach::Demo);
        listed
            .map(|listed| {
                let Reach::Stdio(command) = &listed.entry.reach else {
                    panic!()
                };
                format!("{} {}", listed.entry.name, command.command)
            })
            .collect()
    };
    configured.discovered(found("after"), Vec::new(), &in_use);
    assert_eq!(commands(&configured), ["used before", "idle after"]);
    configured.discovered(Vec::new(), Vec::new(), &in_use);
    assert_eq!(commands(&configured), ["used before"]);
    configured.discovered(Vec::new(), Vec::new(), &nobody);
    assert!(commands(&configured).is_empty());
}

#[test]
fn the_server_of_a_spec_takes_nobodys_name() {
    let entry = |name: &str, command: &str, source| {
        parse_entry(name, &json!({ "command": command }), source).unwrap()
    };
    let user = entry("ci", "mine", Source::User(PathBuf::from("f")));
    let mut configured = assemble(vec![(user, false)], Vec::new());
    let spec = |name: &str, path: &str| entry(name, "theirs", Source::Spec(PathBuf::from(path)));
    let idle = HashSet::new();
    assert_eq!(configured.bring(spec("ci", "shared"), &idle), "ci-2");
    assert_eq!(configured.bring(spec("ci", "shared"), &idle), "ci-2");
    assert_eq!(configured.bring(spec("spec", "a"), &idle), "spec");
    assert_eq!(configured.bring(spec("spec", "b"), &idle), "spec-2");
    assert!(configured.servers.iter().all(|listed| !listed.shadowed));
}
