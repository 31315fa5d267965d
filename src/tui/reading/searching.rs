//! Searching the text that is read, and stepping through matches.
//!
//! Owns what a search does to the view. Must not know whose matches are stepped through.

use std::sync::Arc;

use super::super::field::Field;
use super::super::message::Id;
use super::super::rows::bytes_that_fit;
use super::super::search::{Found, Search};
use super::Reading;

impl Reading {
    /// Whether the words of a search are typed.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.typing)
    }

    /// Opens a search, or takes up the one that there is.
    pub fn open_search(&mut self) {
        let Some(document) = &self.document else {
            return;
        };
        let from = document.top_byte();
        match &mut self.search {
            Some(search) => (search.typing, search.from) = (true, from),
            None => self.search = Some(Search::new(from)),
        }
    }

    /// Changes the words that are looked for.
    pub fn edit_search(&mut self, change: impl FnOnce(&mut Field)) {
        let Some(search) = &mut self.search else {
            return;
        };
        if search.edit(change) {
            self.at = None;
            let from = search.from;
            if let Some(document) = self.document.as_mut().filter(|_| search.field().is_empty()) {
                document.go_to(from);
            }
        }
    }

    /// Types no more; what was found stays. Without words there is nothing to keep.
    pub fn keep_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.typing = false;
            if search.field().is_empty() {
                self.search = None;
            }
        }
    }

    /// Ends the search. Where it was typed, the view goes back to where it was opened.
    pub fn clear_search(&mut self) {
        self.at = None;
        let Some(search) = self.search.take() else {
            return;
        };
        if let Some(document) = self.document.as_mut().filter(|_| search.typing) {
            document.go_to(search.from);
        }
    }

    /// The text in which words are to be looked for now, and the words.
    #[must_use]
    pub fn wants_search(&self) -> Option<(Arc<str>, String)> {
        let (search, document) = (self.search.as_ref()?, self.document.as_ref()?);
        let words = search.wants(document.text())?;
        Some((Arc::clone(document.text()), words))
    }

    /// The search in `text` is under way.
    pub fn ask_search(&mut self, id: Id, text: Arc<str>) {
        if let Some(search) = &mut self.search {
            search.ask(id, text);
        }
    }

    /// Takes what was found. While the words are new, the view goes to the first match from where
    /// the search was opened, or stays there. Answers whether the view moved.
    pub fn take_found(&mut self, id: Id, found: Arc<Found>) -> bool {
        let (Some(search), Some(document)) = (&mut self.search, &mut self.document) else {
            return false;
        };
        if !search.take(id, found) || !search.seeking {
            return false;
        }
        let Some(found) = search.found(document.text()) else {
            return false;
        };
        let after = found
            .ranges
            .partition_point(|range| range.start < search.from);
        let place = found.ranges.get(after).or_else(|| found.ranges.first());
        self.at = place.map(|range| range.start);
        search.seeking = false;
        document.go_to(search.from);
        if let Some(at) = self.at {
            document.reveal(at);
        }
        true
    }

    /// Where the words are found in the text, where that is known.
    #[must_use]
    pub fn found(&self) -> Option<&Arc<Found>> {
        self.search.as_ref()?.found(self.document.as_ref()?.text())
    }

    /// Whether the match that was stepped to begins where its row is cut at the edge.
    #[must_use]
    pub fn is_beyond_edge(&self) -> bool {
        let (Some(document), Some(at)) = (self.document.as_ref(), self.at) else {
            return false;
        };
        document.width().is_none()
            && document.row_holding(at).is_some_and(|row| {
                let fits = bytes_that_fit(document.slice(row), self.columns);
                at - row.start >= fits
            })
    }

    /// Where what is sought begins; `None` where nothing is sought.
    #[must_use]
    pub fn places_found(&self) -> Option<Vec<usize>> {
        self.search.as_ref()?;
        let found = self.found().map(|found| &*found.ranges);
        let starts = found.unwrap_or_default().iter().map(|range| range.start);
        Some(starts.collect())
    }

    /// Goes to the next of `places`, in order, or to the one before: from the one that was stepped
    /// to, or from the top of the view where that is out of sight. Answers whether it went past an
    /// end of the text; `None` where there is no place.
    pub fn step(&mut self, places: &[usize], forward: bool) -> Option<bool> {
        let document = self.document.as_mut()?;
        let here = self
            .at
            .filter(|at| document.is_in_view(*at) && places.binary_search(at).is_ok());
        let top = document.top_byte();
        let next = if forward {
            places.partition_point(|place| match here {
                Some(here) => *place <= here,
                None => *place < top,
            })
        } else {
            let before = places.partition_point(|place| *place < here.unwrap_or(top));
            before.checked_sub(1).unwrap_or(places.len())
        };
        let (place, around) = match places.get(next) {
            Some(place) => (place, false),
            None if forward => (places.first()?, true),
            None => (places.last()?, true),
        };
        self.at = Some(*place);
        document.reveal(*place);
        Some(around)
    }
}
