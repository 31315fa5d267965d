//! A name or a path that is typed for a saved file.
//!
//! Owns the line, what it is for, and what became of it. Must not know files.

use std::path::PathBuf;

use super::field::Field;
use super::message::Id;
use crate::app::Kept;

/// What a line is typed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Another name for the file.
    Rename,
    /// Where a copy of it goes.
    Export,
}

/// A line that is to become a name or a path.
#[derive(Debug, Clone)]
pub struct Naming {
    /// What it is for.
    pub purpose: Purpose,
    /// What the file is.
    pub kind: Kept,
    /// Where the file lies.
    pub path: PathBuf,
    /// What it is called.
    pub name: String,
    /// The name or the path.
    pub line: Field,
    /// What was asked for and is not answered yet.
    pub asked: Option<Id>,
    /// Why the line led to nothing.
    pub problem: Option<String>,
}
