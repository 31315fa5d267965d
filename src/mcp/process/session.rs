//! All processes that a child started, as far as they stayed in its session.
//!
//! Owns signalling them. Must not know what they are. A launcher's own children are in its process
//! group; those that made a group of their own (`timeout`, shells with job control) are found by
//! their session, where the system tells it.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::time::{Instant, sleep};

/// How often it is looked whether a session has ended.
const LOOK: Duration = Duration::from_millis(10);
/// How long a session may take to vanish after KILL; only a process stuck in the kernel does.
const VANISH: Duration = Duration::from_millis(500);

/// A session that a child leads. What is left of it is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Session {
    leader: Pid,
    ended: bool,
}

impl Session {
    /// The session that the child with this id leads.
    pub(super) fn of(child: u32) -> Result<Self, String> {
        let leader = i32::try_from(child).ok().and_then(Pid::from_raw);
        let leader = leader.ok_or_else(|| format!("the system gave an impossible id, {child}"))?;
        Ok(Self {
            leader,
            ended: false,
        })
    }

    pub(super) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Ends what the leader left behind when it exited: TERM, the grace, KILL.
    pub(super) async fn end(&mut self, grace: Duration) {
        if self.is_alive() {
            self.terminate();
            if !self.vanishes_within(grace).await {
                self.kill();
                self.vanishes_within(VANISH).await;
            }
        }
        self.ended = true;
    }

    async fn vanishes_within(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while self.is_alive() {
            if Instant::now() >= deadline {
                return false;
            }
            sleep(LOOK).await;
        }
        true
    }

    fn signal(&self, signal: Signal) {
        // A process that is already gone is what is wanted.
        let _ = kill_process_group(self.leader, signal);
        for member in self.members() {
            if member.group != self.leader {
                let _ = kill_process(member.id, signal);
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn is_alive(&self) -> bool {
        !self.members().is_empty()
    }

    #[cfg(not(target_os = "linux"))]
    fn is_alive(&self) -> bool {
        rustix::process::test_kill_process_group(self.leader).is_ok()
    }

    #[cfg(target_os = "linux")]
    fn members(&self) -> Vec<Member> {
        let Ok(processes) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .filter_map(Result::ok)
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|id| Member::of_session(id, self.leader))
            .collect()
    }

    #[cfg(not(target_os = "linux"))]
    fn members(&self) -> Vec<Member> {
        Vec::new()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.ended {
            self.kill();
        }
    }
}

/// A living process of a session.
struct Member {
    id: Pid,
    group: Pid,
}

impl Member {
    #[cfg(target_os = "linux")]
    fn of_session(id: i32, session: Pid) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name of the program may hold anything, so the fields are counted from behind it:
        // state, parent, group, session.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        let state = fields.next()?;
        let group: i32 = fields.nth(1)?.parse().ok()?;
        let its_session: i32 = fields.next()?.parse().ok()?;
        let dead = matches!(state, "Z" | "X");
        (its_session == session.as_raw_nonzero().get() && !dead).then_some(Self {
            id: Pid::from_raw(id)?,
            group: Pid::from_raw(group)?,
        })
    }
}

/// The usual name of a signal.
pub(super) fn signal_name(signal: i32) -> Option<&'static str> {
    let named = [
        (Signal::HUP, "HUP"),
        (Signal::INT, "INT"),
        (Signal::QUIT, "QUIT"),
        (Signal::ILL, "ILL"),
        (Signal::ABORT, "ABRT"),
        (Signal::BUS, "BUS"),
        (Signal::FPE, "FPE"),
        (Signal::KILL, "KILL"),
        (Signal::SEGV, "SEGV"),
        (Signal::PIPE, "PIPE"),
        (Signal::TERM, "TERM"),
    ];
    named
        .into_iter()
        .find_map(|(known, name)| (known.as_raw() == signal).then_some(name))
}
