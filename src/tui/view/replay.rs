//! The line that says that a recording is looked at, which, and how it is played.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::look::Look;
use super::super::model::Model;
use super::super::watch::{Replay, Wait};
use super::pieces::{right_of, words, words_right};
use crate::app::Extent;
use crate::text;

/// Cells of a name that say which file it is.
const LEAST_NAME: u16 = 24;

pub(super) fn draw(model: &Model, wait: &Wait, replay: &Replay, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let times = if look.unicode { "×" } else { "x" };
    let speed = format!(" {}{times}  ", replay.speed());
    let (doing, style) = doing(wait, replay, look);
    let used = words(
        buffer,
        area,
        &[
            (" REPLAY ", look.selected().patch(look.strong())),
            ("  ", Style::new()),
            (doing, style),
            (&speed, style),
        ],
    );
    let rest = right_of(area, used);
    let started = format!("  {}", replay.started);
    let width = words_right(buffer, rest, &[(&started, look.muted())], LEAST_NAME);
    let name = text::one_line(&replay.name(), usize::from(width));
    words(buffer, rest, &[(&name, Style::new())]);
}

fn doing(wait: &Wait, replay: &Replay, look: Look) -> (&'static str, Style) {
    let at_end = wait.newer() == 0;
    match &replay.extent {
        _ if replay.plays() => ("playing", look.accent()),
        Extent::Reading => ("reading", look.accent()),
        Extent::Growing if at_end => ("following", look.accent()),
        _ => ("paused", Style::new()),
    }
}
