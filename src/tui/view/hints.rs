//! The bottom line: what can be pressed here, or a sentence.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::super::keys::{Action, Context, Key};
use super::super::layer::Layer;
use super::super::look::Look;
use super::super::model::Model;
use super::super::watch::Position;
use super::pieces::{words, words_right};
use crate::text;

pub(super) fn draw(model: &Model, buffer: &mut Buffer, area: Rect) {
    let look = model.look;
    let context = model.context();
    let key = look.accent().patch(look.strong());
    let room = match model.keymap.key(context, Action::Help) {
        Some(help) => {
            let help = named(help, look);
            words_right(buffer, area, &[(&help, key), (" help ", Style::new())], 10)
        }
        None => area.width,
    };
    let mut area = Rect {
        width: room.saturating_sub(1),
        ..area
    };
    if let Some(notice) = &model.notice {
        let line = text::one_line(&notice.text, usize::from(area.width.saturating_sub(1)));
        words(
            buffer,
            area,
            &[(" ", Style::new()), (&line, look.tone(notice.tone))],
        );
        return;
    }
    let plain = Style::new();
    let typing = [(" ", plain), (" typing ", look.selected())];
    if context.is_typing() && !whole(buffer, &mut area, &typing) {
        return;
    }
    for binding in model.keymap.bindings(context) {
        let Some(label) = label(model, binding.action, binding.label) else {
            continue;
        };
        let Some(shown) = binding.keys_in(context).next() else {
            continue;
        };
        let shown = named(shown, look);
        let other = pair(binding.action).and_then(|other| model.keymap.key(context, other));
        let other = other.map(|other| format!(" {}", named(other, look)));
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

/// The name of a key; arrows by their words where there is only ASCII.
pub(super) fn named(key: Key, look: Look) -> String {
    let name = key.to_string();
    if look.unicode {
        return name;
    }
    [("←", "Left"), ("→", "Right"), ("↑", "Up"), ("↓", "Down")]
        .iter()
        .fold(name, |name, (arrow, word)| name.replace(arrow, word))
}

/// The action in the other direction, where one label stands for both.
fn pair(action: Action) -> Option<Action> {
    match action {
        Action::StepBack => Some(Action::StepOn),
        Action::PreviousMessage => Some(Action::NextMessage),
        Action::ChangeBack => Some(Action::ChangeOn),
        _ => None,
    }
}

/// The label of an action as things are; `None` where it has none, or nothing to do.
fn label(model: &Model, action: Action, label: &'static str) -> Option<&'static str> {
    let (wait, context) = (model.wait(), model.context());
    let journal = match model.layers.last() {
        Some(Layer::Journal(pane)) => Some(pane),
        _ => None,
    };
    let lists = matches!(
        context,
        Context::ServerList | Context::ToolList | Context::Filter
    );
    let sampled = wait.is_some_and(|wait| wait.index().is_some());
    let useful = match action {
        Action::Stop => wait.is_some_and(|wait| wait.is_running() && !wait.stopping),
        Action::Continue => wait.is_some_and(super::super::watch::Wait::can_continue),
        Action::RunAgain => wait.is_some_and(|wait| !wait.is_running()),
        Action::ChooseTool | Action::Filter if context == Context::ToolList => {
            !model.bench.tools.is_empty()
        }
        Action::Run | Action::Try if lists => model.bench.points_elsewhere().is_none(),
        Action::ShowLog if context == Context::ServerLog => false,
        Action::ShowTrace if context == Context::Trace => false,
        Action::Hold if journal.is_some() => true,
        Action::Hold | Action::StepBack | Action::ChangeBack => sampled,
        _ => true,
    };
    let label = match action {
        Action::Hold if journal.is_some_and(|pane| !pane.follows()) => "follow",
        Action::Hold if journal.is_some() => label,
        Action::Hold if wait.is_some_and(|wait| wait.position != Position::Follow) => "follow",
        Action::KeepFilter if journal.is_none() && model.bench.one_left() => "choose",
        Action::Zoom if model.zoomed => "unzoom",
        _ => label,
    };
    (useful && !label.is_empty()).then_some(label)
}
