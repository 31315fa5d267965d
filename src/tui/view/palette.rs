//! The command palette.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::keys::{Action, Context};
use super::super::layout;
use super::super::model::Model;
use super::super::palette::{Palette, text};
use super::Cursor;
use super::layers::boxed;
use super::pieces::{self, Pane, put, row, words};

/// Cells of the selection mark and the names.
const NAMES: u16 = 20;
/// Rows of the box, where the screen has them.
const ROWS: u16 = 24;

pub(super) fn draw(palette: &Palette, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let area = boxed(buffer.area, ROWS);
    Clear.render(area, buffer);
    let picker = &palette.picker;
    let count = format!("{} of {}", picker.hits().len(), palette.len());
    Pane {
        title: "Commands",
        right: Some((count, look.muted())),
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
    let cursor = pieces::field(buffer, input, picker.filter(), 0, Style::new());
    let height = usize::from(inside.height.saturating_sub(1));
    if picker.hits().is_empty() {
        let nothing = "no command has such a name";
        words(buffer, row(inside, 1), &[(nothing, look.muted())]);
    }
    let top = (picker.cursor() + 1).saturating_sub(height);
    let visible = picker.hits().iter().enumerate().skip(top).take(height);
    for (offset, (place, hit)) in visible.enumerate() {
        if let Some((action, here)) = palette.item(hit.index) {
            let line = row(inside, offset + 1);
            let selected = place == picker.cursor();
            entry(model, buffer, line, (action, here), &hit.marks, selected);
        }
    }
    cursor
}

/// The name, the sentence, and at the right the key, or where the action holds.
fn entry(
    model: &Model,
    buffer: &mut Buffer,
    line: Rect,
    (action, here): (Action, bool),
    marks: &[Range<usize>],
    selected: bool,
) {
    let look = model.look;
    let base = if here { Style::new() } else { look.muted() };
    let arrow = if selected { look.symbols().arrow } else { " " };
    words(buffer, line, &[(arrow, look.accent())]);
    let (right, style) = if here {
        let key = model.keymap.key(model.context_below(), action);
        let key = key.map(|key| look.key(key)).unwrap_or_default();
        (key, look.accent().patch(look.strong()))
    } else {
        (place_of(model, action), look.muted())
    };
    let width = u16::try_from(right.width())
        .unwrap_or(u16::MAX)
        .min(line.width / 3);
    let keys = Rect {
        x: line.right() - width,
        width,
        ..line
    };
    let right = crate::text::one_line(&right, usize::from(width));
    words(buffer, keys, &[(&right, style)]);
    let (name, all) = (action.name(), text(action));
    let marked = |from: usize| {
        move |piece: &crate::text::Shown<'_>| {
            let at = from + piece.source.start;
            if marks.iter().any(|mark| mark.contains(&at)) {
                base.patch(look.accent()).underlined()
            } else {
                base
            }
        }
    };
    let indent = 2.min(line.width);
    let name_at = Rect {
        x: line.x + indent,
        width: line.width - indent,
        ..line
    };
    let used = put(buffer, name_at, &name, 0, marked(0)).width;
    let gap = (indent + used + 1).max(NAMES).min(line.width);
    let sentence_at = Rect {
        x: line.x + gap,
        width: line.width.saturating_sub(gap + width + 1),
        ..line
    };
    let start = all.len() - action.help().len();
    let drawn = put(buffer, sentence_at, action.help(), 0, marked(start));
    if drawn.cut && sentence_at.width > 0 {
        let last = Rect {
            x: sentence_at.right() - 1,
            width: 1,
            ..sentence_at
        };
        words(buffer, last, &[(look.symbols().cut, look.muted())]);
    }
    if selected {
        buffer.set_style(line, look.selected_line());
    }
}

/// Where an action holds that doesn't here, in a word or two.
fn place_of(model: &Model, action: Action) -> String {
    let context = model.keymap.contexts(action).next();
    context.map(Context::title).unwrap_or_default().to_owned()
}
