//! The Bench as it is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::bench::{Focus, Pane as Place};
use super::super::draft::{Input, Kind};
use super::super::form::{self, FormLine};
use super::super::keys::Action;
use super::super::look::Look;
use super::super::model::Model;
use super::pieces::{self, Pane, row, words};
use super::{Cursor, arguments, layout, lists, reading, why};
use crate::text;
use crate::wait::ToolErrors;

pub(super) fn draw(model: &Model, buffer: &mut Buffer) -> Cursor {
    let areas = layout::bench(model);
    if let Some(area) = areas.strip {
        strip(model, buffer, area);
    }
    // The focused pane comes last, so that its frame is whole.
    let focus = model.bench.focus;
    let mut panes: Vec<(Rect, bool, Draw)> = Vec::new();
    let mut add = |area: Option<Rect>, focused: bool, draw: Draw| {
        panes.extend(area.map(|area| (area, focused, draw)));
    };
    add(areas.servers, focus == Focus::Servers, lists::servers);
    add(areas.tools, focus == Focus::Tools, lists::tools);
    add(areas.tool_line, focus.pane() == Place::Tool, tool_line);
    add(
        areas.arguments,
        focus.pane() == Place::Arguments,
        arguments::draw,
    );
    add(areas.until, focus.pane() == Place::Until, until);
    add(areas.preview, focus.pane() == Place::Preview, preview);
    panes.sort_by_key(|(_, focused, _)| *focused);
    panes
        .into_iter()
        .filter_map(|(area, _, draw)| draw(model, buffer, area))
        .last()
}

type Draw = fn(&Model, &mut Buffer, Rect) -> Cursor;

/// The names of the panes, where one is shown at a time.
fn strip(model: &Model, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let mut all = vec![(" ".to_owned(), Style::new())];
    for place in Place::ALL {
        let focused = place == model.bench.focus.pane();
        let style = if focused {
            look.accent().patch(look.strong())
        } else {
            look.muted()
        };
        let arrow = if focused { look.symbols().arrow } else { " " };
        all.push((format!("{arrow}{}  ", place.title()), style));
    }
    let all: Vec<(&str, Style)> = all
        .iter()
        .map(|(word, style)| (word.as_str(), *style))
        .collect();
    let used = words(buffer, area, &all);
    if let Some(name) = on_bench(model) {
        let room = usize::from(area.width.saturating_sub(used + 1));
        let name = text::one_line(&name, room);
        pieces::words_right(
            buffer,
            area,
            &[(&name, look.muted()), (" ", look.muted())],
            used,
        );
    }
}

/// The tool that is on the Bench, and whose it is.
pub(super) fn on_bench(model: &Model) -> Option<String> {
    let target = model.bench.target.as_ref()?;
    let arrow = model.look.symbols().arrow;
    Some(format!("{} {arrow} {}", target.server, target.tool))
}

/// The chosen tool on one line.
fn tool_line(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let focused = bench.focus.pane() == Place::Tool;
    let right = Some(lists::target_state(model));
    Pane {
        title: "Tool",
        right,
        bottom: None,
        focused,
    }
    .frame(buffer, area, look);
    let line = row(layout::inside(area), 0);
    let width = usize::from(line.width);
    if let Some(note) = form::tool_notes(bench, width).first() {
        words(buffer, line, &[(&note.text, look.tone(note.tone))]);
    } else if let Some(target) = &bench.target {
        let server = text::line(&target.server);
        let tool = text::line(&target.tool);
        let arrow = format!(" {} ", look.symbols().arrow);
        let used = words(
            buffer,
            line,
            &[
                (&server, Style::new()),
                (&arrow, look.accent()),
                (&tool, look.strong()),
            ],
        );
        let room = usize::from(line.width - used).saturating_sub(3);
        let about = target.description.trim().lines().next().unwrap_or_default();
        let about = text::one_line(about, room);
        let rest = Rect {
            x: line.x + used,
            width: line.width - used,
            ..line
        };
        words(
            buffer,
            rest,
            &[("   ", Style::new()), (&about, look.muted())],
        );
    }
    None
}

fn until(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let focused = bench.focus.pane() == Place::Until;
    Pane {
        title: "Until",
        focused,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = layout::inside(area);
    let lines = form::lines(bench, usize::from(inside.width));
    let height = usize::from(inside.height);
    let focused_line = lines
        .iter()
        .position(|line| matches!(line, FormLine::Fields(fields) if fields.contains(&bench.focus)))
        .unwrap_or(0);
    let top = (focused_line + 1).saturating_sub(height);
    let mut cursor = None;
    for (offset, line) in lines.iter().skip(top).take(height).enumerate() {
        let area = row(inside, offset);
        match line {
            FormLine::Fields(fields) => cursor = form_row(model, buffer, area, fields).or(cursor),
            FormLine::Note(note) => {
                words(buffer, area, &[(&note.text, look.tone(note.tone))]);
            }
        }
    }
    cursor
}

fn form_row(model: &Model, buffer: &mut Buffer, area: Rect, fields: &[Focus]) -> Cursor {
    let mut cursor = None;
    let mut x = 0;
    for focus in fields {
        let rest = Rect {
            x: area.x + x,
            width: area.width.saturating_sub(x),
            ..area
        };
        let (used, found) = form_field(model, buffer, rest, *focus);
        x += used + 3;
        cursor = found.or(cursor);
    }
    cursor
}

/// One field of the form; answers how many cells it took.
fn form_field(model: &Model, buffer: &mut Buffer, area: Rect, focus: Focus) -> (u16, Cursor) {
    let (draft, look) = (&model.bench.draft, model.look);
    let focused = model.bench.focus == focus;
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
            let (symbol, what) = match (model.bench.more, set.is_empty()) {
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
        Focus::Text(input) => text_field(model, buffer, area, input, focused),
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
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    input: Input,
    focused: bool,
) -> (u16, Cursor) {
    let look = model.look;
    let (label, empty, width) = about(input);
    let used = words(buffer, area, &[(label, label_style(focused, look))]);
    let room = area.width - used;
    let width = width.unwrap_or(room).min(room);
    let place = Rect {
        x: area.x + used,
        width,
        ..area
    };
    let field = model.bench.draft.field(input);
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
    let wrong = model
        .bench
        .assessment
        .faults_of(Some(input))
        .next()
        .is_some();
    let style = if wrong { look.error() } else { Style::new() };
    let cursor = pieces::field(buffer, place, field, 0, style);
    // A field that isn't as wide as it can be keeps its width, so that nothing moves as one types.
    (
        used + width,
        cursor.filter(|_| focused && model.bench.typing),
    )
}

fn preview(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let attempt = &bench.attempt;
    let focused = bench.focus == Focus::Preview;
    let (inside, below) = layout::judged(model, area);
    let right = match (
        &attempt.in_flight,
        &attempt.failure,
        &bench.assessment.meaning,
    ) {
        (Some((_, since, note)), ..) => {
            let seconds = model.now.saturating_sub(*since).as_secs();
            let note = note.in_words(look).map(|note| format!(", {note}"));
            let note = note.unwrap_or_default();
            Some((format!("trying, {seconds} s{note}"), look.accent()))
        }
        (None, Some(_), _) => Some(("the try failed".to_owned(), look.error())),
        (None, None, Some(meaning)) => Some((
            meaning.text.clone(),
            look.tone(meaning.tone).patch(look.strong()),
        )),
        (None, None, None) => None,
    };
    let height = usize::from(inside.height);
    let bottom = reading::place(&bench.preview, || model.places_matched(), height, look);
    let title = preview_title(model);
    Pane {
        title: &title,
        right,
        bottom: bottom.clone(),
        focused,
    }
    .frame(buffer, area, look);
    reading::legend(buffer, area, model.highlights(), bottom.as_deref(), look);
    match &attempt.text {
        Some(_) => {
            let marks = reading::Marks {
                highlights: bench.highlights(),
                diff: None,
            };
            reading::draw(buffer, inside, &bench.preview, marks, look);
        }
        None if attempt.in_flight.is_none() => {
            let hint = if bench.typing { "Ctrl-T" } else { "t" };
            let hint = match &bench.target {
                Some(_) => format!("{hint} calls the tool once and shows here what it answers."),
                None => "What the tool answers is shown here, once one is chosen.".to_owned(),
            };
            let hint = text::one_line(&hint, usize::from(inside.width));
            words(buffer, inside, &[(&hint, look.muted())]);
        }
        None => {}
    }
    if let Some(why) = layout::why(model) {
        let take = (model.keymap).key(model.context_below(), Action::FixPattern);
        why::draw(why, take, buffer, below, look);
    }
    None
}

fn preview_title(model: &Model) -> String {
    let bench = &model.bench;
    let attempt = &bench.attempt;
    let dot = model.look.symbols().dot;
    let mut title = "Preview".to_owned();
    if let Some(aspect) = bench
        .preview
        .aspect
        .title()
        .filter(|_| attempt.raw.is_some())
    {
        title.push_str(&format!(" {dot} {aspect}"));
    }
    if attempt.count > 0 {
        title.push_str(&format!(" {dot} try {}", attempt.count));
    }
    let changed = attempt.args != model.bench.assessment.args;
    if attempt.text.is_some() && attempt.in_flight.is_none() && changed {
        title.push_str(&format!(" {dot} arguments changed since"));
    } else if let (Some(observed), None) = (&attempt.observed, &attempt.in_flight) {
        let latency = text::spoken(attempt.latency);
        let bytes = pieces::bytes(observed.text.len());
        title.push_str(&format!(" {dot} {latency} {dot} {bytes}"));
    }
    title
}
