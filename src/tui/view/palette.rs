//! The command palette.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::keys::Context;
use super::super::layout;
use super::super::model::Model;
use super::super::palette::{Command, Palette};
use super::Cursor;
use super::layers::boxed;
use super::pieces::{self, Pane, put, row, words};
use crate::text;

/// Cells of the selection mark and the names.
const NAMES: u16 = 20;
/// Rows of the box, where the screen has them.
const ROWS: u16 = 24;

pub(super) fn draw(palette: &Palette, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let area = boxed(buffer.area, ROWS);
    Clear.render(area, buffer);
    Pane {
        title: "Commands",
        right: None,
        bottom: None,
        focused: true,
    }
    .frame(buffer, area, look);
    let inside = layout::inside(area);
    let line = row(inside, 0);
    let used = words(buffer, line, &[(": ", look.accent())]);
    let input = Rect {
        x: line.x + used,
        width: line.width.saturating_sub(used),
        ..line
    };
    let cursor = pieces::field(buffer, input, palette.filter(), 0, Style::new());
    let height = usize::from(inside.height.saturating_sub(1));
    if palette.commands().is_empty() {
        let nothing = "no command has such a name";
        words(buffer, row(inside, 1), &[(nothing, look.muted())]);
    }
    let top = (palette.cursor() + 1).saturating_sub(height);
    let visible = palette.commands().iter().enumerate().skip(top).take(height);
    for (offset, (place, command)) in visible.enumerate() {
        let line = row(inside, offset + 1);
        entry(model, palette.context(), command, buffer, line);
        if place == palette.cursor() {
            words(buffer, line, &[(look.symbols().arrow, look.accent())]);
            buffer.set_style(line, look.selected_line());
        }
    }
    cursor
}

/// The name, the sentence, and at the right the key, or where the action holds.
fn entry(model: &Model, context: Context, command: &Command, buffer: &mut Buffer, line: Rect) {
    let look = model.look;
    let (action, here) = (command.action, command.here);
    let base = if here { Style::new() } else { look.muted() };
    let (right, style) = if here {
        let key = model.keymap.key(context, action);
        let key = key.map(|key| look.key(key)).unwrap_or_default();
        (key, look.accent().patch(look.strong()))
    } else {
        let elsewhere = model.keymap.contexts(action).next();
        let title = elsewhere.map(Context::title).unwrap_or_default();
        (title.to_owned(), look.muted())
    };
    let right = text::one_line(&right, usize::from(line.width / 3));
    let width = u16::try_from(right.width()).unwrap_or(0);
    let keys = Rect {
        x: line.right() - width,
        width,
        ..line
    };
    words(buffer, keys, &[(&right, style)]);
    let indent = 2.min(line.width);
    let name_at = Rect {
        x: line.x + indent,
        width: line.width - indent,
        ..line
    };
    let marked = |at: usize| command.marks.iter().any(|mark| mark.contains(&at));
    let used = put(buffer, name_at, &action.name(), 0, |piece| {
        if marked(piece.source.start) {
            base.patch(look.accent()).underlined()
        } else {
            base
        }
    })
    .width;
    let gap = (indent + used + 1).max(NAMES).min(line.width);
    let sentence_at = Rect {
        x: line.x + gap,
        width: line.width.saturating_sub(gap + width + 1),
        ..line
    };
    let sentence = text::one_line(action.help(), usize::from(sentence_at.width));
    words(buffer, sentence_at, &[(&sentence, base)]);
}
