//! A connection to one server, from connecting to closing.
//!
//! Owns how a server is reached and which era of the protocol is spoken with it. Must not know
//! which tools are called, or why. What a connection started doesn't outlive it: closed, dropped,
//! failed or stopped while connecting.

mod opening;
mod within;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::Peer;
use rmcp::model::{
    CancelTaskParams, ClientRequest, ProtocolVersion, ServerNotification, SubscriptionFilter,
};
use rmcp::service::{ClientInitializeError, RoleClient, RunningService};
use serde_json::{Map, Value};
use tokio::sync::{Mutex, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::ServerEntry;
use super::cause;
use super::client::Client;
use super::elicitation::{Elicitation, Questions, Reply};
use super::journal::Journal;
use super::process::Process;
use super::request::{self, RequestFailure};
use crate::wait::Notes;
use opening::Parts;
use within::Within;

/// How long a server may take to hear which requests are cancelled, before it is left.
const FAREWELLS: Duration = Duration::from_millis(500);
/// How long a server may take to say goodbye, beside the ending of its process.
const GOODBYE: Duration = Duration::from_secs(1);

/// A connection to a server. Cheap to clone; all clones are one connection.
#[derive(Debug, Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// Whether a single failed request says nothing about the next: true over HTTP.
    each_for_itself: bool,
    peer: Peer<RoleClient>,
    client: Client,
    process: Option<Process>,
    service: Mutex<Option<RunningService<RoleClient, Client>>>,
    /// How long the server may take to list its tools, since that is part of connecting to it.
    patience: Duration,
    /// Cancelled when the transport is gone.
    ended: CancellationToken,
    /// Whether it was us who ended it.
    closed_by_us: Arc<AtomicBool>,
    _subscription: Option<AbortOnDropHandle<()>>,
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{step}: {cause}")]
pub struct ConnectError {
    /// The step that failed: `starting`, `connecting` or `initialize`.
    pub step: String,
    /// Why, in one sentence or more, at most 8 KiB.
    pub cause: String,
    /// Whether the server wants authorization that it didn't get; trying again won't help.
    pub unauthorized: bool,
}

impl ConnectError {
    pub(super) fn at(step: &str, cause: impl Into<String>) -> Self {
        Self {
            step: step.to_owned(),
            cause: cause::cut(&cause.into()),
            unauthorized: false,
        }
    }

    fn of_initialize(error: &ClientInitializeError) -> Self {
        let step = if cause::is_unreachable(error) {
            "connecting"
        } else {
            "initialize"
        };
        Self {
            unauthorized: cause::refusal_of_initialize(error).is_some(),
            ..Self::at(step, cause::of_initialize(error))
        }
    }

    fn too_slow(step: &str, time: Duration) -> Self {
        let cause = format!("no answer within {} s", time.as_secs_f64());
        Self::at(step, cause)
    }
}

/// What a connection has of the program around it.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The server's name, as the operator knows it.
    pub server: String,
    /// Where it is written down what happens.
    pub journal: Journal,
    /// Where the server's questions go; nowhere, if nobody can be asked.
    pub questions: Option<Questions>,
}

impl Connection {
    /// Connects to a server, given by an entry whose variables are expanded. Dropping the future
    /// ends what was started.
    ///
    /// # Errors
    /// A [`ConnectError`] that names the step, also when `time` is over.
    pub async fn connect(
        entry: &ServerEntry,
        time: Duration,
        host: &Host,
    ) -> Result<Self, ConnectError> {
        let within = Within::from_now(time);
        let journal = &host.journal;
        match opening::open(&entry.reach, within, host).await {
            Ok(parts) => {
                let connection = Self::of(parts, within.time);
                let protocol = connection.protocol_version();
                let software = connection.server_info();
                let software = software.map(|(name, version)| format!(" {name} {version},"));
                let software = software.unwrap_or_default();
                journal.event(format!("connected:{software} MCP {protocol}"));
                Ok(connection)
            }
            Err(error) => {
                journal.trouble(error.to_string());
                Err(error)
            }
        }
    }

    fn of(parts: Parts, patience: Duration) -> Self {
        let peer = parts.service.peer().clone();
        let client = parts.service.service().clone();
        let shared = Shared {
            each_for_itself: parts.each_for_itself,
            _subscription: subscribe(&peer, &client),
            peer,
            client,
            process: parts.process,
            service: Mutex::new(Some(parts.service)),
            patience,
            ended: parts.ended,
            closed_by_us: Arc::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Whether both are handles of one connection.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The version of the protocol that is spoken, such as `2025-11-25`.
    #[must_use]
    pub fn protocol_version(&self) -> String {
        let info = self.shared.peer.peer_info();
        info.map_or_else(String::new, |info| info.protocol_version.to_string())
    }

    /// The name and version that the server gives itself.
    #[must_use]
    pub fn server_info(&self) -> Option<(String, String)> {
        let info = self.shared.peer.peer_info()?;
        let server = info.server_info.as_ref()?;
        Some((server.name.clone(), server.version.clone()))
    }

    /// Whether the connection has ended, by us or by the server.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.ended.is_cancelled() || self.shared.peer.is_transport_closed()
    }

    /// Waits until the connection has ended, and answers why: `None` where it was us who ended it.
    /// Doesn't keep the connection alive.
    pub fn lost(&self) -> impl Future<Output = Option<String>> + Send + use<> {
        let shared = &self.shared;
        let (ended, process) = (shared.ended.clone(), shared.process.clone());
        let closed_by_us = Arc::clone(&shared.closed_by_us);
        let journal = self.journal().clone();
        async move {
            ended.cancelled().await;
            let by_us = || closed_by_us.load(Ordering::SeqCst);
            let reason = match process {
                Some(process) => process.obituary().await,
                None => {
                    let reason = "the server closed the connection";
                    if !by_us() {
                        journal.trouble(reason);
                    }
                    reason.to_owned()
                }
            };
            (!by_us()).then_some(reason)
        }
    }

    /// Counts the server's announcements that its tools have changed.
    #[must_use]
    pub fn tools_changed(&self) -> watch::Receiver<u64> {
        self.shared.client.tools_changed.subscribe()
    }

    /// What happened between us and the server so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.shared.client.journal
    }

    /// Ends the connection and what belongs to it, and waits until that is done, some three seconds
    /// at most: what was dropped is cancelled, a child's stdin is closed, then it gets 500 ms, TERM, 500 ms, KILL, and so does
    /// all that it started.
    pub async fn close(&self) {
        if !self.shared.closed_by_us.swap(true, Ordering::SeqCst) {
            self.journal().event("closing the connection");
        }
        let service = self.shared.service.lock().await.take();
        if let Some(mut service) = service {
            // A call that was dropped just now is cancelled first: the server may serve others.
            let farewells = &self.shared.client.farewells;
            farewells.close();
            let _ = timeout(FAREWELLS, farewells.wait()).await;
            let _ = service.close_with_timeout(GOODBYE).await;
        }
        if let Some(process) = &self.shared.process {
            process.end();
            process.gone().await;
        }
    }

    /// Tells the server that a task is no longer wanted, without waiting for it.
    pub(super) fn abandon_task(&self, id: String) {
        let peer = self.shared.peer.clone();
        self.shared.client.tell_later(async move {
            let _ = peer.cancel_task(CancelTaskParams::new(id)).await;
        });
    }

    /// How long the server may take to list its tools: as long as connecting to it.
    pub(super) fn patience(&self) -> Duration {
        self.shared.patience
    }

    /// Whether the server says that it has tools.
    pub(super) fn offers_tools(&self) -> bool {
        let info = self.shared.peer.peer_info();
        info.is_some_and(|info| info.capabilities.tools.is_some())
    }

    /// Whether a request that failed on its way means that the connection is gone.
    pub(super) fn is_lost_by_a_failure(&self) -> bool {
        !self.shared.each_for_itself || self.is_closed()
    }

    /// Asks the operator what the server asks in the answer to a call; `None` where nobody can be
    /// asked.
    pub(super) async fn ask_operator(&self, elicitation: Elicitation) -> Option<Reply> {
        elicitation.ask(self.shared.client.questions.as_ref()).await
    }

    /// What the server is called here.
    pub(super) fn server(&self) -> &str {
        &self.shared.client.server
    }

    /// Makes a request; the only way in which they are made.
    pub(super) async fn request(
        &self,
        request: ClientRequest,
        meta: Map<String, Value>,
        notes: Option<&Notes>,
    ) -> Result<Value, RequestFailure> {
        let shared = &self.shared;
        request::request(&shared.peer, &shared.client, request, meta, notes).await
    }

    /// How the connection ended, where it is known.
    pub(super) async fn obituary(&self) -> Option<String> {
        if self.shared.closed_by_us.load(Ordering::SeqCst) {
            return Some("stakeout closed it".to_owned());
        }
        match &self.shared.process {
            Some(process) => Some(process.obituary().await),
            None => None,
        }
    }
}

/// Servers of the stateless revision announce changes only to those who asked for them.
fn subscribe(peer: &Peer<RoleClient>, client: &Client) -> Option<AbortOnDropHandle<()>> {
    let info = peer.peer_info()?;
    let tools = info.capabilities.tools.as_ref()?;
    if tools.list_changed != Some(true) || info.protocol_version < ProtocolVersion::V_2026_07_28 {
        return None;
    }
    let (peer, client) = (peer.clone(), client.clone());
    let listening = tokio::spawn(async move {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let Ok(mut subscription) = peer.listen(filter).await else {
            return;
        };
        while let Ok(Some(notification)) = subscription.next().await {
            if matches!(
                notification,
                ServerNotification::ToolListChangedNotification(_)
            ) {
                client.bump_tools();
            }
        }
    });
    Some(AbortOnDropHandle::new(listening))
}
