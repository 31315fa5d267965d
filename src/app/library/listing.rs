//! Reading what is saved: the list, and what is told of one file.

use std::path::Path;

use jiff::ZonedDateTime;
use serde_json::Value;

use super::super::moments;
use super::{Kept, KeptOutcome, LibraryList, LibraryRow, Preview};
use crate::store::{
    Folders, KeptRecordings, ListedRecording, ListedSpec, RecordingEnd, RecordingReader,
    RecordingSummary, SpecFile, Specs, list_recordings, unreadable,
};
use crate::text;
use crate::wait::{Call, Event, Header, Outcome, Reason, Until};

/// Bytes of a recording without an end that is read for its last observation.
const LARGEST_READ: u64 = 32 * 1024 * 1024;

/// Everything that is saved. A file that can't be read hides no other.
#[must_use]
pub fn list_library(folders: &Folders) -> LibraryList {
    let now = ZonedDateTime::now();
    let mut problems = Vec::new();
    let recordings = list_recordings(&folders.recordings()).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let specs = Specs::new(folders.library()).list();
    let specs = specs.unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    let mut rows: Vec<LibraryRow> = specs
        .iter()
        .map(|spec| row_of_spec(spec, &recordings, &now))
        .collect();
    rows.extend(
        recordings
            .iter()
            .map(|recording| row_of_recording(recording, &now)),
    );
    LibraryList { rows, problems }
}

fn row_of_spec(
    spec: &ListedSpec,
    recordings: &[ListedRecording],
    now: &ZonedDateTime,
) -> LibraryRow {
    let call = spec.call.as_ref().ok();
    // The newest comes first. What ran under its name may have been changed before.
    let run = recordings.iter().find_map(|recording| {
        let summary = recording.summary.as_ref().ok()?;
        let header = &summary.header;
        let named = header.name.as_ref() == Some(&spec.name);
        let same = |call| is_run_of(header, call, spec.brings_server);
        (named && call.is_some_and(same)).then_some(summary)
    });
    let when = match run {
        Some(run) => moments::local(&run.header.started_at),
        None => spec.modified.and_then(moments::of_file),
    };
    LibraryRow {
        kind: Kept::Spec,
        path: spec.path.clone(),
        name: spec.name.clone(),
        server: call.and_then(Call::server).unwrap_or_default().to_owned(),
        tool: call.map(Call::tool).unwrap_or_default().to_owned(),
        condition: call.map(|call| condition(call.until())).unwrap_or_default(),
        outcome: run.map(|run| outcome(&run.end)),
        when: when
            .map(|when| moments::in_short(&when, now))
            .unwrap_or_default(),
        problem: spec.call.as_ref().err().cloned(),
    }
}

/// Whether the call of a spec was recorded. Its server counts where the spec says which of those that
/// are configured it is; one that it brings along may go by another name.
fn is_run_of(header: &Header, call: &Call, brings_server: bool) -> bool {
    let Ok(recorded) = Call::parse(&header.wait) else {
        return false;
    };
    let of_no_server = |call: &Call| {
        let mut call = call.to_value();
        if let Some(probe) = call["probe"].as_object_mut() {
            probe.shift_remove("server");
        }
        call
    };
    let named = call.server().filter(|_| !brings_server);
    named.is_none_or(|named| named == header.server)
        && of_no_server(&recorded) == of_no_server(call)
}

fn row_of_recording(recording: &ListedRecording, now: &ZonedDateTime) -> LibraryRow {
    let own_name = KeptRecordings::name_of(&recording.path);
    let file = recording.path.file_name().unwrap_or_default();
    let row = LibraryRow {
        kind: Kept::Recording,
        path: recording.path.clone(),
        name: own_name
            .clone()
            .unwrap_or(file.to_string_lossy().into_owned()),
        server: String::new(),
        tool: String::new(),
        condition: String::new(),
        outcome: None,
        when: String::new(),
        problem: None,
    };
    match &recording.summary {
        Err(error) => LibraryRow {
            problem: Some(error.problem.clone()),
            ..row
        },
        Ok(summary) => {
            let header = &summary.header;
            let tool = header.wait["probe"]["tool"].as_str().unwrap_or_default();
            let began = moments::local(&header.started_at);
            LibraryRow {
                name: own_name
                    .or_else(|| header.name.clone())
                    .unwrap_or_else(|| tool.to_owned()),
                server: header.server.clone(),
                tool: tool.to_owned(),
                condition: recorded_condition(&header.wait),
                outcome: Some(outcome(&summary.end)),
                when: began
                    .map(|began| moments::in_short(&began, now))
                    .unwrap_or_default(),
                ..row
            }
        }
    }
}

fn outcome(end: &RecordingEnd) -> KeptOutcome {
    match end {
        RecordingEnd::Running => KeptOutcome::Running,
        RecordingEnd::CutOff => KeptOutcome::CutOff,
        RecordingEnd::Ended(Outcome::Result(result)) => {
            let reason = result.reason.as_str().to_owned();
            match result.reason {
                Reason::Matched | Reason::Settled => KeptOutcome::Met(reason),
                Reason::Timeout | Reason::Failed => KeptOutcome::Unmet(reason),
            }
        }
        RecordingEnd::Ended(Outcome::Error(fields)) => {
            let cancelled = fields.get("code").and_then(Value::as_str) == Some("cancelled");
            let word = if cancelled { "cancelled" } else { "error" };
            KeptOutcome::Unmet(word.to_owned())
        }
    }
}

fn condition(until: &Until) -> String {
    let (how, what) = until.words();
    format!("{how} {what}")
}

/// The condition of a recorded call; as JSON where it is none of ours.
fn recorded_condition(call: &Value) -> String {
    match Call::parse(call) {
        Ok(call) => condition(call.until()),
        Err(_) => call.get("until").map(Value::to_string).unwrap_or_default(),
    }
}

/// What is told of the file at `path`.
///
/// # Errors
/// A sentence, where it can't be read.
pub fn preview(kind: Kept, path: &Path) -> Result<Preview, String> {
    match kind {
        Kept::Spec => preview_of_spec(path),
        Kept::Recording => preview_of_recording(path),
    }
}

fn preview_of_spec(path: &Path) -> Result<Preview, String> {
    let (spec, _) = SpecFile::open(path).map_err(|error| error.problem)?;
    let mut facts = Vec::new();
    if let Some(description) = &spec.description {
        facts.push(fact("for", description.clone()));
    }
    if let Ok(call) = Call::parse(&Value::Object(spec.wait.clone())) {
        let server = match (call.server(), &spec.server) {
            (Some(name), _) => name,
            (None, Some(_)) => "the server that it brings along",
            (None, None) => "any server that has it",
        };
        facts.extend(facts_of_call(server, &call, spec.rounds));
    }
    facts.push(fact("file", path.display().to_string()));
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| unreadable(&error))?;
    Ok(Preview {
        facts,
        text: text.into(),
    })
}

fn preview_of_recording(path: &Path) -> Result<Preview, String> {
    let summary = RecordingSummary::of(path).map_err(|error| error.problem)?;
    let header = &summary.header;
    let mut facts = Vec::new();
    if let Ok(call) = Call::parse(&header.wait) {
        facts.extend(facts_of_call(&header.server, &call, header.rounds));
    }
    facts.push(fact("began", moments::to_the_second(&header.started_at)));
    facts.push(fact("ended", ending(&summary.end)));
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let samples = match summary.samples {
        1 => "1 sample".to_owned(),
        samples => format!("{samples} samples"),
    };
    facts.push(fact("size", format!("{samples}, {}", size(bytes))));
    facts.push(fact("file", path.display().to_string()));
    let text = match &summary.end {
        RecordingEnd::Ended(Outcome::Result(result)) => Some(result.last_observation.to_string()),
        RecordingEnd::Ended(Outcome::Error(fields)) => {
            let last = fields.get("last_observation").and_then(Value::as_str);
            last.map(str::to_owned)
        }
        RecordingEnd::Running | RecordingEnd::CutOff if bytes > LARGEST_READ => None,
        RecordingEnd::Running | RecordingEnd::CutOff => last_text(path),
    };
    Ok(Preview {
        facts,
        text: text.unwrap_or_default().into(),
    })
}

/// The newest observation, found by reading everything.
fn last_text(path: &Path) -> Option<String> {
    let mut reader = RecordingReader::open(path).ok()?;
    let mut last = None;
    while let Ok(Some(event)) = reader.next_event() {
        if let Event::Sample(sample) = event {
            last = sample.text.or(last);
        }
    }
    last.map(|text| text.to_string())
}

fn ending(end: &RecordingEnd) -> String {
    let after = |seconds: u64| text::clock(std::time::Duration::from_secs(seconds));
    match end {
        RecordingEnd::Running => "it is still running".to_owned(),
        RecordingEnd::CutOff => "cut off: how it ended is not known".to_owned(),
        RecordingEnd::Ended(Outcome::Result(result)) => {
            format!(
                "{} after {}",
                result.reason.as_str(),
                after(result.elapsed_sec)
            )
        }
        RecordingEnd::Ended(Outcome::Error(fields)) => {
            let message = fields.get("message").and_then(Value::as_str);
            message.unwrap_or("with an error").to_owned()
        }
    }
}

fn facts_of_call(server: &str, call: &Call, rounds: u32) -> Vec<(String, String)> {
    let rounds = match rounds {
        1 => String::new(),
        rounds => format!(", up to {rounds} rounds"),
    };
    let budget = format!(
        "every {} s for at most {} s{rounds}",
        call.poll().as_secs(),
        call.effective_max_wait_sec()
    );
    vec![
        fact("calls", format!("{} of {server}", call.tool())),
        fact("until", condition(call.until())),
        fact("budget", budget),
    ]
}

fn fact(label: &str, value: String) -> (String, String) {
    (label.to_owned(), value)
}

/// `74 B`, `256 KiB`, `73 MiB`.
fn size(bytes: u64) -> String {
    const KIB: u64 = 1024;
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_240_000 => format!("{} KiB", bytes.div_ceil(KIB)),
        _ => format!("{} MiB", bytes.div_ceil(KIB * KIB)),
    }
}
