//! What each action does, or who does it.

use super::super::asking::Said;
use super::super::bench::{Focus, Intent, Pane};
use super::super::field::Edit;
use super::super::help::Help;
use super::super::journal::Part;
use super::super::keys::{Action, Context};
use super::super::layer::Layer;
use super::super::layout;
use super::super::message::Effect;
use super::super::model::{Model, Place, Then};
use super::super::naming::Purpose;
use super::super::view::help_height;
use super::{
    adding, arguments, asking, bench, beside, copy, editor, help, journal, leave, library, load,
    reading, replay, saving, typing, waits, watch, what_if,
};

pub(super) fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if layout::too_small(model) && !matches!(action, Action::Interrupt | Action::Quit) {
        return;
    }
    give_way(model, action);
    match action {
        Action::Run => bench::intend(model, Intent::Run),
        Action::Try => bench::intend(model, Intent::Try),
        Action::FixPattern if what_if::on_top(model).is_some() => what_if::fix_pattern(model),
        Action::FixPattern => fix_pattern(model, effects),
        Action::Save if what_if::on_top(model).is_some() => what_if::take(model, Then::Save),
        Action::Save => saving::save(model),
        Action::SaveNow => saving::save_now(model, effects),
        action if saving::takes(model, action) => saving::take(model, action),
        Action::OpenPicker => bench::open_picker(model),
        Action::FindTool => bench::find_tool(model),
        Action::ChooseServer => bench::choose_server(model, effects),
        Action::ChooseTool => bench::choose_tool(model, effects),
        Action::Reconnect => bench::reconnect(model, effects),
        Action::Disconnect => bench::disconnect(model, effects),
        Action::OpenAdding => adding::open(model),
        Action::AddServer => adding::add(model, effects),
        Action::Discover => adding::discover(model, effects),
        Action::ShowLog => journal::show(model, Part::Log),
        Action::ShowTrace => journal::show(model, Part::Messages),
        Action::OpenMessage => journal::open_message(model),
        Action::CopyMessage => journal::copy_message(model, effects),
        Action::PreviousMessage => journal::step_message(model, -1),
        Action::NextMessage => journal::step_message(model, 1),
        Action::Filter | Action::KeepFilter | Action::ClearFilter if journal::on_top(model) => {
            journal::filter(model, action);
        }
        Action::Filter | Action::KeepFilter | Action::ClearFilter
            if library::is_filtered(model) =>
        {
            library::filter(model, action);
        }
        Action::Filter => filter(model),
        Action::KeepFilter => keep_filter(model, effects),
        Action::ClearFilter => clear_filter(model),
        Action::Search => reading::open_search(model),
        Action::KeepSearch => reading::keep_search(model),
        Action::ClearSearch => reading::clear_search(model),
        Action::Aspect => reading::turn_aspect(model),
        Action::NextMatch | Action::PreviousMatch => reading::step(model, action),
        Action::Accept => asking::answer(model, Said::Accept, effects),
        Action::Decline => asking::answer(model, Said::Decline, effects),
        Action::PutAway => asking::answer(model, Said::Cancel, effects),
        Action::StartTyping if model.context() == Context::Asked => asking::set_typing(model, true),
        Action::StopTyping if model.context() == Context::Answer => {
            asking::set_typing(model, false)
        }
        Action::StartAfresh => bench::start_afresh(model),
        Action::OpenEditor => editor::open(model, effects),
        Action::StartTyping => arguments::start_typing(model),
        Action::StopTyping => model.bench.typing = false,
        Action::NextOption | Action::PreviousOption if what_if::on_top(model).is_some() => {
            what_if::turn_option(model, action == Action::NextOption);
        }
        Action::NextOption => bench::turn_option(model, true),
        Action::PreviousOption => bench::turn_option(model, false),
        Action::ToggleForm => arguments::toggle_form(model),
        Action::Unset => arguments::unset(model),
        Action::SetNull => arguments::set_null(model),
        Action::ToggleMore => bench::toggle_more(model),
        Action::NextField | Action::PreviousField if what_if::on_top(model).is_some() => {
            what_if::move_focus(model, action == Action::NextField);
        }
        Action::NextField => move_focus(model, true),
        Action::PreviousField => move_focus(model, false),
        Action::NextPane if model.place == Place::Library => library::turn_pane(model),
        Action::NextPane => move_pane(model, true),
        Action::PreviousPane => move_pane(model, false),
        Action::LineStart => typing::change(model, |field| field.edit(Edit::LineStart)),
        Action::LineEnd => typing::change(model, |field| field.edit(Edit::LineEnd)),
        Action::DeleteWord => typing::change(model, |field| field.edit(Edit::DeleteWord)),
        Action::DeleteToStart if arguments::is_empty_handed(model) => arguments::unset(model),
        Action::DeleteToStart => typing::change(model, |field| field.edit(Edit::DeleteToStart)),
        Action::DeleteToEnd => typing::change(model, |field| field.edit(Edit::DeleteToEnd)),
        Action::DeleteNext => typing::change(model, |field| field.edit(Edit::DeleteNext)),
        Action::Undo => typing::change(model, |field| field.edit(Edit::Undo)),
        Action::Hold
        | Action::Wrap
        | Action::Up
        | Action::Down
        | Action::PageUp
        | Action::PageDown
        | Action::Top
        | Action::Bottom
            if journal::on_top(model) =>
        {
            journal::look(model, action);
        }
        Action::Hold if model.context() == Context::Replay => replay::play(model),
        Action::Hold
        | Action::StepBack
        | Action::StepOn
        | Action::ChangeBack
        | Action::ChangeOn
        | Action::First
        | Action::Newest => watch::look(model, action),
        Action::Faster | Action::Slower => replay::change_speed(model, action),
        Action::WhatIf => what_if::open(model),
        Action::GoStop => what_if::go_to_stop(model),
        Action::TakeWhatIf => what_if::take(model, Then::Rest),
        Action::Diff => watch::toggle_diffs(model),
        Action::Waits => waits::open(model),
        Action::LookAt => waits::look_at(model),
        Action::PreviousWait => waits::step(model, false),
        Action::NextWait => waits::step(model, true),
        Action::Dismiss => waits::dismiss(model, effects),
        Action::Copy => model.layers.push(Layer::Copy),
        Action::CopyOutput
        | Action::CopyResult
        | Action::CopyCommand
        | Action::CopyCall
        | Action::CopyRecording => copy::copy(model, action, effects),
        Action::OpenKept => library::open(model, effects),
        Action::RunKept => library::run(model, effects),
        Action::Rename => library::open_naming(model, Purpose::Rename),
        Action::Export => library::open_naming(model, Purpose::Export),
        Action::ConfirmName => library::confirm_name(model, effects),
        Action::Delete => library::delete(model, effects),
        Action::Restore => library::restore(model, effects),
        Action::CopyPath => library::copy_path(model, effects),
        Action::Bell => watch::toggle_bell(model),
        Action::Stop => watch::stop(model, effects),
        Action::Continue => watch::go_on(model, effects),
        Action::RunAgain => watch::run_again(model, effects),
        Action::EditOnBench => watch::edit_on_bench(model, effects),
        Action::Up
        | Action::Down
        | Action::PageUp
        | Action::PageDown
        | Action::Top
        | Action::Bottom => scroll(model, action),
        Action::Wrap | Action::Numbers => reading::toggle(model, action),
        Action::Zoom => toggle_zoom(model),
        Action::GoBench => go_bench(model),
        Action::GoWatch => watch::go(model),
        Action::GoLibrary => library::go(model),
        Action::Back => back(model),
        Action::Yes => leave::yes(model, effects),
        Action::TakeOffer => load::take_offer(model, effects),
        Action::DeclineOffer => load::decline_offer(model),
        Action::No | Action::CloseLayer => close_layer(model),
        Action::Perform => help::perform(model, effects),
        Action::Commands => help::open_palette(model),
        Action::Help => help::open(model),
        Action::Interrupt => leave::interrupt(model, effects),
        Action::Quit => leave::quit(model, effects),
    }
}

/// What lies over a place is closed by what calls up something else.
fn give_way(model: &mut Model, action: Action) {
    let over = matches!(
        model.layers.last(),
        Some(Layer::Journal(_) | Layer::Waits { .. })
    );
    let elsewhere = matches!(
        action,
        Action::GoBench | Action::GoWatch | Action::GoLibrary | Action::Commands | Action::Waits
    );
    if over && elsewhere {
        waits::pop_layer(model);
    }
}

/// On the Bench, the offer is that for the pattern as it is: it must have been judged.
fn fix_pattern(model: &mut Model, effects: &mut Vec<Effect>) {
    reading::keep_search(model);
    match model.place {
        Place::Bench => model.bench.intent = Some(Intent::FixPattern),
        Place::Watch => beside::fix_pattern(model, effects),
        Place::Library => {}
    }
}

/// To the Bench as it was left, with nothing typed in.
fn go_bench(model: &mut Model) {
    model.place = Place::Bench;
    model.bench.rest();
}

/// What lies below is at rest: who closes a layer looks before typing on.
fn close_layer(model: &mut Model) {
    if journal::close_message(model) {
        return;
    }
    waits::pop_layer(model);
    model.bench.rest();
    reading::keep_search(model);
}

fn filter(model: &mut Model) {
    match model.layers.last_mut() {
        Some(Layer::Help(help)) => help.filtering = true,
        _ => model.bench.filtering = true,
    }
}

fn keep_filter(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.layers.last_mut() {
        Some(Layer::Help(help)) => help.filtering = false,
        _ => bench::keep_filter(model, effects),
    }
}

fn clear_filter(model: &mut Model) {
    match model.layers.last_mut() {
        Some(Layer::Help(help)) => {
            **help = Help::new(help.context, std::mem::take(&mut help.about))
        }
        _ => bench::clear_filter(model),
    }
}

/// To the first field of another pane.
fn move_pane(model: &mut Model, forward: bool) {
    let stops = model.bench.stops(layout::lists(model));
    let mut panes: Vec<Focus> = Vec::new();
    for stop in stops {
        if panes.last().is_none_or(|last| last.pane() != stop.pane()) {
            panes.push(stop);
        }
    }
    let pane = model.bench.focus.pane();
    let here = panes.iter().position(|first| first.pane() == pane);
    let by = if forward { 1 } else { panes.len() - 1 };
    if let Some(focus) = panes.get((here.unwrap_or(0) + by) % panes.len()) {
        model.bench.set_focus(*focus);
    }
}

fn move_focus(model: &mut Model, forward: bool) {
    let stops = model.bench.stops(layout::lists(model));
    let here = stops
        .iter()
        .position(|stop| *stop == model.bench.focus)
        .unwrap_or(0);
    let next = if forward {
        here + 1
    } else {
        here + stops.len() - 1
    } % stops.len();
    if let Some(focus) = stops.get(next) {
        model.bench.set_focus(*focus);
    }
}

/// Moves what the context scrolls: a selection, a text, or the help.
fn scroll(model: &mut Model, action: Action) {
    let height = match model.layers.last() {
        Some(layer) if layer.what_if().is_none() => help_height(model),
        _ => layout::reading_size(model).1,
    };
    let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
    let far = isize::MAX / 2;
    let by = match action {
        Action::Up => -1,
        Action::Down => 1,
        Action::PageUp => -page,
        Action::PageDown => page,
        Action::Top => -far,
        _ => far,
    };
    let context = model.context();
    if help::scroll(model, by) {
        // It was on top.
    } else if context == Context::WaitList {
        waits::move_cursor(model, by);
    } else if matches!(context, Context::LibraryList | Context::LibraryFilter) {
        model.library.picker_mut().move_by(by);
    } else if context == Context::ToolList && model.bench.failure.is_some() {
        let tools = layout::bench(model).tools.map(layout::inside);
        if let (Some(area), Some((_, document))) = (tools, &mut model.bench.failure) {
            document.scroll(by, usize::from(area.height));
        }
    } else if matches!(
        context,
        Context::ServerList | Context::ToolList | Context::Filter
    ) {
        if let Some(picker) = model.bench.focused_picker() {
            picker.move_by(by);
        }
    } else if let Some(reading) = model.reading_mut() {
        reading.scroll(by, height);
        if let (Place::Watch, Some(wait)) = (model.place, model.wait_mut()) {
            wait.scrolled = true;
        }
    }
}

fn toggle_zoom(model: &mut Model) {
    model.zoomed = !model.zoomed;
}

/// One step back, and never out.
fn back(model: &mut Model) {
    if model.context().is_reading() && model.reading().is_some_and(|read| read.search.is_some()) {
        reading::clear_search(model);
    } else if model.zoomed {
        model.zoomed = false;
    } else if model.place == Place::Library && library::back(model) {
        // It stepped back within the place.
    } else if model.place == Place::Watch && model.wait().is_some_and(|wait| wait.replay.is_some())
    {
        library::go(model);
    } else if model.place != Place::Bench {
        go_bench(model);
    } else if model
        .bench
        .focused_picker()
        .is_some_and(|picker| !picker.filter().is_empty())
    {
        bench::clear_filter(model);
    } else if model.bench.picking {
        model.bench.picking = false;
    } else if model.bench.focus.pane() != Pane::Tool {
        model.bench.set_focus(Focus::Tools);
    }
}
