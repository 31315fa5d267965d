//! The arguments as they are drawn: a form, or JSON.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::super::argument_lines::{self, ArgumentLine, INDENT};
use super::super::bench::{Focus, Pane as Place};
use super::super::draft::Input;
use super::super::form;
use super::super::keys::Action;
use super::super::look::Look;
use super::super::model::Model;
use super::bench::on_bench;
use super::form::label_style;
use super::pieces::{self, Pane, row, words, words_right};
use super::{Cursor, layout};
use crate::app::form::{Kind, Row, State};
use crate::text;

/// Cells of a value below which the words about its type give way.
const LEAST_VALUE: u16 = 24;

pub(super) fn draw(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let inside = layout::inside(area);
    if model.bench.draft.arguments().form().is_none() {
        return json(model, buffer, area);
    }
    let lines = argument_lines::lines(&model.bench, usize::from(inside.width));
    let width = usize::from(inside.width);
    let described = argument_lines::description_rows(&model.bench, width);
    let (fields, below) = layout::fields(inside, described);
    frame(model, buffer, area, lines.len(), usize::from(fields.height));
    let columns = Columns::of(model, fields.width);
    let mut cursor = None;
    let visible = lines.iter().skip(model.bench.args_top);
    for (offset, line) in visible.take(usize::from(fields.height)).enumerate() {
        let area = row(fields, offset);
        match line {
            ArgumentLine::Field { row, line } => {
                cursor = field(model, buffer, area, columns, (*row, *line)).or(cursor);
            }
            ArgumentLine::Note(note) => {
                words(buffer, area, &[(&note.text, model.look.tone(note.tone))]);
            }
        }
    }
    if let Some(words) = argument_lines::description(&model.bench) {
        describe(model, buffer, below, words);
    }
    cursor
}

/// What a field is for, as far as there is room.
fn describe(model: &Model, buffer: &mut Buffer, area: Rect, description: &str) {
    let first = description.trim().lines().next().unwrap_or_default();
    let first = text::one_line(first, usize::from(area.width));
    words(buffer, area, &[(&first, model.look.muted())]);
}

/// The frame; its title says which view it is, and how to get to the other.
fn frame(model: &Model, buffer: &mut Buffer, area: Rect, count: usize, height: usize) {
    let (bench, look) = (&model.bench, model.look);
    let dot = look.symbols().dot;
    let arguments = bench.draft.arguments();
    let (this, other) = match arguments.form() {
        Some(_) => ("form", "JSON"),
        None => ("JSON", "form"),
    };
    let mut right = String::new();
    if count > height {
        let last = (bench.args_top + height).min(count);
        right.push_str(&format!("{}-{last} of {count} {dot} ", bench.args_top + 1));
    }
    right.push_str(this);
    if arguments.is_formable() {
        let key = model.key_of(Action::ToggleForm);
        right.push_str(&format!(" {dot} {key} for {other}"));
    }
    // Beside lists that may point elsewhere, it is said whose arguments they are.
    let mut title = "Arguments".to_owned();
    if let (Some(name), None) = (on_bench(model), layout::bench(model).tool_line) {
        title.push_str(&format!(" {dot} {name}"));
    }
    Pane {
        title: &title,
        right: Some((right, look.muted())),
        bottom: None,
        focused: bench.focus.pane() == Place::Arguments,
    }
    .frame(buffer, area, look);
}

fn json(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let inside = layout::inside(area);
    let notes = form::argument_notes(bench, usize::from(inside.width));
    let count = notes
        .len()
        .min(usize::from(inside.height.saturating_sub(1)));
    let height = inside.height - u16::try_from(count).unwrap_or(0);
    let editor = Rect { height, ..inside };
    let field = bench.draft.field(Input::Arguments);
    frame(model, buffer, area, field.rows().len(), usize::from(height));
    let cursor = pieces::field(buffer, editor, field, bench.args_top, Style::new());
    for (offset, note) in notes.iter().take(count).enumerate() {
        let line = row(inside, usize::from(height) + offset);
        words(buffer, line, &[(&note.text, look.tone(note.tone))]);
    }
    cursor.filter(|_| bench.focus == Focus::Text(Input::Arguments) && bench.typing)
}

/// The cells of the parts of a field's line.
#[derive(Clone, Copy)]
struct Columns {
    label: u16,
}

impl Columns {
    /// Labels have what they need, up to two fifths of the line.
    fn of(model: &Model, width: u16) -> Self {
        let rows = model.bench.draft.arguments().rows();
        let widest = rows.iter().map(|row| label(row).width()).max();
        let widest = u16::try_from(widest.unwrap_or(0)).unwrap_or(u16::MAX);
        let most = u16::try_from(argument_lines::FIELD_WIDTH).unwrap_or(u16::MAX);
        Self {
            label: widest.min(width.min(most) * 2 / 5),
        }
    }
}

/// The name of a field, indented; a star says that it is required.
fn label(row: &Row) -> String {
    let indent = " ".repeat(INDENT * row.depth);
    let star = if row.required { "*" } else { "" };
    let name = if row.label.is_empty() {
        "\"\""
    } else {
        &row.label
    };
    format!("{indent}{}{star}", text::line(name))
}

/// One line of a field: its name, its value, and its type at the right.
fn field(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    columns: Columns,
    (index, line): (usize, usize),
) -> Cursor {
    let look = model.look;
    let arguments = model.bench.draft.arguments();
    let row = arguments.rows().get(index)?;
    let focused = model.bench.focus == Focus::Argument(index);
    let skip = (columns.label + 2).min(area.width);
    let most = u16::try_from(argument_lines::FIELD_WIDTH).unwrap_or(u16::MAX);
    let beside = argument_lines::is_described_beside(usize::from(area.width));
    let width = area.width.min(most);
    let mut value = Rect {
        x: area.x + skip,
        width: width - skip,
        ..area
    };
    if line == 0 && beside {
        let place = Rect {
            x: area.x + width + 2,
            width: area.width - width - 2,
            ..area
        };
        describe(model, buffer, place, &row.description);
    }
    if line == 0 {
        let name = text::one_line(&label(row), usize::from(columns.label));
        let place = Rect {
            width: columns.label,
            ..area
        };
        words(buffer, place, &[(&name, label_style(focused, look))]);
        let hint = text::line(&row.hint);
        let drawn = words_right(
            buffer,
            value,
            &[("  ", Style::new()), (&hint, look.muted())],
            least_value(row, focused, look).min(value.width),
        );
        value.width = drawn;
    }
    match (&row.state, &row.kind) {
        (State::Chosen(chosen), Kind::Options(_) | Kind::Variants(_)) => {
            options(buffer, value, &labels(row), Some(*chosen), focused, look);
            None
        }
        (state, Kind::Options(_) | Kind::Variants(_)) if *state != State::Null => {
            options(buffer, value, &labels(row), None, focused, look);
            None
        }
        _ => written(model, buffer, value, row, (index, line), focused),
    }
}

/// Cells that the value of a field wants before its type is told: options stand all beside one
/// another, where they can.
fn least_value(row: &Row, focused: bool, look: Look) -> u16 {
    match &row.kind {
        Kind::Options(_) | Kind::Variants(_) => {
            let all = options_width(&labels(row), look);
            u16::try_from(all).unwrap_or(u16::MAX)
        }
        _ if focused => LEAST_VALUE,
        _ => LEAST_VALUE / 2,
    }
}

/// A value that is typed, or a few words where there is none.
fn written(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    row: &Row,
    (index, line): (usize, usize),
    focused: bool,
) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    if focused {
        buffer.set_style(area, Style::new().add_modifier(Modifier::UNDERLINED));
    }
    if let Some(instead) = instead(row, look) {
        let instead = text::one_line(&instead, usize::from(area.width));
        words(buffer, area, &[(&instead, look.muted())]);
    }
    let style = match row.fault {
        Some(_) => look.error(),
        None => Style::new(),
    };
    if let (true, Some(hand)) = (focused, bench.draft.arguments().hand(index)) {
        let cursor = pieces::field(buffer, area, hand, line, style);
        return cursor.filter(|_| bench.typing && hand.cursor().0 == line);
    }
    if let State::Text(text) = &row.state {
        let shown = text::one_line(text, usize::from(area.width));
        words(buffer, area, &[(&shown, style)]);
    }
    None
}

/// What stands where nothing is written.
fn instead(row: &Row, look: Look) -> Option<String> {
    match (&row.state, &row.default) {
        (State::Unset, Some(default)) => Some(format!("unset, default {default}")),
        (State::Unset, None) => Some("unset".to_owned()),
        (State::Null, _) => Some("null, by choice".to_owned()),
        (State::Text(text), _) if text.is_empty() => Some("an empty string".to_owned()),
        (State::Open, _) => Some(look.symbols().unfolded.to_owned()),
        _ => None,
    }
}

fn labels(row: &Row) -> Vec<String> {
    match &row.kind {
        Kind::Options(choices) => choices.iter().map(|choice| choice.label.clone()).collect(),
        Kind::Variants(labels) => labels.clone(),
        _ => Vec::new(),
    }
}

/// Cells of all options beside one another.
fn options_width(labels: &[String], look: Look) -> usize {
    let mark = look.symbols().other.width() + 1;
    let each = labels.iter().map(|label| mark + text::line(label).width());
    each.sum::<usize>() + 3 * labels.len().saturating_sub(1)
}

/// All options beside one another, or the chosen one and how many there are.
fn options(
    buffer: &mut Buffer,
    area: Rect,
    labels: &[String],
    chosen: Option<usize>,
    focused: bool,
    look: Look,
) {
    let symbols = look.symbols();
    let style = |is_chosen: bool| match (is_chosen, focused) {
        (true, true) => look.selected(),
        (true, false) => look.strong(),
        (false, _) => Style::new(),
    };
    let width = usize::from(area.width);
    let mut parts: Vec<(String, Style)> = Vec::new();
    if options_width(labels, look) <= width {
        for (place, label) in labels.iter().enumerate() {
            let is_chosen = chosen == Some(place);
            let symbol = if is_chosen {
                symbols.chosen
            } else {
                symbols.other
            };
            parts.push((format!("{symbol} {}", text::line(label)), style(is_chosen)));
            parts.push(("   ".to_owned(), Style::new()));
        }
        if chosen.is_none() {
            parts.push(("unset".to_owned(), look.muted()));
        }
    } else if let Some((place, label)) = chosen.and_then(|place| Some((place, labels.get(place)?)))
    {
        let count = format!("  {} of {}", place + 1, labels.len());
        let room = width.saturating_sub(count.width() + symbols.chosen.width() + 1);
        let label = text::one_line(label, room);
        parts.push((format!("{} {label}", symbols.chosen), style(true)));
        parts.push((count, look.muted()));
    } else {
        parts.push((format!("unset, one of {}", labels.len()), style(focused)));
    }
    if focused && chosen.is_none() {
        buffer.set_style(area, Style::new().add_modifier(Modifier::UNDERLINED));
    }
    let parts: Vec<(&str, Style)> = parts
        .iter()
        .map(|(word, style)| (word.as_str(), *style))
        .collect();
    words(buffer, area, &parts);
}
