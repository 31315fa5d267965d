//! How a command ends: one table of exit codes, and one sentence for an error.

use std::process::ExitCode;

use crate::text;
use crate::wait::{Ending, Reason, WaitError};

/// Matched or settled.
const MET: u8 = 0;
/// `fail_when` matched, or a tool error of `call`.
pub const FAILED: u8 = 1;
/// Usage, a refusal, a server that is ambiguous or untrusted, a tool that doesn't exist.
pub const USAGE: u8 = 2;
/// The probe or the server failed.
const PROBE: u8 = 3;
/// The budget ended, as `timeout(1)` says it.
const TIMEOUT: u8 = 124;
/// A signal's number is added to it.
const SIGNAL: u8 = 128;
/// What a closed pipe would have ended a program with that doesn't watch for it.
const SIGPIPE: u8 = 13;

/// The exit code of a wait's end. `signal` is what stopped it, if anything did.
pub fn of_ending(ending: &Ending, signal: Option<u8>) -> u8 {
    match (ending, signal) {
        (Ok(result), _) => match result.reason {
            Reason::Matched | Reason::Settled => MET,
            Reason::Failed => FAILED,
            Reason::Timeout => TIMEOUT,
        },
        (Err(failure), signal) => of_error(&failure.error, signal),
    }
}

/// The exit code of an error. `signal` is what stopped the wait, if anything did.
pub fn of_error(error: &WaitError, signal: Option<u8>) -> u8 {
    match error {
        WaitError::Refused(_)
        | WaitError::ServerAmbiguous { .. }
        | WaitError::UntrustedServer { .. }
        | WaitError::UnknownProbeTool { .. } => USAGE,
        WaitError::Cancelled { .. } => by_signal(signal.unwrap_or(SIGPIPE)),
        _ => PROBE,
    }
}

/// The exit code of a command that was ended by a signal.
pub fn by_signal(signal: u8) -> u8 {
    SIGNAL + signal
}

/// Says what went wrong in one sentence, or with its chain, and gives the code for it.
#[allow(clippy::print_stderr)]
pub fn report(error: &anyhow::Error, verbose: bool) -> ExitCode {
    let is_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_pipe) {
        return ExitCode::from(by_signal(SIGPIPE));
    }
    eprintln!("stakeout: {}", text::lines(&error.to_string()));
    if verbose {
        for cause in error.chain().skip(1) {
            eprintln!("  because: {}", text::lines(&cause.to_string()));
        }
    }
    let code = error.downcast_ref::<WaitError>().map_or(USAGE, |error| of_error(error, None));
    ExitCode::from(code)
}
