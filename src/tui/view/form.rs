//! The fields of a condition and of a budget as they are drawn, on the Bench and for what if.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::draft::{Input, Kind};
use super::super::focus::Focus;
use super::super::form::{Form, FormLine};
use super::super::look::Look;
use super::Cursor;
use super::pieces::{self, row, words};
use crate::text;
use crate::wait::ToolErrors;

/// As many of `lines` as there is room for, the focused one among them.
pub(super) fn draw(
    form: &Form<'_>,
    lines: &[FormLine],
    buffer: &mut Buffer,
    area: Rect,
    look: Look,
) -> Cursor {
    let height = usize::from(area.height);
    let focused_line = lines
        .iter()
        .position(|line| matches!(line, FormLine::Fields(fields) if fields.contains(&form.focus)))
        .unwrap_or(0);
    let top = (focused_line + 1).saturating_sub(height);
    let mut cursor = None;
    for (offset, line) in lines.iter().skip(top).take(height).enumerate() {
        let area = row(area, offset);
        match line {
            FormLine::Fields(all) => cursor = fields(form, buffer, area, all, look).or(cursor),
            FormLine::Note(note) => {
                words(buffer, area, &[(&note.text, look.tone(note.tone))]);
            }
        }
    }
    cursor
}

fn fields(
    form: &Form<'_>,
    buffer: &mut Buffer,
    area: Rect,
    fields: &[Focus],
    look: Look,
) -> Cursor {
    let mut cursor = None;
    let mut x = 0;
    for focus in fields {
        let rest = Rect {
            x: area.x + x,
            width: area.width.saturating_sub(x),
            ..area
        };
        let (used, found) = field(form, buffer, rest, *focus, look);
        x += used + 3;
        cursor = found.or(cursor);
    }
    cursor
}

/// One field of the form; answers how many cells it took.
fn field(
    form: &Form<'_>,
    buffer: &mut Buffer,
    area: Rect,
    focus: Focus,
    look: Look,
) -> (u16, Cursor) {
    let draft = form.draft;
    let focused = form.focus == focus;
    match focus {
        Focus::Kind => {
            let all = Kind::ALL.map(|kind| (kind.label(), kind == draft.kind));
            (options(buffer, area, "", &all, focused, look), None)
        }
        Focus::ToolErrors => {
            let all = ToolErrors::ALL.map(|kind| (kind.as_str(), kind == draft.tool_errors));
            (
                options(buffer, area, "tool errors  ", &all, focused, look),
                None,
            )
        }
        Focus::More => {
            let symbols = look.symbols();
            let set = draft.more_in_use();
            let (symbol, what) = match (form.more, set.is_empty()) {
                (true, _) => (symbols.unfolded, "more".to_owned()),
                (false, true) => (symbols.folded, "more: fail when, retries …".to_owned()),
                (false, false) => (symbols.folded, format!("more: {}", set.join(", "))),
            };
            let room = usize::from(area.width);
            let line = text::one_line(&format!("{symbol} {what}"), room);
            let style = if focused {
                look.selected()
            } else {
                look.muted()
            };
            (words(buffer, area, &[(&line, style)]), None)
        }
        Focus::Text(input) => text_field(form, buffer, area, input, look),
        _ => (0, None),
    }
}

fn options(
    buffer: &mut Buffer,
    area: Rect,
    label: &str,
    all: &[(&str, bool)],
    focused: bool,
    look: Look,
) -> u16 {
    let symbols = look.symbols();
    let mut parts = vec![(label.to_owned(), label_style(focused, look))];
    for (name, chosen) in all {
        let symbol = if *chosen {
            symbols.chosen
        } else {
            symbols.other
        };
        let style = match (*chosen, focused) {
            (true, true) => look.selected(),
            (true, false) => look.strong(),
            (false, _) => Style::new(),
        };
        parts.push((format!("{symbol} {name}"), style));
        parts.push(("   ".to_owned(), Style::new()));
    }
    let parts: Vec<(&str, Style)> = parts
        .iter()
        .map(|(word, style)| (word.as_str(), *style))
        .collect();
    words(buffer, area, &parts)
}

pub(super) fn label_style(focused: bool, look: Look) -> Style {
    if focused {
        look.accent().patch(look.strong())
    } else {
        look.muted()
    }
}

/// The label, what stands in an empty field, and the cells of a field that isn't as wide as it can be.
fn about(input: Input) -> (&'static str, &'static str, Option<u16>) {
    match input {
        Input::Arguments => ("", "", None),
        Input::Pattern => ("", "a pattern, such as (?i)done", None),
        Input::Quiet => ("", "for how long, such as 10s", None),
        Input::Poll => ("poll ", "2s", Some(13)),
        Input::MaxWait => ("max wait ", "2m", Some(13)),
        Input::FailWhen => ("fail when  ", "a pattern that ends the wait badly", None),
        Input::Ignore => (
            "ignore     ",
            "a pattern that is left out when outputs are compared",
            None,
        ),
        Input::RetryErrors => ("retries ", "0", Some(6)),
        Input::ProbeTimeout => ("probe timeout ", "none", Some(8)),
        Input::Rounds => ("rounds ", "1", Some(6)),
    }
}

fn text_field(
    form: &Form<'_>,
    buffer: &mut Buffer,
    area: Rect,
    input: Input,
    look: Look,
) -> (u16, Cursor) {
    let focused = form.focus == Focus::Text(input);
    let (label, empty, width) = about(input);
    let used = words(buffer, area, &[(label, label_style(focused, look))]);
    let room = area.width - used;
    let width = width.unwrap_or(room).min(room);
    let place = Rect {
        x: area.x + used,
        width,
        ..area
    };
    let field = form.draft.field(input);
    if focused {
        buffer.set_style(place, Style::new().add_modifier(Modifier::UNDERLINED));
    }
    if field.is_empty() {
        words(
            buffer,
            place,
            &[(&text::one_line(empty, usize::from(width)), look.muted())],
        );
    }
    let wrong = form.assessment.faults_of(Some(input)).next().is_some();
    let style = if wrong { look.error() } else { Style::new() };
    let cursor = pieces::field(buffer, place, field, 0, style);
    // A field that isn't as wide as it can be keeps its width, so that nothing moves as one types.
    (used + width, cursor.filter(|_| focused && form.typing))
}
