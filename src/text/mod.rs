//! Text as text: making it safe to draw, comparing, durations, cutting, names alike.
//!
//! Must not know anything of ours.

mod cut;
mod diff;
mod duration;
mod final_state;
mod json;
mod near;
mod plain;
mod shown;
mod telling;

pub use cut::head_and_tail;
pub use diff::{Diff, DiffLine, Difference, Side, diff};
pub use duration::{clock, parse_seconds, spoken};
pub use final_state::{final_state, is_overwritten};
pub use json::{indented, member};
pub use near::near_names;
pub use plain::{escape_json, escape_pattern, is_plain, without_controls};
pub use shown::{Shown, TAB_STOP, line, lines, one_line, shown};
pub use telling::telling_line;
