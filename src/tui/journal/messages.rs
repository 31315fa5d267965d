//! The messages of the protocol as they are read: a list with one of them selected, or one of them
//! open.
//!
//! Owns the selection and what is visible. Must not know where it is drawn.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::document::Document;
use crate::mcp::{Page, TraceEntry};
use crate::text;

/// A message that is read.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The message.
    pub entry: Arc<TraceEntry>,
    /// Its text, a line for each member.
    pub document: Document,
}

/// The messages that are known, and where the view is.
#[derive(Debug, Clone, Default)]
pub struct MessagesView {
    entries: VecDeque<Arc<TraceEntry>>,
    /// The number of the selected one, where the newest isn't followed.
    selected: Option<u64>,
    /// The number of the first visible one.
    top: usize,
    opened: Option<Opened>,
    cuts: bool,
    width: usize,
    height: usize,
    /// Whether everything that comes next stands in place of what there is.
    anew: bool,
    /// How many messages were dropped, since only the newest are kept.
    pub dropped: u64,
}

impl MessagesView {
    pub(super) fn restart(&mut self) {
        self.anew = true;
    }

    pub(super) fn take(&mut self, page: Page<TraceEntry>) {
        if std::mem::take(&mut self.anew) {
            self.entries.clear();
        }
        self.dropped = page.oldest;
        while self
            .entries
            .front()
            .is_some_and(|entry| entry.number < page.oldest)
        {
            self.entries.pop_front();
            self.top = self.top.saturating_sub(1);
        }
        self.entries.extend(page.entries);
        self.reveal();
    }

    pub(super) fn settle(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height.max(1));
        let width = (!self.cuts).then_some(width);
        if let Some(Opened { document, .. }) = &mut self.opened {
            if document.width() != width {
                *document = document.laid_out_at(width);
            }
            document.settle(height);
        }
        self.reveal();
    }

    /// The messages.
    #[must_use]
    pub fn entries(&self) -> &VecDeque<Arc<TraceEntry>> {
        &self.entries
    }

    /// The place of the selected one among them.
    #[must_use]
    pub fn cursor(&self) -> usize {
        let newest = self.entries.len().saturating_sub(1);
        let place = |number| self.entries.partition_point(|entry| entry.number < number);
        self.selected
            .map_or(newest, |number| place(number).min(newest))
    }

    /// The place of the first visible one.
    #[must_use]
    pub fn top(&self) -> usize {
        self.top
    }

    /// Rows of the list.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    fn reveal(&mut self) {
        let cursor = self.cursor();
        let last = self.entries.len().saturating_sub(self.height.max(1));
        let least = (cursor + 1).saturating_sub(self.height.max(1));
        self.top = self.top.clamp(least, cursor.max(least)).min(last);
    }

    fn select(&mut self, place: usize) {
        let newest = self.entries.len().saturating_sub(1);
        self.selected = (place < newest)
            .then(|| self.entries.get(place))
            .flatten()
            .map(|entry| entry.number);
        self.reveal();
    }

    pub(super) fn scroll(&mut self, by: isize) {
        match &mut self.opened {
            Some(opened) => opened.document.scroll(by, self.height),
            None => self.select(self.cursor().saturating_add_signed(by)),
        }
    }

    pub(super) fn toggle_hold(&mut self) {
        self.selected = match self.selected {
            Some(_) => None,
            None => self.entries.back().map(|entry| entry.number),
        };
        self.reveal();
    }

    pub(super) fn toggle_wrap(&mut self) {
        self.cuts = !self.cuts;
    }

    /// Whether the newest message is followed.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.selected.is_none()
    }

    /// How many messages came after the selected one.
    #[must_use]
    pub fn newer(&self) -> usize {
        self.entries.len().saturating_sub(self.cursor() + 1)
    }

    /// The selected message.
    #[must_use]
    pub fn selected(&self) -> Option<&Arc<TraceEntry>> {
        self.entries.get(self.cursor())
    }

    /// Opens the selected message. The list is held meanwhile.
    pub fn open(&mut self) {
        let Some(entry) = self.entries.get(self.cursor()).cloned() else {
            return;
        };
        self.selected = Some(entry.number);
        let text = Arc::from(text::indented(&entry.text));
        let width = (!self.cuts).then_some(self.width);
        let mut document = Document::new(text, width);
        document.settle(self.height);
        self.opened = Some(Opened { entry, document });
    }

    /// Opens the message `by` places further.
    pub fn step(&mut self, by: isize) {
        let place = self.cursor().saturating_add_signed(by);
        if place == self.cursor() {
            return;
        }
        if let Some(entry) = self.entries.get(place) {
            self.selected = Some(entry.number);
            self.open();
            self.reveal();
        }
    }

    /// Goes back to the list.
    pub fn close(&mut self) {
        self.opened = None;
    }

    /// The message that is open, if one is.
    #[must_use]
    pub fn opened(&self) -> Option<&Opened> {
        self.opened.as_ref()
    }
}
