//! The lists of servers and tools.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::bench::{Bench, Focus, Link, about};
use super::super::form::paragraph;
use super::super::look::{Look, Tone};
use super::super::model::Model;
use super::super::picker::Picker;
use super::pieces::{self, Pane, put, row, words};
use super::{Cursor, layout};
use crate::app::ServerRow;
use crate::text;

/// Cells below which a remark says too little to be begun.
const LEAST_REMARK: usize = 6;
/// The longest word of a server's state.
const STATE: usize = "connecting".len();

/// What stands in one line of a list.
struct Item<'i> {
    name: &'i str,
    /// A symbol and a word; nothing in a list whose items have no state.
    state: Option<State>,
    remark: String,
    style: Style,
}

#[derive(Clone, Copy)]
struct State {
    symbol: &'static str,
    word: &'static str,
    style: Style,
}

/// The cells of the parts of a line.
#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    state: usize,
    /// Cells below which a remark is left out.
    remark: usize,
}

impl Columns {
    /// A state's word goes before the name is cut, and its symbol never; beside states, remarks are
    /// whole or not there.
    fn fitting<'i>(items: impl Iterator<Item = Item<'i>>, width: usize) -> Self {
        const GAP: usize = 2;
        let (mut longest, mut remark, mut has_state) = (0, 0, false);
        for item in items {
            longest = longest.max(text::line(item.name).width());
            remark = remark.max(first_line(&item.remark).width());
            has_state |= item.state.is_some();
        }
        let room = width.saturating_sub(2);
        if !has_state {
            return Self {
                name: longest.min(room.saturating_sub(6).max(room / 2)),
                state: 0,
                remark: LEAST_REMARK,
            };
        }
        let whole = longest + GAP + 2 + STATE <= room;
        let state = if whole { 2 + STATE } else { 1 };
        Self {
            name: longest.min(room.saturating_sub(GAP + state)),
            state,
            remark,
        }
    }
}

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
        Some(Item {
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
        Link::Ready { .. } if listed => (symbols.connected, "connected", look.ok()),
        Link::Connecting { .. } if listed => (symbols.connecting, "connecting", look.accent()),
        Link::Failed(_) if listed => (symbols.unmet, "failed", look.error()),
        _ => (" ", "", Style::new()),
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
    let right = match &bench.link {
        Link::Ready { protocol, .. } => {
            // Whose tools they are matters more.
            let version = format!("MCP {protocol}");
            let room = usize::from(area.width).saturating_sub(9);
            let fits = text::line(&title).width() + version.width() <= room;
            fits.then(|| (version, look.muted()))
        }
        _ => Some(link_state(model)),
    };
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
    let chosen = bench
        .target
        .as_ref()
        .filter(|target| target.server == listed);
    let item = |index: usize| {
        let tool = bench.tools.get(index)?;
        let remark = about(tool);
        let on_bench = chosen.is_some_and(|target| target.tool == tool.name);
        let style = if on_bench {
            look.strong()
        } else {
            Style::new()
        };
        Some(Item {
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

/// The state of the connection in a few words.
pub(super) fn link_state(model: &Model) -> (String, Style) {
    let look = model.look;
    match &model.bench.link {
        Link::Connecting { since, .. } => {
            let seconds = model.now.saturating_sub(*since).as_secs();
            (format!("connecting, {seconds} s"), look.accent())
        }
        Link::Failed(_) => ("not connected".to_owned(), look.error()),
        Link::Idle => ("not connected".to_owned(), look.muted()),
        Link::Ready {
            protocol, software, ..
        } => (
            format!("{software} MCP {protocol}").trim().to_owned(),
            look.muted(),
        ),
    }
}

/// Why there is no tool to choose.
fn no_tools(model: &Model) -> (Tone, String) {
    match &model.bench.link {
        Link::Idle => (
            Tone::Plain,
            "Enter on a server connects to it and lists its tools.".to_owned(),
        ),
        Link::Connecting { .. } => (Tone::Plain, "Connecting; Ctrl-C stops.".to_owned()),
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

fn list<'i>(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    picker: &Picker,
    focused: bool,
    item: impl Fn(usize) -> Option<Item<'i>>,
    nothing: &str,
) -> Cursor {
    let (area, cursor) = filter(model, buffer, area, picker, focused);
    if picker.hits().is_empty() {
        words(buffer, area, &[(nothing, model.look.muted())]);
        return cursor;
    }
    let height = usize::from(area.height.max(1));
    let top = (picker.cursor() + 1).saturating_sub(height);
    let visible = || picker.hits().iter().enumerate().skip(top).take(height);
    let items = visible().filter_map(|(_, hit)| item(hit.index));
    let columns = Columns::fitting(items, usize::from(area.width));
    for (offset, (place, hit)) in visible().enumerate() {
        let Some(item) = item(hit.index) else {
            continue;
        };
        let selected = place == picker.cursor();
        entry(
            buffer,
            row(area, offset),
            &item,
            &hit.marks,
            columns,
            (selected, focused),
            model.look,
        );
    }
    cursor
}

/// One line of a list: a mark where it is selected, the name, the state, and a remark.
fn entry(
    buffer: &mut Buffer,
    line: Rect,
    item: &Item<'_>,
    marks: &[Range<usize>],
    columns: Columns,
    (selected, focused): (bool, bool),
    look: Look,
) {
    if line.is_empty() {
        return;
    }
    let arrow = if selected { look.symbols().arrow } else { " " };
    words(buffer, line, &[(arrow, look.accent())]);
    let base = if selected && focused {
        item.style.patch(look.strong())
    } else {
        item.style
    };
    let marked = |at: usize| marks.iter().any(|mark| mark.contains(&at));
    let indent = 2.min(line.width);
    let width = u16::try_from(columns.name)
        .unwrap_or(u16::MAX)
        .min(line.width - indent);
    let name = Rect {
        x: line.x + indent,
        width,
        ..line
    };
    let drawn = put(buffer, name, item.name, 0, |piece| {
        if marked(piece.source.start) {
            base.patch(look.accent()).underlined()
        } else {
            base
        }
    });
    if drawn.cut && name.width > 0 {
        let last = Rect {
            x: name.right() - 1,
            width: 1,
            ..name
        };
        words(buffer, last, &[(look.symbols().cut, look.muted())]);
    }
    let mut used = indent + width + 2;
    let rest = |used: u16, least: usize| {
        let width = line.width.checked_sub(used);
        let width = width.filter(|width| usize::from(*width) >= least);
        width.map(|width| Rect {
            x: line.x + used,
            width,
            ..line
        })
    };
    if let Some(state) = item.state
        && let Some(rest) = rest(used, 1)
    {
        let word = format!("{} {}", state.symbol, state.word);
        let word = if columns.state > 1 {
            &word
        } else {
            state.symbol
        };
        words(buffer, rest, &[(word, state.style)]);
        used += u16::try_from(columns.state).unwrap_or(0) + 2;
    }
    if let Some(rest) = rest(used, columns.remark.max(1)) {
        let remark = text::one_line(first_line(&item.remark), usize::from(rest.width));
        words(buffer, rest, &[(&remark, look.muted())]);
    }
    if selected && focused {
        buffer.set_style(line, look.selected());
    }
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

/// The filter's line, where there is a filter; answers what is left below.
fn filter(
    model: &Model,
    buffer: &mut Buffer,
    area: Rect,
    picker: &Picker,
    focused: bool,
) -> (Rect, Cursor) {
    let typing = focused && model.bench.filtering;
    if !typing && picker.filter().is_empty() {
        return (area, None);
    }
    let line = row(area, 0);
    words(buffer, line, &[("/", model.look.accent())]);
    let input = Rect {
        x: line.x + 1.min(line.width),
        width: line.width.saturating_sub(1),
        ..line
    };
    let cursor = pieces::field(buffer, input, picker.filter(), 0, Style::new());
    let below = Rect {
        y: area.y + 1.min(area.height),
        height: area.height.saturating_sub(1),
        ..area
    };
    (below, cursor.filter(|_| typing))
}
