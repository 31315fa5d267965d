//! What servers ask, and what the operator says.

use super::super::asking::{Asking, Said};
use super::super::layer::Layer;
use super::super::look::Tone;
use super::super::message::Effect;
use super::super::model::Model;
use crate::mcp::Elicitation;
use crate::text;

/// A server asks. Whatever was typed meanwhile is at rest.
pub(super) fn asked(
    model: &mut Model,
    number: u64,
    elicitation: Elicitation,
    effects: &mut Vec<Effect>,
) {
    let asking = Asking::new(number, elicitation, model.now);
    model.layers.push(Layer::Asking(Box::new(asking)));
    effects.push(Effect::Ring);
}

/// Nobody waits for the answer any more.
pub(super) fn withdrawn(model: &mut Model, number: u64) {
    if take_away(model, number) {
        let text = "what the server asked about is over, so its question is gone";
        model.say(Tone::Plain, text);
    }
}

/// The answer was sent, or it can't be.
pub(super) fn answered(model: &mut Model, number: u64, result: Result<(), String>) {
    match result {
        Ok(()) => {
            if take_away(model, number) {
                model.say(Tone::Ok, "the answer was sent");
            }
        }
        Err(problem) => {
            if let Some(asking) = find(model, number) {
                asking.sent = false;
                asking.problem = Some(problem);
            }
        }
    }
}

/// Answers the question on top.
pub(super) fn answer(model: &mut Model, said: Said, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(Layer::Asking(asking)) = model.layers.last_mut() else {
        return;
    };
    if !asking.takes_an_answer(now) {
        return;
    }
    let (number, text) = (
        asking.number,
        asking.answer.as_ref().map(|field| field.text()),
    );
    let schema = asking.schema().cloned();
    match said {
        Said::Accept => asking.sent = true,
        Said::Decline | Said::Cancel => {
            let server = text::one_line(&asking.elicitation.server, 40);
            take_away(model, number);
            let what = match said {
                Said::Decline => "was declined",
                _ => "was put away",
            };
            model.say(Tone::Plain, format!("the question of {server} {what}"));
        }
    }
    effects.push(Effect::Answer {
        number,
        said,
        text: text.unwrap_or_else(|| "{}".to_owned()),
        schema: Box::new(schema),
    });
}

/// Takes up the answer, or puts it to rest.
pub(super) fn set_typing(model: &mut Model, typing: bool) {
    if let Some(Layer::Asking(asking)) = model.layers.last_mut() {
        asking.typing = typing && asking.answer.is_some();
    }
}

fn find(model: &mut Model, number: u64) -> Option<&mut Asking> {
    model.layers.iter_mut().find_map(|layer| match layer {
        Layer::Asking(asking) if asking.number == number => Some(&mut **asking),
        _ => None,
    })
}

fn take_away(model: &mut Model, number: u64) -> bool {
    let before = model.layers.len();
    let own = |layer: &Layer| matches!(layer, Layer::Asking(asking) if asking.number == number);
    model.layers.retain(|layer| !own(layer));
    model.layers.len() < before
}
