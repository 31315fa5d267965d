//! What a caller gets: the result as it is, or an error small enough to be read.
//!
//! Owns the form of results and errors, and the words for a caller that is no operator. Structured
//! and text content say the same.

use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};

use crate::mcp::without_stderr;
use crate::text::head_and_tail;
use crate::wait::{Ending, Refusal, WaitError, WaitFailure};

/// Bytes that an error answer has at most, as JSON, its text and its structure together.
const ERROR_LIMIT: usize = 8 * 1024 - 1;
/// Bytes below which nothing in an error is cut.
const SHORTEST: usize = 64;

/// The answer to a `wait_for` that was carried out, or could not be.
pub fn of_ending(ending: &Ending) -> CallToolResult {
    match ending {
        Ok(result) => of_value(json!(result)),
        Err(failure) => of_failure(failure),
    }
}

/// The answer that a value makes.
pub fn of_value(value: Value) -> CallToolResult {
    CallToolResult::structured(value)
}

/// The answer to a call that is refused before anything was sampled.
pub fn of_refusal(refusal: Refusal) -> CallToolResult {
    of_failure(&WaitFailure::before_the_first_sample(refusal.into()))
}

/// The answer to a call that was cut off.
pub fn cut_off() -> CallToolResult {
    of_error(fields(
        "cancelled",
        "the call was cancelled, or stakeout is being stopped",
        "Call again if the answer is still needed.",
    ))
}

/// The answer to a wait for which there is no place beside `most` others.
pub fn too_many(most: usize) -> CallToolResult {
    let message = format!("{most} waits are running already, the most that stakeout runs at once");
    let mut error = fields(
        "too_many_waits",
        &message,
        "Call again once one of them has ended.",
    );
    error.insert("limit".to_owned(), json!(most));
    of_error(error)
}

fn fields(code: &str, message: &str, what_to_do: &str) -> Map<String, Value> {
    [
        ("code", code),
        ("message", message),
        ("what_to_do", what_to_do),
    ]
    .map(|(key, value)| (key.to_owned(), json!(value)))
    .into_iter()
    .collect()
}

fn of_failure(failure: &WaitFailure) -> CallToolResult {
    let mut error = failure.to_map();
    // How a server is started, and what it says beside the protocol, is the operator's to know.
    tracing::info!(error = %failure.error, "a call ends with an error");
    error.shift_remove("would_run");
    for key in ["cause", "last_failure"] {
        if let Some(Value::String(cause)) = error.get_mut(key) {
            *cause = without_stderr(cause).to_owned();
        }
    }
    let (message, what_to_do) = words(&failure.error);
    error.insert("message".to_owned(), json!(message));
    error.insert("what_to_do".to_owned(), json!(what_to_do));
    of_error(error)
}

/// What went wrong and the way out, for whoever called.
pub fn words(error: &WaitError) -> (String, String) {
    let message = message(error).unwrap_or_else(|| error.to_string());
    (without_stderr(&message).to_owned(), what_to_do(error))
}

/// The message of errors whose own speaks of a command line.
fn message(error: &WaitError) -> Option<String> {
    match error {
        WaitError::ServerAmbiguous { candidates } if candidates.is_empty() => {
            Some("stakeout has no server that is known to have this tool".to_owned())
        }
        WaitError::ServerAmbiguous { .. } => {
            Some("no server was named, and several could be meant".to_owned())
        }
        WaitError::UntrustedServer { server, origin, .. } => Some(format!(
            "server {server:?}, of {origin}, is not trusted yet"
        )),
        WaitError::UnknownProbeTool { server, tool, .. } => {
            Some(format!("server {server:?} has no tool {tool:?}"))
        }
        _ => None,
    }
}

/// The way out, in one sentence.
fn what_to_do(error: &WaitError) -> String {
    match error {
        WaitError::Refused(_) => "Correct the call and send it again; nothing was sampled.",
        WaitError::ServerUnavailable { .. } => {
            "Look at the cause: try again if it may pass, name a server that list_probes lists, or tell \
             whoever runs stakeout."
        }
        WaitError::ServerAmbiguous { candidates } if candidates.is_empty() => {
            "Call list_probes for the tools that there are, and name the server in probe.server."
        }
        WaitError::ServerAmbiguous { .. } => {
            "Call again with probe.server set to one of the candidates."
        }
        WaitError::UntrustedServer { .. } => {
            "Whoever runs stakeout can approve it, on stakeout's screen or by `stakeout serve --trust`."
        }
        WaitError::UnknownProbeTool { near, elsewhere, .. } => {
            return match (&near[..], &elsewhere[..]) {
                ([], []) => "Call list_probes for the tools that there are.".to_owned(),
                ([], servers) => format!("Set probe.server to {}.", servers.join(" or ")),
                (names, _) => format!("Set probe.tool to what was meant: {}?", names.join(" or ")),
            };
        }
        WaitError::ProbeNotAllowed { .. } => {
            "Probe a tool that only reads; list_probes says which tools are allowed."
        }
        WaitError::ProbeFailed { .. } => {
            "Look at the cause; where such failures pass by themselves, set retry_errors."
        }
        WaitError::ProbeTimedOut { .. } => {
            "Probe something that answers faster, or give it longer by max_wait_sec, as far as that goes."
        }
        WaitError::ObservationTooLarge { .. } => "Ask the tool for less, by its arguments.",
        // No wait of a caller's plays a recording.
        WaitError::RecordingEnded { .. } => "Wait for the tool itself.",
        WaitError::Cancelled { .. } => "Call again if the wait is still needed.",
    }
    .to_owned()
}

/// The error answer with these fields: `code`, `message`, `what_to_do`, and what belongs to the code.
/// Each is cut to the same share until all of them fit, and `cut` names what was too long.
fn of_error(fields: Map<String, Value>) -> CallToolResult {
    let mut share = ERROR_LIMIT;
    loop {
        let mut shortened = fields.clone();
        let cut: Vec<String> = shortened
            .iter_mut()
            .filter_map(|(key, value)| shorten(value, share).then(|| key.clone()))
            .collect();
        if !cut.is_empty() {
            shortened.insert("cut".to_owned(), json!(cut));
        }
        let answer = CallToolResult::structured_error(json!({ "error": shortened }));
        if json!(answer).to_string().len() <= ERROR_LIMIT || share <= SHORTEST {
            return answer;
        }
        share = share * 3 / 4;
    }
}

/// Makes a value about as short as `share` bytes of JSON; answers whether it was longer.
fn shorten(value: &mut Value, share: usize) -> bool {
    let written = value.to_string().len();
    if written <= share {
        return false;
    }
    match value {
        // Escapes can make a text many times as long as it is.
        Value::String(text) => *text = head_and_tail(text, text.len() * share / written),
        Value::Array(items) => items.truncate(items.len() * share / written),
        other => *other = Value::Null,
    }
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;

    fn error_of(failure: &WaitFailure) -> Value {
        let result = of_failure(failure);
        assert_eq!(result.is_error, Some(true));
        let whole = json!(result).to_string().len();
        assert!(whole < 8 * 1024, "{whole}");
        let structured = result.structured_content.unwrap();
        let text = &result.content[0].as_text().unwrap().text;
        assert_eq!(*text, structured.to_string());
        structured["error"].clone()
    }

    #[test]
    fn every_error_says_what_to_do_in_under_8_kib() {
        for text in ["x", "\u{1}", "€", "\"\\"] {
            let long = text.repeat(100_000);
            let failure = WaitFailure {
                error: WaitError::ProbeFailed {
                    tool: "get_run".to_owned(),
                    sample: 3,
                    cause: head_and_tail(&long, 8 * 1024),
                },
                elapsed_sec: 4,
                samples: 2,
                last_observation: Some(Arc::from(long)),
            };
            let error = error_of(&failure);
            assert_eq!(error["code"], "probe_failed");
            assert_eq!(error["samples"], 2);
            assert!(
                error["what_to_do"]
                    .as_str()
                    .unwrap()
                    .contains("retry_errors")
            );
            let cut = error["cut"].as_array().unwrap();
            assert!(cut.contains(&json!("last_observation")), "{cut:?}");
            let last = error["last_observation"].as_str().unwrap();
            assert!(last.contains("bytes in all"), "{last:.80}");
            assert!(json!(last).to_string().len() > 512, "{}", last.len());
        }
    }

    #[test]
    fn many_candidates_are_cut_to_some() {
        let error = WaitError::ServerAmbiguous {
            candidates: (0..500)
                .map(|number| format!("{number}{}", "s".repeat(600)))
                .collect(),
        };
        let error = error_of(&WaitFailure::before_the_first_sample(error));
        assert_eq!(error["code"], "server_ambiguous");
        assert!(
            error["cut"]
                .as_array()
                .unwrap()
                .contains(&json!("candidates"))
        );
    }

    #[test]
    fn a_short_error_is_whole_and_speaks_to_a_caller() {
        let error = WaitError::ServerAmbiguous {
            candidates: vec!["a".to_owned(), "b".to_owned()],
        };
        let error = error_of(&WaitFailure::before_the_first_sample(error));
        assert_eq!(error["candidates"], json!(["a", "b"]));
        assert!(error.get("cut").is_none());
        assert!(!error.to_string().contains("--"), "{error}");
    }
}
