//! `stakeout tools` and `stakeout servers`.

use std::process::ExitCode;

use anyhow::anyhow;
use serde_json::{Value, json};

use super::flags::{ServersFlags, ToolsFlags};
use super::{exit, live, output, signals};
use crate::app::{ServerRow, Servers};
use crate::mcp::Tool;
use crate::text::one_line;

/// Cells of a description in a list.
const DESCRIPTION: usize = 100;

pub async fn tools(flags: ToolsFlags) -> anyhow::Result<ExitCode> {
    let servers = Servers::load(&flags.servers.options(None)?).map_err(|problem| anyhow!(problem))?;
    let server = servers.resolve(flags.server.as_deref(), None)?;
    let connected = tokio::select! {
        connected = servers.connect(&server) => connected,
        signal = signals::first() => {
            let signal = signal?;
            servers.close().await;
            return Ok(ExitCode::from(exit::by_signal(signal)));
        }
    };
    servers.close().await;
    let connected = connected?;
    for warning in &connected.warnings {
        live::say(&format!("{server}: {warning}"));
    }
    if flags.json {
        let tools: Vec<&Value> = connected.tools.iter().map(|tool| &tool.raw).collect();
        output::json_line(&tools)?;
        return Ok(ExitCode::SUCCESS);
    }
    if connected.tools.is_empty() {
        live::say(&format!("{server} has no tools"));
    }
    let width = connected.tools.iter().map(|tool| tool.name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = connected.tools.iter().map(|tool| tool_line(tool, width)).collect();
    print(&lines)?;
    Ok(ExitCode::SUCCESS)
}

fn tool_line(tool: &Tool, width: usize) -> String {
    let words = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
    let first = words.lines().next().unwrap_or_default();
    let line = format!("{:width$}  {}", tool.name, one_line(first, DESCRIPTION));
    line.trim_end().to_owned()
}

pub fn servers(flags: &ServersFlags) -> anyhow::Result<ExitCode> {
    let servers = Servers::load(&flags.servers.options(None)?).map_err(|problem| anyhow!(problem))?;
    for problem in servers.problems() {
        live::say(problem);
    }
    let rows = servers.rows();
    if flags.json {
        let rows: Vec<Value> = rows.iter().map(row_value).collect();
        output::json_line(&rows)?;
        return Ok(ExitCode::SUCCESS);
    }
    let widest = |column: fn(&ServerRow) -> &str| {
        rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0)
    };
    let (name, source) = (widest(|row| &row.name), widest(|row| &row.source));
    let lines: Vec<String> = rows
        .iter()
        .map(|row| format!("{:name$}  {:source$}  {}{}", row.name, row.source, row.reach, state(row)))
        .collect();
    print(&lines)?;
    Ok(ExitCode::SUCCESS)
}

fn state(row: &ServerRow) -> &'static str {
    match row {
        ServerRow { disabled: true, .. } => "  (disabled)",
        ServerRow { shadowed: true, .. } => "  (shadowed)",
        ServerRow { approval: Some(_), .. } => "  (not trusted yet)",
        _ => "",
    }
}

fn row_value(row: &ServerRow) -> Value {
    json!({
        "name": row.name,
        "source": row.source,
        "reach": row.reach,
        "shadowed": row.shadowed,
        "disabled": row.disabled,
        "trusted": row.approval.is_none(),
    })
}

fn print(lines: &[String]) -> std::io::Result<()> {
    if lines.is_empty() { Ok(()) } else { output::foreign_text(&lines.join("\n")) }
}
