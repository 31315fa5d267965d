//! The help and the command palette.

use super::super::about::{argument_paragraphs, paragraphs, server_paragraphs};
use super::super::bench::Focus;
use super::super::help::Help;
use super::super::keys::Context;
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::Model;
use super::super::palette::Palette;
use super::super::view::help_overflow;
use super::act::act;
use super::reading;

/// Opens the help, with what is highlighted.
pub(super) fn open(model: &mut Model) {
    let context = model.context();
    let listed = matches!(context, Context::ToolList | Context::Filter);
    let bench = &model.bench;
    let about = match (context, bench.focus) {
        (Context::ServerList, _) => bench
            .selected_server()
            .map(|server| server_paragraphs(server, &bench.standings)),
        (_, Focus::Tools) if listed => bench.selected_tool().map(paragraphs),
        (Context::Argument | Context::ArgumentChoice | Context::Line | Context::Editor, _) => {
            bench.focused_argument().map(argument_paragraphs)
        }
        _ => None,
    };
    let help = Box::new(Help::new(context, about.unwrap_or_default()));
    model.layers.push(Layer::Help(help));
}

/// Scrolls the help or moves in the palette; answers whether one of them is on top.
pub(super) fn scroll(model: &mut Model, by: isize) -> bool {
    let last = match model.layers.last() {
        Some(Layer::Help(help)) => help_overflow(model, help),
        _ => 0,
    };
    match model.layers.last_mut() {
        Some(Layer::Help(help)) => help.top = help.top.saturating_add_signed(by).min(last),
        Some(Layer::Palette(palette)) => palette.move_by(by),
        _ => return false,
    }
    true
}

/// Opens the palette. What lies below is at rest: commands are for where nothing is typed.
pub(super) fn open_palette(model: &mut Model) {
    model.bench.rest();
    reading::keep_search(model);
    let palette = Palette::new(model.context_below(), &model.keymap);
    model.layers.push(Layer::Palette(Box::new(palette)));
}

/// Does what is selected in the palette, in the context below.
pub(super) fn perform(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Layer::Palette(palette)) = model.layers.last() else {
        return;
    };
    let selected = palette
        .selected()
        .map(|command| (command.action, command.here));
    match selected {
        Some((action, true)) => {
            model.layers.pop();
            act(model, action, effects);
        }
        Some((action, false)) => {
            let holds: Vec<&str> = model.keymap.contexts(action).map(Context::title).collect();
            let text = format!("{} holds in: {}", action.name(), holds.join("; "));
            model.say(Tone::Plain, text);
        }
        None => {}
    }
}
