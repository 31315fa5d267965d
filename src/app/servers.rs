//! The servers of this process: configured, approved, connected at most once each.
//!
//! Owns the connections. Nothing is started or contacted before it is asked for by name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::listing::{self, ServerOptions, ServerRow};
use super::states::{Generation, ServerState, States, StatesFollower};
use crate::mcp::{self, ConnectError, Connection, Listed, ServerEntry, Tool};
use crate::store::{Folders, RememberedTools, Trust};
use crate::wait::WaitError;

/// How long connecting may take where neither a flag nor the entry says.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

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

/// A handle to all servers; clones share the connections.
#[derive(Clone)]
pub struct Servers(Arc<Inner>);

struct Inner {
    listed: Vec<Listed>,
    problems: Vec<String>,
    trust: Trust,
    trust_all: bool,
    remembered: RememberedTools,
    connect_timeout: Option<Duration>,
    slots: Mutex<HashMap<String, Slot>>,
    states: Arc<States>,
}

/// Why there is no connection to use.
pub(super) struct Unconnected {
    pub(super) error: WaitError,
    /// Whether the server wants authorization that it didn't get; trying again won't help.
    pub(super) unauthorized: bool,
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

/// At most one connection to a server; the lock is held while it is being made.
type Slot = Arc<tokio::sync::Mutex<Option<Connection>>>;

impl Servers {
    /// Reads the configuration. Nothing is contacted.
    ///
    /// # Errors
    /// A sentence, where there is no home folder, or a file that was named can't be used.
    pub fn load(options: &ServerOptions) -> Result<Self, String> {
        let folders = Folders::of_user()?;
        let configured = listing::read(options, &folders)?;
        Ok(Self(Arc::new(Inner {
            listed: configured.servers,
            problems: configured
                .problems
                .iter()
                .map(ToString::to_string)
                .collect(),
            trust: Trust::new(folders.trust()),
            trust_all: options.trust,
            remembered: RememberedTools::new(folders.remembered_tools()),
            connect_timeout: options.connect_timeout,
            slots: Mutex::default(),
            states: Arc::new(States::new()),
        })))
    }

    /// Every server, the most specific source first.
    #[must_use]
    pub fn rows(&self) -> Vec<ServerRow> {
        self.0
            .listed
            .iter()
            .map(|listed| listing::row(listed, self.approval(&listed.entry)))
            .collect()
    }

    /// What was wrong with the configuration, one sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.0.problems
    }

    /// The entry of a server that can be used.
    #[must_use]
    pub fn entry_of(&self, name: &str) -> Option<&ServerEntry> {
        self.usable().find(|entry| entry.name == name)
    }

    /// Remembers the operator's yes to a server.
    ///
    /// # Errors
    /// A sentence, where it can't be remembered.
    pub fn approve(&self, name: &str) -> Result<(), String> {
        let entry = self.entry(name).map_err(|error| error.to_string())?;
        let Some(origin) = listing::origin(entry) else {
            return Ok(());
        };
        self.0
            .trust
            .approve(origin, &mcp::fingerprint_source(entry))
            .map_err(|error| format!("the approval of {name:?} could not be remembered: {error}"))
    }

    /// Connects to a server, or takes the live connection, and lists its tools. Dropping the future
    /// stops it.
    ///
    /// # Errors
    /// `server_unavailable` or `untrusted_server`.
    pub async fn connect(&self, name: &str) -> Result<Connected, WaitError> {
        Ok(self.connected(name).await?)
    }

    async fn connected(&self, name: &str) -> Result<Connected, Unconnected> {
        let connection = self.connection(name).await?;
        // Read before the tools are listed: what changes meanwhile counts as new.
        let announced = *connection.tools_changed().borrow();
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

    /// Ends when a connected server has announced another number of changes of its tools than
    /// `announced`, the number of the list that is known. Never ends without a connection.
    pub async fn tools_changed(&self, name: &str, announced: u64) {
        let slot = self.slot(name);
        let changes = slot.lock().await.as_ref().map(Connection::tools_changed);
        if let Some(mut changes) = changes
            && changes.wait_for(|count| *count != announced).await.is_ok()
        {
            return;
        }
        std::future::pending().await
    }

    /// How the servers stand, from now on.
    #[must_use]
    pub fn follow_states(&self) -> StatesFollower {
        self.0.states.follow()
    }

    /// Ends the connection to a server, and its child.
    pub async fn disconnect(&self, name: &str) {
        self.0.states.forget(name);
        if let Some(connection) = self.slot(name).lock().await.take() {
            connection.close().await;
        }
    }

    /// Ends every connection and child.
    pub async fn close(&self) {
        let names: Vec<String> = self.slots().keys().cloned().collect();
        futures::future::join_all(names.iter().map(|name| self.disconnect(name))).await;
    }

    /// A connection to a server that has the tool.
    pub(super) async fn connection_with_tool(
        &self,
        server: &str,
        tool: &str,
    ) -> Result<Connection, Unconnected> {
        let connected = self.connected(server).await?;
        if connected.tools.iter().any(|known| known.name == tool) {
            return self.connection(server).await;
        }
        let names: Vec<&str> = connected
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        Err(self.unknown_tool(server, tool, &names).into())
    }

    /// The error of a server without the tool, which has these.
    pub(super) fn unknown_tool(&self, server: &str, tool: &str, has: &[&str]) -> WaitError {
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
    pub(super) async fn connection(&self, name: &str) -> Result<Connection, Unconnected> {
        let entry = self.entry(name)?;
        if let Some(approval) = self.approval(entry) {
            let error = WaitError::UntrustedServer {
                server: name.to_owned(),
                would_run: approval.would_run,
                origin: approval.origin,
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
        match self.open(entry).await {
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

    async fn open(&self, entry: &ServerEntry) -> Result<Connection, ConnectError> {
        let expanded = mcp::expand(entry, &|variable| std::env::var(variable).ok());
        let expanded = expanded.map_err(|error| ConnectError {
            step: "configuration".to_owned(),
            cause: error.to_string(),
            unauthorized: false,
        })?;
        let own = self.0.connect_timeout.or(entry.connect_timeout);
        Connection::connect(&expanded, own.unwrap_or(CONNECT_TIMEOUT)).await
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

    /// Whether a connection to the server is there and alive; one that is being made is waited for.
    pub(super) async fn is_connected(&self, name: &str) -> bool {
        let slot = self.slot(name);
        let slot = slot.lock().await;
        slot.as_ref()
            .is_some_and(|connection| !connection.is_closed())
    }

    /// The servers that can be used, by name, the most specific source first.
    pub(super) fn usable(&self) -> impl Iterator<Item = &ServerEntry> {
        let usable = |listed: &&Listed| !listed.shadowed && !listed.disabled;
        self.0
            .listed
            .iter()
            .filter(usable)
            .map(|listed| &listed.entry)
    }

    /// The usable servers that have `tool`, or had it when they were last asked.
    pub(super) fn servers_with(&self, tool: &str) -> Vec<String> {
        let remembered = self.0.remembered.servers_with(tool);
        let has = |entry: &&ServerEntry| {
            remembered.contains(&entry.name)
                || (entry.name == mcp::DEMO && mcp::demo::suggestion(tool).is_some())
        };
        self.usable()
            .filter(has)
            .map(|entry| entry.name.clone())
            .collect()
    }

    fn entry(&self, name: &str) -> Result<&ServerEntry, WaitError> {
        self.entry_of(name).ok_or_else(|| {
            let disabled = self
                .0
                .listed
                .iter()
                .any(|listed| listed.disabled && listed.entry.name == name);
            let known: Vec<&str> = self.usable().map(|entry| entry.name.as_str()).collect();
            let cause = if disabled {
                "its entry says disabled; turn it on there".to_owned()
            } else {
                format!(
                    "no server of that name is configured; there are: {}",
                    known.join(", ")
                )
            };
            unavailable(name, "configuration", cause)
        })
    }

    fn approval(&self, entry: &ServerEntry) -> Option<listing::Approval> {
        if self.0.trust_all {
            None
        } else {
            listing::approval(entry, &self.0.trust)
        }
    }

    fn slot(&self, name: &str) -> Slot {
        Arc::clone(self.slots().entry(name.to_owned()).or_default())
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<String, Slot>> {
        // The map is whole whatever happened while it was locked.
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn connected_state(connection: &Connection) -> ServerState {
    let software = connection.server_info();
    ServerState::Connected {
        protocol: connection.protocol_version(),
        software: software.map(|(name, version)| format!("{name} {version}")),
    }
}

fn unavailable(server: &str, step: &str, cause: String) -> WaitError {
    WaitError::ServerUnavailable {
        server: server.to_owned(),
        step: step.to_owned(),
        cause,
    }
}

/// The names that `name` may have been meant to be, the nearest first.
pub(super) fn near(name: &str, names: &[&str]) -> Box<[String]> {
    let near = similar::get_close_matches(name, names, 3, 0.6);
    near.into_iter().map(str::to_owned).collect()
}
