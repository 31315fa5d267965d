//! Copying: what is meant by it where one is, and what is said of it.

use super::super::keys::Action;
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::{Copied, Effect};
use super::super::model::{Model, Place};
use super::super::watch::{Phase, Wait};
use super::waits;
use crate::app::CopyOf;

/// Copies what the key says, of the wait that is meant or of the Bench.
pub(super) fn copy(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let listed = model
        .layers
        .iter()
        .any(|layer| matches!(layer, Layer::Waits { .. }));
    let found = match model
        .meant()
        .filter(|_| listed || model.place == Place::Watch)
    {
        Some(wait) => of_wait(wait, action),
        None => of_bench(model, action),
    };
    waits::pop_layer(model);
    match found {
        Ok(what) => effects.push(Effect::Copy(what)),
        Err(why) => model.say(Tone::Plain, why),
    }
}

fn of_wait(wait: &Wait, action: Action) -> Result<CopyOf, String> {
    match (action, &wait.phase) {
        (Action::CopyOutput, _) => {
            let text = wait.text_in_view();
            let text = text.ok_or("there is no output to copy here");
            Ok(CopyOf::Output(text?))
        }
        (Action::CopyResult, Phase::Ended(ending)) => Ok(CopyOf::Answer(Box::new(ending.clone()))),
        (Action::CopyResult, _) => Err("the wait has no result yet".to_owned()),
        (Action::CopyCommand, _) => Ok(CopyOf::CommandLine {
            server: wait.server.clone(),
            call: Box::new(wait.call.clone()),
            rounds: wait.rounds,
        }),
        (Action::CopyRecording, _) => match &wait.recorded.path {
            Some(path) => Ok(CopyOf::Path(path.clone())),
            None => Err("this wait is not recorded".to_owned()),
        },
        _ => Ok(CopyOf::AgentsCall(Box::new(wait.call.clone()))),
    }
}

fn of_bench(model: &Model, action: Action) -> Result<CopyOf, String> {
    let bench = &model.bench;
    if action == Action::CopyOutput {
        return Ok(CopyOf::Output(bench.text_in_view().ok_or_else(|| {
            let key = model.key_of(Action::Try);
            format!("there is no output to copy; {key} calls the tool once")
        })?));
    }
    if action == Action::CopyResult {
        let key = model.key_of(Action::Run);
        return Err(format!("a result comes with a wait; {key} runs it"));
    }
    if action == Action::CopyRecording {
        let key = model.key_of(Action::Run);
        return Err(format!("a recording comes with a wait; {key} runs it"));
    }
    let Some(call) = bench.assessment.call.clone() else {
        let fault = bench.assessment.faults.first();
        let why = fault.map_or("no tool is chosen yet", |fault| fault.message.as_str());
        return Err(format!("can't copy: {why}"));
    };
    Ok(match action {
        Action::CopyCommand => CopyOf::CommandLine {
            server: call.server().unwrap_or_default().to_owned(),
            call: Box::new(call),
            rounds: bench.assessment.rounds,
        },
        _ => CopyOf::AgentsCall(Box::new(call)),
    })
}

/// Says where the text is and what was left out of it, and brings it there where that is the terminal's.
pub(super) fn copied(
    model: &mut Model,
    (name, variables): (&str, &[String]),
    result: Result<Copied, String>,
    effects: &mut Vec<Effect>,
) {
    let tone = if variables.is_empty() {
        Tone::Ok
    } else {
        Tone::Warn
    };
    let before = match variables {
        [] => String::new(),
        names => {
            let names = crate::text::one_line(&names.join(", "), 40);
            format!("set {names} before it runs; ")
        }
    };
    match result {
        Ok(Copied::Tmux { bytes }) => {
            let text =
                format!("{before}the {name} ({bytes} bytes) is in tmux's buffer and its clipboard");
            model.say(tone, text);
        }
        Ok(Copied::Terminal { bytes, encoded }) => {
            let text =
                format!("{before}the {name} ({bytes} bytes) was sent to the terminal's clipboard");
            model.say(tone, text);
            effects.push(Effect::SetClipboard { encoded });
        }
        Err(why) => model.say(Tone::Warn, format!("the {name} was not copied: {why}")),
    }
}
