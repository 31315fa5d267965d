//! The tools of a server.
//!
//! Owns the reading of tool lists, page by page, tool by tool. Must not know what a tool is used
//! for. One malformed tool never hides the good ones.

use std::collections::HashSet;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::call::CallFailure;
use super::connection::Connection;

/// Pages of a list that are read.
const MAX_PAGES: usize = 500;

/// The tools of a server, in its order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolList {
    /// The tools that can be used.
    pub tools: Vec<Tool>,
    /// What was odd about the list, a sentence each.
    pub warnings: Vec<String>,
}

/// One tool, as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name; any text but the empty one.
    pub name: String,
    /// Its title, for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments, an object.
    pub input_schema: Value,
    /// The JSON Schema of its structured output.
    pub output_schema: Option<Value>,
    /// Whether it says that it changes nothing.
    pub read_only: Option<bool>,
    /// Whether it says that it may destroy something.
    pub destructive: Option<bool>,
    /// All that the server says about it.
    pub raw: Value,
}

impl Connection {
    /// Lists the tools of the server, within the time that connecting to it may take.
    ///
    /// # Errors
    /// The cause, when a page of the list can't be had, or not in time.
    pub async fn list_tools(&self) -> Result<ToolList, CallFailure> {
        let patience = self.patience();
        let listed = timeout(patience, self.all_pages()).await;
        listed.unwrap_or_else(|_| {
            let cause = format!("no answer within {} s", patience.as_secs_f64());
            Err(CallFailure::because(cause))
        })
    }

    async fn all_pages(&self) -> Result<ToolList, CallFailure> {
        let mut list = ToolList::default();
        if !self.offers_tools() {
            list.warnings
                .push("the server doesn't say that it has tools".to_owned());
            return Ok(list);
        }
        let mut cursor: Option<String> = None;
        let mut seen = HashSet::new();
        for _ in 0..MAX_PAGES {
            let page = self.page(cursor.take()).await?;
            read_page(&page, &mut list);
            cursor = match page.get("nextCursor") {
                Some(Value::String(next)) if !next.is_empty() => Some(next.clone()),
                _ => return Ok(list),
            };
            if let Some(next) = &cursor
                && !seen.insert(next.clone())
            {
                list.warnings.push(format!(
                    "the server's tool list repeats its page {next:?}; reading stopped there"
                ));
                return Ok(list);
            }
        }
        list.warnings.push(format!(
            "the server's tool list has more than {MAX_PAGES} pages; the rest was left out"
        ));
        Ok(list)
    }

    async fn page(&self, cursor: Option<String>) -> Result<Value, CallFailure> {
        let params =
            cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest {
            params,
            ..ListToolsRequest::default()
        };
        let request = ClientRequest::ListToolsRequest(request);
        match self.request(request, Map::new(), None).await {
            Ok(page) if page.get("tools").is_some_and(Value::is_array) => Ok(page),
            Ok(_) => Err(CallFailure::because(
                "the server's tool list has no array \"tools\"",
            )),
            Err(failure) => Err(self.explain(failure).await),
        }
    }
}

fn read_page(page: &Value, list: &mut ToolList) {
    let tools = page.get("tools").and_then(Value::as_array);
    for raw in tools.into_iter().flatten() {
        match read_tool(raw) {
            Ok(tool) if list.tools.iter().any(|known| known.name == tool.name) => {
                let name = &tool.name;
                let warning =
                    format!("the server lists the tool {name:?} twice; the first is used");
                list.warnings.push(warning);
            }
            Ok(tool) => list.tools.push(tool),
            Err(reason) => {
                let name = match raw.get("name").and_then(Value::as_str) {
                    Some(name) => format!("{name:?}"),
                    None => format!("number {}", list.tools.len() + 1),
                };
                list.warnings
                    .push(format!("the tool {name} can't be used: {reason}"));
            }
        }
    }
}

fn read_tool(raw: &Value) -> Result<Tool, &'static str> {
    let text = |key: &str| raw.get(key).and_then(Value::as_str).map(str::to_owned);
    let hint = |key: &str| raw.get("annotations")?.get(key)?.as_bool();
    let name = text("name").filter(|name| !name.is_empty());
    let input_schema = raw.get("inputSchema").filter(|schema| schema.is_object());
    let title = text("title").or_else(|| {
        let annotated = raw.get("annotations")?.get("title")?;
        annotated.as_str().map(str::to_owned)
    });
    Ok(Tool {
        name: name.ok_or("it has no name")?,
        title,
        description: text("description"),
        input_schema: input_schema.ok_or("its inputSchema is no object")?.clone(),
        output_schema: raw
            .get("outputSchema")
            .filter(|schema| !schema.is_null())
            .cloned(),
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        raw: raw.clone(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn r9_the_good_tools_stay_and_the_bad_ones_are_named() {
        let page = json!({"tools": [
            {"name": "a/b.c: d", "inputSchema": {"type": "object"}, "outputSchema": null,
             "annotations": {"readOnlyHint": true, "title": "A"}, "execution": {"x": 1}},
            {"name": "broken", "inputSchema": "none"},
            {"inputSchema": {}},
            "loose",
            {"name": "a/b.c: d", "inputSchema": {}},
            {"name": "z", "title": "Z", "description": "last", "inputSchema": {"z": 1, "a": 2}},
        ]});
        let mut list = ToolList::default();
        read_page(&page, &mut list);
        let names: Vec<&str> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["a/b.c: d", "z"]);
        assert_eq!(list.tools[0].title.as_deref(), Some("A"));
        assert_eq!(list.tools[0].read_only, Some(true));
        assert_eq!(list.tools[0].destructive, None);
        assert_eq!(list.tools[0].output_schema, None);
        assert_eq!(list.tools[0].raw["execution"]["x"], 1);
        assert_eq!(list.tools[1].input_schema.to_string(), r#"{"z":1,"a":2}"#);
        assert_eq!(list.warnings.len(), 4, "{:?}", list.warnings);
        assert!(
            list.warnings[0].contains("\"broken\""),
            "{:?}",
            list.warnings
        );
    }
}
