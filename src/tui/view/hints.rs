//! The bottom line: what can be pressed here, or a sentence.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::bench::Pane;
use super::super::keys::{Action, Context};
use super::super::layer::Layer;
use super::super::model::{Model, Place};
use super::super::reading::Reading;
use super::super::watch::Position;
use super::Cursor;
use super::pieces::{self, right_of, words, words_right};
use super::reading::{NO_MATCH, count};
use crate::app::Kept;
use crate::app::form::State;
use crate::text;

pub(super) fn draw(model: &Model, buffer: &mut Buffer, area: Rect) -> Cursor {
    let look = model.look;
    let context = model.context();
    let key = look.accent().patch(look.strong());
    let room = match model.keymap.key(context, Action::Help) {
        Some(help) => {
            let help = look.key(help);
            words_right(buffer, area, &[(&help, key), (" help ", Style::new())], 10)
        }
        None => area.width,
    };
    let mut area = Rect {
        width: room.saturating_sub(1),
        ..area
    };
    if let (Context::Search, Some(reading)) = (context, model.reading()) {
        return search(model, reading, buffer, area);
    }
    if notice(model, buffer, area) {
        return None;
    }
    let plain = Style::new();
    let typing = [(" ", plain), (" typing ", look.selected())];
    if context.is_typing() && !whole(buffer, &mut area, &typing) {
        return None;
    }
    let copying = [(" ", plain), (" copy ", look.selected())];
    if context == Context::Copy && !whole(buffer, &mut area, &copying) {
        return None;
    }
    labels(model, buffer, area);
    None
}

/// The sentence, where there is one.
fn notice(model: &Model, buffer: &mut Buffer, area: Rect) -> bool {
    let Some(notice) = &model.notice else {
        return false;
    };
    let line = text::one_line(&notice.text, usize::from(area.width.saturating_sub(1)));
    let style = model.look.tone(notice.tone);
    words(buffer, area, &[(" ", Style::new()), (&line, style)]);
    true
}

/// Keys and what they do, as many as there is room for.
fn labels(model: &Model, buffer: &mut Buffer, mut area: Rect) {
    let (look, context) = (model.look, model.context());
    let (plain, key) = (Style::new(), look.accent().patch(look.strong()));
    // Who searched wants to go on with it, and who zoomed wants to come back.
    let sought = model.reading().is_some_and(|read| read.search.is_some());
    let (first, rest): (Vec<_>, Vec<_>) =
        model
            .keymap
            .bindings(context)
            .partition(|binding| match binding.action {
                Action::NextMatch => sought,
                Action::Zoom => model.zoomed,
                _ => false,
            });
    for binding in first.into_iter().chain(rest) {
        let Some(label) = label(model, binding.action, binding.label) else {
            continue;
        };
        let Some(shown) = binding.keys_in(context).next() else {
            continue;
        };
        let shown = look.key(shown);
        let other = pair(binding.action).and_then(|other| model.keymap.key(context, other));
        let other = other.map(|other| format!(" {}", look.key(other)));
        let other = other.unwrap_or_default();
        let all = [
            (" ", plain),
            (shown.as_str(), key),
            (&other, key),
            (" ", plain),
            (label, plain),
            (" ", plain),
        ];
        if !whole(buffer, &mut area, &all) {
            break;
        }
    }
}

/// The words that are looked for, and how often they are found. They come before the keys.
fn search(model: &Model, reading: &Reading, buffer: &mut Buffer, area: Rect) -> Cursor {
    const LEAST_WORDS: u16 = 20;
    let field = reading.search.as_ref()?.field();
    let look = model.look;
    let used = words(buffer, area, &[(" ", Style::new()), ("/", look.accent())]);
    let rest = right_of(area, used);
    let count = count(reading);
    let style = if count == NO_MATCH {
        look.warn()
    } else {
        look.strong()
    };
    let typed = field
        .rows()
        .first()
        .map_or(0, |row| text::line(row).width());
    let wanted = u16::try_from(typed + 2)
        .unwrap_or(u16::MAX)
        .max(LEAST_WORDS);
    let told = u16::try_from(count.width() + 2).unwrap_or(0);
    let width = wanted.min(rest.width.saturating_sub(told));
    let cursor = pieces::field(buffer, Rect { width, ..rest }, field, 0, Style::new());
    let rest = right_of(rest, width);
    if notice(model, buffer, rest) {
        return cursor;
    }
    let used = words(buffer, rest, &[(&count, style), (" ", Style::new())]);
    labels(model, buffer, right_of(rest, used));
    cursor
}

/// Draws words where there is room for all of them, and takes the room. Answers whether there was.
fn whole(buffer: &mut Buffer, area: &mut Rect, all: &[(&str, Style)]) -> bool {
    let width: usize = all.iter().map(|(word, _)| word.width()).sum();
    if width > usize::from(area.width) {
        return false;
    }
    let used = words(buffer, *area, all);
    area.x += used;
    area.width -= used;
    true
}

/// The action in the other direction, where one label stands for both.
fn pair(action: Action) -> Option<Action> {
    match action {
        Action::StepBack => Some(Action::StepOn),
        Action::PreviousMessage => Some(Action::NextMessage),
        Action::ChangeBack => Some(Action::ChangeOn),
        Action::PreviousWait => Some(Action::NextWait),
        Action::Faster => Some(Action::Slower),
        Action::NextMatch => Some(Action::PreviousMatch),
        _ => None,
    }
}

/// The label of an action as things are; `None` where it has none, or nothing to do.
fn label(model: &Model, action: Action, label: &'static str) -> Option<&'static str> {
    let (wait, context) = (model.meant(), model.context());
    let journal = match model.layers.last() {
        Some(Layer::Journal(pane)) => Some(pane),
        _ => None,
    };
    let lists = matches!(
        context,
        Context::ServerList | Context::ToolList | Context::Filter
    );
    let argument = model.bench.focused_argument();
    let sampled = wait.is_some_and(|wait| wait.index().is_some());
    let useful = match action {
        Action::Stop => wait.is_some_and(|wait| wait.is_running() && !wait.stopping),
        Action::Continue => wait.is_some_and(super::super::watch::Wait::can_continue),
        Action::RunAgain | Action::Dismiss => wait.is_some_and(|wait| !wait.is_running()),
        Action::PreviousWait | Action::Waits => model.waits.len() > 1,
        Action::ChooseTool | Action::Filter if context == Context::ToolList => {
            !model.bench.tools.is_empty()
        }
        Action::Run | Action::Try if lists => model.bench.points_elsewhere().is_none(),
        Action::StartTyping if context == Context::Asked => matches!(
            model.layers.last(),
            Some(Layer::Asking(asking)) if asking.answer.is_some()
        ),
        Action::ShowLog if context == Context::ServerLog => false,
        Action::ShowTrace if context == Context::Trace => false,
        Action::Hold if journal.is_some() => true,
        Action::NextMatch => {
            let sought = model.reading().is_some_and(|read| read.search.is_some());
            // On the Watch there is more to tell.
            let matched = || model.highlights().is_some_and(|found| !found.is_empty());
            sought || (context == Context::Preview && matched())
        }
        Action::RunKept => {
            let chosen = model.library.chosen();
            chosen.is_some_and(|row| row.kind == Kept::Spec && row.problem.is_none())
        }
        Action::OpenKept => {
            let chosen = model.library.chosen();
            chosen.is_some_and(|row| row.problem.is_none())
        }
        Action::Rename | Action::Delete | Action::Export | Action::CopyPath | Action::NextPane
            if model.place == Place::Library =>
        {
            model.library.chosen().is_some()
        }
        Action::Filter if context == Context::LibraryList => !model.library.rows().is_empty(),
        Action::Restore => !model.library.gone.is_empty(),
        Action::OpenEditor => context == Context::Editor,
        Action::Hold | Action::Faster | Action::StepBack | Action::ChangeBack => sampled,
        Action::EditOnBench => wait.is_some_and(|wait| wait.replay.is_none()),
        Action::ToggleForm => {
            let bench = &model.bench;
            bench.focus.pane() == Pane::Arguments && bench.draft.arguments().is_formable()
        }
        Action::Unset => argument.is_some_and(|row| row.state != State::Unset),
        Action::SetNull => argument.is_some_and(|row| row.nullable && row.state != State::Null),
        _ => true,
    };
    let label = match action {
        Action::Hold if wait.is_some_and(super::super::watch::Wait::plays) => "pause",
        Action::Hold if context == Context::Replay => "play",
        Action::RunAgain if wait.is_some_and(|wait| wait.replay.is_some()) => "Bench",
        Action::Hold if journal.is_some_and(|pane| !pane.follows()) => "follow",
        Action::Hold if journal.is_some() => label,
        Action::Hold if wait.is_some_and(|wait| wait.position != Position::Follow) => "follow",
        Action::KeepFilter if journal.is_none() && model.bench.one_left() => "choose",
        Action::Zoom if model.zoomed => "unzoom",
        Action::ToggleForm if model.bench.draft.arguments().form().is_some() => "JSON",
        _ => label,
    };
    (useful && !label.is_empty()).then_some(label)
}
