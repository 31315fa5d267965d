//! Why the condition doesn't hold, as it is drawn under the verdict.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::keys::Key;
use super::super::look::Look;
use super::super::why::{Stands, Why};
use super::pieces::{row, words};
use crate::text;

/// Cells that what is quoted may take.
const QUOTED: usize = 40;
/// Cells that a pattern has at least.
const LEAST_PATTERN: usize = 8;

/// `take` is the key that takes an offer here.
pub(super) fn draw(why: &Why, take: Option<Key>, buffer: &mut Buffer, area: Rect, look: Look) {
    let mut offset = 0;
    if let Some(stands) = &why.stands {
        sentence(stands, buffer, row(area, 0), look);
        offset = 1;
    }
    let take = take.map(|key| key.to_string()).unwrap_or_default();
    for (index, slip) in why.offers().iter().enumerate() {
        let line = row(area, offset + index);
        let key = if index == 0 { &take } else { "then" };
        let key = format!("{key:<7} ");
        let label = format!("   {}", slip.kind.label());
        let pattern = fitting(&slip.offer, line, &[&key, &label]);
        let key_style = if index == 0 {
            look.accent().patch(look.strong())
        } else {
            look.muted()
        };
        words(
            buffer,
            line,
            &[
                (&key, key_style),
                (&pattern, look.accent()),
                (&label, Style::new()),
            ],
        );
    }
}

fn sentence(stands: &Stands, buffer: &mut Buffer, area: Rect, look: Look) {
    match stands {
        Stands::Nowhere => {
            words(
                buffer,
                area,
                &[("the beginning of the pattern matches nowhere", Style::new())],
            );
        }
        Stands::Still { line, found } => {
            let place = format!("  on line {line}");
            let found = quoted(found);
            words(
                buffer,
                area,
                &[
                    ("still matches  ", Style::new()),
                    (&found, look.strong()),
                    (&place, Style::new()),
                ],
            );
        }
        Stands::UpTo(reached) => {
            let before = "matches up to  ";
            let place = format!("  on line {}, then ", reached.line);
            let instead = match reached.instead.as_str() {
                "" => "the end of the text".to_owned(),
                "\n" => "the end of the line".to_owned(),
                instead => quoted(instead),
            };
            let mut column = format!(" at column {}", reached.column);
            let taken = [before, &reached.part, &place, &instead, &column];
            if taken.iter().map(|word| word.width()).sum::<usize>() > usize::from(area.width) {
                column.clear();
            }
            let part = fitting(&reached.part, area, &[before, &place, &instead, &column]);
            words(
                buffer,
                area,
                &[
                    (before, Style::new()),
                    (&part, look.accent()),
                    (&place, Style::new()),
                    (&instead, look.strong()),
                    (&column, Style::new()),
                ],
            );
        }
    }
}

fn quoted(text: &str) -> String {
    // Only blanks at the end are cut by one_line, and they are what matters here.
    let shown = text::line(text);
    if shown.width() <= QUOTED {
        format!("\"{shown}\"")
    } else {
        format!("\"{}\"", text::one_line(&shown, QUOTED))
    }
}

/// As much of a pattern as fits beside `others`.
fn fitting(pattern: &str, area: Rect, others: &[&str]) -> String {
    let taken: usize = others.iter().map(|other| other.width()).sum();
    let room = usize::from(area.width).saturating_sub(taken);
    let shown = text::line(pattern);
    if shown.width() <= room {
        shown.into_owned()
    } else {
        text::one_line(&shown, room.max(LEAST_PATTERN))
    }
}
