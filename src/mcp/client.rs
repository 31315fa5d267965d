//! Our side of the protocol: what we say we can do, and how we answer what servers ask.
//!
//! Owns the routing of progress and log notifications to the calls in flight, and of the server's
//! questions to the operator. Must not know how a server is reached, or how an operator is asked. A
//! question lasts as long as the calls in flight; sampling is refused at once, with the reason.

// Logging is deprecated in the protocol, but servers use it.
#![allow(deprecated)]

use std::collections::HashMap;
use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationCapability, ErrorCode, ErrorData,
    FormElicitationCapability, Implementation, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProgressToken, ProtocolVersion, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use tokio::sync::{Mutex, watch};
use tokio_util::task::TaskTracker;

use super::cause;
use super::connection::Host;
use super::elicitation::{Elicitation, Questions, Reply};
use super::journal::{Journal, LogKind};
use crate::wait::{Note, Notes};

/// Why sampling is refused.
pub(super) const NO_MODEL: &str = "stakeout has no language model, so it can't sample";

/// The calls in flight, by the token of their progress. Cheap to clone.
///
/// The lock is held while a call is sent, so that no progress can come before its route.
pub(super) type Routes = Arc<Mutex<HashMap<ProgressToken, Notes>>>;

/// Our side of one connection.
#[derive(Debug, Clone)]
pub(super) struct Client {
    pub(super) routes: Routes,
    /// What the server is being told about requests that nobody waits for any more.
    pub(super) farewells: TaskTracker,
    pub(super) tools_changed: Arc<watch::Sender<u64>>,
    /// How many calls are in flight.
    pub(super) calls: Arc<watch::Sender<usize>>,
    pub(super) server: String,
    pub(super) journal: Journal,
    pub(super) questions: Option<Questions>,
}

impl Client {
    pub(super) fn new(host: &Host) -> Self {
        Self {
            routes: Routes::default(),
            farewells: TaskTracker::new(),
            tools_changed: Arc::new(watch::Sender::new(0)),
            calls: Arc::new(watch::Sender::new(0)),
            server: host.server.clone(),
            journal: host.journal.clone(),
            questions: host.questions.clone(),
        }
    }

    /// Waits until the calls that are in flight now have ended; for ever, where there are none.
    async fn calls_ended(&self) {
        let mut calls = self.calls.subscribe();
        if *calls.borrow_and_update() > 0 && calls.wait_for(|count| *count == 0).await.is_ok() {
            return;
        }
        std::future::pending().await
    }

    /// Counts one more change of the tool list.
    pub(super) fn bump_tools(&self) {
        self.tools_changed.send_modify(|changes| *changes += 1);
    }

    /// Tells the server something, without making the caller wait. A connection that is closed
    /// waits a moment for it.
    pub(super) fn tell_later(&self, telling: impl Future<Output = ()> + Send + 'static) {
        // Without a runtime the connection is gone as well.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            self.farewells.spawn_on(telling, &runtime);
        }
    }

    /// Tells every call in flight: what servers log or ask doesn't say which call it belongs to,
    /// and a session that is renewed concerns all of them.
    pub(super) async fn tell_all(&self, note: &Note) {
        for notes in self.routes.lock().await.values() {
            notes.tell(note.clone());
        }
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::builder().enable_tasks().build();
        capabilities.elicitation = self.questions.as_ref().map(|_| {
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::default())
                .with_url(UrlElicitationCapability::default())
        });
        ClientConfig::new(
            capabilities,
            Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
        )
        // The default is a version that has no `initialize`.
        .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = serde_json::to_value(&request).unwrap_or_default();
        let elicitation = Elicitation::read(&self.server, &params);
        let declined = elicitation.declined();
        let reply = tokio::select! {
            reply = elicitation.ask(self.questions.as_ref()) => reply,
            () = context.ct.cancelled() => Some(Reply::Cancel),
            () = self.calls_ended() => Some(Reply::Cancel),
        };
        if reply.is_none() {
            let level = "notice".to_owned();
            self.journal.event(declined.as_str());
            let text = declined;
            self.tell_all(&Note::Log { level, text }).await;
        }
        Ok(reply.unwrap_or(Reply::Decline).to_result())
    }

    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, NO_MODEL, None))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        if let Some(notes) = self.routes.lock().await.get(&params.progress_token) {
            notes.tell(Note::Progress {
                progress: params.progress,
                total: params.total,
                message: params.message.map(|message| cause::cut(&message)),
            });
        }
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let level = match serde_json::to_value(params.level) {
            Ok(Value::String(level)) => level,
            _ => "info".to_owned(),
        };
        let text = match params.data {
            Value::String(text) => text,
            data => data.to_string(),
        };
        let kind = LogKind::Message {
            level: level.clone(),
            logger: params.logger,
        };
        self.journal.line(kind, text.as_bytes());
        let text = cause::cut(&text);
        self.tell_all(&Note::Log { level, text }).await;
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.bump_tools();
    }
}
