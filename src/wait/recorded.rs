//! An ending out of a recording: from the keys of an error back to the error.

use serde_json::{Map, Value};

use super::{Ending, Outcome, WaitError, WaitFailure};

impl Outcome {
    /// The ending that it tells of; `None` for an error that this version doesn't know.
    #[must_use]
    pub fn to_ending(&self) -> Option<Ending> {
        match self {
            Self::Result(result) => Some(Ok(result.clone())),
            Self::Error(fields) => Some(Err(WaitFailure {
                error: error_of(fields)?,
                elapsed_sec: number(fields, "elapsed_sec").unwrap_or_default(),
                samples: number(fields, "samples").unwrap_or_default(),
                last_observation: text(fields, "last_observation").map(Into::into),
            })),
        }
    }
}

fn error_of(fields: &Map<String, Value>) -> Option<WaitError> {
    let all = |key: &str| -> Option<Vec<String>> {
        let texts = fields.get(key)?.as_array()?.iter();
        texts.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let (text, number) = (|key| text(fields, key), |key| number(fields, key));
    let bytes = |key| usize::try_from(number(key)?).ok();
    Some(match text("code")?.as_str() {
        "server_unavailable" => WaitError::ServerUnavailable {
            server: text("server")?,
            step: text("step")?,
            cause: text("cause")?,
        },
        "server_ambiguous" => WaitError::ServerAmbiguous {
            candidates: all("candidates")?,
        },
        "untrusted_server" => WaitError::UntrustedServer {
            server: text("server")?,
            would_run: text("would_run")?,
            origin: text("origin")?,
            // It was shown to nobody.
            fingerprint: Box::default(),
        },
        "unknown_probe_tool" => WaitError::UnknownProbeTool {
            server: text("server")?,
            tool: text("tool")?,
            near: all("near")?.into(),
            elsewhere: all("elsewhere")?.into(),
        },
        "probe_failed" => WaitError::ProbeFailed {
            tool: text("tool")?,
            sample: number("sample")?,
            cause: text("cause")?,
        },
        "probe_timed_out" => WaitError::ProbeTimedOut {
            tool: text("tool")?,
            effective_max_wait_sec: number("effective_max_wait_sec")?,
            last_failure: text("last_failure"),
        },
        "observation_too_large" => WaitError::ObservationTooLarge {
            tool: text("tool")?,
            sample: number("sample")?,
            bytes: bytes("bytes")?,
            limit: bytes("limit")?,
        },
        "cancelled" => WaitError::Cancelled {
            samples: number("samples")?,
        },
        _ => return None,
    })
}

fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields.get(key)?.as_str().map(str::to_owned)
}

fn number(fields: &Map<String, Value>, key: &str) -> Option<u64> {
    fields.get(key)?.as_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_a_wait_comes_back_as_it_was() {
        let name = || "n\"a\u{1b}".to_owned();
        let errors = [
            WaitError::ServerUnavailable {
                server: name(),
                step: name(),
                cause: name(),
            },
            WaitError::ServerAmbiguous {
                candidates: vec![name(), name()],
            },
            WaitError::UntrustedServer {
                server: name(),
                would_run: name(),
                origin: name(),
                fingerprint: Box::default(),
            },
            WaitError::UnknownProbeTool {
                server: name(),
                tool: name(),
                near: Box::new([name()]),
                elsewhere: Box::new([]),
            },
            WaitError::ProbeFailed {
                tool: name(),
                sample: 7,
                cause: name(),
            },
            WaitError::ProbeTimedOut {
                tool: name(),
                effective_max_wait_sec: 300,
                last_failure: Some(name()),
            },
            WaitError::ProbeTimedOut {
                tool: name(),
                effective_max_wait_sec: 300,
                last_failure: None,
            },
            WaitError::ObservationTooLarge {
                tool: name(),
                sample: 2,
                bytes: 262_145,
                limit: 262_144,
            },
            WaitError::Cancelled { samples: 3 },
        ];
        for error in errors {
            let failure = WaitFailure {
                error,
                elapsed_sec: 4,
                samples: 3,
                last_observation: Some("seen".into()),
            };
            let outcome = Outcome::from(&Err(failure.clone()));
            assert_eq!(outcome.to_ending(), Some(Err(failure)));
        }
        let unknown = serde_json::json!({ "code": "eclipse", "message": "m" });
        let outcome = Outcome::Error(unknown.as_object().cloned().unwrap_or_default());
        assert_eq!(outcome.to_ending(), None);
    }
}
