//! What is offered, and what can be probed.

use serde_json::{Value, json};

use crate::caller::{Place, wait_on};

async fn tools(place: &Place) -> Vec<Value> {
    let mut caller = place.serve(&[]).await;
    let listed = caller.request("tools/list", json!({})).await;
    listed["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test]
async fn two_tools_are_offered_with_schemas_that_hold() {
    let place = Place::with_lab("many-tools");
    let tools = tools(&place).await;
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["wait_for", "list_probes"]);
    for tool in &tools {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object");
            assert!(jsonschema::meta::is_valid(&tool[schema]), "{schema}");
        }
    }
    let schema = &tools[0]["inputSchema"];
    let good = wait_on("count", json!({"matches": "x"}));
    assert!(jsonschema::is_valid(schema, &good));
    assert!(!schema.to_string().contains("null"), "{schema}");
    for (pointer, value) in [
        ("/until", json!({})),
        ("/until", json!({"matches": "x", "quiet_for_sec": 2})),
        ("/until", json!({"match": "x"})),
        ("/probe", json!({"tool": "x"})),
        ("/probe", json!({"tool": "", "args": {}})),
        ("/poll_sec", json!(0)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(!jsonschema::is_valid(schema, &bad), "{bad}");
    }
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
}

#[tokio::test]
async fn results_and_errors_fit_the_schemas() {
    let place = Place::with_lab("many-tools");
    let tools = tools(&place).await;
    let mut caller = place.serve(&["--allow", "lab/*"]).await;
    let met = caller
        .wait_for(wait_on("count", json!({"matches": "call"})))
        .await;
    let refused = caller
        .wait_for(wait_on("", json!({"matches": "call"})))
        .await;
    for answer in [met, refused] {
        assert!(
            jsonschema::is_valid(&tools[0]["outputSchema"], &answer),
            "{answer}"
        );
    }
    for arguments in [json!({}), json!({"server": "nowhere"}), json!({"page": 2})] {
        let listed = caller.call("list_probes", arguments).await;
        assert!(
            jsonschema::is_valid(&tools[1]["outputSchema"], &listed),
            "{listed}"
        );
    }
}

#[tokio::test]
async fn probes_are_listed_with_what_is_needed_to_call_them() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/c*"]).await;
    let listed = caller.call("list_probes", json!({"filter": "COUNT"})).await;
    let expected = json!({
        "probes": [{"server": "lab", "tool": "count", "description": "",
            "input_schema": {"type": "object"}, "allowed": true}],
        "unavailable": [],
    });
    assert_eq!(listed, expected);
    let listed = caller
        .call("list_probes", json!({"server": "lab", "filter": "say"}))
        .await;
    assert_eq!(listed["probes"][0]["allowed"], false);
    let why = listed["probes"][0]["why_not"].as_str().unwrap();
    assert!(why.contains("--allow 'lab/say'"), "{why}");
    let listed = caller.call("list_probes", json!({"server": "demo"})).await;
    assert_eq!(listed["probes"].as_array().unwrap().len(), 6);
    let listed = caller
        .call("list_probes", json!({"server": "nowhere"}))
        .await;
    assert_eq!(listed["unavailable"][0]["code"], "server_unavailable");
}

#[tokio::test]
async fn a_long_list_comes_in_pages_that_join_without_a_seam() {
    let place = Place::with_lab("plays");
    let begun = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}"#;
    let tool = |number: usize| {
        json!({"name": format!("tool_{number:03}"), "description": "d".repeat(5_000),
            "inputSchema": {"type": "object", "description": "s".repeat(if number == 7 { 9_000 } else { 9 })}})
    };
    let many: Vec<Value> = (0..200).map(tool).collect();
    let listed = format!(
        r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"tools":{}}}}}"#,
        json!(many)
    );
    let script = format!("initialize\t{begun}\ntools/list\t{listed}\n");
    std::fs::write(place.lab.path().join("script"), script).unwrap();
    let mut caller = place.serve(&[]).await;
    let (mut names, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let arguments = json!({"server": "lab", "cursor": cursor});
        let page = caller.call("list_probes", arguments).await;
        assert!(page.to_string().len() < 32 * 1024);
        for probe in page["probes"].as_array().unwrap() {
            let name = probe["tool"].as_str().unwrap();
            assert_eq!(
                probe["input_schema"].is_null(),
                name == "tool_007",
                "{name}"
            );
            names.push(name.to_owned());
        }
        pages += 1;
        match page.get("next_cursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    let all: Vec<String> = (0..200).map(|number| format!("tool_{number:03}")).collect();
    assert_eq!(names, all);
    assert!(pages > 5, "{pages}");
    let stale = caller
        .call("list_probes", json!({"cursor": "lab/gone"}))
        .await;
    assert_eq!(stale["error"]["code"], "malformed");
    assert_eq!(stale["error"]["field"], "cursor");
}

#[tokio::test]
async fn a_server_that_is_slow_to_start_goes_on_starting() {
    let place = Place::with_lab("silent");
    let mut caller = place.serve(&[]).await;
    for _ in 0..2 {
        let listed = caller.call("list_probes", json!({})).await;
        let unavailable = &listed["unavailable"][0];
        assert_eq!(unavailable["code"], "server_unavailable", "{listed}");
        let message = unavailable["message"].as_str().unwrap();
        assert!(message.contains("within 10 s"), "{message}");
    }
    assert_eq!(place.lab.processes().len(), 1, "it was started again");
}
