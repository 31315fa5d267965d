//! The screen.
//!
//! One loop: keys, the story of a wait and results become a [`message::Msg`];
//! [`update::update`] changes the [`model::Model`] and says what is to be done; the runtime alone
//! does it; [`view::draw`] draws, reads no clock and changes nothing. Must not know the command
//! line.

pub mod about;
pub mod adding;
pub mod argument_lines;
pub mod arguments;
pub mod asking;
pub mod aspect;
pub mod assess;
pub mod bench;
pub mod beside;
pub mod document;
pub mod draft;
pub mod field;
pub mod focus;
pub mod form;
pub mod help;
pub mod in_flight;
pub mod journal;
pub mod json_tokens;
pub mod keys;
pub mod layer;
pub mod layout;
pub mod library;
pub mod look;
pub mod message;
pub mod model;
pub mod naming;
pub mod outcome;
pub mod palette;
pub mod picker;
pub mod reading;
pub mod rows;
mod runtime;
pub mod saved;
pub mod search;
pub mod settings;
pub mod standing;
mod start;
pub mod title;
pub mod update;
pub mod view;
mod waits;
pub mod watch;
pub mod what_if;
pub mod why;

pub use runtime::run;
pub use runtime::terminal::{Screen, has_terminal};
pub use start::Start;
