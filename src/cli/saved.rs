//! `stakeout list`: what is saved.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::flags::ListFlags;
use super::list::columns;
use super::{output, stderr};
use crate::store::{Folders, ListedSpec, Specs};
use crate::text::one_line;

/// Columns of a name, and of what a wait is for or waits for.
const WIDTH: usize = 60;

pub fn list(flags: &ListFlags) -> anyhow::Result<ExitCode> {
    let folders = Folders::of_user().map_err(anyhow::Error::msg)?;
    let specs = Specs::new(folders.library());
    let listed = specs.list().map_err(anyhow::Error::msg)?;
    let text = if flags.json {
        let specs: Vec<Value> = listed.iter().map(spec_value).collect();
        output::json_line(&json!({ "specs": specs }))?
    } else {
        if listed.is_empty() {
            stderr::say("nothing is saved yet; s on the screen saves a wait");
        }
        columns(listed.iter().map(spec_columns).collect())
    };
    output::print_now(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn spec_columns(spec: &ListedSpec) -> [String; 4] {
    let (tool, until) = match &spec.call {
        Ok(call) => {
            let server = call.server().map(|server| format!("{server} ▸ "));
            let (how, what) = call.until().words();
            let tool = format!("{}{}", server.unwrap_or_default(), call.tool());
            (tool, format!("until {how} {what}"))
        }
        Err(problem) => ("broken".to_owned(), problem.clone()),
    };
    let words = [&spec.name, &tool, &until];
    let [name, tool, until] = words.map(|words| one_line(words, WIDTH));
    [name, tool, date(spec), until]
}

/// The day, as those who look for a saved wait remember it.
fn date(spec: &ListedSpec) -> String {
    let time = timestamp(spec);
    time.map_or_else(String::new, |time| time[..10].to_owned())
}

/// When it was last changed, as RFC 3339.
fn timestamp(spec: &ListedSpec) -> Option<String> {
    let time = jiff::Timestamp::try_from(spec.modified?).ok()?;
    Some(time.round(jiff::Unit::Second).unwrap_or(time).to_string())
}

fn spec_value(spec: &ListedSpec) -> Value {
    let mut value = json!({
        "name": spec.name,
        "path": spec.path.to_string_lossy(),
        "modified": timestamp(spec),
    });
    if let Some(description) = &spec.description {
        value["description"] = json!(description);
    }
    match &spec.call {
        Ok(call) => {
            value["server"] = json!(call.server());
            value["tool"] = json!(call.tool());
            value["until"] = call.until().to_value();
            value["rounds"] = json!(spec.rounds);
        }
        Err(problem) => value["problem"] = json!(problem),
    }
    value
}
