//! Text as text: making it safe to draw, durations, cutting.
//!
//! Must not know anything of ours.

mod cut;
mod duration;
mod shown;

pub use cut::head_and_tail;
pub use duration::{clock, parse_seconds, spoken};
pub use shown::{Shown, TAB_STOP, line, lines, one_line, shown};
