//! How a command ends: one table of exit codes, and one sentence for an error.

use std::io;
use std::process::ExitCode;

use super::stderr;
use crate::wait::{Ending, Reason, WaitError};

/// Matched or settled.
const MET: u8 = 0;
/// `fail_when` matched, or a tool error of `call`.
pub const FAILED: u8 = 1;
/// Usage, a refusal, a server that is ambiguous or untrusted, a tool that doesn't exist.
pub const USAGE: u8 = 2;
/// The probe or the server failed, what it said could not be printed, or a recording ended undecided.
const PROBE: u8 = 3;
/// The budget ended, as `timeout(1)` says it.
const TIMEOUT: u8 = 124;
/// A signal's number is added to it.
const SIGNAL: u8 = 128;
/// What a closed pipe ends a program with that doesn't watch for it, as most don't.
const SIGPIPE: u8 = 13;

/// The exit code of a wait's end. `signal` is what stopped it, if anything did.
pub fn of_ending(ending: &Ending, signal: Option<u8>) -> u8 {
    match ending {
        Ok(result) => match result.reason {
            Reason::Matched | Reason::Settled => MET,
            Reason::Failed => FAILED,
            Reason::Timeout => TIMEOUT,
        },
        Err(failure) => of_error(&failure.error, signal),
    }
}

/// The exit code of an error. `signal` is what stopped the wait, if anything did.
pub fn of_error(error: &WaitError, signal: Option<u8>) -> u8 {
    match error {
        WaitError::Refused(_)
        | WaitError::ServerAmbiguous { .. }
        | WaitError::UntrustedServer { .. }
        | WaitError::UnknownProbeTool { .. }
        | WaitError::ProbeNotAllowed { .. } => USAGE,
        // Nothing but a signal or a closed pipe cancels a wait without a screen.
        WaitError::Cancelled { .. } => by_signal(signal.unwrap_or(SIGPIPE)),
        WaitError::ServerUnavailable { .. }
        | WaitError::ProbeFailed { .. }
        | WaitError::ProbeTimedOut { .. }
        | WaitError::ObservationTooLarge { .. }
        | WaitError::RecordingEnded { .. } => PROBE,
    }
}

/// The exit code of a command that was ended by a signal.
pub fn by_signal(signal: u8) -> u8 {
    SIGNAL + signal
}

/// Says what went wrong in one sentence, or with its chain, and gives the code for it. A closed
/// pipe is no error of ours: nothing is said.
pub fn report(error: &anyhow::Error, verbose: bool) -> ExitCode {
    let system = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>());
    if system.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::from(by_signal(SIGPIPE));
    }
    stderr::say(&format!("stakeout: {error}"));
    if verbose {
        for cause in error.chain().skip(1) {
            stderr::say(&format!("  because: {cause}"));
        }
    }
    ExitCode::from(match error.downcast_ref::<WaitError>() {
        Some(error) => of_error(error, None),
        None if error.downcast_ref::<CantPrint>().is_some() => PROBE,
        None => USAGE,
    })
}

/// Stdout can't be written to.
#[derive(Debug, thiserror::Error)]
#[error("the result can't be written to standard output: {0}")]
pub struct CantPrint(#[from] pub io::Error);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::wait::{Refusal, WaitFailure, WaitResult};

    fn result(reason: Reason) -> Ending {
        Ok(WaitResult {
            reason,
            last_observation: Arc::from(""),
            elapsed_sec: 0,
            samples: 1,
            effective_max_wait_sec: 1,
        })
    }

    fn failed(error: WaitError) -> Ending {
        Err(WaitFailure::before_the_first_sample(error))
    }

    #[test]
    fn w19_every_end_has_its_exit_code() {
        let text = String::new;
        let unavailable = WaitError::ServerUnavailable {
            server: text(),
            step: text(),
            cause: text(),
        };
        let untrusted = WaitError::UntrustedServer {
            server: text(),
            would_run: text(),
            origin: text(),
            fingerprint: Box::default(),
        };
        let unknown = WaitError::UnknownProbeTool {
            server: text(),
            tool: text(),
            near: Box::default(),
            elsewhere: Box::default(),
        };
        let probe_failed = WaitError::ProbeFailed {
            tool: text(),
            sample: 1,
            cause: text(),
        };
        let timed_out = WaitError::ProbeTimedOut {
            tool: text(),
            effective_max_wait_sec: 1,
            last_failure: None,
        };
        let too_large = WaitError::ObservationTooLarge {
            tool: text(),
            sample: 1,
            bytes: 2,
            limit: 1,
        };
        let not_allowed = WaitError::ProbeNotAllowed {
            server: text(),
            tool: text(),
            reason: text(),
        };
        let recording_ended = WaitError::RecordingEnded {
            samples: 1,
            recorded: None,
        };
        for (ending, code) in [
            (result(Reason::Matched), 0),
            (result(Reason::Settled), 0),
            (result(Reason::Failed), 1),
            (result(Reason::Timeout), 124),
            (failed(Refusal::ZeroPoll.into()), 2),
            (
                failed(WaitError::ServerAmbiguous {
                    candidates: Vec::new(),
                }),
                2,
            ),
            (failed(untrusted), 2),
            (failed(unknown), 2),
            (failed(not_allowed), 2),
            (failed(unavailable), 3),
            (failed(probe_failed), 3),
            (failed(timed_out), 3),
            (failed(too_large), 3),
            (failed(recording_ended), 3),
        ] {
            assert_eq!(of_ending(&ending, None), code, "{ending:?}");
        }
    }

    #[test]
    fn a_signal_counts_where_it_ended_the_wait() {
        let cancelled = failed(WaitError::Cancelled { samples: 1 });
        for (signal, code) in [(1, 129), (2, 130), (15, 143)] {
            assert_eq!(of_ending(&cancelled, Some(signal)), code);
            assert_eq!(of_ending(&result(Reason::Matched), Some(signal)), 0);
        }
        assert_eq!(of_ending(&cancelled, None), 141);
    }
}
