//! `stakeout list`: what is saved.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::flags::ListFlags;
use super::list::columns;
use super::{output, stderr};
use crate::app::{Kept, LibraryRow, list_library};
use crate::store::{
    Folders, KeptRecordings, ListedRecording, ListedSpec, RecordingEnd, Specs, list_recordings,
};
use crate::text::one_line;

/// Columns of a name, of a tool, and of what is waited for.
const WIDTHS: [usize; 3] = [120, 40, 100];

pub fn list(flags: &ListFlags) -> anyhow::Result<ExitCode> {
    let folders = Folders::of_user().map_err(anyhow::Error::msg)?;
    let text = if flags.json {
        let specs = Specs::new(folders.library()).list();
        let specs = specs.map_err(anyhow::Error::msg)?;
        let specs: Vec<Value> = specs.iter().map(spec_value).collect();
        let recordings = list_recordings(&folders.recordings());
        let recordings = recordings.map_err(anyhow::Error::msg)?;
        let recordings: Vec<Value> = recordings.iter().map(recording_value).collect();
        output::json_line(&json!({ "specs": specs, "recordings": recordings }))?
    } else {
        let library = list_library(&folders);
        for problem in &library.problems {
            stderr::say(problem);
        }
        if library.rows.is_empty() {
            stderr::say("nothing is saved yet; s on the screen saves a wait");
        }
        columns(library.rows.iter().map(row_columns).collect())
    };
    output::print_now(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn row_columns(row: &LibraryRow) -> [String; 6] {
    let kind = match row.kind {
        Kept::Spec => "wait",
        Kept::Recording => "recording",
    };
    let tool = match row.server.as_str() {
        "" => row.tool.clone(),
        server => format!("{server} ▸ {}", row.tool),
    };
    let (outcome, about) = match &row.problem {
        Some(problem) => ("broken", problem.clone()),
        None => {
            let outcome = row.outcome.as_ref().map(|outcome| outcome.word());
            (
                outcome.unwrap_or_default(),
                format!("until {}", row.condition),
            )
        }
    };
    let name = match row.kind {
        Kept::Spec => row.name.clone(),
        Kept::Recording => KeptRecordings::handle(&row.path),
    };
    let [name, tool, about] = [
        one_line(&name, WIDTHS[0]),
        one_line(&tool, WIDTHS[1]),
        one_line(&about, WIDTHS[2]),
    ];
    [
        kind.to_owned(),
        name,
        tool,
        outcome.to_owned(),
        row.when.clone(),
        about,
    ]
}

fn spec_value(spec: &ListedSpec) -> Value {
    let modified = spec
        .modified
        .and_then(|time| jiff::Timestamp::try_from(time).ok());
    let mut value = json!({
        "name": spec.name,
        "path": spec.path.to_string_lossy(),
        "modified": modified.map(|time| time.to_string()),
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

fn recording_value(recording: &ListedRecording) -> Value {
    let mut value = json!({
        "path": recording.path.to_string_lossy(),
        "bytes": recording.bytes,
    });
    match &recording.summary {
        Ok(summary) => {
            let header = &summary.header;
            value["name"] = json!(KeptRecordings::handle(&recording.path));
            value["spec"] = json!(header.name);
            value["server"] = json!(header.server);
            value["tool"] = header.wait["probe"]["tool"].clone();
            value["until"] = header.wait["until"].clone();
            value["started_at"] = json!(header.started_at);
            value["samples"] = json!(summary.samples);
            match &summary.end {
                RecordingEnd::Ended(outcome) => value["end"] = json!(outcome),
                RecordingEnd::Running => value["end"] = json!("running"),
                RecordingEnd::CutOff => value["end"] = json!("cut off"),
            }
        }
        Err(error) => value["problem"] = json!(error.problem),
    }
    value
}
