//! The panes with a server's log and the protocol's trace.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::super::document::Document;
use super::super::journal::{JournalPane, LogView, MessagesView, Opened, View, excerpt};
use super::super::look::Look;
use super::super::model::Model;
use super::pieces::{self, Pane, put, row, words, words_right};
use super::{Cursor, layout};
use crate::mcp::{Direction, LogKind, TraceEntry, TraceKind};
use crate::text;

/// Cells of a time: `12:34.567`.
const TIME: usize = 9;
/// Cells of where a line comes from.
const SOURCE: usize = 9;
/// Cells of an id.
const ID: usize = 5;
/// Cells of a method, where there is room for it.
const METHOD: usize = 28;

/// Answers where the cursor is, where one types the filter.
pub(super) fn draw(pane: &JournalPane, model: &Model, buffer: &mut Buffer) -> Cursor {
    let area = layout::body(model);
    let look = model.look;
    Clear.render(area, buffer);
    let (title, right, bottom) = match &pane.view {
        View::Log(view) => titles_of_log(pane, view, look),
        View::Messages(view) => titles_of_messages(pane, view, look),
    };
    Pane {
        title: &title,
        right: Some(right),
        bottom: Some(bottom).filter(|bottom| !bottom.is_empty()),
        focused: true,
    }
    .frame(buffer, area, look);
    let text = layout::journal(pane, area);
    match &pane.view {
        View::Log(view) => log(view, buffer, text, look),
        View::Messages(view) => match view.opened() {
            Some(opened) => message_in_full(&opened.document, buffer, text, look),
            None => messages(view, buffer, text, look),
        },
    }
    filter(pane, buffer, layout::inside(area), look)
}

fn filter(pane: &JournalPane, buffer: &mut Buffer, inside: Rect, look: Look) -> Cursor {
    if !pane.filtering && pane.filter.is_empty() {
        return None;
    }
    let line = row(inside, 0);
    let used = words(buffer, line, &[("/", look.accent())]);
    let field = Rect {
        x: line.x + used,
        width: line.width - used,
        ..line
    };
    let cursor = pieces::field(buffer, field, &pane.filter, 0, Style::new());
    cursor.filter(|_| pane.filtering)
}

/// What stands at the top right: whether the newest is followed.
fn following(follows: bool, newer: usize, look: Look) -> (String, Style) {
    match (follows, newer) {
        (true, _) => ("following".to_owned(), look.muted()),
        (false, 0) => ("held".to_owned(), look.warn()),
        (false, newer) => (format!("held, {newer} newer"), look.warn()),
    }
}

type Titles = (String, (String, Style), String);

fn titles_of_log(pane: &JournalPane, view: &LogView, look: Look) -> Titles {
    let dot = look.symbols().dot;
    let title = format!("Server log {dot} {}", pane.server);
    let right = following(view.follows(), view.newer(), look);
    let mut facts = Vec::new();
    if view.noise > 0 {
        let lines = if view.noise == 1 { "line" } else { "lines" };
        facts.push(format!("{} {lines} of stdout were no messages", view.noise));
    }
    if view.dropped > 0 {
        facts.push(format!("{} older dropped", view.dropped));
    }
    let last = (view.top() + view.visible().count()).min(view.len());
    if last > 0 && (view.top() > 0 || last < view.len()) {
        facts.push(format!("{}-{last} of {}", view.top() + 1, view.len()));
    }
    (title, right, facts.join(&format!(" {dot} ")))
}

fn titles_of_messages(pane: &JournalPane, view: &MessagesView, look: Look) -> Titles {
    let dot = look.symbols().dot;
    if let Some(Opened { entry, document }) = view.opened() {
        let title = format!("{} {}", arrow(entry, look), described(entry));
        let bottom = pieces::extent(document, view.height());
        let at = format!("{} {dot} {}", pieces::bytes(entry.bytes), moment(entry.at));
        return (title, (at, look.muted()), bottom.unwrap_or_default());
    }
    let title = format!("Protocol {dot} {}", pane.server);
    let right = following(view.follows(), view.newer(), look);
    let mut facts = Vec::new();
    if view.dropped > 0 {
        facts.push(format!("{} older dropped", view.dropped));
    }
    let count = view.entries().len();
    if count > view.height() {
        facts.push(format!("{} of {count}", view.cursor() + 1));
    }
    (title, right, facts.join(&format!(" {dot} ")))
}

fn log(view: &LogView, buffer: &mut Buffer, area: Rect, look: Look) {
    if view.is_empty() {
        let line = Rect {
            x: area.x.saturating_sub(layout::LOG_INDENT),
            width: area.width + layout::LOG_INDENT,
            ..row(area, 0)
        };
        words(buffer, line, &[("nothing to show", look.muted())]);
        return;
    }
    for (offset, (line, place)) in view.visible().enumerate() {
        let text = row(area, offset);
        let (source, mark, style) = source(&line.entry.kind, look);
        if place == 0 {
            let left = Rect {
                x: area.x.saturating_sub(layout::LOG_INDENT),
                width: layout::LOG_INDENT,
                ..text
            };
            let at = format!("{:>TIME$} ", moment(line.entry.at));
            let source = format!("{mark}{:<SOURCE$}", text::one_line(source, SOURCE - 1));
            words(
                buffer,
                left,
                &[(&at, look.muted()), (&source, mark_style(style, look))],
            );
        }
        let Some(bytes) = line.rows.get(place) else {
            continue;
        };
        let shown = line.entry.text.get(bytes.clone()).unwrap_or_default();
        let logger = match &line.entry.kind {
            LogKind::Message {
                logger: Some(logger),
                ..
            } if place == 0 => Some(logger),
            _ => None,
        };
        let drawn = put(buffer, text, shown, 0, |piece| match piece.symbol {
            true => look.warn(),
            false => style,
        });
        if drawn.cut && line.cut {
            mark_cut(buffer, text, look);
        } else if let Some(logger) = logger {
            let logger = text::one_line(logger, 24);
            words_right(buffer, text, &[(&logger, look.muted())], drawn.width + 2);
        }
    }
}

/// The words before a line stay quiet where the line itself does.
fn mark_style(style: Style, look: Look) -> Style {
    if style == Style::new() {
        look.muted()
    } else {
        style
    }
}

/// Where a line comes from: in a word, with a mark, and how it looks.
fn source(kind: &LogKind, look: Look) -> (&str, &'static str, Style) {
    let symbols = look.symbols();
    match kind {
        LogKind::Stderr => ("stderr", " ", Style::new()),
        LogKind::Noise => ("stdout", symbols.asks, look.warn()),
        LogKind::Event => ("stakeout", symbols.arrow, look.accent()),
        LogKind::Trouble => ("stakeout", symbols.unmet, look.error()),
        LogKind::Message { level, .. } => {
            let style = match level.as_str() {
                "error" | "critical" | "alert" | "emergency" => look.error(),
                "warning" => look.warn(),
                _ => Style::new(),
            };
            (level, " ", style)
        }
    }
}

fn messages(view: &MessagesView, buffer: &mut Buffer, area: Rect, look: Look) {
    if view.entries().is_empty() {
        words(buffer, area, &[("nothing to show", look.muted())]);
        return;
    }
    let cursor = view.cursor();
    let visible = view.entries().iter().enumerate().skip(view.top());
    for (offset, (place, entry)) in visible.take(usize::from(area.height)).enumerate() {
        let line = row(area, offset);
        message(entry, buffer, line, look);
        if place == cursor {
            buffer.set_style(line, look.selected());
        }
    }
}

fn message_in_full(document: &Document, buffer: &mut Buffer, area: Rect, look: Look) {
    for (offset, bytes) in document.visible(usize::from(area.height)).enumerate() {
        let line = row(area, offset);
        let drawn = put(buffer, line, document.slice(bytes), 0, |piece| {
            if piece.symbol {
                look.warn()
            } else {
                Style::new()
            }
        });
        if drawn.cut {
            mark_cut(buffer, line, look);
        }
    }
}

/// Says that a line goes on beyond the edge.
fn mark_cut(buffer: &mut Buffer, line: Rect, look: Look) {
    let last = Rect {
        x: line.right().saturating_sub(1),
        width: 1,
        ..line
    };
    words(buffer, last, &[(look.symbols().cut, look.muted())]);
}

/// One message on one line: when, which way, what, how long it took, its size and what it is about.
fn message(entry: &TraceEntry, buffer: &mut Buffer, line: Rect, look: Look) {
    let style = match entry.kind {
        TraceKind::Error | TraceKind::Unreadable => look.error(),
        _ => Style::new(),
    };
    let at = format!("{:>TIME$} ", moment(entry.at));
    let id = entry.id.as_deref().unwrap_or_default();
    let id = format!(" {:<ID$} ", text::one_line(id, ID));
    let what = described(entry);
    let width = METHOD.max(usize::from(line.width) / 4);
    let what = text::one_line(&what, width);
    let gap = " ".repeat(width.saturating_sub(what.width()) + 1);
    let latency = entry.latency.map(text::spoken).unwrap_or_default();
    let facts = format!("{latency:>8} {:>8}  ", pieces::bytes(entry.bytes));
    let used = words(
        buffer,
        line,
        &[
            (&at, look.muted()),
            (arrow(entry, look), look.accent()),
            (&id, look.muted()),
            (&what, style),
            (&gap, style),
            (&facts, look.muted()),
        ],
    );
    let rest = Rect {
        x: line.x + used,
        width: line.width - used,
        ..line
    };
    let about = text::one_line(&excerpt(entry), usize::from(rest.width));
    words(buffer, rest, &[(&about, look.muted())]);
}

fn arrow(entry: &TraceEntry, look: Look) -> &'static str {
    match entry.direction {
        Direction::Sent => look.symbols().sent,
        Direction::Received => look.symbols().received,
    }
}

/// What a message is, in a word or two.
fn described(entry: &TraceEntry) -> String {
    let method = entry.method.as_deref().unwrap_or_default();
    let what = match entry.kind {
        TraceKind::Request | TraceKind::Notification => "",
        TraceKind::Result => "result",
        TraceKind::Error => "error",
        TraceKind::Unreadable => "unreadable",
    };
    format!("{method} {what}").trim().to_owned()
}

/// `0:12.345`.
fn moment(at: Duration) -> String {
    let (seconds, millis) = (at.as_secs(), at.subsec_millis());
    format!("{}:{:02}.{millis:03}", seconds / 60, seconds % 60)
}
