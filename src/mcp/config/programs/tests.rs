//! Other programs' files, each as its own documentation writes them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::mcp::config::parse_file;
use crate::mcp::entry::{HttpAddress, Reach, ServerEntry, Source, StdioCommand};
use crate::mcp::{ExpandError, expand};

fn around() -> Surroundings {
    Surroundings {
        home: PathBuf::from("/home/ada"),
        folder: PathBuf::from("/home/ada/engine"),
    }
}

/// The servers of a file, each as the common form, and what is wrong.
fn read(program: Program, text: &str) -> (Vec<(String, Value)>, Vec<String>) {
    let (entries, problems) = parsed(program, text);
    let entries = entries
        .into_iter()
        .map(|(entry, disabled)| (entry.name.clone(), told(&entry, disabled)))
        .collect();
    (entries, problems)
}

fn parsed(program: Program, text: &str) -> (Vec<EntryState>, Vec<String>) {
    let path = PathBuf::from("file");
    let file = ConfigFile {
        source: Source::Program {
            program,
            path: path.clone(),
            of_project: false,
        },
        path,
        text: text.to_owned(),
    };
    let (entries, problems) = parse_program_file(program, &file, &around());
    (entries, problems.iter().map(ToString::to_string).collect())
}

fn told(entry: &ServerEntry, disabled: bool) -> Value {
    let mut told = match &entry.reach {
        Reach::Demo => panic!("the demo is in no file"),
        Reach::Stdio(StdioCommand {
            command,
            args,
            env,
            cwd,
        }) => json!({ "command": command, "args": args, "env": env, "cwd": cwd }),
        Reach::Http(HttpAddress { url, headers }) => {
            json!({ "http": url, "headers": headers })
        }
        Reach::Sse(HttpAddress { url, headers }) => json!({ "sse": url, "headers": headers }),
    };
    let fields = told.as_object_mut().unwrap();
    if let Some(timeout) = entry.connect_timeout {
        fields.insert("ms".to_owned(), json!(timeout.as_millis() as u64));
    }
    if disabled {
        fields.insert("disabled".to_owned(), json!(true));
    }
    fields.retain(|_, value| !value.is_null() && *value != json!({}) && *value != json!([]));
    told
}

/// The servers of a file that has nothing wrong with it.
fn servers(program: Program, text: &str) -> Value {
    let (entries, problems) = read(program, text);
    assert_eq!(problems, [""; 0]);
    Value::Object(entries.into_iter().collect())
}

#[test]
fn claude_desktop_takes_everything_literally() {
    let text = r#"{ "globalShortcut": "Ctrl+Space", "mcpServers": { "remote": {
        "command": "npx", "args": ["mcp-remote", "https://x.example/mcp", "--header", "Authorization:${AUTH}"],
        "env": { "AUTH": "Bearer abc" } } } }"#;
    let (entries, problems) = parsed(Program::ClaudeDesktop, text);
    assert_eq!(problems, [""; 0]);
    let expanded = expand(&entries[0].0, &|_| None).unwrap();
    let Reach::Stdio(command) = expanded.reach else {
        panic!()
    };
    assert_eq!(command.args[3], "Authorization:${AUTH}");
}

#[test]
fn c4_claude_code_has_servers_in_two_places_and_nowhere_else() {
    let text = r#"{
        "numStartups": 12, "tipsHistory": { "mcpServers": { "not": { "command": "a" } } },
        "projects": {
            "/home/ada/engine": { "mcpServers": { "local": { "command": "near" } }, "history": [] },
            "/home/ada/other": { "mcpServers": { "other": { "command": "far" } } }
        },
        "mcpServers": {
            "user": { "type": "http", "url": "https://${HOST:-x.example}/mcp", "timeout": 5000 },
            "local": { "command": "shadowed" }
        } }"#;
    let (entries, problems) = read(Program::ClaudeCode, text);
    assert_eq!(problems, [""; 0]);
    let expected = [
        ("local", json!({ "command": "near" })),
        (
            "user",
            json!({ "http": "https://${HOST:-x.example}/mcp", "ms": 5000 }),
        ),
        ("local", json!({ "command": "shadowed" })),
    ];
    assert_eq!(
        entries,
        expected.map(|(name, value)| (name.to_owned(), value))
    );
}

#[test]
fn claude_code_without_servers_says_nothing() {
    for text in [
        r#"{ "projects": {}, "numStartups": 1 }"#,
        "{}",
        "",
        r#"{ "mcpServers": null }"#,
    ] {
        assert_eq!(servers(Program::ClaudeCode, text), json!({}));
    }
}

#[test]
fn cursor_and_vs_code_have_variables_of_their_own() {
    let text = r#"{ "ROOT": { "a": {
        "command": "${workspaceFolder}${/}run", "args": ["${userHome}", "${workspaceFolderBasename}",
            "${env:TOKEN}", "${LITERAL}", "${unclosed", "${a:-b}", "x${pathSeparator}y"] } } }"#;
    let expected = json!({ "a": {
        "command": "/home/ada/engine/run",
        "args": ["/home/ada", "engine", "${env:TOKEN}", "$${LITERAL}", "$${unclosed", "$${a:-b}", "x/y"] } });
    for program in [Program::Cursor, Program::VsCode, Program::Windsurf] {
        let text = text.replace("ROOT", program.section());
        assert_eq!(servers(program, &text), expected);
    }
}

#[test]
fn vs_code_asks_for_inputs_and_they_are_refused_by_name_when_used() {
    let text = r#"{
        // ours
        "inputs": [{ "id": "token", "type": "promptString", "password": true }],
        "servers": {
            "gh": { "type": "http", "url": "https://gh.example/mcp",
                    "headers": { "Authorization": "Bearer ${input:token}" }, },
        } }"#;
    let (entries, problems) = parsed(Program::VsCode, text);
    assert_eq!(problems, [""; 0]);
    let error = expand(&entries[0].0, &|_| None).unwrap_err();
    assert!(matches!(error, ExpandError::Foreign { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "`servers.gh.headers.Authorization` has `${input:token}`, which can't be expanded outside of \
         the program that knows it; add the server to your own mcp.json with ${VAR} in its place"
    );
}

#[test]
fn an_env_file_is_not_read_and_that_is_said() {
    let text =
        r#"{ "servers": { "a": { "command": "a", "envFile": "${workspaceFolder}/.env" } } }"#;
    let (entries, problems) = read(Program::VsCode, text);
    assert_eq!(entries.len(), 1);
    assert!(
        problems[0].contains("file:1: server `a`: `envFile` is not read"),
        "{problems:?}"
    );
}

#[test]
fn windsurf_calls_the_url_otherwise() {
    let text = r#"{ "mcpServers": {
        "old": { "serverUrl": "https://w.example/mcp", "headers": { "K": "${file:/etc/key}" } },
        "off": { "url": "https://w.example/mcp", "disabled": true } } }"#;
    assert_eq!(
        servers(Program::Windsurf, text),
        json!({
            "old": { "http": "https://w.example/mcp", "headers": { "K": "${file:/etc/key}" } },
            "off": { "http": "https://w.example/mcp", "disabled": true },
        })
    );
}

#[test]
fn zed_has_servers_of_extensions_that_only_zed_can_start() {
    let text = r#"{
        "theme": "One", // a comment
        "context_servers": {
            "new": { "source": "custom", "command": "npx", "args": ["-y", "${X}"], "timeout": 60 },
            "old": { "command": { "path": "node", "args": ["s.js"], "env": { "A": "1" } }, "settings": {} },
            "remote": { "url": "https://z.example/mcp", "enabled": false },
            "extension": { "source": "extension", "settings": {} },
        },
    }"#;
    let (entries, problems) = read(Program::Zed, text);
    assert_eq!(
        Value::Object(entries.into_iter().collect()),
        json!({
            "new": { "command": "npx", "args": ["-y", "$${X}"] },
            "old": { "command": "node", "args": ["s.js"], "env": { "A": "1" } },
            "remote": { "http": "https://z.example/mcp", "disabled": true },
        })
    );
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].starts_with("file:7: server `extension`: a Zed extension starts this server"),
        "{problems:?}"
    );
}

#[test]
fn codex_names_variables_in_fields_and_counts_seconds() {
    let text = r#"
        model = "o9"
        [mcp_servers.files]
        command = "npx"
        args = ["-y", "files", "${HOME}"]
        env = { A = "1" }
        env_vars = ["PATH"]
        cwd = "/srv"
        startup_timeout_sec = 12.5

        [mcp_servers."a.b c"]
        url = "https://c.example/mcp"
        bearer_token_env_var = "TOKEN"
        http_headers = { X-Region = "eu" }
        env_http_headers = { "X-Key" = "KEY" }
        tool_timeout_sec = 600
        enabled = false

        [mcp_servers.bad]
        command = "x"
        startup_timeout_sec = 0
    "#;
    let (entries, problems) = read(Program::Codex, text);
    assert_eq!(
        entries,
        [
            (
                "files".to_owned(),
                json!({ "command": "npx", "args": ["-y", "files", "$${HOME}"], "env": { "A": "1" },
                        "cwd": "/srv", "ms": 12500 })
            ),
            (
                "a.b c".to_owned(),
                json!({ "http": "https://c.example/mcp", "disabled": true, "headers":
                    { "X-Region": "eu", "X-Key": "${KEY}", "Authorization": "Bearer ${TOKEN}" } })
            ),
        ]
    );
    let complaint = "file:21: server `bad`: `startup_timeout_sec` is 0; write a number of seconds above 0, such as 30";
    assert_eq!(problems, [complaint]);
}

#[test]
fn c3_toml_that_is_broken_is_one_problem_with_its_line() {
    let (entries, problems) = read(Program::Codex, "[mcp_servers.a]\ncommand = \n");
    assert!(entries.is_empty());
    assert!(
        problems[0].starts_with("file:2: this is not valid TOML: "),
        "{problems:?}"
    );
    let (_, problems) = read(Program::Codex, "x = 1\nmcp_servers = 3");
    assert_eq!(
        problems,
        ["file:2: `mcp_servers` must be an object that maps names to servers"]
    );
}

#[test]
fn gemini_has_two_urls_and_bare_variables() {
    let text = r#"{ "mcpServers": {
        "old": { "url": "https://g.example/sse", "timeout": 600000, "trust": true },
        "new": { "httpUrl": "https://g.example/mcp", "url": "x", "headers": { "A": "Bearer $TOKEN" } },
        "local": { "command": "$HOME/run", "args": ["${A}", "${B:-c}", "$5", "a$", "${1}"], "cwd": "./s",
                   "includeTools": ["t"] } } }"#;
    assert_eq!(
        servers(Program::Gemini, text),
        json!({
            "old": { "sse": "https://g.example/sse", "ms": 600_000 },
            "new": { "http": "https://g.example/mcp", "headers": { "A": "Bearer ${TOKEN}" } },
            "local": { "command": "${HOME}/run", "args": ["${A}", "${B:-c}", "$5", "a$", "$${1}"], "cwd": "./s" },
        })
    );
}

#[test]
fn opencode_has_the_command_as_a_list_and_servers_in_one_of_two_tables() {
    let inner = r#"{
        "local": { "type": "local", "command": ["bun", "x", "{env:DIR}/s", "{\"a\":{env:B}}", "${c}"],
                   "environment": { "K": "{file:~/.key}" }, "timeout": 5000, "enabled": true },
        "remote": { "type": "remote", "url": "https://o.example/mcp", "enabled": false },
        "off": { "type": "local", "command": ["x"], "disabled": true } }"#;
    let expected = json!({
        "local": { "command": "bun", "args": ["x", "${DIR}/s", "{\"a\":${B}}", "$${c}"],
                   "env": { "K": "${file:~/.key}" }, "ms": 5000 },
        "remote": { "http": "https://o.example/mcp", "disabled": true },
        "off": { "command": "x", "disabled": true },
    });
    let older = format!(r#"{{ "$schema": "s", "mcp": {inner} }}"#);
    let newer = format!(r#"{{ "mcp": {{ "servers": {inner} }} }}"#);
    for text in [older, newer] {
        assert_eq!(servers(Program::Opencode, &text), expected);
    }
    let named = r#"{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }"#;
    assert_eq!(
        servers(Program::Opencode, named),
        json!({ "servers": { "command": "x" } })
    );
}

#[test]
fn aura_has_templates() {
    let text = r#"
        [llm]
        api_key = "{{ env.OPENAI_API_KEY }}"
        [mcp.servers.hosted]
        transport = "http_streamable"
        url = "https://{{ env.HOST | default: 'a.example' }}/mcp"
        description = "hosted"
        [mcp.servers.hosted.headers]
        Authorization = "Bearer {{env.TOKEN}}"
        [mcp.servers.local]
        transport = "stdio"
        cmd = ["uvx", "server"]
        args = ["--port", "{{ vault.port }}", "${LITERAL}"]
        env = { A = "{{ env.A | default: \"b\" }}" }
        [mcp.servers.events]
        transport = "sse"
        url = "https://a.example/sse"
    "#;
    let expected = json!({
        "hosted": { "http": "https://${HOST:-a.example}/mcp", "headers": { "Authorization": "Bearer ${TOKEN}" } },
        "local": { "command": "uvx", "args": ["server", "--port", "${vault.port}", "$${LITERAL}"],
                   "env": { "A": "${A:-b}" } },
        "events": { "sse": "https://a.example/sse" },
    });
    assert_eq!(servers(Program::Aura, text), expected);
}

#[test]
fn a_toml_file_that_is_named_is_auras_or_codexs() {
    let named = |text: &str| {
        let path = PathBuf::from("agent.toml");
        let source = Source::ConfigFlag(path.clone());
        let text = text.to_owned();
        let (entries, problems) = parse_file(&ConfigFile { path, source, text });
        let names: Vec<String> = entries.into_iter().map(|(entry, _)| entry.name).collect();
        (
            names,
            problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    let (names, problems) =
        named("[mcp.servers.a]\ncmd = [\"x\"]\n[mcp_servers.b]\ncommand = \"y\"");
    assert_eq!(
        (names, problems),
        (vec!["a".to_owned(), "b".to_owned()], Vec::new())
    );
    let (names, problems) = named("[other]\nx = 1");
    assert!(names.is_empty());
    assert!(
        problems[0].contains("there is no `[mcp.servers.NAME]`"),
        "{problems:?}"
    );
}

#[test]
fn timeouts_are_of_their_programs_units() {
    let (entries, _) = parsed(
        Program::Codex,
        "[mcp_servers.a]\ncommand = \"x\"\nstartup_timeout_ms = 1500",
    );
    assert_eq!(
        entries[0].0.connect_timeout,
        Some(Duration::from_millis(1500))
    );
}
