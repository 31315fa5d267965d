//! Why something failed, in words.
//!
//! Owns the wording of causes: chains of errors, the last lines of stderr, the cut at 8 KiB. Must
//! not know what is done about a failure.

use std::error::Error;

use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::streamable_http_client::{AuthRequiredError, StreamableHttpError};

use super::http::{HttpFailure, Trouble};
use super::journal::Journal;
use crate::text::head_and_tail;
use crate::wait::CAUSE_LIMIT;

/// Lines of stderr that a cause quotes.
const QUOTED_LINES: usize = 5;
/// The way out of a refusal.
const AUTHORIZE: &str = "set or renew its Authorization header, \
    with --header 'Authorization: Bearer …' or under \"headers\" in its configuration";

/// A cause, of a long one its head and tail.
pub(super) fn cut(cause: &str) -> String {
    head_and_tail(cause, CAUSE_LIMIT)
}

/// An error and what is behind it. What an error repeats of its source is said once.
pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut said = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !said.contains(&more) {
            said = format!("{said}: {more}");
        }
        source = error.source();
    }
    said
}

/// What parts a sentence from the last lines of stderr.
const LAST_WORDS: &str = "; its last words on stderr:";

/// What is said without the last lines of a server's stderr, for whom they are not meant.
#[must_use]
pub fn without_stderr(cause: &str) -> &str {
    cause.split(LAST_WORDS).next().unwrap_or_default()
}

/// A sentence, with the last lines of stderr behind it, if there are any.
pub(super) fn with_stderr(sentence: String, journal: &Journal) -> String {
    let lines = journal.last_stderr(QUOTED_LINES);
    if lines.is_empty() {
        return sentence;
    }
    format!("{sentence}{LAST_WORDS}\n{}", lines.join("\n"))
}

/// Why a connection could not be made.
pub(super) fn of_initialize(error: &ClientInitializeError) -> String {
    if let Some(refusal) = refusal_of_initialize(error) {
        return refusal;
    }
    match error {
        ClientInitializeError::LegacyFallbackFailed { discover, fallback } => format!(
            "server/discover failed ({}), and so did initialize ({})",
            of_initialize(discover),
            of_initialize(fallback)
        ),
        ClientInitializeError::JsonRpcError(error) => {
            format!(
                "the server answered with error {}: {}",
                error.code.0, error.message
            )
        }
        ClientInitializeError::ConnectionClosed(_) => "the server ended the connection".to_owned(),
        ClientInitializeError::TransportError { error, .. } => words(error.error.as_ref()),
        other => chain(other),
    }
}

/// Why a request failed on its way.
pub(super) fn of_request(error: &ServiceError) -> String {
    match error {
        ServiceError::TransportSend(error) => words(error.error.as_ref()),
        ServiceError::TransportClosed => "the server ended its answer before the result".to_owned(),
        other => chain(other),
    }
}

/// What a transport says of its failure.
fn words(error: &(dyn Error + 'static)) -> String {
    match http_failure(error) {
        Some(failure) => failure.cause.clone(),
        None => chain(error),
    }
}

fn http_failure<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a HttpFailure> {
    match error.downcast_ref::<StreamableHttpError<HttpFailure>>() {
        Some(StreamableHttpError::Client(failure)) => Some(failure),
        Some(_) => None,
        None => error.downcast_ref::<HttpFailure>(),
    }
}

/// Whether there was no connection to the server at all.
pub(super) fn is_unreachable(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::TransportError { error, .. } => http_failure(error.error.as_ref())
            .is_some_and(|failure| failure.trouble == Trouble::Unreachable),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => is_unreachable(fallback),
        _ => false,
    }
}

/// The words for a server that wants authorization it didn't get, if connecting failed so.
pub(super) fn refusal_of_initialize(error: &ClientInitializeError) -> Option<String> {
    match error {
        ClientInitializeError::TransportError { error, .. } => refusal(error.error.as_ref()),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
            refusal_of_initialize(fallback)
        }
        _ => None,
    }
}

/// The words for a server that wants authorization it didn't get, if a request failed so.
pub(super) fn refusal_of_request(error: &ServiceError) -> Option<String> {
    match error {
        ServiceError::TransportSend(error) => refusal(error.error.as_ref()),
        _ => None,
    }
}

/// The words for a server that wants authorization it didn't get, if this is such an error.
pub(super) fn refusal(error: &(dyn Error + 'static)) -> Option<String> {
    let said = match error.downcast_ref::<StreamableHttpError<HttpFailure>>() {
        Some(StreamableHttpError::AuthRequired(AuthRequiredError {
            www_authenticate_header: said,
            ..
        })) => said,
        _ => match error.downcast_ref::<HttpFailure>() {
            Some(failure) if failure.trouble == Trouble::Refused => &failure.cause,
            _ => return None,
        },
    };
    Some(format!("{said}; {AUTHORIZE}"))
}

#[cfg(test)]
mod tests {
    use super::super::journal::LogKind;
    use super::*;

    #[test]
    fn both_causes_of_a_failed_fallback_are_told() {
        let error = ClientInitializeError::LegacyFallbackFailed {
            discover: Box::new(ClientInitializeError::Cancelled),
            fallback: Box::new(ClientInitializeError::NoPreferredProtocolVersion),
        };
        let cause = of_initialize(&error);
        assert!(cause.contains("Cancelled"), "{cause}");
        assert!(cause.contains("requires at least one"), "{cause}");
    }

    #[test]
    fn t4_the_last_lines_of_stderr_are_quoted() {
        let journal = Journal::default();
        for line in ["one", "two", "", "three", "four", "five", "six"] {
            journal.line(LogKind::Stderr, line.as_bytes());
        }
        let cause = with_stderr("it exited with code 3".to_owned(), &journal);
        assert!(cause.ends_with("two\nthree\nfour\nfive\nsix"), "{cause}");
    }
}
