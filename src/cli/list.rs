//! `stakeout tools` and `stakeout servers`.

use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::busy::with_a_line;
use super::flags::{ServersFlags, ToolsFlags};
use super::signals::Signals;
use super::{exit, load, output, stderr};
use crate::app::ServerRow;
use crate::mcp::Tool;
use crate::text::{line, one_line};

/// Columns of a description in a list.
const DESCRIPTION: usize = 100;

pub async fn tools(flags: ToolsFlags) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen().context("signals can't be listened to")?;
    let servers = load(&flags.servers.options(None)?, stderr::say)?;
    let server = servers.resolve(flags.server.as_deref().or(flags.named.as_deref()), None)?;
    let words = format!("asking {} for its tools", one_line(&server, 40));
    let connecting = with_a_line(&words, None, servers.connect(&server));
    let connected = signals.unless_one_comes(connecting).await;
    servers.close().await;
    let connected = match connected {
        Ok(connected) => connected?,
        Err(signal) => return Ok(ExitCode::from(exit::by_signal(signal))),
    };
    for warning in &connected.warnings {
        stderr::say(&format!("{server}: {warning}"));
    }
    if connected.tools.is_empty() {
        stderr::say(&format!("{server} has no tools"));
    }
    let text = if flags.json {
        let tools: Vec<&Value> = connected.tools.iter().map(|tool| &tool.raw).collect();
        output::json_line(&tools)?
    } else {
        columns(connected.tools.iter().map(tool_columns).collect())
    };
    match signals.unless_one_comes(output::print(text)).await {
        Ok(printed) => printed?,
        Err(signal) => return Ok(ExitCode::from(exit::by_signal(signal))),
    }
    Ok(ExitCode::SUCCESS)
}

fn tool_columns(tool: &Tool) -> [String; 2] {
    let words = tool
        .description
        .as_deref()
        .or(tool.title.as_deref())
        .unwrap_or_default();
    let first = words.trim_start().lines().next().unwrap_or_default();
    [line(&tool.name).into_owned(), one_line(first, DESCRIPTION)]
}

pub fn servers(flags: &ServersFlags) -> anyhow::Result<ExitCode> {
    let servers = load(&flags.servers.options(None)?, stderr::say)?;
    let rows = servers.rows();
    let text = if flags.json {
        let rows: Vec<Value> = rows.iter().map(row_value).collect();
        output::json_line(&rows)?
    } else {
        columns(rows.iter().map(row_columns).collect())
    };
    output::print_now(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn row_columns(row: &ServerRow) -> [String; 3] {
    let reach = format!("{}{}", row.reach, state(row));
    [&row.name, &row.source, &reach].map(|column| line(column).into_owned())
}

fn state(row: &ServerRow) -> &'static str {
    match row {
        ServerRow { shadowed: true, .. } => "  (shadowed)",
        ServerRow { disabled: true, .. } => "  (disabled)",
        ServerRow {
            approval: Some(_), ..
        } => "  (not trusted yet)",
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

/// Rows, one a line, with each column but the last as wide as its widest.
pub(super) fn columns<const N: usize>(rows: Vec<[String; N]>) -> String {
    let widest = |column: usize| {
        rows.iter()
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..N).map(widest).collect();
    let mut text = String::new();
    for row in &rows {
        let padded = row.iter().zip(&widths).map(|(cell, width)| {
            format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width())))
        });
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u8_columns_are_measured_in_cells() {
        let rows = [["状态", "a"], ["ab", ""], ["e\u{301}", "c"]];
        let rows = rows.map(|row| row.map(str::to_owned)).to_vec();
        assert_eq!(columns(rows), "状态  a\nab\ne\u{301}     c\n");
    }
}
