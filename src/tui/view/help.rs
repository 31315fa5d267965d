//! The help.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::help::{Help, KEYS, Line};
use super::super::layout;
use super::super::model::Model;
use super::Cursor;
use super::layers::{boxed, text_width};
use super::pieces::{self, Pane, row, words};

/// The last line that the help can start with.
#[must_use]
pub fn help_overflow(model: &Model, help: &Help) -> usize {
    let (height, width) = size(model);
    help.lines(model, width).len().saturating_sub(height)
}

/// Lines of the help that are visible at once.
#[must_use]
pub fn help_height(model: &Model) -> usize {
    size(model).0
}

fn size(model: &Model) -> (usize, usize) {
    let area = boxed(Rect::new(0, 0, model.columns, model.rows), u16::MAX);
    (usize::from(area.height.saturating_sub(2)), text_width(area))
}

pub(super) fn draw(help: &Help, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let area = boxed(buffer.area, u16::MAX);
    let lines = help.lines(model, text_width(area));
    Clear.render(area, buffer);
    let height = usize::from(area.height.saturating_sub(2));
    let right = (lines.len() > height).then(|| {
        let last = (help.top + height).min(lines.len());
        let extent = format!("{}-{last} of {}", help.top + 1, lines.len());
        (extent, look.muted())
    });
    let title = format!("Keys {} {}", look.symbols().dot, help.context.title());
    Pane {
        title: &title,
        right,
        bottom: None,
        focused: true,
    }
    .frame(buffer, area, look);
    let inside = layout::inside(area);
    if lines.is_empty() {
        words(buffer, inside, &[("no line holds that", look.muted())]);
    }
    for (offset, line) in lines.iter().skip(help.top).take(height).enumerate() {
        let at = row(inside, offset);
        match line {
            Line::Problem(text) => _ = words(buffer, at, &[(text, look.warn())]),
            Line::Text(text) => _ = words(buffer, at, &[(text, Style::new())]),
            Line::Heading(text) => _ = words(buffer, at, &[(text, look.strong())]),
            Line::Keys(keys, sentence) => {
                words(buffer, at, &[(keys, look.accent().patch(look.strong()))]);
                let indent = u16::try_from(KEYS).unwrap_or(0).min(at.width);
                let right = Rect {
                    x: at.x + indent,
                    width: at.width - indent,
                    ..at
                };
                words(buffer, right, &[(sentence, Style::new())]);
            }
        }
    }
    filter(help, model, buffer, area)
}

/// The filter, on the border at the bottom.
fn filter(help: &Help, model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    if area.height < 2 || !help.filtering && help.filter.is_empty() {
        return None;
    }
    let line = Rect {
        x: area.x + 2,
        y: area.bottom() - 1,
        width: area.width.saturating_sub(4),
        height: 1,
    };
    let used = words(buffer, line, &[(" /", model.look.accent())]);
    let text = help.filter.text();
    let field = Rect {
        x: line.x + used,
        width: line.width.saturating_sub(used),
        ..line
    };
    // The text and the cursor behind it, clear of the border.
    let clear = u16::try_from(text.chars().count() + 1).unwrap_or(u16::MAX);
    let clear = Rect {
        width: field.width.min(clear),
        ..field
    };
    Clear.render(clear, buffer);
    let cursor = pieces::field(buffer, field, &help.filter, 0, Style::new());
    cursor.filter(|_| help.filtering)
}
