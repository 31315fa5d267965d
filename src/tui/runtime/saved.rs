//! What is saved, beside the loop: listing, reading and changing files, and reading recordings as
//! they are looked at.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::{AbortHandle, spawn_blocking};

use super::super::message::{Effect, Id, Msg, ServerList};
use super::recordings::TextsOfWaits;
use crate::app::{Batch, Extent, RecordedWait, Servers, change_library, list_library, preview};
use crate::store::Folders;

/// How often it is looked whether a recording has grown.
const GROWING: Duration = Duration::from_millis(250);

/// Performs the effects that concern saved files, and tells their answers.
pub(super) struct Saved {
    folders: Folders,
    servers: Servers,
    tell: mpsc::UnboundedSender<Msg>,
    /// The recordings that are looked at.
    recordings: Arc<Mutex<HashMap<Id, Recorded>>>,
    texts: TextsOfWaits,
    /// Who waits until one of them has grown.
    waiting: HashMap<Id, AbortHandle>,
}

/// A recording that is looked at; whoever reads in it holds it.
type Recorded = Arc<Mutex<RecordedWait>>;

impl Saved {
    pub(super) fn new(
        folders: Folders,
        servers: Servers,
        texts: TextsOfWaits,
        tell: mpsc::UnboundedSender<Msg>,
    ) -> Self {
        Self {
            folders,
            servers,
            tell,
            recordings: Arc::default(),
            texts,
            waiting: HashMap::new(),
        }
    }

    /// Begins to carry out `effect`; one that concerns no saved file is left alone.
    pub(super) fn perform(&mut self, effect: Effect) {
        let folders = self.folders.clone();
        match effect {
            Effect::ListLibrary { id } => self.beside(move || {
                let list = list_library(&folders);
                Msg::LibraryListed { id, list }
            }),
            Effect::ReadPreview { id, kind, path } => self.beside(move || {
                let preview = preview(kind, &path);
                Msg::Previewed { id, preview }
            }),
            Effect::ReadKept { id, kind, path } => {
                let servers = self.servers.clone();
                self.beside(move || {
                    let result = servers.read_kept(kind, &path);
                    let result = result.map(|kept| (kept, list(&servers)));
                    Msg::KeptRead { id, result }
                });
            }
            Effect::ChangeLibrary { id, change } => self.beside(move || {
                let result = change_library(&folders, change);
                Msg::LibraryChanged { id, result }
            }),
            Effect::OpenRecording { wait, path } => self.open(wait, path),
            Effect::ReadRecording { wait } => self.read_on(wait),
            _ => {}
        }
    }

    /// Lets a recording go.
    pub(super) fn forget(&mut self, wait: Id) {
        lock(&self.recordings).remove(&wait);
        if let Some(task) = self.waiting.remove(&wait) {
            task.abort();
        }
    }

    fn open(&self, wait: Id, path: PathBuf) {
        let (recordings, texts) = (Arc::clone(&self.recordings), self.texts.clone());
        self.beside(move || {
            let result = RecordedWait::open(&path).map(|(recorded, opened)| {
                texts.insert(wait, recorded.texts());
                lock(&recordings).insert(wait, Arc::new(Mutex::new(recorded)));
                Box::new(opened)
            });
            Msg::RecordingOpened { wait, result }
        });
    }

    /// Reads on once there is more; where all of it was read, only what has come since. Nothing is read ahead of who asks, so that memory never fills
    /// with what nobody has taken.
    fn read_on(&mut self, wait: Id) {
        let Some(recorded) = lock(&self.recordings).get(&wait).cloned() else {
            return;
        };
        let tell = self.tell.clone();
        let task = tokio::spawn(async move {
            loop {
                let recorded = Arc::clone(&recorded);
                let read = spawn_blocking(move || {
                    let mut recorded = lock(&recorded);
                    (recorded.read_on(), recorded.goes_on())
                });
                let batch = match read.await {
                    Ok((Some(batch), _)) => batch,
                    Ok((None, false)) => return,
                    Ok((None, true)) => {
                        tokio::time::sleep(GROWING).await;
                        continue;
                    }
                    Err(_) => Batch {
                        events: Vec::new(),
                        extent: Extent::Broken("it could not be read".to_owned()),
                        ending: None,
                    },
                };
                let _ = tell.send(Msg::RecordingRead { wait, batch });
                return;
            }
        });
        self.waiting.insert(wait, task.abort_handle());
    }

    /// Work that takes its time on a thread of its own.
    fn beside(&self, work: impl FnOnce() -> Msg + Send + 'static) {
        let tell = self.tell.clone();
        spawn_blocking(move || {
            let _ = tell.send(work());
        });
    }
}

/// What is behind a lock is whole whatever happened while it was locked.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn list(servers: &Servers) -> ServerList {
    ServerList {
        servers: servers.rows(),
        problems: servers.problems(),
    }
}
