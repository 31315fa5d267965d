//! `stakeout serve`, as its callers see it: the real binary, over stdio and over HTTP.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod caller;
mod limits;
mod listing;
mod over_stdio;
mod probes;
