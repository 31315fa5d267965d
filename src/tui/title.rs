//! What the terminal's title says.
//!
//! Owns the words. Must not know how a title is set, or when.

use super::look::Look;
use super::model::Model;
use super::outcome::in_a_word;
use super::watch::Wait;
use crate::text;

/// Cells of a tool's name.
const TOOL: usize = 40;

/// How the waits stand, safe to be a title: the one that ended out of sight, else those that run,
/// else the one on the Watch. `None` where there is nothing to say, or it isn't wanted.
#[must_use]
pub fn title(model: &Model) -> Option<String> {
    let look = model.look;
    let symbols = look.symbols();
    let running = model.running().count();
    let of_watch = |wait: &&Wait| model.watched == Some(wait.id);
    let runs = model.running().find(of_watch);
    let runs = runs.or_else(|| model.running().next());
    let (wait, says) = match (model.unseen(), runs) {
        _ if !model.options.title => return None,
        (Some(ended), _) => (ended, ended_in_a_word(ended, look)),
        (None, Some(wait)) => {
            let (elapsed, _) = wait.budget(model.now);
            let count = if running > 1 {
                running.to_string()
            } else {
                String::new()
            };
            let clock = text::clock(elapsed);
            (wait, format!("{}{count} {clock}", symbols.running))
        }
        (None, None) => {
            let wait = model.wait()?;
            (wait, ended_in_a_word(wait, look))
        }
    };
    let tool = text::one_line(wait.call.tool(), TOOL);
    let dash = if look.unicode { "–" } else { "-" };
    Some(format!("{says} {tool} {dash} stakeout"))
}

fn ended_in_a_word(wait: &Wait, look: Look) -> String {
    let symbols = look.symbols();
    if wait.replay.is_some() {
        return format!("{} replay", symbols.arrow);
    }
    let symbol = if wait.was_met() == Some(true) {
        symbols.met
    } else {
        symbols.unmet
    };
    format!("{symbol} {}", in_a_word(&wait.phase))
}
