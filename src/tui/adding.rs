//! What is typed to add a server.
//!
//! Owns the line, and what became of it. Must not know what a line means: that is `app`'s.

use super::field::Field;
use super::message::Id;

/// A line that is to become a server.
#[derive(Debug, Clone)]
pub struct Adding {
    /// A command line or an address.
    pub line: Field,
    /// What was asked for and is not answered yet.
    pub asked: Option<Id>,
    /// Why the line, or looking into other programs' files, led to nothing.
    pub problem: Option<String>,
}

impl Default for Adding {
    fn default() -> Self {
        Self {
            line: Field::line(""),
            asked: None,
            problem: None,
        }
    }
}
