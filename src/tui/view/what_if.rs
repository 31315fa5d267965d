//! What if as it is drawn: the condition, which samples it matches, and where the wait would have
//! stopped.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::look::{Look, Tone};
use super::super::model::Model;
use super::super::outcome;
use super::super::watch::Wait;
use super::super::what_if::{Answer, WhatIf};
use super::pieces::{Pane, words};
use super::{Cursor, form, layout};
use crate::text;
use crate::wait::{Stop, WaitError};

/// The fields.
pub(super) fn condition(
    model: &Model,
    what_if: &WhatIf,
    buffer: &mut Buffer,
    area: Rect,
) -> Cursor {
    let look = model.look;
    let right = what_if.answer.as_ref().and_then(|answer| {
        let all = model.wait()?.history.entries().len();
        let judged = answer.judged.len();
        let lags = answer.ending.is_none() && judged < all;
        match answer.without_text {
            _ if lags => Some((format!("{judged} of {all} judged"), look.muted())),
            0 => None,
            1 => Some(("1 text is gone".to_owned(), look.warn())),
            gone => Some((format!("{gone} texts are gone"), look.warn())),
        }
    });
    Pane {
        title: "What if",
        right,
        bottom: None,
        focused: true,
    }
    .frame(buffer, area, look);
    let inside = layout::inside(area);
    let form = what_if.form();
    let lines = super::super::form::condition_lines(&form, usize::from(inside.width));
    form::draw(&form, &lines, buffer, inside, look)
}

/// Where the wait would have stopped and why, under the cell of the sample that would have decided
/// it; else why it is undecided.
pub(super) fn answer(wait: &Wait, what_if: &WhatIf, buffer: &mut Buffer, area: Rect, look: Look) {
    let Some(answer) = &what_if.answer else {
        return;
    };
    let Some(stop) = &answer.stop else {
        let sentence = text::one_line(&undecided(answer), usize::from(area.width));
        words(buffer, area, &[(&sentence, look.strong())]);
        return;
    };
    let (tone, sentence) = stopped(answer, stop);
    let style = look.tone(tone).patch(look.strong());
    let samples = wait.history.entries().len();
    let cells = usize::from(area.width).min(samples).max(1);
    let cell = what_if
        .decided_at(wait)
        .map(|index| cell_of(index, samples, cells));
    let Some(cell) = cell else {
        let sentence = text::one_line(&sentence, usize::from(area.width));
        words(buffer, area, &[(&sentence, style)]);
        return;
    };
    let pointer = look.symbols().pointer;
    let room = usize::from(area.width);
    let before = cell.saturating_sub(1);
    let after = room.saturating_sub(cell + 2);
    let place = |x: usize| {
        let x = u16::try_from(x).unwrap_or(0).min(area.width);
        Rect {
            x: area.x + x,
            width: area.width - x,
            ..area
        }
    };
    words(buffer, place(cell), &[(pointer, style)]);
    let fits_after = sentence.width() <= after || after >= before;
    if fits_after {
        let sentence = text::one_line(&sentence, after);
        words(buffer, place(cell + 2), &[(&sentence, style)]);
    } else {
        let sentence = text::one_line(&sentence, before);
        let x = before - sentence.width();
        words(buffer, place(x), &[(&sentence, style), (" ", Style::new())]);
    }
}

fn stopped(answer: &Answer, stop: &Stop) -> (Tone, String) {
    let (tone, sentence) = outcome::sentence(&answer.call, &stop.ending);
    let unless = if answer.is_uncertain() {
        ", if not before"
    } else {
        ""
    };
    let sentence = match stop.sample {
        Some(sample) => format!("would stop at sample {sample}{unless}: {sentence}"),
        None => format!("would end{unless}: {sentence}"),
    };
    (tone, sentence)
}

fn undecided(answer: &Answer) -> String {
    let Some(Err(failure)) = &answer.ending else {
        return String::new();
    };
    match &failure.error {
        WaitError::RecordingEnded {
            recorded: Some(how),
            ..
        } => format!("undecided where the wait ended: {how}"),
        _ => "undecided so far".to_owned(),
    }
}

/// The cell of the timeline above in which a sample is drawn: the one whose group has it.
fn cell_of(index: usize, samples: usize, cells: usize) -> usize {
    ((index + 1) * cells).saturating_sub(1) / samples.max(1)
}

#[cfg(test)]
mod tests {
    use super::super::watch::samples_of;
    use super::cell_of;

    #[test]
    fn a_sample_is_in_the_cell_that_draws_it() {
        for (samples, cells) in [(1, 1), (78, 78), (79, 78), (100, 78), (300, 58), (1000, 7)] {
            for index in 0..samples {
                let cell = cell_of(index, samples, cells);
                assert!(
                    samples_of(cell, samples, cells).contains(&index),
                    "{index} of {samples}"
                );
            }
        }
    }
}
