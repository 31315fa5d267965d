//! An observation beside the one before, line by line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::document::{Document, Highlights};
use super::super::look::Look;
use super::super::watch::GUTTER;
use super::pieces::{self, holds, words};
use crate::text::{Diff, Shown, Side};

/// Draws the visible rows of `document`, which holds the text of `diff`. The lines of the new text
/// show what was found in it.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (document, diff): (&Document, &Diff),
    highlights: Option<&Highlights>,
    look: Look,
) {
    for (offset, row) in document.visible(usize::from(area.height)).enumerate() {
        let Some(line) = diff.line_at(row.start) else {
            continue;
        };
        let (sign, side) = match line.side {
            Side::Both => ("  ", Style::new()),
            Side::Old => ("- ", look.error()),
            Side::New => ("+ ", look.ok()),
        };
        let place = pieces::row(area, offset);
        let style = |piece: &Shown<'_>| {
            let at = row.start + piece.source.start;
            let mut style = if piece.symbol { look.warn() } else { side };
            if holds(&diff.changed, at) {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            let found = highlights.filter(|_| line.side != Side::Old);
            let origin = line.origin + (at - line.start);
            match found {
                Some(found) if holds(&found.fail_when, origin) => look.fail_matched(),
                Some(found) if holds(&found.until, origin) => look.matched(),
                _ => style,
            }
        };
        words(buffer, place, &[(sign, side)]);
        let gutter = GUTTER.min(place.width);
        let rest = Rect {
            x: place.x + gutter,
            width: place.width - gutter,
            ..place
        };
        pieces::document_row(buffer, rest, document, row, look, style);
    }
}
