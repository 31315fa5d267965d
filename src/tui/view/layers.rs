//! What lies on top: which layer, the boxes that they are in, questions and offers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::form::paragraph;
use super::super::keys::Action;
use super::super::layer::Layer;
use super::super::model::Model;
use super::pieces::{Pane, row, words};
use super::{Cursor, adding, asking, help, journal, naming, palette, saving, waits};

/// Cells of a box, its frame counted.
const WIDTH: u16 = 76;

/// Draws the top layer, and answers where the cursor of its field is.
pub(super) fn draw(layer: &Layer, model: &Model, buffer: &mut Buffer) -> Cursor {
    match layer {
        Layer::Help(layer) => return help::draw(layer, model, buffer),
        Layer::Palette(layer) => return palette::draw(layer, model, buffer),
        Layer::Add(adding) => return adding::draw(adding, model, buffer),
        Layer::Save(saving) => return saving::draw(saving, model, buffer),
        Layer::Asking(asking) => return asking::draw(asking, model, buffer),
        Layer::Naming(naming) => return naming::draw(naming, model, buffer),
        Layer::Copy | Layer::WhatIf(_) => {}
        Layer::Journal(pane) => return journal::draw(pane, model, buffer),
        Layer::Waits { cursor } => waits::draw(*cursor, model, buffer),
        Layer::Question(question) => {
            let answers = [(Action::Yes, "yes"), (Action::No, "no")];
            ask(
                question.title(),
                &question.paragraphs(model.running().count()),
                answers,
                model,
                buffer,
            );
        }
        Layer::Offer(offer) => {
            let answers = [
                (Action::TakeOffer, "loads it"),
                (Action::DeclineOffer, "inserts it"),
            ];
            ask("A whole call", &offer.paragraphs(), answers, model, buffer);
        }
    }
    None
}

fn ask(
    title: &str,
    paragraphs: &[String],
    answers: [(Action, &str); 2],
    model: &Model,
    buffer: &mut Buffer,
) {
    let look = model.look;
    let width = text_width(boxed(buffer.area, u16::MAX));
    let mut lines = Vec::new();
    for text in paragraphs {
        lines.extend(paragraph(text, width));
        lines.push(String::new());
    }
    // Frame, lines, and the answers.
    let rows = u16::try_from(lines.len() + 3).unwrap_or(u16::MAX);
    let area = boxed(buffer.area, rows);
    Clear.render(area, buffer);
    Pane {
        title,
        focused: true,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = inside(area);
    let room = usize::from(inside.height.saturating_sub(2));
    for (offset, line) in lines.iter().take(room).enumerate() {
        words(buffer, row(inside, offset), &[(line, Style::new())]);
    }
    if lines
        .iter()
        .rposition(|line| !line.is_empty())
        .is_some_and(|last| last >= room)
    {
        let more = "… there is more than fits here; a larger terminal shows it";
        words(buffer, row(inside, room), &[(more, look.warn())]);
    }
    let key = look.accent().patch(look.strong());
    let [(yes, what), (no, otherwise)] = answers;
    let name = |action| {
        let shown = model.keymap.key(model.context(), action);
        shown.map(|key| look.key(key)).unwrap_or_default()
    };
    let (yes, no) = (name(yes), name(no));
    let (what, otherwise) = (format!(" {what}   "), format!(" {otherwise}"));
    let answers = [
        (yes.as_str(), key),
        (&what, Style::new()),
        (&no, key),
        (&otherwise, Style::new()),
    ];
    words(
        buffer,
        row(inside, usize::from(inside.height).saturating_sub(1)),
        &answers,
    );
}

/// A box in the middle of the screen, of at most that many rows.
pub(super) fn boxed(screen: Rect, rows: u16) -> Rect {
    let width = WIDTH.min(screen.width.saturating_sub(4));
    let height = rows.min(screen.height.saturating_sub(4));
    let (x, y) = ((screen.width - width) / 2, (screen.height - height) / 2);
    Rect {
        x: screen.x + x,
        y: screen.y + y,
        width,
        height,
    }
}

fn inside(area: Rect) -> Rect {
    super::layout::inside(area)
}

pub(super) fn text_width(area: Rect) -> usize {
    usize::from(inside(area).width)
}
