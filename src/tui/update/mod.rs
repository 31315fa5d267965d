//! From a message to the next state, and to what is to be done: pure.
//!
//! Owns every change of the [`Model`]. Must not know the terminal, the clock, or how an effect is
//! carried out.

mod act;
mod adding;
mod arguments;
mod asking;
mod bench;
mod beside;
mod copy;
mod editor;
mod help;
mod journal;
mod leave;
mod library;
mod load;
mod reading;
mod recorded;
mod replay;
mod results;
mod saving;
mod typing;
mod waits;
mod watch;
mod what_if;

use crossterm::event::KeyEvent;

use super::argument_lines;
use super::bench::{Focus, Intent, Link};
use super::draft::Input;
use super::keys::{Action, Key};
use super::layer::{Layer, Question};
use super::layout;
use super::message::{Effect, Msg};
use super::model::{Model, Place, Then};
use super::start::Start;

/// What is to be done once the screen is open: load the call that it opens with, or connect to the
/// server that the operator gave, or else to the demo, which is in this process; and open the
/// recording that was given.
pub fn open(model: &mut Model, start: Start) -> Vec<Effect> {
    let mut effects = Vec::new();
    let servers = &model.bench.servers;
    let given = servers.iter().find(|server| server.given);
    let demo = || {
        servers
            .iter()
            .find(|server| server.name == crate::mcp::DEMO)
    };
    if let Some(call) = start.call {
        model.bench.clear();
        load::load_saved(
            model,
            call,
            start.rounds,
            start.saved,
            Then::Connect,
            &mut effects,
        );
    } else if let Some(server) = given.or_else(demo) {
        let name = server.name.clone();
        bench::connect(model, &name, false, &mut effects);
    }
    if let Some(path) = start.recording {
        replay::open(model, path, &mut effects);
    }
    settle(model, &mut effects);
    effects
}

/// What is to be done as the last thing, however the screen was left.
pub fn farewell(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.bench.keep();
    keep_drafts(model, &mut effects);
    effects
}

/// Takes a message. What is asked of the runtime carries fresh ids; answers that nobody waits for
/// any more change nothing.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    match msg {
        Msg::Tick { now } => {
            tick(model, now);
            if replay::play_on(model) {
                settle(model, &mut effects);
            }
            return effects;
        }
        Msg::Key(event) => pressed(model, event, &mut effects),
        Msg::Paste(text) => pasted(model, &text, &mut effects),
        Msg::Resize { columns, rows } => (model.columns, model.rows) = (columns, rows),
        Msg::Connected { id, result } => results::connected(model, id, result, &mut effects),
        Msg::Standing { states } => results::standing(model, states, &mut effects),
        Msg::Asked {
            number,
            elicitation,
        } => asking::asked(model, number, *elicitation, &mut effects),
        Msg::Withdrawn { number } => asking::withdrawn(model, number),
        Msg::Answered { number, result } => asking::answered(model, number, result),
        Msg::Edited { result } => editor::edited(model, result),
        Msg::Journal { id, news } => journal::news(model, id, news, &mut effects),
        Msg::Resolved { id, server, fault } => {
            load::resolved(model, id, server, fault, &mut effects);
        }
        Msg::SaveLooked { id, look } => saving::looked(model, id, look),
        Msg::SpecSaved { id, result } => saving::saved(model, id, result),
        Msg::Approved { id, result } => results::approved(model, id, result, &mut effects),
        Msg::Added { id, result } => adding::added(model, id, result, &mut effects),
        Msg::Discovered { id, result } => adding::discovered(model, id, result),
        Msg::TryNote { id, note } => results::try_note(model, id, &note),
        Msg::Tried { id, result } => results::tried(model, id, result),
        Msg::Assessed { id, assessment } => results::assessed(model, id, *assessment),
        Msg::Highlighted { id, highlights } => results::highlighted(model, id, highlights),
        Msg::Searched { id, found } => reading::searched(model, id, &found),
        Msg::Tokenised { id, tokens } => reading::tokenised(model, id, tokens.as_ref()),
        Msg::AspectRead { id, text } => reading::aspect_read(model, id, &text),
        Msg::LaidOut { id, rows } => reading::laid_out(model, id, &rows),
        Msg::Explained { id, why } => results::explained(model, id, why),
        Msg::Judged { id, findings } => what_if::judged(model, id, findings),
        Msg::Compared { id, difference } => results::compared(model, id, difference),
        Msg::Copied {
            name,
            variables,
            result,
        } => copy::copied(model, (name, &variables), result, &mut effects),
        Msg::TextRead { id, text } => recorded::text_read(model, id, text.as_ref()),
        Msg::Recording { wait, news } => recorded::recording(model, wait, news),
        Msg::LibraryListed { id, list } => library::listed(model, id, list),
        Msg::Previewed { id, preview } => library::previewed(model, id, preview),
        Msg::KeptRead { id, result } => library::kept_read(model, id, result, &mut effects),
        Msg::RecordingOpened { wait, result } => {
            replay::opened(model, wait, result.map(|opened| *opened), &mut effects);
        }
        Msg::RecordingRead { wait, batch } => replay::read(model, wait, batch, &mut effects),
        Msg::LibraryChanged { id, result } => library::changed(model, id, result),
        Msg::Told {
            wait,
            event,
            changed,
        } => results::told(model, wait, &event, changed, &mut effects),
        Msg::Ended { wait, ending } => results::ended(model, wait, ending, &mut effects),
    }
    settle(model, &mut effects);
    effects
}

fn tick(model: &mut Model, now: std::time::Duration) {
    model.now = model.now.max(now);
    let over = |until: Option<std::time::Duration>| until.is_some_and(|until| until <= model.now);
    if model
        .notice
        .as_ref()
        .is_some_and(|notice| over(notice.until))
    {
        model.notice = None;
    }
    if over(model.interrupt_until) {
        model.interrupt_until = None;
    }
}

fn pressed(model: &mut Model, event: KeyEvent, effects: &mut Vec<Effect>) {
    for key in Key::read(event) {
        model.notice = None;
        // The one key that is the terminal's own: it has no line in the table.
        if key == Key::ctrl('z') {
            leave::suspend(model, effects);
            continue;
        }
        let context = model.context();
        let action = model.keymap.action(context, key);
        // Any key keeps back what waits for a server, but the yes to the server.
        if !(action == Some(Action::Yes) && approves(model)) {
            model.bench.held = None;
        }
        match action {
            Some(action) => {
                act::act(model, action, effects);
                let moved = matches!(
                    action,
                    Action::NextField
                        | Action::PreviousField
                        | Action::NextPane
                        | Action::PreviousPane
                );
                // Whoever moves by letters would type the next of them into the field.
                if moved && key.is_text() {
                    model.bench.rest();
                }
            }
            None if context.is_typing() => typing::change(model, |field| _ = field.key(key)),
            None => {}
        }
    }
}

/// Whether it is asked if a server is trusted.
fn approves(model: &Model) -> bool {
    let top = model.layers.last();
    matches!(top, Some(Layer::Question(Question::Approve { .. })))
}

fn pasted(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    if !model.context().is_typing() {
        load::pasted_at_rest(model, text, effects);
    } else if !load::offered(model, text) {
        typing::change(model, |field| field.paste(text));
    }
}

/// What follows from a change, whatever it was.
fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    what_if::carry_out(model, effects);
    model.bench.settle_arguments();
    let lists = layout::lists(model);
    if !model.bench.stops(lists).contains(&model.bench.focus) {
        model.bench.set_focus(Focus::Tools);
    }
    journal::settle(model, effects);
    bench::judge(model, effects);
    if model.bench.judging.is_none()
        && let Some(intent) = model.bench.intent.take()
    {
        match intent {
            Intent::Run => bench::run(model, effects),
            Intent::Try => bench::try_once(model, effects),
            Intent::Save => saving::save_bench(model),
            Intent::FixPattern => {
                beside::fix_pattern(model, effects);
                bench::judge(model, effects);
            }
        }
    }
    match model.place {
        Place::Bench => settle_bench(model),
        Place::Watch => {
            watch::settle(model, effects);
        }
        Place::Library => library::settle(model, effects),
    }
    what_if::settle(model, effects);
    reading::settle(model, effects);
    saving::settle(model, effects);
    keep_drafts(model, effects);
}

/// Drafts that were put aside are kept on disk.
fn keep_drafts(model: &mut Model, effects: &mut Vec<Effect>) {
    for ((server, tool), draft) in model.bench.unsaved.drain(..) {
        effects.push(Effect::KeepDraft {
            server,
            tool,
            draft,
        });
    }
}

fn settle_bench(model: &mut Model) {
    let (width, height) = layout::reading_size(model);
    let areas = layout::bench(model);
    let bench = &mut model.bench;
    if let Some(pane) = areas.tools {
        bench.settle_failure(layout::inside(pane));
    }
    if areas.preview.is_some() {
        bench.show_try(width, height);
    }
    if let Some(pane) = areas.arguments {
        let inside = layout::inside(pane);
        let width = usize::from(inside.width);
        let (focused, count, rows) = if bench.draft.arguments().form().is_some() {
            let lines = argument_lines::lines(bench, width);
            let described = argument_lines::description_rows(bench, width);
            let (fields, _) = layout::fields(inside, described);
            let focused = argument_lines::focused_line(bench, &lines);
            (focused, lines.len(), usize::from(fields.height))
        } else {
            let notes = super::form::argument_notes(bench, width).len();
            let field = bench.draft.field(Input::Arguments);
            let rows = usize::from(inside.height).saturating_sub(notes);
            (field.cursor().0, field.rows().len(), rows)
        };
        bench.args_top = argument_lines::top(bench.args_top, focused, count, rows.max(1));
    }
}

/// Whether something is in flight that the Bench shows.
fn in_flight_on_bench(model: &Model) -> bool {
    model.bench.attempt.in_flight.is_some() || matches!(model.bench.link, Link::Connecting { .. })
}
