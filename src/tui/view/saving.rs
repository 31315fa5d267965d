//! The dialog that saves a wait.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::field::Field;
use super::super::form::paragraph;
use super::super::keys::{Action, Context};
use super::super::look::Look;
use super::super::model::Model;
use super::super::saved::{PlaceKind, Saving, SavingLine};
use super::Cursor;
use super::layers::{boxed, text_width};
use super::pieces::{self, Pane, right_of, row, words};
use crate::app::EntryOffer;
use crate::store::SpecPlace;
use crate::text;

/// Cells of how a server is reached.
const REACH: usize = 140;
/// Cells of the names of the lines.
const NAMES: u16 = 11;

/// Draws the dialog, and answers where the cursor is.
pub(super) fn draw(saving: &Saving, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let width = text_width(boxed(buffer.area, u16::MAX)).max(1);
    let lines = saving.lines();
    let below = told(saving, look);
    let mut below: Vec<(String, Style)> = below
        .into_iter()
        .flat_map(|(words, style)| {
            let lines = paragraph(&words, width).into_iter();
            lines.map(move |line| (line, style))
        })
        .collect();
    let answers = answers(model, width);
    // The frame, and air above what it would do and above the keys.
    let rows = lines.len() + below.len() + answers.len() + 4;
    let area = boxed(buffer.area, u16::try_from(rows).unwrap_or(u16::MAX));
    Clear.render(area, buffer);
    Pane {
        title: "Save the wait",
        focused: true,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = super::layout::inside(area);
    let height = usize::from(inside.height);
    let mut cursor = None;
    for (offset, line) in lines.iter().enumerate() {
        let drawn = draw_line(saving, *line, look, buffer, row(inside, offset));
        cursor = cursor.or(drawn);
    }
    let air = usize::from(height > lines.len() + below.len() + answers.len());
    below.truncate(height.saturating_sub(lines.len() + air + answers.len()));
    for (offset, (line, style)) in below.iter().enumerate() {
        let place = row(inside, lines.len() + air + offset);
        words(buffer, place, &[(line, *style)]);
    }
    for (offset, line) in answers.iter().enumerate() {
        let place = row(inside, height.saturating_sub(answers.len() - offset));
        words(buffer, place, &[(line, Style::new())]);
    }
    cursor
}

fn draw_line(
    saving: &Saving,
    line: SavingLine,
    look: Look,
    buffer: &mut Buffer,
    area: Rect,
) -> Cursor {
    let focused = saving.line == line;
    let (name, style) = if focused {
        (look.symbols().arrow, look.accent())
    } else {
        (" ", Style::new())
    };
    let label = match line {
        SavingLine::Name => "name",
        SavingLine::About => "what for",
        SavingLine::Place => "place",
        SavingLine::Path => "path",
        SavingLine::Entry => "server",
    };
    words(
        buffer,
        area,
        &[(name, style), (" ", style), (label, look.muted())],
    );
    let rest = right_of(area, NAMES);
    let mut typed = |field: &Field| {
        let cursor = pieces::field(buffer, rest, field, 0, Style::new());
        cursor.filter(|_| focused)
    };
    match line {
        SavingLine::Name => typed(&saving.name),
        SavingLine::About => typed(&saving.about),
        SavingLine::Path => typed(&saving.path),
        SavingLine::Place => {
            places(saving, look, buffer, rest);
            None
        }
        SavingLine::Entry => {
            let with = saving.with_entry() == Some(true);
            let server = text::one_line(&saving.what.server, 20);
            let with_it = format!("how {server} is reached");
            let all = [
                (with, with_it.as_str(), "how to reach"),
                (!with, "its name alone", "its name"),
            ];
            options(&all, look, buffer, rest);
            None
        }
    }
}

fn places(saving: &Saving, look: Look, buffer: &mut Buffer, area: Rect) {
    let places = saving.places().into_iter().map(|place| {
        let (name, short) = match place {
            PlaceKind::Own => ("where it was", "same"),
            PlaceKind::Library => ("library", "library"),
            PlaceKind::Folder => ("this folder", "here"),
            PlaceKind::Path => ("a path", "path"),
        };
        (place == saving.place, name, short)
    });
    options(&places.collect::<Vec<_>>(), look, buffer, area);
}

/// Options beside one another, each with whether it is chosen; in their short names where there is
/// little room.
fn options(all: &[(bool, &str, &str)], look: Look, buffer: &mut Buffer, area: Rect) {
    const BETWEEN: usize = 2;
    let symbols = look.symbols();
    let needs =
        |(_, name, _): &(bool, &str, &str)| symbols.chosen.width() + 1 + name.width() + BETWEEN;
    let short = all.iter().map(needs).sum::<usize>() > usize::from(area.width) + BETWEEN;
    let written = all.iter().map(|(chosen, name, brief)| {
        let (mark, style) = if *chosen {
            (symbols.chosen, look.strong())
        } else {
            (symbols.other, look.muted())
        };
        let name = if short { brief } else { name };
        (format!("{mark} {name}  "), style)
    });
    let written: Vec<(String, Style)> = written.collect();
    let all: Vec<(&str, Style)> = written
        .iter()
        .map(|(word, style)| (word.as_str(), *style))
        .collect();
    words(buffer, area, &all);
}

/// What saving would do, or why it did not.
fn told(saving: &Saving, look: Look) -> Vec<(String, Style)> {
    if saving.asked.is_some() {
        return vec![("saving …".to_owned(), look.accent())];
    }
    if let Some(problem) = &saving.problem {
        return vec![(problem.clone(), look.error())];
    }
    let Some(seen) = &saving.look else {
        return vec![(String::new(), Style::new())];
    };
    let mut told = Vec::new();
    match &seen.path {
        Ok(path) => told.push((path.display().to_string(), look.muted())),
        Err(problem) => told.push((problem.clone(), look.muted())),
    }
    if seen.exists {
        let own = matches!(saving.spec_place(), SpecPlace::File(_));
        told.push(if own {
            ("It is written again.".to_owned(), look.muted())
        } else {
            let words = "There is a file already: you are asked before it is written over.";
            (words.to_owned(), look.warn())
        });
    }
    if let (
        EntryOffer::Possible {
            variables, reach, ..
        },
        Some(true),
    ) = (&seen.entry, saving.with_entry())
    {
        let reach = text::one_line(reach, REACH);
        told.push((format!("It holds: {reach}"), look.muted()));
        if !variables.is_empty() {
            let all: Vec<String> = variables
                .iter()
                .map(|name| format!("${{{name}}}"))
                .collect();
            let words = format!(
                "In the place of what is taken for a secret: {}, to be set to run it.",
                all.join(", ")
            );
            told.push((words, look.warn()));
        }
    }
    told
}

/// What can be pressed.
fn answers(model: &Model, width: usize) -> Vec<String> {
    let told = [
        (Action::SaveNow, "saves"),
        (Action::NextField, "next line"),
        (Action::NextOption, "next option"),
        (Action::CloseLayer, "closes"),
    ];
    let context = match model.context() {
        Context::SavingChoice => Context::SavingChoice,
        _ => Context::Saving,
    };
    let told = told.into_iter().filter_map(|(action, what)| {
        let key = model.keymap.key(context, action)?;
        Some(format!("{} {what}", model.look.key(key)))
    });
    paragraph(&told.collect::<Vec<_>>().join("   "), width)
}
