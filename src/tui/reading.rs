//! A text as it is read: where it is scrolled to, wrapped, numbered and searched.
//!
//! Owns what every long text on the screen has in common. Must not know who wrote the text or what
//! a match means.

mod searching;

use std::sync::Arc;

use super::aspect::Aspect;
use super::beside::Beside;
use super::document::Document;
use super::json_tokens::JsonTokens;
use super::message::Id;
use super::rows::Rows;
use super::search::Search;

/// Cells between the numbers and the text.
const AFTER_NUMBERS: usize = 2;

/// Bytes of an observation that are looked through for tokens at once: a fraction of a millisecond.
const COLOURED_AT_ONCE: usize = 32_768;

/// Rows that are to be laid out beside the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfinished {
    /// The text.
    pub text: Arc<str>,
    /// Where lines are wrapped, if they are.
    pub width: Option<usize>,
}

/// An aspect, and of which sample or try.
type Subject = (u64, Aspect);

/// A text as it is read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The text and its rows; nothing to read without.
    pub document: Option<Document>,
    /// Whether long lines are wrapped.
    pub wrap: bool,
    /// Whether lines are numbered.
    pub numbers: bool,
    /// What is looked at.
    pub aspect: Aspect,
    /// What is looked for.
    pub search: Option<Search>,
    /// The byte at which the match begins that was stepped to.
    pub at: Option<usize>,
    /// The cells of a row of the text.
    columns: usize,
    /// The cells of the line numbers, the air behind them counted.
    gutter: usize,
    /// The observation, which is the text that is read or a part of it.
    observation: Option<Arc<str>>,
    /// What of an observation is JSON; `None` for one that isn't.
    tokens: Beside<1, Option<Arc<JsonTokens>>>,
    /// The aspect that is being read, and of which sample or try.
    asked: Option<(Id, Subject)>,
    /// The one that was read last.
    known: Option<(Subject, Arc<str>)>,
    /// The rows that are being laid out.
    layout: Option<(Id, Unfinished)>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            document: None,
            wrap: true,
            numbers: false,
            aspect: Aspect::Observation,
            search: None,
            at: None,
            columns: 0,
            gutter: 0,
            observation: None,
            tokens: Beside::default(),
            asked: None,
            known: None,
            layout: None,
        }
    }
}

impl Reading {
    /// Nothing to read yet, to be read in the same way as here.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self {
            wrap: self.wrap,
            numbers: self.numbers,
            ..Self::default()
        }
    }

    /// The cells of the line numbers, the air behind them counted; 0 without numbers.
    #[must_use]
    pub fn gutter(&self) -> usize {
        self.gutter
    }

    /// Sees to it that `text` is read, in that many columns and rows. Another text than before is
    /// read from the same place on.
    pub fn show(&mut self, text: &Arc<str>, columns: usize, height: usize) {
        let known = self
            .document
            .as_ref()
            .is_some_and(|document| Arc::ptr_eq(document.text(), text));
        if !self.numbers {
            self.gutter = 0;
        } else if !known || self.gutter == 0 {
            self.gutter = gutter(text);
        }
        self.columns = columns.saturating_sub(self.gutter).max(1);
        let width = self.wrap.then_some(self.columns);
        match &mut self.document {
            Some(document) if document.width() == width && (known || document.text() == text) => {
                document.settle(height);
            }
            before => {
                let mut next = match before {
                    Some(before) => before.become_text(Arc::clone(text), width),
                    None => Document::begun(Arc::clone(text), width),
                };
                next.settle(height);
                self.document = Some(next);
            }
        }
    }

    /// The text of the aspect that is looked at, of that sample or try, where it is known.
    #[must_use]
    pub fn aspect_of(&self, number: u64) -> Option<&Arc<str>> {
        let known = self.known.as_ref();
        let own = known.filter(|(subject, _)| *subject == (number, self.aspect));
        own.map(|(_, text)| text)
    }

    /// Whether the aspect that is looked at, of that sample or try, is to be read now.
    #[must_use]
    pub fn wants_aspect(&self, number: u64) -> bool {
        let subject = (number, self.aspect);
        let asked = self.asked.as_ref().is_some_and(|(_, own)| *own == subject);
        self.aspect != Aspect::Observation && !asked && self.aspect_of(number).is_none()
    }

    /// The aspect is being read.
    pub fn ask_aspect(&mut self, id: Id, number: u64) {
        self.asked = Some((id, (number, self.aspect)));
    }

    /// Takes the text of an aspect; one that nobody waits for is dropped.
    pub fn take_aspect(&mut self, id: Id, text: &Arc<str>) {
        if let Some((_, subject)) = self.asked.take_if(|(own, _)| *own == id) {
            self.known = Some((subject, Arc::clone(text)));
        }
    }

    /// The text of the aspect that is looked at; until that is known, what was read before.
    #[must_use]
    pub fn aspect_or_before(&self, number: u64) -> Option<Arc<str>> {
        let before = self.document.as_ref().map(Document::text);
        self.aspect_of(number).or(before).cloned()
    }

    /// Whose tokens are told apart, if it is JSON: `observation`, which is the text that is read or a
    /// part of it. A short one is looked at once, so that it never stands there uncoloured.
    pub fn colour(&mut self, observation: Option<&Arc<str>>) {
        self.observation = observation.cloned();
        if let Some(text) = observation.filter(|text| text.len() <= COLOURED_AT_ONCE)
            && self.tokens.wants([text])
        {
            let found = JsonTokens::of(text, &|| true).map(Arc::new);
            self.tokens.know([Arc::clone(text)], found);
        }
    }

    /// The text whose tokens are to be looked for now, if any.
    #[must_use]
    pub fn wants_tokens(&self) -> Option<Arc<str>> {
        let text = self.observation.as_ref()?;
        self.tokens.wants([text]).then(|| Arc::clone(text))
    }

    /// The tokens of `text` are being looked for.
    pub fn ask_tokens(&mut self, id: Id, text: Arc<str>) {
        self.tokens.ask(id, [text]);
    }

    /// Takes the tokens that were found; those that nobody waits for are dropped.
    pub fn take_tokens(&mut self, id: Id, tokens: Option<Arc<JsonTokens>>) {
        self.tokens.take(id, tokens);
    }

    /// The tokens of the observation, where it is JSON and they are known.
    #[must_use]
    pub fn tokens(&self) -> Option<&JsonTokens> {
        self.tokens.answer([self.observation.as_ref()?])?.as_deref()
    }

    /// Scrolls as little as brings byte `at` into view.
    pub fn reveal(&mut self, at: Option<usize>) {
        if let (Some(document), Some(at)) = (&mut self.document, at) {
            document.reveal(at);
        }
    }

    /// What is to be laid out beside the loop now, if anything.
    #[must_use]
    pub fn wants_rows(&self) -> Option<Unfinished> {
        let document = self
            .document
            .as_ref()
            .filter(|document| document.is_cut())?;
        let unfinished = Unfinished {
            text: Arc::clone(document.text()),
            width: document.width(),
        };
        let asked = self.layout.as_ref();
        let asked = asked.is_some_and(|(_, asked)| asked.is_for(document));
        (!asked).then_some(unfinished)
    }

    /// The rows are being laid out.
    pub fn ask_rows(&mut self, id: Id, unfinished: Unfinished) {
        self.layout = Some((id, unfinished));
    }

    /// Takes rows that were laid out; those that nobody waits for are dropped.
    pub fn take_rows(&mut self, id: Id, rows: Arc<Rows>) {
        if let Some((_, asked)) = self.layout.take_if(|(own, _)| *own == id)
            && let Some(document) = &mut self.document
            && asked.is_for(document)
        {
            document.complete(rows);
        }
    }

    /// Scrolls to the first row.
    pub fn to_top(&mut self) {
        if let Some(document) = &mut self.document {
            document.go_to(0);
        }
    }

    /// Scrolls by rows, in a view of that many.
    pub fn scroll(&mut self, by: isize, height: usize) {
        if let Some(document) = &mut self.document {
            document.scroll(by, height);
        }
    }
}

impl Unfinished {
    /// All rows of the text. Costs the whole text.
    #[must_use]
    pub fn lay_out(&self) -> Rows {
        Rows::of(&self.text, self.width, usize::MAX)
    }

    fn is_for(&self, document: &Document) -> bool {
        Arc::ptr_eq(&self.text, document.text()) && self.width == document.width()
    }
}

/// The cells that the numbers of a text's lines need.
fn gutter(text: &str) -> usize {
    let ends = text.bytes().filter(|byte| *byte == b'\n').count();
    let lines = ends + usize::from(!text.ends_with('\n'));
    lines.max(1).ilog10() as usize + 1 + AFTER_NUMBERS
}
