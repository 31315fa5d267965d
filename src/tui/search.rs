//! A search in a text: the words, as they are typed, and where they are found.
//!
//! Owns what is sought and the answers, which are worked out beside the loop. Must not know which
//! text it is, or where it is scrolled to: that is [`super::reading`].

use std::ops::Range;
use std::sync::Arc;

use regex::RegexBuilder;

use super::beside::Beside;
use super::document::MOST_MATCHES;
use super::field::Field;
use super::message::Id;

/// Where words are found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Bytes, in order and apart.
    pub ranges: Vec<Range<usize>>,
    /// Whether the search stopped before the end of the text.
    pub cut: bool,
}

impl Found {
    /// Looks for `words` as they are written until `go_on` says no. Without a capital letter among
    /// them, capitals don't count.
    #[must_use]
    pub fn find(text: &str, words: &str, go_on: &dyn Fn() -> bool) -> Self {
        let mut found = Self::default();
        let pattern = RegexBuilder::new(&regex::escape(words))
            .case_insensitive(!words.chars().any(char::is_uppercase))
            .build();
        // Words that are too long for a pattern are found nowhere.
        for range in pattern.iter().flat_map(|pattern| pattern.find_iter(text)) {
            if found.ranges.len() == MOST_MATCHES || !go_on() {
                found.cut = true;
                break;
            }
            found.ranges.push(range.range());
        }
        found
    }
}

/// A search.
#[derive(Debug, Clone)]
pub struct Search {
    field: Field,
    /// Whether the words are typed.
    pub typing: bool,
    /// The first visible byte when it was opened: where it is left to without words.
    pub from: usize,
    /// Whether the answer moves the view: the words are new.
    pub seeking: bool,
    found: Beside<1, Arc<Found>>,
}

impl Search {
    /// A search without words yet, from byte `from` on.
    #[must_use]
    pub fn new(from: usize) -> Self {
        Self {
            field: Field::line(""),
            typing: true,
            from,
            seeking: false,
            found: Beside::default(),
        }
    }

    /// The words, to be drawn.
    #[must_use]
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Changes the words. Answers whether they are others now.
    pub fn edit(&mut self, change: impl FnOnce(&mut Field)) -> bool {
        let before = self.field.text();
        change(&mut self.field);
        let other = self.field.text() != before;
        if other {
            self.found = Beside::default();
            self.seeking = true;
        }
        other
    }

    /// The words that are to be looked for in `text` now, if any.
    #[must_use]
    pub fn wants(&self, text: &Arc<str>) -> Option<String> {
        (!self.field.is_empty() && self.found.wants([text])).then(|| self.field.text())
    }

    /// The question `id` about `text` is under way.
    pub fn ask(&mut self, id: Id, text: Arc<str>) {
        self.found.ask(id, [text]);
    }

    /// Takes the answer to the question `id`. Answers whether anybody waited for it.
    pub fn take(&mut self, id: Id, found: Arc<Found>) -> bool {
        let asked = self.found.is_asked(id);
        self.found.take(id, found);
        asked
    }

    /// Where the words are found in `text`, where that is known.
    #[must_use]
    pub fn found(&self, text: &Arc<str>) -> Option<&Arc<Found>> {
        self.found.answer([text])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str, words: &str) -> Vec<usize> {
        let found = Found::find(text, words, &|| true);
        found.ranges.iter().map(|range| range.start).collect()
    }

    #[test]
    fn words_are_taken_as_they_are_written() {
        assert_eq!(starts("a.c abc", "a.c"), [0]);
        assert_eq!(starts("(x) \\d", "\\D"), Vec::<usize>::new());
        assert_eq!(starts("(x) \\d", "\\d"), [4]);
    }

    #[test]
    fn capitals_count_where_one_is_written() {
        assert_eq!(starts("Ready ready READY", "ready"), [0, 6, 12]);
        assert_eq!(starts("Ready ready READY", "Ready"), [0]);
        assert_eq!(starts("ÄRGER ärger", "ärger"), [0, 7]);
    }

    #[test]
    fn a_search_is_bounded() {
        let many = "a".repeat(MOST_MATCHES + 1);
        let found = Found::find(&many, "a", &|| true);
        assert_eq!((found.ranges.len(), found.cut), (MOST_MATCHES, true));
        let stopped = Found::find("aa", "a", &|| false);
        assert_eq!((stopped.ranges.len(), stopped.cut), (0, true));
    }

    #[test]
    fn answers_about_other_words_are_dropped() {
        let text: Arc<str> = "ab".into();
        let mut search = Search::new(0);
        search.edit(|field| field.paste("a"));
        search.ask(Id(1), Arc::clone(&text));
        search.edit(|field| field.paste("b"));
        assert!(!search.take(Id(1), Arc::default()));
        assert_eq!(search.wants(&text), Some("ab".to_owned()));
    }
}
