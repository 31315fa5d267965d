//! `list_probes`: what can be probed, and why the rest can't.
//!
//! Owns the list: whom it asks, how it is filtered, and its pages. It holds nothing between two
//! pages: a cursor names the tool with which the next one begins.

use std::time::Duration;

use futures::future::join_all;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, JsonObject};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::answer;
use super::server::Server;
use crate::app::{Candidate, Connected};
use crate::mcp::{ServerEntry, Source, Tool};
use crate::text::head_and_tail;
use crate::wait::{Refusal, WaitError};

/// The fields of a call.
const FIELDS: &[&str] = &["server", "filter", "cursor"];
/// How long a server may take to be listed where all of them are asked.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of JSON after which a page is full.
const PAGE: usize = 24 * 1024;
/// Bytes of the longest description.
const DESCRIPTION: usize = 1024;
/// Bytes of the longest schema that is listed.
const SCHEMA: usize = 8 * 1024;

/// Carries out one call.
pub async fn list_probes(
    server: &Server,
    arguments: &JsonObject,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let wanted = match Wanted::parse(arguments) {
        Ok(wanted) => wanted,
        Err(refusal) => return answer::of_refusal(refusal),
    };
    let asked = async {
        let names = wanted.servers(server);
        join_all(names.into_iter().map(|name| ask(server, &wanted, name))).await
    };
    let asked = tokio::select! {
        asked = asked => asked,
        () = context.ct.cancelled() => return answer::cut_off(),
        () = server.stop().cancelled() => return answer::cut_off(),
    };
    match page(server, &wanted, &asked) {
        Ok(page) => answer::of_value(page),
        Err(refusal) => answer::of_refusal(refusal),
    }
}

/// What is asked for.
#[derive(Debug, Default)]
struct Wanted {
    server: Option<String>,
    filter: Option<String>,
    cursor: Option<String>,
}

impl Wanted {
    fn parse(arguments: &JsonObject) -> Result<Self, Refusal> {
        if let Some(key) = arguments.keys().find(|key| !FIELDS.contains(&key.as_str())) {
            return Err(Refusal::UnknownField {
                field: key.clone(),
                known: FIELDS,
            });
        }
        let text = |key: &str| match arguments.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(malformed(key, "must be a string, or absent")),
        };
        Ok(Self {
            server: text("server")?,
            filter: text("filter")?.map(|filter| filter.to_lowercase()),
            cursor: text("cursor")?,
        })
    }

    /// The one that is named, else all that are configured. Other programs' servers are there to be
    /// named, and only then started.
    fn servers(&self, server: &Server) -> Vec<String> {
        if let Some(name) = &self.server {
            return vec![name.clone()];
        }
        let usable = server.servers().usable().into_iter();
        let of_program = |entry: &ServerEntry| matches!(entry.source, Source::Program { .. });
        let own = usable.filter(|entry| !of_program(entry));
        own.map(|entry| entry.name).collect()
    }

    fn takes(&self, tool: &Tool) -> bool {
        let Some(filter) = &self.filter else {
            return true;
        };
        let texts = [
            Some(&tool.name),
            tool.title.as_ref(),
            tool.description.as_ref(),
        ];
        let mut texts = texts.into_iter().flatten();
        texts.any(|text| text.to_lowercase().contains(filter))
    }
}

fn malformed(field: &str, problem: &str) -> Refusal {
    Refusal::Malformed {
        field: field.to_owned(),
        problem: problem.to_owned(),
    }
}

/// What one server has, or why it doesn't say.
type Asked = (String, Result<Connected, WaitError>);

async fn ask(server: &Server, wanted: &Wanted, name: String) -> Asked {
    if wanted.server.is_some() {
        // Whoever names a server waits as long as connecting may take.
        let connected = server.servers().connect(&name).await;
        return (name, connected);
    }
    // It goes on for whoever asks next: a server that is slow to start would never get further.
    let connecting = {
        let (server, name) = (server.clone(), name.clone());
        tokio::spawn(async move {
            tokio::select! {
                connected = server.servers().connect(&name) => Some(connected),
                () = server.stop().cancelled() => None,
            }
        })
    };
    let connected = match timeout(PATIENCE, connecting).await {
        Ok(Ok(Some(connected))) => connected,
        _ => {
            let cause = format!(
                "no answer within {} s; it goes on starting, so ask again, or for it alone with `server`",
                PATIENCE.as_secs()
            );
            Err(WaitError::ServerUnavailable {
                server: name.clone(),
                step: "connecting".to_owned(),
                cause,
            })
        }
    };
    (name, connected)
}

/// The page that begins where the cursor says.
fn page(server: &Server, wanted: &Wanted, asked: &[Asked]) -> Result<Value, Refusal> {
    let connected = asked.iter().filter_map(|(_, asked)| asked.as_ref().ok());
    let probes = connected.flat_map(|connected| {
        let tools = connected.tools.iter().filter(|tool| wanted.takes(tool));
        tools.map(move |tool| Candidate {
            server: &connected.server,
            software: connected.software.as_deref(),
            tool,
        })
    });
    let mut rest = probes.peekable();
    if let Some(cursor) = &wanted.cursor {
        while rest.next_if(|probe| cursor_at(probe) != *cursor).is_some() {}
        if rest.peek().is_none() {
            let problem = "names no page any more; begin again without it";
            return Err(malformed("cursor", problem));
        }
    }
    let (mut probes, mut size) = (Vec::new(), 0);
    while size < PAGE
        && let Some(probe) = rest.next()
    {
        let described = describe(server, probe);
        size += described.to_string().len();
        probes.push(described);
    }
    let unavailable: Vec<Value> = asked.iter().filter_map(unavailable).collect();
    let mut page = Map::new();
    page.insert("probes".to_owned(), Value::Array(probes));
    page.insert("unavailable".to_owned(), Value::Array(unavailable));
    if let Some(next) = rest.peek() {
        page.insert("next_cursor".to_owned(), json!(cursor_at(next)));
    }
    Ok(Value::Object(page))
}

fn cursor_at(probe: &Candidate<'_>) -> String {
    format!("{}/{}", probe.server, probe.tool.name)
}

fn describe(server: &Server, probe: Candidate<'_>) -> Value {
    let tool = probe.tool;
    let words = tool.description.as_deref().or(tool.title.as_deref());
    let schema = Some(&tool.input_schema).filter(|schema| schema.to_string().len() <= SCHEMA);
    let allowed = server.allow().check(probe);
    let mut described = json!({
        "server": probe.server,
        "tool": tool.name,
        "description": head_and_tail(words.unwrap_or_default(), DESCRIPTION),
        "input_schema": schema,
        "allowed": allowed.is_ok(),
    });
    if let Err(reason) = allowed {
        described["why_not"] = json!(reason);
    }
    described
}

fn unavailable((name, asked): &Asked) -> Option<Value> {
    let error = asked.as_ref().err()?;
    let (message, what_to_do) = answer::words(error);
    let message = head_and_tail(&format!("{message}. {what_to_do}"), DESCRIPTION);
    Some(json!({ "server": name, "code": error.code(), "message": message }))
}
