//! Making a connection to a server, and noticing when it is lost.
//!
//! Owns what a server's state becomes on the way. Must not know who asked for the connection.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared, WeakShared};
use tokio::time::Instant;

use super::{Servers, near};
use crate::app::permit::{self, Candidate, Permit};
use crate::app::states::{Generation, ServerState};
use crate::mcp::{self, ConnectError, Connection, Host, ServerEntry, Tool};
use crate::wait::WaitError;

/// How long connecting may take where nobody says.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a listing is young enough to be shared: whoever joins it waits no shorter than the others.
const TOGETHER: Duration = Duration::from_secs(1);

/// A server that answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Connected {
    /// Its name here.
    pub server: String,
    /// The protocol version in use.
    pub protocol: String,
    /// What it calls itself, with its version.
    pub software: Option<String>,
    /// Its tools, in its order.
    pub tools: Vec<Tool>,
    /// What was wrong with the list.
    pub warnings: Vec<String>,
    /// How many changes of its tools the server had announced before they were listed.
    pub announced: u64,
}

/// Why there is no connection to use.
#[derive(Clone)]
pub(in crate::app) struct Unconnected {
    pub(in crate::app) error: WaitError,
    /// Whether the server wants authorization that it didn't get; trying again won't help.
    pub(in crate::app) unauthorized: bool,
}

/// The tools of a server, being listed.
type Listing = BoxFuture<'static, Result<Arc<Connected>, Unconnected>>;

/// A listing that those share who ask while it has just begun: hundreds of waits may begin at once. It
/// ends when nobody wants it any more.
pub(super) struct UnderWay {
    connection: Connection,
    announced: u64,
    began: Instant,
    listing: WeakShared<Listing>,
}

impl From<WaitError> for Unconnected {
    fn from(error: WaitError) -> Self {
        let unauthorized = false;
        Self {
            error,
            unauthorized,
        }
    }
}

impl From<Unconnected> for WaitError {
    fn from(unconnected: Unconnected) -> Self {
        unconnected.error
    }
}

impl Servers {
    /// Connects to a server, or takes the live connection, and lists its tools. Dropping the future
    /// stops it.
    ///
    /// # Errors
    /// `server_unavailable` or `untrusted_server`.
    pub async fn connect(&self, name: &str) -> Result<Connected, WaitError> {
        let (_, connected) = self.connected(name).await?;
        Ok(Arc::unwrap_or_clone(connected))
    }

    async fn connected(&self, name: &str) -> Result<(Connection, Arc<Connected>), Unconnected> {
        let connection = self.connection(name).await?;
        let connected = self.listing(name, &connection).await?;
        Ok((connection, connected))
    }

    fn listing(&self, name: &str, connection: &Connection) -> Shared<Listing> {
        // Read before the tools are listed: what changes meanwhile counts as new.
        let announced = *connection.tools_changed().borrow();
        let mut listings = self.listings();
        let same = |own: &&UnderWay| {
            own.connection.is(connection)
                && own.announced == announced
                && own.began.elapsed() < TOGETHER
        };
        let under_way = listings.get(name).filter(same);
        let under_way = under_way.and_then(|own| own.listing.upgrade());
        // What is over may tell of a time before it was asked for.
        if let Some(listing) = under_way.filter(|listing| listing.peek().is_none()) {
            return listing;
        }
        let listing = {
            let (servers, connection) = (self.clone(), connection.clone());
            let name = name.to_owned();
            async move { (servers.list(&name, &connection, announced).await).map(Arc::new) }
        };
        let listing = listing.boxed().shared();
        if let Some(weak) = listing.downgrade() {
            let under_way = UnderWay {
                connection: connection.clone(),
                announced,
                began: Instant::now(),
                listing: weak,
            };
            listings.insert(name.to_owned(), under_way);
        }
        listing
    }

    /// Lists the tools of a server, which had announced so many changes of them.
    async fn list(
        &self,
        name: &str,
        connection: &Connection,
        announced: u64,
    ) -> Result<Connected, Unconnected> {
        let list = connection
            .list_tools()
            .await
            .map_err(|failure| Unconnected {
                unauthorized: failure.unauthorized,
                error: unavailable(name, "tools/list", failure.cause),
            })?;
        let names = list.tools.iter().map(|tool| tool.name.clone()).collect();
        // A memory that can't be written costs a convenience, not the wait.
        if let Err(error) = self.0.remembered.remember(name, names) {
            tracing::warn!(%error, "tools are not remembered");
        }
        Ok(Connected {
            server: name.to_owned(),
            protocol: connection.protocol_version(),
            software: connection
                .server_info()
                .map(|(name, version)| format!("{name} {version}")),
            tools: list.tools,
            warnings: list.warnings,
            announced,
        })
    }

    /// A connection to a server that has the tool, if `permit` lets it be probed; and how many
    /// changes of its tools had been announced when that was asked.
    pub(in crate::app) async fn connection_with_tool(
        &self,
        server: &str,
        tool: &str,
        permit: Option<&Permit>,
    ) -> Result<(Connection, u64), Unconnected> {
        let (connection, connected) = self.connected(server).await?;
        let Some(tool) = connected.tools.iter().find(|known| known.name == tool) else {
            let names = connected.tools.iter().map(|tool| tool.name.as_str());
            let names: Vec<&str> = names.collect();
            return Err(self.unknown_tool(server, tool, &names).into());
        };
        let candidate = Candidate {
            server,
            software: connected.software.as_deref(),
            tool,
        };
        permit::check(permit, candidate)?;
        Ok((connection, connected.announced))
    }

    /// The error of a server without the tool, which has these.
    pub(in crate::app) fn unknown_tool(&self, server: &str, tool: &str, has: &[&str]) -> WaitError {
        let mut elsewhere = self.servers_with(tool);
        elsewhere.retain(|other| other != server);
        WaitError::UnknownProbeTool {
            server: server.to_owned(),
            tool: tool.to_owned(),
            near: near(tool, has),
            elsewhere: elsewhere.into(),
        }
    }

    /// The live connection to a server, or a new one.
    pub(in crate::app) async fn connection(&self, name: &str) -> Result<Connection, Unconnected> {
        let entry = self.entry(name)?;
        if let Some(approval) = self.approval(&entry) {
            let error = WaitError::UntrustedServer {
                server: name.to_owned(),
                would_run: approval.would_run,
                origin: approval.origin,
                fingerprint: approval.fingerprint.into(),
            };
            return Err(error.into());
        }
        let slot = self.slot(name);
        let mut slot = slot.lock().await;
        if let Some(connection) = slot.as_ref().filter(|connection| !connection.is_closed()) {
            return Ok(connection.clone());
        }
        let beginning = self.0.states.begin(name);
        if let Some(dead) = slot.take() {
            dead.close().await;
        }
        // On the heap, since every wait would carry the room for it to its end.
        match Box::pin(self.open(&entry, name)).await {
            Ok(connection) => {
                let generation = beginning.became(connected_state(&connection));
                self.watch(name, &connection, generation);
                *slot = Some(connection.clone());
                Ok(connection)
            }
            Err(error) => {
                let unauthorized = error.unauthorized;
                let error = unavailable(name, &error.step, error.cause);
                let reason = error.to_string();
                beginning.became(ServerState::Failed {
                    reason,
                    unauthorized,
                });
                Err(Unconnected {
                    error,
                    unauthorized,
                })
            }
        }
    }

    /// Whether a connection to the server is there and alive; one that is being made is waited for.
    pub(in crate::app) async fn is_connected(&self, name: &str) -> bool {
        let slot = self.slot(name);
        let slot = slot.lock().await;
        slot.as_ref()
            .is_some_and(|connection| !connection.is_closed())
    }

    async fn open(&self, entry: &ServerEntry, name: &str) -> Result<Connection, ConnectError> {
        let expanded = mcp::expand(entry, &|variable| std::env::var(variable).ok());
        let host = Host {
            server: name.to_owned(),
            journal: self.journal(name),
            questions: self.questions(),
        };
        let expanded = expanded.map_err(|error| ConnectError {
            step: "configuration".to_owned(),
            cause: error.to_string(),
            unauthorized: false,
        })?;
        let own = (self.0.connect_timeout)
            .or(entry.connect_timeout)
            .or(self.0.default_timeout);
        Connection::connect(&expanded, own.unwrap_or(CONNECT_TIMEOUT), &host).await
    }

    /// Tells when the server ends the connection by itself, whether or not it is being used.
    fn watch(&self, name: &str, connection: &Connection, generation: Generation) {
        let (states, name) = (Arc::clone(&self.0.states), name.to_owned());
        let lost = connection.lost();
        tokio::spawn(async move {
            if let Some(reason) = lost.await {
                states.tell(&name, generation, Some(ServerState::Lost { reason }));
            }
        });
    }
}

fn connected_state(connection: &Connection) -> ServerState {
    let software = connection.server_info();
    ServerState::Connected {
        protocol: connection.protocol_version(),
        software: software.map(|(name, version)| format!("{name} {version}")),
    }
}

pub(super) fn unavailable(server: &str, step: &str, cause: String) -> WaitError {
    WaitError::ServerUnavailable {
        server: server.to_owned(),
        step: step.to_owned(),
        cause,
    }
}
