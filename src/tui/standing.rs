//! How each server stands, and since when, on the loop's clock.
//!
//! Owns the states as they were told last. Must not know how they are drawn.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::app::{ServerState, ServerStates};

/// How the servers stand that were asked for once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings(BTreeMap<String, Standing>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Standing {
    state: ServerState,
    since: Duration,
}

impl Standings {
    /// Takes the states as they are `now`. Answers the servers whose state is another than before.
    pub fn take(&mut self, states: ServerStates, now: Duration) -> Vec<String> {
        let mut changed = Vec::new();
        self.0.retain(|server, _| states.contains_key(server));
        for (server, state) in states {
            let same = self.of(&server) == Some(&state);
            if !same {
                let standing = Standing { state, since: now };
                self.0.insert(server.clone(), standing);
                changed.push(server);
            }
        }
        changed
    }

    /// How a server stands; `None` where it was never asked for, or disconnected on request.
    #[must_use]
    pub fn of(&self, server: &str) -> Option<&ServerState> {
        self.0.get(server).map(|standing| &standing.state)
    }

    /// Since when a server has had its state.
    #[must_use]
    pub fn since(&self, server: &str) -> Option<Duration> {
        self.0.get(server).map(|standing| standing.since)
    }

    /// Why a server is lost, if it is.
    #[must_use]
    pub fn why_lost(&self, server: &str) -> Option<&str> {
        match self.of(server)? {
            ServerState::Lost { reason } => Some(reason),
            _ => None,
        }
    }

    /// The same where there is one line: without the server's last words, and without the clause that
    /// leads to them.
    #[must_use]
    pub fn why_lost_in_short(&self, server: &str) -> Option<&str> {
        let reason = self.why_lost(server)?;
        Some(match reason.split_once('\n') {
            Some((first, _)) => first.rsplit_once("; ").map_or(first, |(why, _)| why),
            None => reason,
        })
    }

    /// What a connected server calls itself, and the protocol that it speaks.
    #[must_use]
    pub fn software(&self, server: &str) -> Option<String> {
        match self.of(server)? {
            ServerState::Connected { protocol, software } => {
                let software = software.as_deref().unwrap_or_default();
                Some(format!("{software} MCP {protocol}").trim().to_owned())
            }
            _ => None,
        }
    }

    /// When the connects began that are under way.
    pub fn connecting(&self) -> impl Iterator<Item = Duration> + '_ {
        let connecting = |standing: &&Standing| standing.state == ServerState::Connecting;
        self.0
            .values()
            .filter(connecting)
            .map(|standing| standing.since)
    }
}
