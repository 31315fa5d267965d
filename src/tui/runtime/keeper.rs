//! Keeping drafts on disk, one after the other, on a thread of its own: neither a key nor a wait
//! waits for the disk.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use serde_json::Value;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::store::Drafts;

/// How long the disk may take when we leave.
const ENDING: Duration = Duration::from_secs(1);

/// A draft of a server's tool; without one it is forgotten.
type Draft = (String, String, Option<Value>);

/// Keeps what it is told, in the order that it is told.
pub(super) struct Keeper {
    tell: Sender<Draft>,
    task: JoinHandle<()>,
}

impl Keeper {
    pub(super) fn new(drafts: Drafts) -> Self {
        let (tell, told) = channel::<Draft>();
        let task = spawn_blocking(move || {
            for (server, tool, draft) in told {
                // A memory that can't be written costs a convenience, not the wait.
                if let Err(error) = drafts.keep(&server, &tool, draft) {
                    tracing::warn!(%error, "a draft is not kept");
                }
            }
        });
        Self { tell, task }
    }

    pub(super) fn keep(&self, server: String, tool: String, draft: Option<Value>) {
        // The thread listens as long as we speak.
        let _ = self.tell.send((server, tool, draft));
    }

    /// Ends once everything is kept.
    pub(super) async fn end(self) {
        drop(self.tell);
        let _ = tokio::time::timeout(ENDING, self.task).await;
    }
}
