//! The layer in which a server is added.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::adding::Adding;
use super::super::form::paragraph;
use super::super::keys::{Action, Context};
use super::super::model::Model;
use super::Cursor;
use super::layers::boxed;
use super::pieces::{self, Pane, row, words};
use crate::text;

const ASKED: &str = "A command line as in a shell, or an address with http:// or https://";
const EXAMPLE: &str = "npx -y @modelcontextprotocol/server-everything";

pub(super) fn draw(adding: &Adding, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let width = usize::from(
        super::layout::inside(boxed(buffer.area, u16::MAX))
            .width
            .max(1),
    );
    let asked = paragraph(ASKED, width);
    let (below, style) = match (&adding.problem, adding.asked) {
        (_, Some(_)) => ("looking …", look.accent()),
        (Some(problem), _) => (problem.as_str(), look.error()),
        (None, None) => (
            "It stays until stakeout ends; your own mcp.json keeps one for good.",
            look.muted(),
        ),
    };
    let below = paragraph(below, width);
    let answers = answers(model, width);
    // The frame, the line that is typed, and air above and below what became of it.
    let rows = asked.len() + below.len() + answers.len() + 5;
    let area = boxed(buffer.area, u16::try_from(rows).unwrap_or(u16::MAX));
    Clear.render(area, buffer);
    Pane {
        title: "Add a server",
        focused: true,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = super::layout::inside(area);
    for (offset, line) in asked.iter().enumerate() {
        words(buffer, row(inside, offset), &[(line, Style::new())]);
    }
    let field = row(inside, asked.len());
    let arrow = format!("{} ", look.symbols().arrow);
    let used = words(buffer, field, &[(&arrow, look.accent())]);
    let field = Rect {
        x: field.x + used,
        width: field.width - used,
        ..field
    };
    if adding.line.is_empty() {
        let example = format!(" {}", text::one_line(EXAMPLE, usize::from(field.width)));
        words(buffer, field, &[(&example, look.muted())]);
    }
    let cursor = pieces::field(buffer, field, &adding.line, 0, look.strong());
    let height = usize::from(inside.height);
    for (offset, line) in below.iter().enumerate() {
        let place = asked.len() + 2 + offset;
        if place + answers.len() < height {
            words(buffer, row(inside, place), &[(line, style)]);
        }
    }
    for (offset, line) in answers.iter().enumerate() {
        let place = row(inside, height.saturating_sub(answers.len() - offset));
        words(buffer, place, &[(line, Style::new())]);
    }
    cursor
}

/// What can be pressed, in full.
fn answers(model: &Model, width: usize) -> Vec<String> {
    let told = [
        (Action::AddServer, "adds it"),
        (Action::Discover, "looks into other programs' files"),
        (Action::CloseLayer, "closes"),
    ];
    let told = told.into_iter().filter_map(|(action, what)| {
        let key = model.keymap.key(Context::Adding, action)?;
        Some(format!("{} {what}", model.look.key(key)))
    });
    paragraph(&told.collect::<Vec<_>>().join("   "), width)
}
