//! The lists of servers and tools.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::bench::{Bench, Focus, Link, about};
use super::super::form::paragraph;
use super::super::keys::Action;
use super::super::look::{Look, Tone};
use super::super::model::Model;
use super::pieces::{self, Pane, row, words};
use super::rows::{Item, State, list};
use super::{Cursor, layout};
use crate::app::{ServerRow, ServerState};
use crate::text;

pub(super) fn servers(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let focused = bench.focus == Focus::Servers;
    // Where the selected one comes from, whatever room the lines have.
    let source = bench.selected_server().map(|server| server.source.clone());
    Pane {
        title: "Servers",
        right: source.map(|source| (source, look.muted())),
        bottom: None,
        focused,
    }
    .frame(buffer, area, look);
    let inside = warn(buffer, layout::inside(area), &bench.problems, look);
    let item = |index: usize| {
        let server = bench.servers.get(index)?;
        let state = state(bench, server, look);
        let unusable = server.shadowed || server.disabled;
        let style = if unusable { look.muted() } else { Style::new() };
        let target = bench.target.as_ref();
        Some(Item {
            chosen: target.is_some_and(|target| target.server == server.name),
            name: &server.name,
            state: Some(state),
            remark: server.source.clone(),
            style,
        })
    };
    list(
        model,
        buffer,
        inside,
        &bench.server_picker,
        focused,
        item,
        "no server matches",
    )
}

/// What is to be known about a server before it is chosen.
fn state(bench: &Bench, server: &ServerRow, look: Look) -> State {
    let symbols = look.symbols();
    let listed = bench.listed.as_ref() == Some(&server.name);
    let (symbol, word, style) = match &bench.link {
        _ if server.shadowed => (symbols.off, "shadowed", look.muted()),
        _ if server.disabled => (symbols.off, "disabled", look.muted()),
        _ if server.approval.is_some() => (symbols.asks, "untrusted", look.warn()),
        Link::Connecting { .. } if listed => (symbols.connecting, "connecting", look.accent()),
        link => match bench.standings.of(&server.name) {
            Some(ServerState::Connecting) => (symbols.connecting, "connecting", look.accent()),
            Some(ServerState::Failed { unauthorized, .. }) if *unauthorized => {
                (symbols.unmet, "refused", look.error())
            }
            Some(ServerState::Failed { .. }) => (symbols.unmet, "failed", look.error()),
            Some(ServerState::Lost { .. }) => (symbols.lost, "lost", look.warn()),
            // It is connected, but doesn't say what it has.
            _ if listed && matches!(link, Link::Failed(_)) => {
                (symbols.unmet, "failed", look.error())
            }
            Some(ServerState::Connected { .. }) => (symbols.connected, "connected", look.ok()),
            None => (" ", "", Style::new()),
        },
    };
    State {
        symbol,
        word,
        style,
    }
}

pub(super) fn tools(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let (bench, look) = (&model.bench, model.look);
    let focused = bench.focus == Focus::Tools;
    let listed = bench.listed.as_deref().unwrap_or_default();
    let title = if listed.is_empty() {
        "Tools".to_owned()
    } else {
        format!("Tools of {listed}")
    };
    let right = beside_tools(model, &title, area.width);
    let inside = layout::inside(area);
    let failure = bench.failure.as_ref().map(|(_, document)| document);
    let height = usize::from(inside.height);
    let hidden = failure.and_then(|document| pieces::extent(document, height));
    let right = hidden.map(|extent| (extent, look.error())).or(right);
    Pane {
        title: &title,
        right,
        bottom: None,
        focused,
    }
    .frame(buffer, area, look);
    if let Some(document) = failure {
        for (offset, line) in document.visible(height).enumerate() {
            let line = document.slice(line);
            words(buffer, row(inside, offset), &[(line, look.error())]);
        }
        return None;
    }
    if bench.tools.is_empty() {
        let (tone, sentence) = no_tools(model);
        paragraphs(buffer, inside, &sentence, look.tone(tone));
        return None;
    }
    let warnings = match &bench.link {
        Link::Ready { warnings, .. } => warnings.as_slice(),
        _ => &[],
    };
    let inside = warn(buffer, inside, warnings, look);
    let item = |index: usize| {
        let tool = bench.tools.get(index)?;
        let remark = match tool.destructive {
            Some(true) => format!("destructive {} {}", look.symbols().dot, about(tool)),
            _ => about(tool),
        };
        let chosen = bench.is_target(tool);
        let style = if chosen { look.strong() } else { Style::new() };
        Some(Item {
            chosen,
            name: &tool.name,
            state: None,
            remark,
            style,
        })
    };
    list(
        model,
        buffer,
        inside,
        &bench.tool_picker,
        focused,
        item,
        "no tool matches the filter",
    )
}

/// The version of the protocol, where the title leaves room; else how the connection stands.
fn beside_tools(model: &Model, title: &str, width: u16) -> Option<(String, Style)> {
    let look = model.look;
    // Whose tools they are matters more.
    let room = usize::from(width).saturating_sub(9);
    let fits = |words: &str| text::line(title).width() + words.width() <= room;
    if listed_is_lost(&model.bench) {
        let (words, style) = link_state(model);
        let words = if fits(&words) {
            words
        } else {
            "lost".to_owned()
        };
        return Some((words, style));
    }
    let Link::Ready { protocol, .. } = &model.bench.link else {
        return Some(link_state(model));
    };
    let version = format!("MCP {protocol}");
    fits(&version).then(|| (version, look.muted()))
}

/// The server of the tool that is on the Bench: what it is, or how the connection stands.
pub(super) fn target_state(model: &Model) -> (String, Style) {
    let (bench, look) = (&model.bench, model.look);
    let Some(target) = &bench.target else {
        return link_state(model);
    };
    if bench.listed.as_ref() == Some(&target.server) {
        return link_state(model);
    }
    standing(model, &target.server).unwrap_or(("not connected".to_owned(), look.muted()))
}

/// The state of the listed server's connection in a few words.
fn link_state(model: &Model) -> (String, Style) {
    let (bench, look) = (&model.bench, model.look);
    if let Link::Connecting { since, .. } = &bench.link {
        return connecting(model, *since);
    }
    let listed = bench.listed.as_deref();
    let standing = listed.and_then(|server| standing(model, server));
    let failed = matches!(bench.link, Link::Failed(_));
    let none = if failed { look.error() } else { look.muted() };
    standing.unwrap_or(("not connected".to_owned(), none))
}

fn connecting(model: &Model, since: Duration) -> (String, Style) {
    let seconds = model.now.saturating_sub(since).as_secs();
    (format!("connecting, {seconds} s"), model.look.accent())
}

/// How a server stands, in a few words; nothing where it was never asked for.
fn standing(model: &Model, server: &str) -> Option<(String, Style)> {
    let (standings, look) = (&model.bench.standings, model.look);
    Some(match standings.of(server)? {
        ServerState::Connecting => connecting(model, standings.since(server)?),
        ServerState::Connected { .. } => (standings.software(server)?, look.muted()),
        ServerState::Failed {
            unauthorized: true, ..
        } => ("refused: it wants authorization".to_owned(), look.error()),
        ServerState::Failed { .. } => ("not connected".to_owned(), look.error()),
        ServerState::Lost { .. } => {
            let why = standings.why_lost_in_short(server)?;
            (format!("lost: {why}"), look.warn())
        }
    })
}

fn listed_is_lost(bench: &Bench) -> bool {
    let listed = bench.listed.as_deref();
    listed.is_some_and(|server| bench.standings.why_lost(server).is_some())
}

/// Why there is no tool to choose.
fn no_tools(model: &Model) -> (Tone, String) {
    match &model.bench.link {
        Link::Idle => (
            Tone::Plain,
            "Enter on a server connects to it and lists its tools.".to_owned(),
        ),
        Link::Connecting { .. } => {
            let key = model.key_of(Action::Interrupt);
            (Tone::Plain, format!("Connecting; {key} stops."))
        }
        Link::Ready { .. } => (Tone::Warn, "The server has no tools.".to_owned()),
        Link::Failed(why) => (Tone::Error, why.clone()),
    }
}

/// What is odd about a list, at the bottom; answers what is left above.
fn warn(buffer: &mut Buffer, area: Rect, warnings: &[String], look: Look) -> Rect {
    let lines: Vec<String> = warnings
        .iter()
        .flat_map(|warning| paragraph(warning, usize::from(area.width.max(1))))
        .take(usize::from(area.height / 2))
        .collect();
    let height = u16::try_from(lines.len()).unwrap_or(0);
    let rest = Rect {
        height: area.height - height,
        ..area
    };
    for (offset, line) in lines.iter().enumerate() {
        words(
            buffer,
            row(area, usize::from(rest.height) + offset),
            &[(line, look.warn())],
        );
    }
    rest
}

fn paragraphs(buffer: &mut Buffer, area: Rect, sentence: &str, style: Style) {
    for (offset, line) in paragraph(sentence, usize::from(area.width.max(1)))
        .iter()
        .enumerate()
    {
        words(buffer, row(area, offset), &[(line, style)]);
    }
}
