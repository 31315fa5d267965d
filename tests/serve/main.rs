//! `stakeout serve`, as its callers see it: the real binary, over stdio and over HTTP.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)]
#[path = "../terminal/pty.rs"]
mod pty;
#[path = "../support/mod.rs"]
mod support;

mod caller;
mod callers;
mod conformance;
mod everywhere;
mod limits;
mod listing;
mod load;
mod over_http;
mod over_stdio;
mod probes;
mod traces;
mod vectors;
mod web;
