//! What lies on top: the help, questions and offers.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::form::paragraph;
use super::super::keys::{Action, Context, Key, Keymap};
use super::super::layer::Layer;
use super::super::look::Look;
use super::super::model::Model;
use super::hints::named;
use super::pieces::{Pane, row, words};
use super::{Cursor, adding, waits};

/// Cells of a box, its frame counted.
const WIDTH: u16 = 76;
/// Cells of the keys in the help.
const KEYS: usize = 22;

/// Answers where the cursor is, where one types in the layer.
pub(super) fn draw(layer: &Layer, model: &Model, buffer: &mut Buffer) -> Cursor {
    match layer {
        Layer::Add(adding) => return adding::draw(adding, model, buffer),
        Layer::Help {
            context,
            about,
            top,
        } => help(*context, about, *top, model, buffer),
        Layer::Copy => {}
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

/// The last line that the help can start with.
#[must_use]
pub fn help_overflow(model: &Model, context: Context, about: &[String]) -> usize {
    let area = boxed(Rect::new(0, 0, model.columns, model.rows), u16::MAX);
    let width = text_width(area);
    let keys = help_lines(&model.keymap, context, model.look, width);
    (about_lines(about, width).len() + keys.len())
        .saturating_sub(usize::from(area.height.saturating_sub(2)))
}

fn help(context: Context, about: &[String], top: usize, model: &Model, buffer: &mut Buffer) {
    let look = model.look;
    let width = text_width(boxed(buffer.area, u16::MAX));
    let about = about_lines(about, width);
    let mut lines = help_lines(&model.keymap, context, look, width);
    lines.splice(0..0, about.iter().map(|line| (String::new(), line.clone())));
    let rows = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let area = boxed(buffer.area, rows);
    Clear.render(area, buffer);
    let height = usize::from(area.height.saturating_sub(2));
    let right = (lines.len() > height).then(|| {
        let extent = format!(
            "{}-{} of {}",
            top + 1,
            (top + height).min(lines.len()),
            lines.len()
        );
        (extent, look.muted())
    });
    let title = format!("Keys {} {}", look.symbols().dot, context.title());
    Pane {
        title: &title,
        right,
        bottom: None,
        focused: true,
    }
    .frame(buffer, area, look);
    for (offset, (keys, sentence)) in lines.iter().skip(top).take(height).enumerate() {
        let line = row(inside(area), offset);
        words(buffer, line, &[(keys, look.accent().patch(look.strong()))]);
        // What is told about a thing has the whole width.
        let indent = if top + offset < about.len() { 0 } else { KEYS };
        let indent = u16::try_from(indent).unwrap_or(0).min(line.width);
        let right = Rect {
            x: line.x + indent,
            width: line.width - indent,
            ..line
        };
        words(buffer, right, &[(sentence, Style::new())]);
    }
}

/// What is told above the keys, with an empty line below each paragraph.
fn about_lines(about: &[String], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for text in about {
        lines.extend(paragraph(text.trim(), width));
        lines.push(String::new());
    }
    lines
}

/// Keys and sentences, in the table's order; a long sentence goes on without keys.
fn help_lines(
    keymap: &Keymap,
    context: Context,
    look: Look,
    width: usize,
) -> Vec<(String, String)> {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut said = Vec::new();
    for binding in keymap.bindings(context) {
        if said.contains(&binding.action) {
            continue;
        }
        said.push(binding.action);
        let keys: Vec<String> = keymap
            .keys(context, binding.action)
            .map(|key| named(key, look))
            .collect();
        entry(&mut lines, &keys.join(" "), binding.action.help(), width);
    }
    if context.is_typing() {
        let arrows = [KeyCode::Left, KeyCode::Right].map(|code| named(Key::code(code), look));
        entry(
            &mut lines,
            &format!("{} Home End", arrows.join(" ")),
            "move the cursor",
            width,
        );
    }
    entry(
        &mut lines,
        "Ctrl-Z",
        "suspend stakeout, until the shell's fg",
        width,
    );
    legend(&mut lines, context, look, width);
    lines
}

/// What the symbols of this place mean.
fn legend(lines: &mut Vec<(String, String)>, context: Context, look: Look, width: usize) {
    let symbols = look.symbols();
    if context == Context::Watch {
        let marks = [
            symbols.same,
            symbols.changed,
            symbols.tool_error,
            symbols.failed,
            symbols.matched,
            symbols.unmet,
        ];
        let meaning =
            "a sample: same, changed, tool error, failed, met the condition, met fail when";
        entry(lines, &marks.join(" "), meaning, width);
    }
    let counts = [symbols.running, symbols.met, symbols.unmet].join(" ");
    entry(lines, &counts, "waits: running, met, not met", width);
}

fn entry(lines: &mut Vec<(String, String)>, keys: &str, help: &str, width: usize) {
    let keys = paragraph(keys, KEYS - 2);
    let help = paragraph(help, width.saturating_sub(KEYS).max(1));
    for place in 0..keys.len().max(help.len()) {
        let of = |part: &[String]| part.get(place).cloned().unwrap_or_default();
        lines.push((of(&keys), of(&help)));
    }
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
        shown.map(|key| named(key, look)).unwrap_or_default()
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

fn text_width(area: Rect) -> usize {
    usize::from(inside(area).width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn u1_the_help_names_every_key_of_its_context() {
        let keymap = Keymap::default();
        for context in Context::ALL {
            let lines = help_lines(
                &keymap,
                context,
                Look {
                    colour: true,
                    unicode: true,
                },
                72,
            );
            let all: String = lines.iter().map(|(keys, _)| format!("{keys} ")).collect();
            for binding in keymap.bindings(context) {
                for key in binding.keys_in(context) {
                    let key = key.to_string();
                    assert!(
                        all.split(' ').any(|word| word == key),
                        "{key} in {context:?}"
                    );
                }
            }
            assert!(lines.iter().all(|(keys, _)| keys.width() <= KEYS - 2));
        }
    }
}
