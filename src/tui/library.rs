//! The Library: what is saved, which of it passes the filter, and what is told of the chosen one.
//!
//! Owns the list, its filter and the preview. Must not know files: they are listed, read and changed
//! beside the loop.

use std::ops::Range;
use std::path::PathBuf;

use super::message::Id;
use super::picker::{Hit, Picker};
use super::reading::Reading;
use crate::app::{Gone, Kept, LibraryList, LibraryRow, Preview};

/// What stands between the columns of a row where it is filtered.
const BETWEEN: &str = " ";

/// The place.
#[derive(Debug, Clone)]
pub struct Library {
    rows: Vec<LibraryRow>,
    /// Why folders can't be read, a sentence each.
    pub problems: Vec<String>,
    picker: Picker,
    /// Whether the filter is typed in.
    pub filtering: bool,
    /// Whether the preview has the focus, rather than the list.
    pub previewing: bool,
    /// Whether everything has been listed once.
    pub listed: bool,
    /// Whether it is to be listed again.
    pub stale: bool,
    /// The effect that lists it.
    pub listing: Option<Id>,
    /// The effect that changes it.
    pub changing: Option<Id>,
    /// What was deleted and can be brought back, the last one last.
    pub gone: Vec<Gone>,
    /// The file that is to be chosen once it is listed.
    pub wanted: Option<PathBuf>,
    asked: Option<(Id, PathBuf)>,
    preview: Option<(PathBuf, Result<Preview, String>)>,
    /// The text of the preview.
    pub reading: Reading,
}

impl Default for Library {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            problems: Vec::new(),
            picker: Picker::new(Vec::new()),
            filtering: false,
            previewing: false,
            listed: false,
            stale: false,
            listing: None,
            changing: None,
            gone: Vec::new(),
            wanted: None,
            asked: None,
            preview: None,
            reading: Reading::default(),
        }
    }
}

impl Library {
    /// The rows, whether they pass the filter or not.
    #[must_use]
    pub fn rows(&self) -> &[LibraryRow] {
        &self.rows
    }

    /// How many rows are of that kind.
    #[must_use]
    pub fn count(&self, kind: Kept) -> usize {
        self.rows.iter().filter(|row| row.kind == kind).count()
    }

    /// The rows that pass the filter, and which of them is chosen.
    #[must_use]
    pub fn picker(&self) -> &Picker {
        &self.picker
    }

    /// The list, to filter it or to move in it.
    pub fn picker_mut(&mut self) -> &mut Picker {
        &mut self.picker
    }

    /// The chosen row; `None` where nothing passes.
    #[must_use]
    pub fn chosen(&self) -> Option<&LibraryRow> {
        self.rows.get(self.picker.selected()?)
    }

    /// Takes what is saved now. The file that is wanted is chosen, or else that which was, or the one
    /// that stands in its place.
    pub fn take(&mut self, list: LibraryList) {
        let chosen = self.chosen().map(|row| row.path.clone());
        let chosen = self.wanted.take().or(chosen);
        let place = self.picker.cursor();
        self.rows = list.rows;
        self.problems = list.problems;
        self.listed = true;
        self.picker
            .replace(self.rows.iter().map(haystack).collect());
        let index = |path: PathBuf| self.rows.iter().position(|row| row.path == path);
        match chosen.and_then(index) {
            Some(index) => self.picker.select(Some(index)),
            None => self.picker.move_to(place),
        }
        // What was read of it may be old.
        self.preview = None;
        self.asked = None;
    }

    /// The bytes of the name, of server and tool, and of the condition that the filter matched.
    #[must_use]
    pub fn marks(&self, hit: &Hit) -> [Vec<Range<usize>>; 3] {
        let Some(row) = self.rows.get(hit.index) else {
            return Default::default();
        };
        let mut start = 0;
        columns(row).map(|column| {
            let place = start..start + column.len();
            start = place.end + BETWEEN.len();
            let inside = hit.marks.iter().filter(|mark| place.contains(&mark.start));
            let from_here = inside.map(|mark| mark.start - place.start..mark.end - place.start);
            from_here.collect()
        })
    }

    /// The chosen file, where its preview is to be read now.
    #[must_use]
    pub fn wants_preview(&self) -> Option<&LibraryRow> {
        let row = self.chosen().filter(|row| row.problem.is_none())?;
        (self.asked.is_none() && self.preview_of(row).is_none()).then_some(row)
    }

    /// The preview of that file is being read.
    pub fn ask_preview(&mut self, id: Id, path: PathBuf) {
        self.asked = Some((id, path));
    }

    /// Takes a preview; one that nobody waits for is dropped.
    pub fn take_preview(&mut self, id: Id, preview: Result<Preview, String>) {
        if let Some((_, path)) = self.asked.take_if(|(own, _)| *own == id) {
            self.preview = Some((path, preview));
        }
    }

    /// What is told of the chosen file, where it is known.
    #[must_use]
    pub fn preview(&self) -> Option<&Result<Preview, String>> {
        self.preview_of(self.chosen()?)
    }

    fn preview_of(&self, row: &LibraryRow) -> Option<&Result<Preview, String>> {
        let known = self.preview.as_ref();
        let own = known.filter(|(path, _)| *path == row.path);
        own.map(|(_, preview)| preview)
    }

    /// Sees to it that the text of the preview is read, in that many columns and rows.
    pub fn show_preview(&mut self, columns: usize, height: usize) {
        let preview = match self.preview() {
            Some(Ok(preview)) => std::sync::Arc::clone(&preview.text),
            _ => {
                self.reading.document = None;
                return;
            }
        };
        self.reading.show(&preview, columns, height);
        self.reading.colour(Some(&preview));
    }
}

/// Server and tool, as they are listed.
#[must_use]
pub fn whose_tool(row: &LibraryRow) -> String {
    match row.server.as_str() {
        "" => row.tool.clone(),
        server => format!("{server} {}", row.tool),
    }
}

/// What a filter looks at.
fn columns(row: &LibraryRow) -> [String; 3] {
    [row.name.clone(), whose_tool(row), row.condition.clone()]
}

fn haystack(row: &LibraryRow) -> String {
    columns(row).join(BETWEEN)
}

/// The name of a file that a copy of this one could have, in the current folder.
#[must_use]
pub fn export_name(row: &LibraryRow) -> String {
    let name = row.path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
