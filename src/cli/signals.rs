//! The signals that end a command.

use std::future::Future;
use std::io;
use std::pin::pin;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGINT, SIGTERM and SIGHUP, which end nothing by themselves once this exists.
#[cfg(unix)]
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// None where whoever started us had it ignored, as `nohup` does: then it stays ignored.
    hangup: Option<Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// What the system says.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: if hangup_is_ignored() {
                None
            } else {
                Some(signal(SignalKind::hangup())?)
            },
        })
    }

    /// Waits for the next one, and gives its number.
    pub async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => 2,
            _ = self.terminate.recv() => 15,
            () = arrives(self.hangup.as_mut()) => 1,
        }
    }
}

/// Waits for a signal; for ever, where it isn't listened to.
#[cfg(unix)]
async fn arrives(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether SIGHUP was ignored before we came. Only Linux says so without `unsafe`; elsewhere the
/// answer is no.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is signal 1, SIGHUP.
    mask.is_some_and(|mask| mask & 1 == 1)
}

/// Ctrl-C, where there is nothing else.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// None.
    pub fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the next one, and gives the number that it has elsewhere.
    pub async fn next(&mut self) -> u8 {
        match tokio::signal::ctrl_c().await {
            Ok(()) => 2,
            Err(_) => std::future::pending().await,
        }
    }
}

impl Signals {
    /// What `future` brings; where a signal comes first, its number, and the future is dropped.
    ///
    /// # Errors
    /// The number of the signal.
    pub async fn unless_one_comes<T>(&mut self, future: impl Future<Output = T>) -> Result<T, u8> {
        let mut future = pin!(future);
        tokio::select! {
            biased;
            output = &mut future => Ok(output),
            number = self.next() => Err(number),
        }
    }
}
