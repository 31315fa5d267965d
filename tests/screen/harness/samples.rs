//! Servers, tools and outputs to put on a screen.

use std::sync::Arc;

use serde_json::{Value, json};
use stakeout::app::{Approval, ServerRow};
use stakeout::mcp::Tool;

pub fn server(name: &str, source: &str) -> ServerRow {
    ServerRow {
        name: name.to_owned(),
        source: source.to_owned(),
        given: false,
        reach: String::new(),
        shadowed: false,
        disabled: false,
        approval: None,
    }
}

pub fn servers() -> Vec<ServerRow> {
    let mut ci = server("ci", "project .mcp.json");
    ci.approval = Some(Approval {
        would_run: "npx -y ci-server --token ${CI_TOKEN}".to_owned(),
        origin: "./.mcp.json".to_owned(),
        fingerprint: "c1".to_owned(),
    });
    vec![
        server("demo", "built in"),
        ci,
        server("cluster", "user mcp.json"),
    ]
}

pub fn tool(name: &str, description: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        title: None,
        description: Some(description.to_owned()),
        input_schema: json!({ "type": "object" }),
        output_schema: None,
        read_only: Some(true),
        destructive: None,
        raw: Value::Null,
    }
}

pub fn demo_tools() -> Vec<Tool> {
    let mut rollout = tool(
        "rollout_status",
        "A simulated rollout, as the table an operator knows",
    );
    rollout.input_schema = json!({
        "type": "object",
        "properties": {
            "deployment": { "type": "string", "default": "web" },
            "replicas": { "type": "integer", "minimum": 1, "maximum": 50, "default": 3 },
            "crash_loop": { "type": "boolean", "default": false },
        },
    });
    vec![
        tool(
            "build_status",
            "A simulated build: queued, running, then succeeded or failed",
        ),
        rollout,
        tool("job_logs", "A growing log that goes quiet"),
        tool("flaky_status", "Tool errors, failed calls and slow answers"),
        tool("repo/get file", "A name with a slash and a space"),
    ]
}

/// A rollout at `ready` of 3.
pub fn rollout(ready: u32) -> Arc<str> {
    Arc::from(format!(
        "DEPLOYMENT  READY  UP-TO-DATE  AVAILABLE\nweb         {ready}/3    3           {ready}\n"
    ))
}
