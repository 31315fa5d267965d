//! What is saved: made up, or real files in a folder of the test's own.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stakeout::app::{
    Kept, KeptOutcome, LibraryList, LibraryRow, Preview, RecordedWait, change_library,
    list_library, preview,
};
use stakeout::store::{Folders, Over, Spec, SpecFile, Specs};
use stakeout::tui::message::{Effect, Msg};

use super::Session;

/// Whether an effect is about saved files.
pub fn concerns(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::ListLibrary { .. }
            | Effect::ReadPreview { .. }
            | Effect::ChangeLibrary { .. }
            | Effect::OpenRecording { .. }
            | Effect::ReadRecording { .. }
    )
}

impl Session {
    /// Answers an effect about saved files; what is made up is not changed.
    pub(super) fn saved(&mut self, effect: Effect) -> Option<Msg> {
        match (effect, self.folders.clone()) {
            (Effect::ListLibrary { id }, Some(folders)) => Some(Msg::LibraryListed {
                id,
                list: list_library(&folders),
            }),
            (Effect::ListLibrary { id }, None) => Some(Msg::LibraryListed {
                id,
                list: self.library.clone(),
            }),
            (Effect::ReadPreview { id, kind, path }, Some(_)) => Some(Msg::Previewed {
                id,
                preview: preview(kind, &path),
            }),
            (Effect::ReadPreview { id, path, .. }, None) => {
                let preview = self.previews.get(&path)?.clone();
                Some(Msg::Previewed {
                    id,
                    preview: Ok(preview),
                })
            }
            (Effect::ChangeLibrary { id, change }, Some(folders)) => Some(Msg::LibraryChanged {
                id,
                result: change_library(&folders, change),
            }),
            (Effect::OpenRecording { wait, path }, Some(_)) => {
                let result = RecordedWait::open(&path).map(|(recorded, opened)| {
                    self.recordings.insert(wait, recorded);
                    Box::new(opened)
                });
                Some(Msg::RecordingOpened { wait, result })
            }
            // Of one that grows, nothing more is told until a test asks.
            (Effect::ReadRecording { wait }, _) => self.read_on(wait),
            (effect, _) => {
                self.asked.push(effect);
                None
            }
        }
    }

    fn read_on(&mut self, wait: stakeout::tui::message::Id) -> Option<Msg> {
        let batch = self.recordings.get_mut(&wait)?.read_on()?;
        Some(Msg::RecordingRead { wait, batch })
    }

    /// Reads what came since in the recording on the Watch.
    pub fn reads_on(&mut self) -> &mut Self {
        let wait = self.wait();
        if let Some(msg) = self.read_on(wait) {
            self.tell(msg);
        }
        self
    }

    /// A session with real files.
    pub fn on(shelf: &Shelf) -> Self {
        let mut session = Self::start();
        session.folders = Some(shelf.folders.clone());
        session
    }
}

/// Folders of a test's own, with saved waits and recordings.
pub struct Shelf {
    pub folders: Folders,
    place: tempfile::TempDir,
}

impl Shelf {
    pub fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let folders = Folders {
            config: at("config"),
            state: at("state"),
            data: at("data"),
            home: at("home"),
        };
        Self { folders, place }
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Saves a wait for a rollout.
    pub fn spec(&self, name: &str) -> PathBuf {
        let call = json!({
            "probe": { "server": "demo", "tool": "rollout_status", "args": {} },
            "until": { "matches": "3/3" },
        });
        let spec = Spec {
            name: Some(name.to_owned()),
            description: Some(format!("{name}, well or badly")),
            rounds: 2,
            ..Spec::new(call.as_object().unwrap().clone())
        };
        let path = Specs::new(self.folders.library()).path_of(name);
        SpecFile::save(&spec, &path, Over::Nothing).unwrap();
        path
    }

    /// Writes a recording of these lines, each a JSON object.
    pub fn recording(&self, file: &str, lines: &[Value]) -> PathBuf {
        std::fs::create_dir_all(self.folders.recordings()).unwrap();
        let path = self.folders.recordings().join(file);
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, lines.concat()).unwrap();
        path
    }
}

/// A made up library, and what is told of its files.
pub fn listed(session: &mut Session) {
    let row = |kind, file: &str, name: &str, tool: &str, condition: &str| LibraryRow {
        kind,
        path: PathBuf::from("/home/me/stakeout").join(file),
        name: name.to_owned(),
        server: "demo".to_owned(),
        tool: tool.to_owned(),
        condition: condition.to_owned(),
        outcome: None,
        when: "Nov 30 20:15".to_owned(),
        problem: None,
    };
    let (spec, recording) = (Kept::Spec, Kept::Recording);
    let met = Some(KeptOutcome::Met("matched".to_owned()));
    let unmet = Some(KeptOutcome::Unmet("timeout".to_owned()));
    let matches = "matches (?m)^web\\s+3/3";
    let rows = vec![
        LibraryRow {
            problem: Some(
                "line 3, column 12: the JSON doesn't parse: expected `,` or `}`".to_owned(),
            ),
            ..row(spec, "broken.wait.json", "broken", "", "")
        },
        row(
            spec,
            "mail.wait.json",
            "mail drains",
            "queue_depth",
            "matches \"depth\": 0",
        ),
        LibraryRow {
            outcome: met.clone(),
            ..row(
                spec,
                "web.wait.json",
                "web is rolled out",
                "rollout_status",
                matches,
            )
        },
        LibraryRow {
            outcome: Some(KeptOutcome::Running),
            ..row(
                recording,
                "4.wait.jsonl",
                "job_logs",
                "job_logs",
                "quiet for 8 s",
            )
        },
        LibraryRow {
            outcome: met,
            ..row(
                recording,
                "3.wait.jsonl",
                "web is rolled out",
                "rollout_status",
                matches,
            )
        },
        LibraryRow {
            outcome: unmet,
            ..row(
                recording,
                "2.wait.jsonl",
                "the night it hung",
                "rollout_status",
                matches,
            )
        },
        LibraryRow {
            outcome: Some(KeptOutcome::CutOff),
            ..row(
                recording,
                "1.wait.jsonl",
                "build_status",
                "build_status",
                "matches succeeded",
            )
        },
    ];
    for row in &rows {
        let fact = |label: &str, value: &str| (label.to_owned(), value.to_owned());
        let mut facts = vec![
            fact("calls", &format!("{} of demo", row.tool)),
            fact("until", &row.condition),
            fact("budget", "every 2 s for at most 120 s"),
        ];
        if row.kind == recording {
            facts.push(fact("began", "2026-11-30 20:15:01"));
            facts.push(fact("ended", "matched after 0:12"));
            facts.push(fact("size", "13 samples, 3120 B"));
        }
        facts.push(fact("file", &row.path.display().to_string()));
        let text = match row.kind {
            Kept::Spec => "{\n  \"name\": \"web is rolled out\",\n  \"wait\": {}\n}\n".into(),
            Kept::Recording => super::rollout(3),
        };
        let preview = Preview { facts, text };
        session.previews.insert(row.path.clone(), preview);
    }
    session.library = LibraryList {
        rows,
        problems: Vec::new(),
    };
}
