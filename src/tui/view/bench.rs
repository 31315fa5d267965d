//! The Bench as it is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::bench::{Focus, Pane as Place};
use super::super::form::{lines as form_lines, tool_notes};
use super::super::keys::Action;
use super::super::model::Model;
use super::pieces::{self, Pane, row, words};
use super::{Cursor, arguments, form, layout, lists, reading, why};
use crate::text;

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
    if let Some(note) = tool_notes(bench, width).first() {
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
    let form = bench.form();
    let lines = form_lines(&form, usize::from(inside.width));
    form::draw(&form, &lines, buffer, inside, look)
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
