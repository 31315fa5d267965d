//! The signals that end the screen or stop it for a while.

use std::io;
use std::time::Duration;

use futures::FutureExt;
use rustix::process::{Signal as Number, kill_current_process_group};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long a stop may take to reach every thread. A process group that no shell watches isn't
/// stopped at all; then this is how long it is waited for.
const STOPPING: Duration = Duration::from_millis(50);

/// The signals that are listened to.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
    goes_on: Signal,
}

impl Signals {
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            goes_on: signal(SignalKind::from_raw(Number::CONT.as_raw()))?,
        })
    }

    /// The number of the next signal that ends us.
    pub(super) async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => 2,
            _ = self.terminate.recv() => 15,
            _ = self.hangup.recv() => 1,
        }
    }

    /// Ends with the number of the next signal that ends us though another program has the terminal.
    /// Ctrl-C is that program's then.
    pub(super) async fn next_but_interrupts(&mut self) -> u8 {
        tokio::select! {
            _ = self.terminate.recv() => 15,
            _ = self.hangup.recv() => 1,
        }
    }

    /// Forgets what was meant for the program that had the terminal.
    pub(super) fn forget_interrupts(&mut self) {
        while self.interrupt.recv().now_or_never().is_some() {}
    }

    /// Stops the process group as the terminal's own Ctrl-Z would, and comes back once it goes on.
    pub(super) async fn stop_until_continued(&mut self) -> io::Result<()> {
        kill_current_process_group(Number::TSTP)?;
        // The stop may reach this thread last: nothing touches the terminal until it has.
        let _ = tokio::time::timeout(STOPPING, self.goes_on.recv()).await;
        Ok(())
    }
}
