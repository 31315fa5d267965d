//! The drafts of the Bench: the one on it, those of other tools, and how each began.

use std::sync::Arc;

use serde_json::Map;

use super::{Attempt, Bench, Target};
use crate::app;
use crate::tui::draft::Draft;
use crate::tui::saved::Saved;

/// Server and tool.
pub type DraftKey = (String, String);

impl Bench {
    /// Takes away what is on the Bench.
    pub fn clear(&mut self) {
        self.target = None;
        self.saved = None;
        self.draft = Draft::new(&Map::new());
        self.stale = true;
    }

    /// Puts `target` on the Bench, with what was written for it before, or with what to start from.
    pub fn aim(&mut self, target: Target) {
        let key = (target.server.clone(), target.tool.clone());
        if self.target_key().as_ref() != Some(&key) {
            self.keep();
            let kept = self.kept.remove(&key);
            self.draft = kept.unwrap_or_else(|| beginning(&target));
            self.set_aside = None;
            self.attempt = Attempt::default();
            self.intent = None;
            self.preview = self.preview.afresh();
            self.args_top = 0;
            self.more = self.draft.uses_more();
        }
        self.target = Some(target);
        self.stale = true;
    }

    /// Puts the draft aside, by server and tool, to be kept on disk as well.
    pub fn keep(&mut self) {
        let (Some(key), Some(target)) = (self.target_key(), &self.target) else {
            return;
        };
        if !target.server.is_empty() {
            let edited = !self.draft.says_what(&beginning(target));
            let written = edited.then(|| self.draft.written());
            self.unsaved.push((key.clone(), written));
        }
        self.kept.insert(key, self.draft.clone());
    }

    /// Takes the drafts that were kept on disk, the one of the tool on the Bench as well.
    pub fn remember(&mut self, drafts: impl IntoIterator<Item = (DraftKey, Draft)>) {
        self.kept.extend(drafts);
        if let Some(draft) = self.target_key().and_then(|key| self.kept.remove(&key)) {
            self.draft = draft;
            self.more = self.draft.uses_more();
            self.stale = true;
        }
    }

    /// Begins the draft afresh; again, with nothing written since, brings back what was written.
    /// Answers whether it is as it began.
    pub fn start_afresh(&mut self) -> Option<bool> {
        let beginning = beginning(self.target.as_ref()?);
        let begun = !self.draft.says_what(&beginning);
        let draft = if begun {
            Some(beginning)
        } else {
            self.set_aside.take()
        };
        if let Some(draft) = draft {
            let before = std::mem::replace(&mut self.draft, draft);
            self.set_aside = begun.then_some(before);
            self.args_top = 0;
            self.more = self.draft.uses_more();
            self.stale = true;
            return Some(begun);
        }
        Some(true)
    }

    /// The saved wait that is on the Bench, changed or not.
    #[must_use]
    pub fn saved_here(&self) -> Option<&Arc<Saved>> {
        let (server, tool) = self.target_key()?;
        let saved = self.saved.as_ref();
        saved.filter(|saved| saved.is_about(&server, &tool))
    }

    /// Whose tool is on the Bench, and which.
    #[must_use]
    pub fn target_key(&self) -> Option<DraftKey> {
        self.target
            .as_ref()
            .map(|target| (target.server.clone(), target.tool.clone()))
    }
}

/// What to start from.
fn beginning(target: &Target) -> Draft {
    match app::suggestion(&target.server, &target.tool) {
        Some(call) => Draft::of_call(&call, 1),
        None => {
            let schema = target.schema.as_deref();
            Draft::new(&schema.map(app::form::untouched).unwrap_or_default())
        }
    }
}
