//! A list that is filtered as one types.
//!
//! Owns the filter, which items pass it, in which order, and the selected one. Must not know what
//! the items are, only their names.

use std::ops::Range;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use unicode_segmentation::UnicodeSegmentation;

use super::field::Field;

/// An item that passes the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its place in the whole list.
    pub index: usize,
    /// The bytes of its name that the filter matched.
    pub marks: Vec<Range<usize>>,
}

/// The names, the filter and the selection.
#[derive(Debug, Clone)]
pub struct Picker {
    names: Vec<String>,
    filter: Field,
    hits: Vec<Hit>,
    cursor: usize,
}

impl Picker {
    /// A list without a filter, its first item selected.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        let mut picker = Self {
            names,
            filter: Field::line(""),
            hits: Vec::new(),
            cursor: 0,
        };
        picker.refilter();
        picker
    }

    /// The items that pass, best first; in the list's order without a filter.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The place of the selected item among [`Self::hits`].
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The place of the selected item in the whole list; `None` where nothing passes.
    #[must_use]
    pub fn selected(&self) -> Option<usize> {
        self.hits.get(self.cursor).map(|hit| hit.index)
    }

    /// The filter.
    #[must_use]
    pub fn filter(&self) -> &Field {
        &self.filter
    }

    /// Changes the filter. The best item is selected.
    pub fn filter_with(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.filter.text();
        change(&mut self.filter);
        if self.filter.text() != before {
            self.cursor = 0;
            self.refilter();
        }
    }

    /// Takes the filter away; the selected item stays selected.
    pub fn clear_filter(&mut self) {
        let selected = self.selected();
        self.filter = Field::line("");
        self.refilter();
        self.select(selected);
    }

    /// Takes another list; the item of the same name stays selected, and the filter stays.
    pub fn replace(&mut self, names: Vec<String>) {
        let selected = self
            .selected()
            .and_then(|index| self.names.get(index))
            .cloned();
        self.names = names;
        self.refilter();
        let index = selected.and_then(|name| self.names.iter().position(|own| *own == name));
        self.select(index);
    }

    /// Selects the item at `index` of the whole list, where it passes.
    pub fn select(&mut self, index: Option<usize>) {
        let cursor = self.hits.iter().position(|hit| Some(hit.index) == index);
        self.cursor = cursor.unwrap_or(self.cursor.min(self.hits.len().saturating_sub(1)));
    }

    /// Selects what stands in that place among [`Self::hits`], or the last one.
    pub fn move_to(&mut self, place: usize) {
        self.cursor = place.min(self.hits.len().saturating_sub(1));
    }

    /// Moves the selection, stopping at both ends.
    pub fn move_by(&mut self, by: isize) {
        self.cursor = self
            .cursor
            .saturating_add_signed(by)
            .min(self.hits.len().saturating_sub(1));
    }

    fn refilter(&mut self) {
        let wanted = self.filter.text();
        if wanted.trim().is_empty() {
            self.hits = (0..self.names.len())
                .map(|index| Hit {
                    index,
                    marks: Vec::new(),
                })
                .collect();
            return;
        }
        let mut scored = Vec::new();
        for (index, (score, marks)) in fuzzy(&self.names, &wanted) {
            scored.push((score, Hit { index, marks }));
        }
        // A stable sort: among equals, the list's own order.
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.hits = scored.into_iter().map(|(_, hit)| hit).collect();
    }
}

/// Which of `names` match `wanted`, how well, and the bytes that do; in their order.
pub(super) fn fuzzy<'n>(
    names: &'n [String],
    wanted: &str,
) -> impl Iterator<Item = (usize, (u32, Vec<Range<usize>>))> + use<'n> {
    let pattern = Pattern::parse(wanted, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    names.iter().enumerate().filter_map(move |(index, name)| {
        let mut places = Vec::new();
        let haystack = Utf32Str::new(name, &mut buffer);
        let score = pattern.indices(haystack, &mut matcher, &mut places)?;
        Some((index, (score, marks(name, places))))
    })
}

/// The matcher counts graphemes; drawing counts bytes.
fn marks(name: &str, mut places: Vec<u32>) -> Vec<Range<usize>> {
    places.sort_unstable();
    places.dedup();
    let wanted = |place: &usize| places.binary_search(&(*place as u32)).is_ok();
    name.grapheme_indices(true)
        .enumerate()
        .filter(|(place, _)| wanted(place))
        .map(|(_, (start, grapheme))| start..start + grapheme.len())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picker(names: &[&str]) -> Picker {
        Picker::new(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn filtered<'n>(names: &[&'n str], filter: &str) -> Vec<&'n str> {
        let mut picker = picker(names);
        picker.filter_with(|field| field.paste(filter));
        picker.hits().iter().map(|hit| names[hit.index]).collect()
    }

    #[test]
    fn the_filter_is_fuzzy_and_the_best_comes_first() {
        let names = ["job_logs", "rollout_status", "build_status"];
        assert_eq!(filtered(&names, "bust"), ["build_status"]);
        assert_eq!(filtered(&names, "status").len(), 2);
        assert_eq!(filtered(&names, "zzz").len(), 0);
        assert_eq!(filtered(&names, " "), names);
    }

    #[test]
    fn f20_any_name_can_be_picked() {
        let names = ["repo/get", "a.b:c d", "状态 查询", "emoji ✅ tool"];
        assert_eq!(filtered(&names, "/"), ["repo/get"]);
        assert_eq!(filtered(&names, "b:c"), ["a.b:c d"]);
        assert_eq!(filtered(&names, "查"), ["状态 查询"]);
        assert_eq!(filtered(&names, "✅"), ["emoji ✅ tool"]);
    }

    #[test]
    fn marks_are_bytes_of_the_name() {
        let mut picker = picker(&["状态ab"]);
        picker.filter_with(|field| field.paste("态b"));
        assert_eq!(picker.hits()[0].marks, [3..6, 7..8]);
    }

    #[test]
    fn the_selection_survives_another_list_by_its_name() {
        let mut picker = picker(&["a", "b", "c"]);
        picker.move_by(1);
        picker.replace(vec!["z".to_owned(), "a".to_owned(), "b".to_owned()]);
        assert_eq!(picker.selected(), Some(2));
        picker.replace(vec![]);
        assert_eq!(picker.selected(), None);
        picker.move_by(-1);
        picker.move_by(5);
        assert_eq!(picker.cursor(), 0);
    }
}
