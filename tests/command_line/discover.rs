//! The servers of other programs' files.

use serde_json::{Value, json};

use crate::place::Place;

/// Writes a file below a folder.
fn write(path: std::path::PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn rows(place: &Place, args: &[&str]) -> Vec<Value> {
    let ran = place.run(&[&["servers", "--json"], args].concat()).exits(0);
    ran.json().as_array().unwrap().clone()
}

fn named<'r>(rows: &'r [Value], name: &str) -> Vec<&'r Value> {
    rows.iter().filter(|row| row["name"] == name).collect()
}

/// A server in the file of every program.
fn everywhere(place: &Place) {
    let desktop = if cfg!(target_os = "macos") {
        place.home().join("Library/Application Support")
    } else {
        place.config().parent().unwrap().to_owned()
    };
    let config = place.config().parent().unwrap().to_owned();
    let common = |name: &str| json!({ "mcpServers": { name: { "command": name } } }).to_string();
    let home = place.home();
    write(
        desktop.join("Claude/claude_desktop_config.json"),
        &common("desktop"),
    );
    write(home.join(".claude.json"), &common("code"));
    write(home.join(".cursor/mcp.json"), &common("cursor"));
    let servers = json!({ "servers": { "vscode": { "command": "v" } } }).to_string();
    write(desktop.join("Code/User/mcp.json"), &servers);
    write(
        home.join(".codeium/windsurf/mcp_config.json"),
        &common("windsurf"),
    );
    let zed = "// mine\n{ \"context_servers\": { \"zed\": { \"command\": \"z\" }, } }";
    write(config.join("zed/settings.json"), zed);
    write(
        home.join(".codex/config.toml"),
        "[mcp_servers.codex]\ncommand = \"c\"",
    );
    write(home.join(".gemini/settings.json"), &common("gemini"));
    let opencode = r#"{ "mcp": { "opencode": { "type": "local", "command": ["o"] } } }"#;
    write(config.join("opencode/opencode.jsonc"), opencode);
}

#[test]
fn nothing_is_looked_for_unless_asked() {
    let place = Place::new();
    everywhere(&place);
    let rows = rows(&place, &[]);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["name"], "demo");
}

#[test]
fn every_program_is_found_and_named_and_nothing_is_started() {
    let place = Place::new();
    everywhere(&place);
    let rows = rows(&place, &["--discover"]);
    let found: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            (
                row["name"].as_str().unwrap(),
                row["source"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("desktop", "Claude Desktop /"),
        ("code", "Claude Code /"),
        ("cursor", "Cursor /"),
        ("vscode", "VS Code /"),
        ("windsurf", "Windsurf /"),
        ("zed", "Zed /"),
        ("codex", "Codex /"),
        ("gemini", "Gemini CLI /"),
        ("opencode", "opencode /"),
        ("demo", "built in"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, source), (own, begins)) in found.iter().zip(expected) {
        assert_eq!(*name, own);
        assert!(source.starts_with(begins), "{source}");
    }
    assert!(rows.iter().all(|row| row["trusted"] == true), "{rows:?}");
}

#[test]
fn the_projects_files_need_approval_and_go_before_the_users() {
    let place = Place::new();
    let entry = place.entry("plain");
    let common = json!({ "mcpServers": { "s": entry } }).to_string();
    write(place.home().join(".cursor/mcp.json"), &common);
    write(place.path(".cursor/mcp.json"), &common);
    write(
        place.path(".gemini/settings.json"),
        &json!({ "mcpServers": { "g": entry } }).to_string(),
    );
    write(
        place.path(".vscode/mcp.json"),
        &json!({ "servers": { "v": entry } }).to_string(),
    );
    let codex = format!(
        "[mcp_servers.c]\ncommand = {}\nargs = {}",
        entry["command"], entry["args"]
    );
    write(place.path(".codex/config.toml"), &codex);
    let mut command = entry["args"].as_array().unwrap().clone();
    command.insert(0, entry["command"].clone());
    let opencode = json!({ "mcp": { "o": { "type": "local", "command": command } } });
    place.write("opencode.json", &opencode.to_string());
    let rows = rows(&place, &["--discover"]);
    for name in ["s", "g", "v", "c", "o"] {
        assert_eq!(named(&rows, name)[0]["trusted"], false, "{name}: {rows:?}");
        let call = ["call", "echo", "--server", name, "--discover"];
        place.run(&call).exits(2).says("is not trusted yet");
    }
    assert_eq!(named(&rows, "s")[1]["shadowed"], true);
    assert!(place.lab.processes().is_empty());
    let trusted = ["call", "echo", "--server", "c", "--discover", "--trust"];
    place.run(&trusted).exits(0);
    place.all_gone();
}

#[test]
fn a_home_folder_that_is_worked_in_is_its_owners() {
    let place = Place::new();
    let common = json!({ "mcpServers": { "s": place.entry("plain") } }).to_string();
    write(place.home().join(".cursor/mcp.json"), &common);
    let mut command = place.command(&["servers", "--json", "--discover"]);
    let output = command.current_dir(place.home()).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let found = named(&rows, "s");
    assert_eq!(found.len(), 1, "{rows:?}");
    assert_eq!(found[0]["trusted"], true);
}

#[test]
fn ones_own_servers_go_before_those_of_other_programs() {
    let place = Place::new();
    place.user_servers(&json!({ "s": { "command": "mine" } }));
    everywhere(&place);
    let common =
        json!({ "mcpServers": { "s": { "command": "theirs" }, "demo": { "command": "x" } } });
    write(place.home().join(".cursor/mcp.json"), &common.to_string());
    let ran = place.run(&["servers", "--discover"]).exits(0);
    let ran = ran.says("the name `demo` belongs to the built-in server");
    let line = |words: &str| {
        ran.stdout
            .lines()
            .find(|line| line.contains(words))
            .unwrap()
    };
    assert!(!line("mine").contains("shadowed"), "{}", ran.stdout);
    assert!(line("theirs").ends_with("(shadowed)"), "{}", ran.stdout);
}

#[test]
fn a_server_of_another_program_is_used_when_it_is_named() {
    let place = Place::new();
    let common = json!({ "mcpServers": { "s": place.entry("plain") } });
    write(place.home().join(".cursor/mcp.json"), &common.to_string());
    let run = ["run", "--tool", "echo", "--matches", ".", "--discover"];
    place.run(&run).exits(2);
    assert!(place.lab.processes().is_empty(), "it was not chosen");
    place.run(&[&run[..], &["--server", "s"]].concat()).exits(0);
    place.all_gone();
}

#[test]
fn c3_files_that_cannot_be_read_are_told_with_their_path_and_hide_nothing() {
    let place = Place::new();
    everywhere(&place);
    let home = place.home();
    write(home.join(".claude.json"), "{\n  \"mcpServers\": {,}\n}");
    std::fs::remove_file(home.join(".gemini/settings.json")).unwrap();
    std::fs::create_dir(home.join(".gemini/settings.json")).unwrap();
    std::fs::write(home.join(".codex/config.toml"), [0xff, 0xfe]).unwrap();
    let ran = place.run(&["servers", "--discover"]).exits(0);
    let ran = ran
        .says(".claude.json:2: this is not valid JSON")
        .says(".gemini/settings.json: it is a folder")
        .says(".codex/config.toml: it is not UTF-8 text");
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    assert!(ran.stdout.contains("windsurf"), "{}", ran.stdout);
}

#[test]
#[cfg(unix)]
fn a_pipe_in_a_projects_folder_holds_nothing_up() {
    let place = Place::new();
    std::fs::create_dir(place.path(".cursor")).unwrap();
    let pipe = place.path(".cursor/mcp.json");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let ran = place.run(&["servers", "--discover"]).exits(0);
    ran.says(".cursor/mcp.json: it is no ordinary file");
}

#[test]
fn a_disabled_server_is_listed_as_such() {
    let place = Place::new();
    let text = "[mcp_servers.off]\ncommand = \"x\"\nenabled = false";
    write(place.home().join(".codex/config.toml"), text);
    let rows = rows(&place, &["--discover"]);
    assert_eq!(named(&rows, "off")[0]["disabled"], true);
    let call = ["call", "x", "--server", "off", "--discover"];
    place.run(&call).exits(3).says("disabled");
}

#[test]
fn auras_file_is_given_by_its_path() {
    let place = Place::new();
    let entry = place.entry("plain");
    let mut command = entry["args"].as_array().unwrap().clone();
    command.insert(0, entry["command"].clone());
    let text = format!(
        "[mcp.servers.a]\ntransport = \"stdio\"\ncmd = {}\nenv = {{ T = \"{{{{ env.HOME }}}}\" }}",
        Value::Array(command)
    );
    place.write("agent.toml", &text);
    let call = ["call", "echo", "--mcp-config", "agent.toml"];
    place.run(&call).exits(0);
    place.write("other.toml", "x = 1");
    let call = ["call", "echo", "--mcp-config", "other.toml"];
    place
        .run(&call)
        .exits(2)
        .says("there is no `[mcp.servers.NAME]`");
}
