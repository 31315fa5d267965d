//! `stakeout tools` and `stakeout servers`.

use serde_json::json;

use crate::place::Place;

#[test]
fn tools_are_listed_with_their_schemas_under_json() {
    let place = Place::new();
    let ran = place.run(&["tools"]).exits(0);
    let names: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        names,
        [
            "build_status",
            "rollout_status",
            "job_logs",
            "queue_depth",
            "flaky_status",
            "pod_delete"
        ]
    );
    let tools = place.run(&["tools", "demo", "--json"]).exits(0).json();
    assert_eq!(tools[1]["name"], "rollout_status");
    assert_eq!(tools[1]["inputSchema"]["type"], "object");
}

#[test]
fn r11_every_page_of_tools_is_listed_and_r12_a_cursor_that_repeats_is_said() {
    let place = Place::new();
    let ran = place
        .run(&["tools", "--stdio", &place.stdio("pages")])
        .exits(0);
    assert_eq!(ran.stdout, "a\nb\nc\n");
    let ran = place
        .run(&["tools", "--stdio", &place.stdio("repeats-cursor")])
        .exits(0);
    ran.says("repeats its page");
    let ran = place
        .run(&["tools", "--stdio", &place.stdio("one-bad-tool")])
        .exits(0)
        .says("\"bad\" can't be used");
    assert_eq!(ran.stdout, "good\nfine\n");
}

#[test]
fn r13_a_list_that_failed_and_an_empty_one_look_different() {
    let place = Place::new();
    let ran = place
        .run(&["tools", "--stdio", &place.stdio("list-fails")])
        .exits(3);
    ran.says("tools/list failed: the server answered with error -32603: the registry is down");
    let ran = place
        .run(&["tools", "--stdio", &place.stdio("no-tools")])
        .exits(0)
        .says("has no tools");
    assert_eq!(ran.stdout, "");
}

#[test]
fn servers_say_where_they_come_from() {
    let place = Place::new();
    place.user_servers(&json!({
        "both": { "command": "user-program" },
        "off": { "command": "x", "disabled": true },
    }));
    place.write(
        ".mcp.json",
        &json!({ "mcpServers": { "both": { "command": "project-program" } } }).to_string(),
    );
    place.write(
        "more.json",
        &json!({ "mcpServers": { "extra": { "url": "https://h.example/mcp?key=s3cret" } } })
            .to_string(),
    );
    let ran = place
        .run(&[
            "servers",
            "--mcp-config",
            "more.json",
            "--stdio",
            "prog 'a b'",
        ])
        .exits(0);
    let lines: Vec<Vec<&str>> = ran
        .stdout
        .lines()
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        })
        .collect();
    let user = format!("user {}", place.config().join("mcp.json").display());
    assert_eq!(lines[0], ["prog", "command line", "prog 'a b'"]);
    assert_eq!(
        lines[1],
        [
            "extra",
            "--mcp-config more.json",
            "https://h.example/mcp?key=…"
        ]
    );
    assert_eq!(
        lines[2],
        [
            "both",
            "project .mcp.json",
            "project-program",
            "(not trusted yet)"
        ]
    );
    assert_eq!(lines[3], ["both", &user, "user-program", "(shadowed)"]);
    assert_eq!(lines[4], ["off", &user, "x", "(disabled)"]);
    assert_eq!(lines[5], ["demo", "built in", "in this process"]);
    assert!(place.lab.processes().is_empty());
    let rows = place.run(&["servers", "--json"]).exits(0).json();
    assert_eq!(
        rows[0],
        json!({ "name": "both", "source": "project .mcp.json", "reach": "project-program",
            "shadowed": false, "disabled": false, "trusted": false })
    );
    assert_eq!(rows[1]["shadowed"], true);
    assert_eq!(rows[2]["disabled"], true);
}

#[test]
fn c3_a_bad_file_or_entry_is_named_and_hides_nothing() {
    let place = Place::new();
    place.user_servers(&json!({ "good": { "command": "x" }, "bad": { "command": 1 } }));
    place.write(".mcp.json", "{\n \"mcpServers\": {,}\n}");
    let ran = place.run(&["servers"]).exits(0);
    assert!(ran.stdout.contains("good"), "{ran:?}");
    let ran = ran.says(".mcp.json:2: ").says("server `bad`");
    assert_eq!(ran.stderr.lines().count(), 2);
    // A file that is named is meant.
    place
        .run(&["servers", "--mcp-config", "nosuch.json"])
        .exits(2)
        .says("--mcp-config nosuch.json: there is no such file");
    for command in [
        &["tools", "nosuch"][..],
        &["call", "x", "--server", "nosuch"],
    ] {
        place
            .run(command)
            .exits(3)
            .says("server `bad`")
            .says("no server of that name is configured");
    }
}

#[test]
fn u10_a_hostile_name_can_not_forge_a_row() {
    let place = Place::new();
    place.write(
        ".mcp.json",
        &json!({ "mcpServers": { "a\n\u{1b}[2Kb": { "command": "x\u{1b}[31m\ny" } } }).to_string(),
    );
    let ran = place.run(&["servers"]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
}
