//! What several messages and effects are made of.

use crate::app::ServerRow;

/// What asked for something; its answer carries the same number. Ids are never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u64);

/// The servers as they are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerList {
    /// Each, the most specific first.
    pub servers: Vec<ServerRow>,
    /// What is wrong with the files that configure them, a sentence each.
    pub problems: Vec<String>,
}

/// Where a copied text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// tmux has it, and hands it on.
    Tmux {
        /// Its length.
        bytes: usize,
    },
    /// The terminal is still to be asked to take it.
    Terminal {
        /// Its length.
        bytes: usize,
        /// The text in base64.
        encoded: String,
    },
}
