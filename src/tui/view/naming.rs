//! The layer in which a saved file is given a name, or its copy a place.

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::form::paragraph;
use super::super::keys::{Action, Context};
use super::super::model::Model;
use super::super::naming::{Naming, Purpose};
use super::Cursor;
use super::layers::{boxed, text_width};
use super::pieces::{self, Pane, right_of, row, words};
use crate::text;

pub(super) fn draw(naming: &Naming, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let width = text_width(boxed(buffer.area, u16::MAX)).max(1);
    let (title, hint, does) = match naming.purpose {
        Purpose::Rename => (
            "Rename",
            "A name; the file is called after it.",
            "renames it",
        ),
        Purpose::Export => (
            "Export",
            "Where the copy goes: a path; what is there is never overwritten.",
            "copies it",
        ),
    };
    let title = format!("{title} {}", text::one_line(&naming.name, 40));
    let (below, style) = match (&naming.problem, naming.asked) {
        (_, Some(_)) => ("writing …", look.accent()),
        (Some(problem), _) => (problem.as_str(), look.error()),
        (None, None) => (hint, look.muted()),
    };
    let below = paragraph(below, width);
    // The frame, the line that is typed, air, what became of it, air, and what can be pressed.
    let rows = u16::try_from(below.len() + 6).unwrap_or(u16::MAX);
    let area = boxed(buffer.area, rows);
    Clear.render(area, buffer);
    Pane {
        title: &title,
        focused: true,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = super::layout::inside(area);
    let line = row(inside, 0);
    let arrow = format!("{} ", look.symbols().arrow);
    let used = words(buffer, line, &[(&arrow, look.accent())]);
    let cursor = pieces::field(buffer, right_of(line, used), &naming.line, 0, look.strong());
    for (offset, line) in below.iter().enumerate() {
        words(buffer, row(inside, offset + 2), &[(line, style)]);
    }
    let name = |action| {
        let shown = model.keymap.key(Context::Naming, action);
        shown.map(|key| look.key(key)).unwrap_or_default()
    };
    let answers = format!(
        "{} {does}   {} closes",
        name(Action::ConfirmName),
        name(Action::CloseLayer)
    );
    let last = row(inside, usize::from(inside.height).saturating_sub(1));
    words(buffer, last, &[(&answers, Style::new())]);
    cursor
}
