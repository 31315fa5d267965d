//! From the state to a drawing.
//!
//! Owns what is drawn where, and in which words. Reads no clock and changes nothing: the same state
//! is the same drawing.

mod adding;
mod arguments;
mod asking;
mod bench;
mod form;
mod help;
mod hints;
mod journal;
mod layers;
mod library;
mod lists;
mod naming;
mod palette;
mod pieces;
mod reading;
mod replay;
mod rows;
mod sample;
mod saving;
mod waits;
mod watch;
mod what_if;
mod why;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::keys::{Action, Context};
use super::layer::Layer;
use super::layout;
use super::model::{Model, Place};
use pieces::{words, words_right};

pub use help::{help_height, help_overflow};

/// Draws `model`.
pub fn draw(model: &Model, frame: &mut Frame<'_>) {
    let screen = frame.area();
    if screen.is_empty() {
        return;
    }
    // The terminal may have changed its size since the model heard of it.
    let fits = (screen.width, screen.height) == (model.columns, model.rows);
    if layout::too_small(model) || !fits {
        too_small(model, frame, screen, fits);
        return;
    }
    header(
        model,
        frame,
        Rect {
            height: 1,
            ..screen
        },
    );
    let cursor = match model.place {
        Place::Bench => bench::draw(model, frame.buffer_mut()),
        Place::Watch => watch::draw(model, frame.buffer_mut()),
        Place::Library => library::draw(model, frame.buffer_mut()),
    };
    let searched = hints::draw(
        model,
        frame.buffer_mut(),
        Rect {
            y: screen.height - 1,
            height: 1,
            ..screen
        },
    );
    // What is to be copied is asked in the bottom line, and covers nothing; what if is a part of the
    // Watch.
    let drawn = |layer: &&Layer| !matches!(layer, Layer::Copy | Layer::WhatIf(_));
    let top = model.layers.iter().filter(drawn).count();
    let mut cursor = searched.or(cursor).filter(|_| top == 0);
    for (place, layer) in model.layers.iter().filter(drawn).enumerate() {
        // What takes the place of everything else is still seen beside what lies on it.
        if place + 1 == top || matches!(layer, Layer::Journal(_)) {
            cursor = layers::draw(layer, model, frame.buffer_mut());
        }
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    if !model.look.unicode {
        plain(frame);
    }
}

/// Frames and ellipses in ASCII. Frames are joined as lines first: `+` can't be joined.
fn plain(frame: &mut Frame<'_>) {
    for cell in &mut frame.buffer_mut().content {
        let plain = match cell.symbol() {
            "…" => "~",
            "─" => "-",
            "│" => "|",
            "┌" | "┐" | "└" | "┘" | "├" | "┤" | "┬" | "┴" | "┼" => "+",
            _ => continue,
        };
        cell.set_symbol(plain);
    }
}

/// Where the cursor of a text field is.
type Cursor = Option<Position>;

fn too_small(model: &Model, frame: &mut Frame<'_>, screen: Rect, fits: bool) {
    if !fits {
        return;
    }
    let (columns, rows) = layout::SMALLEST;
    let sentence = format!(
        "This terminal has {}x{} cells; stakeout needs {columns}x{rows}.",
        model.columns, model.rows
    );
    let lines = super::form::paragraph(&sentence, usize::from(screen.width));
    for (offset, line) in lines.iter().enumerate() {
        words(
            frame.buffer_mut(),
            pieces::row(screen, offset),
            &[(line, Style::new())],
        );
    }
}

fn header(model: &Model, frame: &mut Frame<'_>, area: Rect) {
    let (look, buffer) = (model.look, frame.buffer_mut());
    let symbols = look.symbols();
    let tab = |place| {
        if model.place == place {
            look.selected().patch(look.strong())
        } else {
            Style::new()
        }
    };
    let plain = Style::new();
    let name = |action, name: &str| match model.keymap.key(Context::Watch, action) {
        Some(key) => format!(" {} {name} ", look.key(key)),
        None => format!(" {name} "),
    };
    let (bench, watch, library) = (
        name(Action::GoBench, "Bench"),
        name(Action::GoWatch, "Watch"),
        name(Action::GoLibrary, "Library"),
    );
    let left = [
        (" ", plain),
        ("stakeout", look.strong()),
        ("  ", plain),
        (&bench, tab(Place::Bench)),
        (" ", plain),
        (&watch, tab(Place::Watch)),
        (" ", plain),
        (&library, tab(Place::Library)),
    ];
    let used = words(buffer, area, &left);
    let name = saved_in_view(model);
    let counted = |count: usize, style: Style| if count > 0 { style } else { look.muted() };
    // The count of a wait that ended out of sight.
    let ended = |met: bool, style: Style| {
        let mut unseen = model.waits.values().filter(|wait| wait.unseen);
        if unseen.any(|wait| wait.was_met() == Some(met)) {
            style.patch(look.selected())
        } else {
            style
        }
    };
    let running = model.running().count();
    let ended_counts = model.counts();
    let counts = [
        (
            format!("{}{running}", symbols.running),
            counted(running, look.accent()),
        ),
        (
            format!(" {}{}", symbols.met, ended_counts.met),
            ended(true, counted(ended_counts.met, look.ok())),
        ),
        (
            format!(" {}{} ", symbols.unmet, ended_counts.unmet),
            ended(false, counted(ended_counts.unmet, look.error())),
        ),
    ];
    let counts = counts
        .each_ref()
        .map(|(text, style)| (text.as_str(), *style));
    let left = words_right(buffer, area, &counts, used + 1);
    if let Some((name, changed)) = name {
        let room = usize::from(left.saturating_sub(used + 4));
        let changed = if changed { ", changed" } else { "" };
        let name = crate::text::one_line(&name, room.saturating_sub(changed.len()));
        if room > changed.len() {
            let rest = pieces::right_of(area, used);
            let all = [
                ("   ", plain),
                (&*name, look.accent()),
                (changed, look.muted()),
            ];
            words(buffer, rest, &all);
        }
    }
}

/// The name of the saved wait that is on the Bench or on the Watch, and whether it says something
/// else by now.
fn saved_in_view(model: &Model) -> Option<(String, bool)> {
    match model.place {
        Place::Bench => {
            let saved = model.bench.saved_here()?;
            let judged = &model.bench.assessment;
            let changed = match &judged.call {
                Some(call) => !saved.says(call, judged.rounds),
                None => !judged.faults.is_empty(),
            };
            Some((saved.name(), changed))
        }
        Place::Watch => {
            let wait = model.wait()?;
            let saved = wait.saved.as_ref()?;
            Some((saved.name(), !saved.says(&wait.call, wait.rounds)))
        }
        Place::Library => None,
    }
}
