//! How each server stands, by name, for whoever wants to follow it.
//!
//! Owns the states and who hears of a change. Must not know how a server is reached. What is about
//! a connection that another has replaced changes nothing.

use std::collections::BTreeMap;

use tokio::sync::watch;

/// How a server stands that was asked for once; of the others nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerState {
    /// Being started or contacted.
    Connecting,
    /// Connected.
    Connected {
        /// The protocol version in use.
        protocol: String,
        /// What it calls itself, with its version.
        software: Option<String>,
    },
    /// It could not be started, reached or spoken to.
    Failed {
        /// Why, with what to do.
        reason: String,
        /// Whether it wants authorization that it didn't get.
        unauthorized: bool,
    },
    /// It was connected, and ended the connection by itself.
    Lost {
        /// How it ended.
        reason: String,
    },
}

/// The states of all servers, by name.
pub type ServerStates = BTreeMap<String, ServerState>;

/// A connection in the order in which they were begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Generation(u64);

#[derive(Debug, Default)]
struct Known {
    states: ServerStates,
    /// The newest connection of each server.
    newest: BTreeMap<String, Generation>,
    begun: u64,
}

/// The states while they change.
#[derive(Debug)]
pub(super) struct States(watch::Sender<Known>);

impl States {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(Known::default()))
    }

    /// Another connection to the server is begun. Unless its outcome is told, dropping what is
    /// returned says that nothing came of it.
    pub(super) fn begin(&self, server: &str) -> Beginning<'_> {
        let mut generation = Generation::default();
        self.0.send_modify(|known| {
            known.begun += 1;
            generation = Generation(known.begun);
            known.newest.insert(server.to_owned(), generation);
            let state = ServerState::Connecting;
            known.states.insert(server.to_owned(), state);
        });
        Beginning {
            states: self,
            server: server.to_owned(),
            generation,
            is_told: false,
        }
    }

    /// Tells how the connection of that generation stands, if it is still the newest.
    pub(super) fn tell(&self, server: &str, generation: Generation, state: Option<ServerState>) {
        self.0.send_if_modified(|known| {
            let is_newest = known.newest.get(server) == Some(&generation);
            if is_newest {
                match state {
                    Some(state) => known.states.insert(server.to_owned(), state),
                    None => known.states.remove(server),
                };
            }
            is_newest
        });
    }

    /// The server was disconnected on request: nothing is known of it any more.
    pub(super) fn forget(&self, server: &str) {
        self.0.send_if_modified(|known| {
            known.newest.remove(server);
            known.states.remove(server).is_some()
        });
    }

    /// The states, from now on.
    pub(super) fn follow(&self) -> StatesFollower {
        StatesFollower(self.0.subscribe())
    }
}

/// A connection that is being made.
pub(super) struct Beginning<'s> {
    states: &'s States,
    server: String,
    generation: Generation,
    is_told: bool,
}

impl Beginning<'_> {
    /// Tells what came of it.
    pub(super) fn became(mut self, state: ServerState) -> Generation {
        self.is_told = true;
        self.states.tell(&self.server, self.generation, Some(state));
        self.generation
    }
}

impl Drop for Beginning<'_> {
    fn drop(&mut self) {
        if !self.is_told {
            self.states.tell(&self.server, self.generation, None);
        }
    }
}

/// Hears of every change of a server's state.
#[derive(Debug)]
pub struct StatesFollower(watch::Receiver<Known>);

impl StatesFollower {
    /// The states after the next change; `None` once there are no servers any more. Changes that
    /// come faster than they are asked for are told as one.
    pub async fn next(&mut self) -> Option<ServerStates> {
        self.0.changed().await.ok()?;
        Some(self.0.borrow_and_update().states.clone())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn lost() -> Option<ServerState> {
        let reason = "it exited with code 3".to_owned();
        Some(ServerState::Lost { reason })
    }

    fn connected() -> ServerState {
        ServerState::Connected {
            protocol: "2025-11-25".to_owned(),
            software: None,
        }
    }

    fn now(states: &States) -> ServerStates {
        states.0.borrow().states.clone()
    }

    #[test]
    fn a_connect_that_is_given_up_leaves_nothing_behind() {
        let states = States::new();
        let beginning = states.begin("a");
        assert_eq!(now(&states)["a"], ServerState::Connecting);
        drop(beginning);
        assert!(now(&states).is_empty());
    }

    #[test]
    fn the_end_of_a_connection_that_was_replaced_changes_nothing() {
        let states = States::new();
        let before = states.begin("a").became(connected());
        let after = states.begin("a").became(connected());
        states.tell("a", before, lost());
        assert_eq!(now(&states)["a"], connected());
        states.tell("a", after, lost());
        assert_eq!(Some(now(&states)["a"].clone()), lost());
        states.forget("a");
        states.tell("a", after, lost());
        assert!(now(&states).is_empty());
    }

    #[tokio::test]
    async fn changes_are_followed() {
        let states = States::new();
        let mut follower = states.follow();
        states.begin("a").became(connected());
        states.begin("b").became(connected());
        assert_eq!(follower.next().await.unwrap().len(), 2);
        drop(states);
        assert_eq!(follower.next().await, None);
    }
}
