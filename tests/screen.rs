//! The screen without a terminal: whole sessions by keys, what they draw, and random input.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::single_range_in_vec_init
)]

#[path = "screen/adding.rs"]
mod adding;
#[path = "screen/asking.rs"]
mod asking;
#[path = "screen/aspects.rs"]
mod aspects;
#[path = "screen/bench.rs"]
mod bench;
#[path = "screen/commands.rs"]
mod commands;
#[path = "screen/compared.rs"]
mod compared;
#[path = "screen/copying.rs"]
mod copying;
#[path = "screen/diff.rs"]
mod diff;
#[path = "screen/drafts.rs"]
mod drafts;
#[path = "screen/editor.rs"]
mod editor;
#[path = "screen/form.rs"]
mod form;
#[path = "screen/harness.rs"]
mod harness;
#[path = "screen/honesty.rs"]
mod honesty;
#[path = "screen/journal.rs"]
mod journal;
#[path = "screen/leaving.rs"]
mod leaving;
#[path = "screen/library.rs"]
mod library;
#[path = "screen/opening.rs"]
mod opening;
#[path = "screen/picking.rs"]
mod picking;
#[path = "screen/pictures.rs"]
mod pictures;
#[path = "screen/random.rs"]
mod random;
#[path = "screen/read_pictures.rs"]
mod read_pictures;
#[path = "screen/reading.rs"]
mod reading;
#[path = "screen/recorded.rs"]
mod recorded;
#[path = "screen/replay.rs"]
mod replay;
#[path = "screen/saving.rs"]
mod saving;
#[path = "screen/screens.rs"]
mod screens;
#[path = "screen/settings.rs"]
mod settings;
#[path = "screen/standing.rs"]
mod standing;
#[path = "screen/svg.rs"]
mod svg;
#[path = "screen/telling.rs"]
mod telling;
#[path = "screen/titles.rs"]
mod titles;
#[path = "screen/waits.rs"]
mod waits;
#[path = "screen/watch.rs"]
mod watch;
#[path = "screen/what_if.rs"]
mod what_if;
#[path = "screen/why.rs"]
mod why;
