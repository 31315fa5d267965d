//! A saved wait on the screen: which file is on the Bench or on the Watch, and the dialog that saves.
//!
//! Owns both as plain data. Must not know how a file is written.

use std::sync::Arc;

use serde_json::Value;

use super::field::Field;
use super::message::Id;
use crate::app::{EntryOffer, SaveLook, SaveRequest};
use crate::store::{Spec, SpecFile, SpecPlace, name_of};
use crate::wait::Call;

/// The saved wait that is on the Bench, or that a wait was started from.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// The file as it was read or written.
    pub file: SpecFile,
    /// The spec in it.
    pub spec: Spec,
    /// The server that it calls here; empty as long as nobody has said.
    pub server: String,
    /// Its call on that server, if it can be run.
    call: Option<Call>,
}

impl Saved {
    /// The spec in `file`, which calls `server` here.
    #[must_use]
    pub fn new(file: SpecFile, spec: Spec, server: &str) -> Self {
        let call = Call::parse(&Value::Object(spec.wait.clone())).ok();
        Self {
            call: call.map(|call| call.on_server(server)),
            file,
            spec,
            server: server.to_owned(),
        }
    }

    /// What it is called: as it says, or else as its file is.
    #[must_use]
    pub fn name(&self) -> String {
        name_of(&self.spec, &self.file.path)
    }

    /// Whether it says just that.
    #[must_use]
    pub fn says(&self, call: &Call, rounds: u32) -> bool {
        self.spec.rounds == rounds && self.call.as_ref() == Some(call)
    }

    /// Whether it is about that tool.
    #[must_use]
    pub fn is_about(&self, server: &str, tool: &str) -> bool {
        let own = self
            .spec
            .wait
            .get("probe")
            .and_then(|probe| probe.get("tool"));
        let same_server = self.server.is_empty() || self.server == server;
        same_server && own.and_then(Value::as_str) == Some(tool)
    }

    /// Its call as it was written, where it says that; else `call`, with the server named only if
    /// another was named before.
    fn wait(&self, call: &Call) -> Value {
        if self.call.as_ref() == Some(call) {
            return Value::Object(self.spec.wait.clone());
        }
        let mut wait = call.to_value();
        let before = self.spec.wait.get("probe");
        let named = before.and_then(|probe| probe.get("server"));
        if call.server() == Some(&self.server)
            && let Some(probe) = wait["probe"].as_object_mut()
        {
            match named {
                Some(Value::String(named)) => {
                    probe.insert("server".to_owned(), named.clone().into());
                }
                _ => drop(probe.shift_remove("server")),
            }
        }
        wait
    }
}

/// Where a wait is saved, as the dialog offers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceKind {
    /// Where it was read from, or beside it under another name.
    Own,
    /// In the library.
    Library,
    /// In the current folder.
    Folder,
    /// At a path.
    Path,
}

/// A line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavingLine {
    /// The name.
    Name,
    /// What it is for.
    About,
    /// Where.
    Place,
    /// The path.
    Path,
    /// Whether the server's entry is put in.
    Entry,
}

/// What a saved wait is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedFrom {
    /// The Bench.
    Bench,
    /// A wait.
    Wait(Id),
}

/// What is saved.
#[derive(Debug, Clone, PartialEq)]
pub struct ToSave {
    /// What it is taken from.
    pub from: SavedFrom,
    /// Whose tool.
    pub server: String,
    /// The call.
    pub call: Call,
    /// Budgets that may follow one another.
    pub rounds: u32,
    /// The saved wait that it began as.
    pub saved: Option<Arc<Saved>>,
}

/// The dialog that saves a wait.
#[derive(Debug, Clone)]
pub struct Saving {
    /// What is saved.
    pub what: ToSave,
    /// What it is called.
    pub name: Field,
    /// What it is for.
    pub about: Field,
    /// Where.
    pub place: PlaceKind,
    /// The path, where that is wanted.
    pub path: Field,
    /// Which line has the focus.
    pub line: SavingLine,
    /// Whether the server's entry is put in, once the operator has said.
    pub entry: Option<bool>,
    /// What saving would do, as it was last looked at.
    pub look: Option<SaveLook>,
    /// The looking that is under way.
    pub looking: Option<Id>,
    /// Whether something changed that was not looked at.
    pub stale: bool,
    /// The saving that is under way, and what was asked for.
    pub asked: Option<(Id, SaveRequest)>,
    /// Why it was not saved.
    pub problem: Option<String>,
}

impl Saving {
    /// A dialog that begins with what is known.
    #[must_use]
    pub fn new(what: ToSave) -> Self {
        let saved = what.saved.as_ref();
        let name = saved.map(|saved| saved.name());
        let about = saved.and_then(|saved| saved.spec.description.clone());
        Self {
            name: Field::line(&name.unwrap_or_default()),
            about: Field::line(&about.unwrap_or_default()),
            place: match saved {
                Some(_) => PlaceKind::Own,
                None => PlaceKind::Library,
            },
            path: Field::line(""),
            line: SavingLine::Name,
            entry: None,
            look: None,
            looking: None,
            stale: true,
            asked: None,
            problem: None,
            what,
        }
    }

    /// The places that are offered.
    #[must_use]
    pub fn places(&self) -> Vec<PlaceKind> {
        let own = self.what.saved.iter().map(|_| PlaceKind::Own);
        own.chain([PlaceKind::Library, PlaceKind::Folder, PlaceKind::Path])
            .collect()
    }

    /// The lines that are shown.
    #[must_use]
    pub fn lines(&self) -> Vec<SavingLine> {
        let mut lines = vec![SavingLine::Name, SavingLine::About, SavingLine::Place];
        if self.place == PlaceKind::Path {
            lines.push(SavingLine::Path);
        }
        if self.with_entry().is_some() {
            lines.push(SavingLine::Entry);
        }
        lines
    }

    /// Whether the server's entry is put in: as the operator says, or as it was in that file.
    fn chosen_entry(&self) -> Option<bool> {
        let before = self.what.saved.as_ref();
        let before = before.filter(|_| self.place == PlaceKind::Own);
        self.entry
            .or(before.map(|saved| saved.spec.server.is_some()))
    }

    /// The same where that is to be chosen, or as is advised.
    #[must_use]
    pub fn with_entry(&self) -> Option<bool> {
        match &self.look.as_ref()?.entry {
            EntryOffer::Needless => None,
            EntryOffer::Possible { advised, .. } => Some(self.chosen_entry().unwrap_or(*advised)),
        }
    }

    /// The field that is typed in.
    pub fn field(&mut self) -> Option<&mut Field> {
        match self.line {
            SavingLine::Name => Some(&mut self.name),
            SavingLine::About => Some(&mut self.about),
            SavingLine::Path => Some(&mut self.path),
            SavingLine::Place | SavingLine::Entry => None,
        }
    }

    /// Whether the focused line is typed in.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        !matches!(self.line, SavingLine::Place | SavingLine::Entry)
    }

    /// The name as it will be.
    #[must_use]
    pub fn trimmed_name(&self) -> String {
        self.name.text().trim().to_owned()
    }

    /// Where it is to be written.
    #[must_use]
    pub fn spec_place(&self) -> SpecPlace {
        match (self.place, &self.what.saved) {
            (PlaceKind::Own, Some(saved)) if saved.name() == self.trimmed_name() => {
                SpecPlace::File(saved.file.path.clone())
            }
            (PlaceKind::Own, Some(saved)) => SpecPlace::Beside(saved.file.path.clone()),
            (PlaceKind::Folder, _) => SpecPlace::Folder,
            (PlaceKind::Path, _) => SpecPlace::Path(self.path.text()),
            (PlaceKind::Library | PlaceKind::Own, _) => SpecPlace::Library,
        }
    }

    /// What is asked for.
    #[must_use]
    pub fn request(&self) -> SaveRequest {
        let what = &self.what;
        let saved = what.saved.as_deref();
        let wait = saved.map_or_else(|| what.call.to_value(), |saved| saved.wait(&what.call));
        let given = |text: String| (!text.is_empty()).then_some(text);
        let kept = saved.map(|saved| &saved.spec);
        let spec = Spec {
            schema: kept.and_then(|spec| spec.schema.clone()),
            name: given(self.trimmed_name()),
            description: given(self.about.text().trim().to_owned()),
            // Another server's entry is no longer the right one.
            server: saved
                .filter(|saved| saved.server == what.server)
                .and_then(|saved| saved.spec.server.clone()),
            rounds: what.rounds,
            ..Spec::new(wait.as_object().cloned().unwrap_or_default())
        };
        SaveRequest {
            spec,
            place: self.spec_place(),
            server: what.server.clone(),
            with_entry: self.chosen_entry(),
            known: saved.map(|saved| saved.file.clone()),
            over_anything: false,
        }
    }
}
