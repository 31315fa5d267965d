//! Changes of the Bench.

use serde_json::Value;

use super::super::bench::{Focus, Intent, Link, Target};
use super::super::draft::{Draft, Input, Kind};
use super::super::in_flight::InFlight;
use super::super::keys::Action;
use super::super::layer::{Layer, Question};
use super::super::layout;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::{Model, Place};
use super::watch::{self, ToStart};
use crate::app::ServerRow;
use crate::wait::ToolErrors;

pub(super) fn open_picker(model: &mut Model) {
    model.bench.picking = true;
    if model.bench.tools.is_empty() {
        model.bench.set_focus(Focus::Servers);
    }
}

/// Opens the tools of the listed server, and types in their filter.
pub(super) fn find_tool(model: &mut Model) {
    open_picker(model);
    if !model.bench.tools.is_empty() {
        model.bench.set_focus(Focus::Tools);
        model.bench.picking = true;
        model.bench.filtering = true;
    }
}

/// Runs or tries what is on the Bench, unless the focused list points at something else.
pub(super) fn intend(model: &mut Model, intent: Intent) {
    match layout::lists(model)
        .then(|| model.bench.points_elsewhere())
        .flatten()
    {
        Some(first) => model.say(Tone::Warn, first),
        None => model.bench.intent = Some(intent),
    }
}

/// Keeps the filter; where it leaves one item, that one is chosen.
pub(super) fn keep_filter(model: &mut Model, effects: &mut Vec<Effect>) {
    let bench = &mut model.bench;
    bench.filtering = false;
    if !bench.one_left() {
        return;
    }
    if bench.focus == Focus::Servers {
        bench.server_picker.clear_filter();
        choose_server(model, effects);
    } else {
        choose_tool(model, effects);
    }
}

pub(super) fn choose_server(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(server) = usable_server(model) {
        use_server(model, server, effects);
    }
}

/// Selects the server of that name, and uses it.
pub(super) fn select_server(model: &mut Model, name: &str, effects: &mut Vec<Effect>) {
    let bench = &mut model.bench;
    let index = bench.servers.iter().position(|server| server.name == name);
    bench.server_picker.clear_filter();
    bench.server_picker.select(index);
    if let Some(server) = index.and_then(|index| bench.servers.get(index)).cloned() {
        use_server(model, server, effects);
    }
}

fn use_server(model: &mut Model, server: ServerRow, effects: &mut Vec<Effect>) {
    if let Some(approval) = server.approval {
        let question = Question::Approve {
            server: server.name,
            approval,
        };
        model.layers.push(Layer::Question(question));
        return;
    }
    let ready = match model.bench.link {
        Link::Ready { .. } => model.bench.standings.why_lost(&server.name).is_none(),
        Link::Connecting { .. } => true,
        Link::Idle | Link::Failed(_) => false,
    };
    if !(ready && model.bench.listed.as_deref() == Some(&server.name)) {
        connect(model, &server.name, false, effects);
    }
    model.bench.set_focus(Focus::Tools);
}

/// The selected server, unless it can't be used; then the reason is said.
fn usable_server(model: &mut Model) -> Option<ServerRow> {
    let server = model.bench.selected_server()?.clone();
    let name = crate::text::one_line(&server.name, 40);
    if server.shadowed {
        model.say(
            Tone::Warn,
            format!("{name} is shadowed: a more specific server has its name"),
        );
        return None;
    }
    if server.disabled {
        model.say(
            Tone::Warn,
            format!("{name} is disabled where it is configured"),
        );
        return None;
    }
    Some(server)
}

/// Asks for a connection to `server`, and lists its tools once there is one.
pub(super) fn connect(model: &mut Model, server: &str, afresh: bool, effects: &mut Vec<Effect>) {
    abandon_connect(model, effects);
    let id = model.fresh_id();
    let since = model.now;
    let bench = &mut model.bench;
    if bench.listed.as_deref() != Some(server) {
        bench.tools.clear();
        bench.tool_picker.replace(Vec::new());
        bench.tool_picker.clear_filter();
        bench.listed = Some(server.to_owned());
    }
    bench.link = Link::Connecting { id, since };
    effects.push(Effect::Connect {
        id,
        server: server.to_owned(),
        afresh,
    });
}

/// Stops the connect that is under way, or lets go of a connection's tools.
pub(super) fn abandon_connect(model: &mut Model, effects: &mut Vec<Effect>) {
    let (Link::Connecting { id, .. } | Link::Ready { following: id, .. }) = model.bench.link else {
        return;
    };
    effects.push(Effect::Abandon { id });
    model.bench.link = Link::Idle;
}

/// Lists the tools in view once more: the server may have started afresh.
pub(super) fn list_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let fresh = model.fresh_id();
    let (Link::Ready { following, .. }, Some(server)) =
        (&mut model.bench.link, model.bench.listed.clone())
    else {
        return;
    };
    effects.push(Effect::Abandon { id: *following });
    *following = fresh;
    effects.push(Effect::FollowTools {
        id: fresh,
        server,
        announced: None,
    });
}

/// Puts a call on the Bench as it was called; `server` is empty where nobody has said whose tool.
pub(super) fn put(
    model: &mut Model,
    server: &str,
    call: &Value,
    rounds: u32,
    effects: &mut Vec<Effect>,
) {
    let tool = call.pointer("/probe/tool").and_then(Value::as_str);
    let tool = tool.unwrap_or_default();
    let bench = &model.bench;
    let listed = bench.listed.as_deref() == Some(server);
    let known = bench
        .tools
        .iter()
        .find(|known| listed && known.name == tool);
    let target = match (known, &bench.target) {
        (Some(tool), _) => bench.target_of(tool),
        (None, Some(target)) if target.server == server && target.tool == tool => target.clone(),
        _ => Target::unlisted(server, tool),
    };
    aim(model, target, effects);
    let bench = &mut model.bench;
    bench.draft = Draft::of_call(call, rounds);
    bench.more = bench.draft.uses_more();
    bench.picking = false;
    bench.stale = true;
    bench.rest();
    model.place = Place::Bench;
}

pub(super) fn reconnect(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = usable_server(model) else {
        return;
    };
    if server.approval.is_some() {
        choose_server(model, effects);
        return;
    }
    connect(model, &server.name, true, effects);
}

pub(super) fn disconnect(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = usable_server(model) else {
        return;
    };
    if model.running().any(|wait| wait.server == server.name) {
        model.say(Tone::Warn, "a wait is using this server; stop it first");
        return;
    }
    if model.bench.listed.as_deref() == Some(&server.name) {
        abandon_connect(model, effects);
        model.bench.link = Link::Idle;
    }
    effects.push(Effect::Disconnect {
        server: server.name,
    });
}

pub(super) fn choose_tool(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(tool) = model.bench.selected_tool() else {
        model.say(
            Tone::Plain,
            "no tool to choose; Shift-Tab goes to the servers",
        );
        return;
    };
    let target = model.bench.target_of(tool);
    let name = crate::text::one_line(&target.tool, 40);
    aim(model, target, effects);
    model.bench.tool_picker.clear_filter();
    model.bench.picking = false;
    if layout::lists(model) {
        let text = format!("{name} is on the Bench; Tab goes to its arguments");
        model.say(Tone::Plain, text);
    }
}

/// Puts `target` on the Bench. A try of another tool is stopped, since nobody would see its answer.
fn aim(model: &mut Model, target: Target, effects: &mut Vec<Effect>) {
    let key = (target.server.clone(), target.tool.clone());
    if model.bench.target_key() != Some(key) {
        abandon_try(model, effects);
    }
    model.bench.aim(target);
}

pub(super) fn clear_filter(model: &mut Model) {
    model.bench.filtering = false;
    if let Some(picker) = model.bench.focused_picker() {
        picker.clear_filter();
    }
}

/// The next of the focused options, or the one before.
pub(super) fn turn_option(model: &mut Model, forward: bool) {
    let bench = &mut model.bench;
    turn(&mut bench.draft, bench.focus, forward);
    bench.stale = true;
}

/// The next of the options in `focus`, or the one before.
pub(super) fn turn(draft: &mut Draft, focus: Focus, forward: bool) {
    // Of three.
    let by = if forward { 1 } else { 2 };
    match focus {
        Focus::Kind => draft.kind = turned(Kind::ALL, draft.kind, by),
        Focus::ToolErrors => draft.tool_errors = turned(ToolErrors::ALL, draft.tool_errors, by),
        Focus::Argument(row) => draft.arguments_mut().change_form(|form| {
            form.turn(row, forward);
            form.begin(row);
        }),
        _ => {}
    }
}

fn turned<T: Copy + PartialEq>(all: [T; 3], chosen: T, by: usize) -> T {
    let place = all.iter().position(|option| *option == chosen).unwrap_or(0);
    all[(place + by) % 3]
}

pub(super) fn toggle_more(model: &mut Model) {
    let bench = &mut model.bench;
    bench.more = !bench.more;
    if !bench.stops(true).contains(&bench.focus) {
        bench.set_focus(Focus::More);
    }
}

/// Asks for a judgement of the Bench, one at a time: what changes meanwhile is judged next.
pub(super) fn judge(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.bench.stale || model.bench.judging.is_some() {
        return;
    }
    let id = model.fresh_id();
    let bench = &mut model.bench;
    bench.stale = false;
    bench.judging = Some(id);
    let (server, tool, schema) = match &bench.target {
        Some(target) => (
            target.server.as_str(),
            target.tool.as_str(),
            target.schema.clone(),
        ),
        None => ("", "", None),
    };
    let draft = Box::new(bench.draft.text(server, tool));
    let observed = bench.attempt.observed.clone();
    effects.push(Effect::Assess {
        id,
        draft,
        schema,
        observed,
    });
}

/// Runs what is on the Bench, or says why it can't be run.
pub(super) fn run(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(call) = model.bench.assessment.call.clone() else {
        refuse(model, "can't run", |_| true);
        return;
    };
    if lacks_required(model, "can't run") || !may_call(model, Intent::Run) {
        return;
    }
    let server = call.server().unwrap_or_default().to_owned();
    let rounds = model.bench.assessment.rounds;
    let saved = model.bench.saved_here().cloned();
    model.bench.keep();
    let wait = ToStart {
        server,
        call,
        rounds,
        saved,
    };
    watch::start(model, wait, effects);
}

/// Calls the tool once, or says why it can't be called.
pub(super) fn try_once(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.bench.attempt.in_flight.is_some() {
        let key = model.key_of(Action::Interrupt);
        model.say(Tone::Plain, format!("a try is in flight; {key} stops it"));
        return;
    }
    let (Some(args), Some(target)) = (
        model.bench.assessment.args.clone(),
        model.bench.target.clone(),
    ) else {
        refuse(model, "can't try", |input| {
            matches!(input, None | Some(Input::Arguments))
        });
        return;
    };
    if lacks_required(model, "can't try") || !may_call(model, Intent::Try) {
        return;
    }
    model.bench.keep();
    let id = model.fresh_id();
    model.bench.attempt.in_flight = Some((id, model.now, InFlight::default()));
    model.bench.attempt.count += 1;
    model.bench.attempt.args = Some(args.clone());
    effects.push(Effect::Try {
        id,
        server: target.server,
        tool: target.tool,
        args,
    });
}

/// Says the first fault that counts.
pub(super) fn refuse(model: &mut Model, what: &str, counts: impl Fn(Option<Input>) -> bool) {
    let fault = model
        .bench
        .assessment
        .faults
        .iter()
        .find(|fault| counts(fault.input));
    let why = fault.map_or("no tool is chosen yet", |fault| fault.message.as_str());
    let text = format!("{what}: {why}");
    if let Some(input) = fault.and_then(|fault| fault.input) {
        lead_to(model, input);
    }
    model.say(Tone::Error, text);
}

/// Whether the form leaves a required argument out; then it says so. The JSON view sends what it
/// shows: there it is meant.
fn lacks_required(model: &mut Model, what: &str) -> bool {
    let bench = &model.bench;
    let Some(form) = bench.draft.arguments().form() else {
        return false;
    };
    let missing = bench.assessment.complaints.iter().filter(|own| own.missing);
    let row = missing.filter_map(|own| form.rows().iter().position(|row| row.path == own.path));
    let Some(row) = row.min() else {
        return false;
    };
    let label = crate::text::one_line(&form.rows()[row].label, 40);
    model.bench.set_focus(Focus::Argument(row));
    let key = model.key_of(Action::ToggleForm);
    model.say(
        Tone::Error,
        format!("{what}: {label} is required; set it, or send the JSON of {key} as it is"),
    );
    true
}

/// Gives the focus to the field that is to be mended, and shows it where it was folded away.
fn lead_to(model: &mut Model, input: Input) {
    let lists = layout::lists(model);
    let bench = &mut model.bench;
    let row = match bench.draft.arguments().form() {
        Some(form) if input == Input::Arguments => {
            form.rows().iter().position(|row| row.fault.is_some())
        }
        _ => None,
    };
    let place = row.map_or(Focus::Text(input), Focus::Argument);
    bench.more |= !bench.stops(lists).contains(&place);
    if bench.stops(lists).contains(&place) {
        bench.set_focus(place);
    }
}

/// Whether the target may be called; a destructive tool is asked about once. So is one that isn't
/// listed, unless the list is on its way: then what is wanted waits for it.
fn may_call(model: &mut Model, intent: Intent) -> bool {
    let Some(target) = &model.bench.target else {
        return true;
    };
    let (server, tool) = (target.server.clone(), target.tool.clone());
    let known = target.destructive;
    if known == Some(false) || model.allowed.contains(&(server.clone(), tool.clone())) {
        return true;
    }
    let comes = matches!(model.bench.link, Link::Connecting { .. })
        && model.bench.listed.as_ref() == Some(&server);
    if known.is_none() && comes {
        model.bench.held = Some(intent);
        let name = crate::text::one_line(&server, 40);
        let text = format!("it starts once {name} has listed its tools; any key keeps it back");
        model.say(Tone::Plain, text);
        return false;
    }
    model.layers.push(Layer::Question(Question::Destructive {
        server,
        tool,
        known: known.is_some(),
        intent,
    }));
    false
}

/// Stops the try that is in flight.
pub(super) fn abandon_try(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some((id, ..)) = model.bench.attempt.in_flight.take() {
        effects.push(Effect::Abandon { id });
        model.say(Tone::Plain, "the try was stopped");
    }
}

/// Begins the draft afresh, or brings back what was written.
pub(super) fn start_afresh(model: &mut Model) {
    let key = model.key_of(Action::StartAfresh);
    let (tone, text) = match model.bench.start_afresh() {
        None => (Tone::Plain, "choose a tool first".to_owned()),
        Some(false) => (Tone::Plain, "what was written is back".to_owned()),
        Some(true) if model.bench.set_aside.is_some() => (
            Tone::Plain,
            format!("begun afresh; {key} brings back what was written"),
        ),
        Some(true) => (Tone::Plain, "it is as it began".to_owned()),
    };
    model.say(tone, text);
}
