//! The time that connecting may take.
//!
//! Owns the deadline that all steps of one connect share. Must not know the steps.

use std::time::Duration;

use rmcp::service::{ClientLifecycleMode, RoleClient, RunningService, serve_client_with_lifecycle};
use rmcp::transport::Transport;
use tokio::time::{Instant, timeout_at};

use super::ConnectError;
use crate::mcp::client::Client;

/// More than anybody waits for a connection.
const A_YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time that connecting may take.
#[derive(Clone, Copy)]
pub(super) struct Within {
    deadline: Instant,
    pub(super) time: Duration,
}

impl Within {
    /// The longest of times, which no clock could tell the end of, is as good as a year.
    pub(super) fn from_now(time: Duration) -> Self {
        let (now, time) = (Instant::now(), time.min(A_YEAR));
        Self {
            deadline: now + time,
            time,
        }
    }

    pub(super) async fn limit<T>(
        self,
        step: &str,
        future: impl Future<Output = T>,
    ) -> Result<T, ConnectError> {
        let limited = timeout_at(self.deadline, future).await;
        limited.map_err(|_| ConnectError::too_slow(step, self.time))
    }

    /// Opens the protocol over a transport.
    pub(super) async fn serve(
        self,
        client: Client,
        transport: impl Transport<RoleClient> + 'static,
        lifecycle: ClientLifecycleMode,
    ) -> Result<RunningService<RoleClient, Client>, ConnectError> {
        let serving = serve_client_with_lifecycle(client, transport, lifecycle);
        let served = self.limit("initialize", serving).await?;
        served.map_err(|error| ConnectError::of_initialize(&error))
    }
}
