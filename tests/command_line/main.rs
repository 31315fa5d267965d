//! The command line, as a shell sees it: the real binary, in folders of its own.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod aura;
mod call;
mod check;
mod copied;
mod demo_server;
mod deployment;
mod discover;
mod errors;
mod exits;
mod lists;
mod live_line;
mod packaging;
mod place;
mod recordings;
mod replay;
mod resolving;
mod run;
mod saved;
mod servers;
mod settings;
mod signals;
mod spans;
