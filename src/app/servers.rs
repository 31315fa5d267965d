//! The servers of this process: configured, approved, connected at most once each.
//!
//! Owns the connections. Nothing is started or contacted before it is asked for by name.

mod connecting;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::discover::discover;
use super::listing::{self, ServerOptions, ServerRow};
use super::settings::{ServerSettings, records};
use super::states::{States, StatesFollower};
use crate::mcp::{
    self, Asked, Configured, Connection, Journal, Listed, Questions, ServerEntry, Source,
};
use crate::store::{Folders, RememberedTools, Settings, Trust, fingerprint};
use crate::text::near_names;
use crate::wait::WaitError;
pub use connecting::Connected;
pub(super) use connecting::Unconnected;
use connecting::{UnderWay, unavailable};

/// A handle to all servers; clones share the connections.
#[derive(Clone)]
pub struct Servers(Arc<Inner>);

struct Inner {
    /// Servers are added while the screen is open.
    configured: Mutex<Configured>,
    /// The server of the spec that this process is about, where that brings one along.
    of_spec: Option<String>,
    trust: Trust,
    trust_all: bool,
    remembered: RememberedTools,
    /// Over an entry's own.
    connect_timeout: Option<Duration>,
    /// Where neither a flag nor an entry says.
    default_timeout: Option<Duration>,
    settings: Settings,
    records: bool,
    /// What is wrong with the settings.
    problems: Vec<String>,
    slots: Mutex<HashMap<String, Slot>>,
    listings: Mutex<HashMap<String, UnderWay>>,
    states: Arc<States>,
    /// When the times of all journals begin.
    began: Instant,
    journals: Mutex<HashMap<String, Journal>>,
    /// Whether somebody may look at the messages.
    traced: AtomicBool,
    questions: Mutex<Option<Questions>>,
}

/// At most one connection to a server; the lock is held while it is being made.
type Slot = Arc<tokio::sync::Mutex<Option<Connection>>>;

impl Servers {
    /// Reads the configuration. Nothing is contacted.
    ///
    /// # Errors
    /// A sentence, where there is no home folder, or a file that was named can't be used.
    pub fn load(options: &ServerOptions) -> Result<Self, String> {
        Self::of(options, &Folders::of_user()?)
    }

    fn of(options: &ServerOptions, folders: &Folders) -> Result<Self, String> {
        let configured = listing::read(options, folders)?;
        let settings = Settings::read(&folders.settings());
        let (own, mut problems) = ServerSettings::read(&settings);
        let (records, more) = records(&settings);
        problems.extend(more);
        let of_spec = |entry: &&ServerEntry| matches!(entry.source, Source::Spec(_));
        let of_spec = options.given.iter().find(of_spec);
        Ok(Self(Arc::new(Inner {
            of_spec: of_spec.map(|entry| entry.name.clone()),
            configured: Mutex::new(configured),
            trust: Trust::new(folders.trust()),
            trust_all: options.trust,
            remembered: RememberedTools::new(folders.remembered_tools()),
            connect_timeout: options.connect_timeout,
            default_timeout: own.connect_timeout,
            settings,
            records,
            problems,
            slots: Mutex::default(),
            listings: Mutex::default(),
            states: Arc::new(States::new()),
            began: Instant::now(),
            journals: Mutex::default(),
            traced: AtomicBool::new(false),
            questions: Mutex::default(),
        })))
    }

    /// Every server, the most specific source first.
    #[must_use]
    pub fn rows(&self) -> Vec<ServerRow> {
        let listed = self.configured().servers.clone();
        listed
            .iter()
            .map(|listed| listing::row(listed, self.approval(&listed.entry)))
            .collect()
    }

    /// What was wrong with the configuration, one sentence each.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let configured = self.configured();
        let files = configured.problems.iter().chain(&configured.elsewhere);
        let own = self.0.problems.iter().cloned();
        own.chain(files.map(ToString::to_string)).collect()
    }

    /// What the operator set, for those who read their own part of it.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Whether the operator wants waits to be recorded.
    #[must_use]
    pub fn records(&self) -> bool {
        self.0.records
    }

    /// The entry of a server that can be used.
    #[must_use]
    pub fn entry_of(&self, name: &str) -> Option<ServerEntry> {
        let mut usable = self.usable().into_iter();
        usable.find(|entry| entry.name == name)
    }

    /// Adds a server for as long as this process runs, from a command line or an address, and
    /// answers its name. One that is there already is not added twice.
    ///
    /// # Errors
    /// A sentence that says what to write.
    pub fn add(&self, line: &str) -> Result<String, String> {
        let entry = mcp::from_typed_line(line)?;
        Ok(self.configured().add(entry))
    }

    /// The server of the spec that this process is about.
    pub(super) fn of_spec(&self) -> Option<&str> {
        self.0.of_spec.as_deref()
    }

    /// Whether the operator need not be asked about `entry`, now or at another time.
    pub(super) fn is_approved_for_good(&self, entry: &ServerEntry) -> bool {
        listing::approval(entry, &self.0.trust).is_none()
    }

    /// Remembers that the operator approves `entry` where its source says.
    pub(super) fn approve_own(&self, entry: &ServerEntry) -> std::io::Result<()> {
        match listing::origin(entry) {
            Some(origin) => {
                let source = mcp::fingerprint_source(entry);
                self.0.trust.approve(origin, &source)
            }
            None => Ok(()),
        }
    }

    /// Adds the server that a spec brings along, and answers the name that it goes by: one that no
    /// other server has. What the spec brought along before it was changed is forgotten, unless it is
    /// in use.
    #[must_use]
    pub fn bring(&self, entry: ServerEntry) -> String {
        let in_use = self.in_use();
        self.configured().bring(entry, &in_use)
    }

    /// Looks into other programs' files, and answers how many servers of theirs there are. What was
    /// found before is forgotten, but for servers that are in use.
    ///
    /// # Errors
    /// A sentence, where there is no home folder.
    pub fn discover(&self) -> Result<usize, String> {
        let (entries, problems) = discover()?;
        let found = entries.len();
        let in_use = self.in_use();
        self.configured().discovered(entries, problems, &in_use);
        Ok(found)
    }

    /// The servers that are connected, or being connected, or were lost while they were used.
    fn in_use(&self) -> HashSet<String> {
        let is_used = |slot: &Slot| slot.try_lock().map_or(true, |slot| slot.is_some());
        let slots = self.slots();
        let used = slots.iter().filter(|(_, slot)| is_used(slot));
        used.map(|(name, _)| name.clone()).collect()
    }

    /// Remembers the operator's yes to a server whose entry has that fingerprint.
    ///
    /// # Errors
    /// A sentence, where the entry is another by now, or where it can't be remembered.
    pub fn approve(&self, name: &str, shown: &str) -> Result<(), String> {
        let entry = self.entry(name).map_err(|error| error.to_string())?;
        let Some(origin) = listing::origin(&entry) else {
            return Ok(());
        };
        let source = mcp::fingerprint_source(&entry);
        if fingerprint(&source) != shown {
            return Err(format!(
                "the entry of {name:?} has changed meanwhile; Enter on it asks again"
            ));
        }
        self.0
            .trust
            .approve(origin, &source)
            .map_err(|error| format!("the approval of {name:?} could not be remembered: {error}"))
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

    /// From now on somebody can be asked: the questions of the servers that are connected later
    /// come here. Without it they are declined.
    #[must_use]
    pub fn take_questions(&self) -> mpsc::UnboundedReceiver<Asked> {
        let (questions, asked) = mpsc::unbounded_channel();
        let own = self.0.questions.lock();
        *own.unwrap_or_else(PoisonError::into_inner) = Some(questions);
        asked
    }

    /// From now on somebody may look at the messages: the journals that are begun later keep them.
    pub fn keep_traces(&self) {
        self.0.traced.store(true, Ordering::Relaxed);
    }

    fn questions(&self) -> Option<Questions> {
        let own = self.0.questions.lock();
        own.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What happened between us and a server, across its connections.
    #[must_use]
    pub fn journal(&self, name: &str) -> Journal {
        let journals = self.0.journals.lock();
        let mut journals = journals.unwrap_or_else(PoisonError::into_inner);
        let began = self.0.began;
        let journal = journals.entry(name.to_owned());
        let begin = || match self.0.traced.load(Ordering::Relaxed) {
            true => Journal::with_trace(began),
            false => Journal::since(began),
        };
        journal.or_insert_with(begin).clone()
    }

    fn listings(&self) -> MutexGuard<'_, HashMap<String, UnderWay>> {
        let listings = self.0.listings.lock();
        listings.unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection to a server, and its child.
    pub async fn disconnect(&self, name: &str) {
        self.0.states.forget(name);
        self.listings().remove(name);
        if let Some(connection) = self.slot(name).lock().await.take() {
            connection.close().await;
        }
    }

    /// Ends every connection and child.
    pub async fn close(&self) {
        let names: Vec<String> = self.slots().keys().cloned().collect();
        futures::future::join_all(names.iter().map(|name| self.disconnect(name))).await;
    }

    /// The servers that can be used, by name, the most specific source first.
    #[must_use]
    pub fn usable(&self) -> Vec<ServerEntry> {
        let usable = |listed: &&Listed| !listed.shadowed && !listed.disabled;
        let configured = self.configured();
        let usable = configured.servers.iter().filter(usable);
        usable.map(|listed| listed.entry.clone()).collect()
    }

    /// The usable servers that have `tool`, or had it when they were last asked.
    pub(super) fn servers_with(&self, tool: &str) -> Vec<String> {
        let remembered = self.0.remembered.servers_with(tool);
        let has = |entry: &ServerEntry| {
            remembered.contains(&entry.name)
                || (entry.name == mcp::DEMO && mcp::demo::suggestion(tool).is_some())
        };
        let usable = self.usable().into_iter();
        usable.filter(has).map(|entry| entry.name).collect()
    }

    fn entry(&self, name: &str) -> Result<ServerEntry, WaitError> {
        self.entry_of(name).ok_or_else(|| {
            let disabled = self
                .configured()
                .servers
                .iter()
                .any(|listed| listed.disabled && listed.entry.name == name);
            let known: Vec<String> = self.usable().into_iter().map(|entry| entry.name).collect();
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

    fn configured(&self) -> MutexGuard<'_, Configured> {
        // The list is whole whatever happened while it was locked.
        self.0
            .configured
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, name: &str) -> Slot {
        Arc::clone(self.slots().entry(name.to_owned()).or_default())
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        // The map is whole whatever happened while it was locked.
        self.0.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The names that `name` may have been meant to be, the nearest first.
pub(super) fn near(name: &str, names: &[&str]) -> Box<[String]> {
    let near = near_names(name, names, 3);
    near.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use futures::future::join_all;

    use super::*;
    use crate::mcp::TraceKind;

    #[tokio::test]
    async fn whoever_asks_for_tools_meanwhile_shares_the_list() {
        let home = tempfile::tempdir().unwrap();
        let folder = |name| home.path().join(name);
        let folders = Folders {
            config: folder("config"),
            state: folder("state"),
            data: folder("data"),
            home: folder("home"),
        };
        let servers = Servers::of(&ServerOptions::default(), &folders).unwrap();
        servers.keep_traces();
        let asked = || {
            let trace = servers.journal("demo").trace(0).entries;
            let list = trace.iter().filter(|entry| {
                let method = entry.method.as_deref();
                entry.kind == TraceKind::Request && method == Some("tools/list")
            });
            list.count()
        };
        let first = servers.connect("demo").await.unwrap();
        assert_eq!(asked(), 1);
        let all = join_all((0..50).map(|_| servers.connect("demo"))).await;
        assert!(all.into_iter().all(|list| list.as_ref() == Ok(&first)));
        assert_eq!(asked(), 2);
        // Nobody keeps what is over.
        servers.connect("demo").await.unwrap();
        assert_eq!(asked(), 3);
        servers.close().await;
    }
}
