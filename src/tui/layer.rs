//! What lies on top of a place: the help, the commands, a question, or an offer.
//!
//! Owns the layers as plain data; they are a stack, and the top one takes the keys. Must not know
//! what a yes does: that is [`super::update`].

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::adding::Adding;
use super::asking::Asking;
use super::bench::Intent;
use super::help::Help;
use super::journal::JournalPane;
use super::message::Id;
use super::naming::Naming;
use super::palette::Palette;
use super::saved::Saving;
use super::what_if::WhatIf;
use crate::app::{Approval, SaveRequest};

/// Something on top.
#[derive(Debug, Clone)]
pub enum Layer {
    /// What the keys do.
    Help(Box<Help>),
    /// Every action by its name.
    Palette(Box<Palette>),
    /// The waits, those that run and those that ended.
    Waits {
        /// The one under the cursor.
        cursor: Id,
    },
    /// A server to be added.
    Add(Box<Adding>),
    /// A wait to be saved.
    Save(Box<Saving>),
    /// A name for a saved file, or a place for its copy.
    Naming(Box<Naming>),
    /// What is to be copied: the next key says it.
    Copy,
    /// Another condition, asked of the wait on the Watch; it takes the place of what the Watch says
    /// of that wait.
    WhatIf(Box<WhatIf>),
    /// A server's log, or the protocol's trace; it takes the place of what lies below.
    Journal(Box<JournalPane>),
    /// What a server asks of the operator.
    Asking(Box<Asking>),
    /// Something that needs a yes.
    Question(Question),
    /// A whole call was pasted where arguments are typed.
    Offer(Box<Offer>),
}

impl Layer {
    /// What if, where this is it.
    #[must_use]
    pub fn what_if(&self) -> Option<&WhatIf> {
        match self {
            Self::WhatIf(what_if) => Some(what_if),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn what_if_mut(&mut self) -> Option<&mut WhatIf> {
        match self {
            Self::WhatIf(what_if) => Some(what_if),
            _ => None,
        }
    }
}

/// A whole call that was pasted where arguments are typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The paste as it was.
    pub text: String,
    /// The call in it, not yet checked.
    pub call: Map<String, Value>,
    /// How many budgets may follow one another.
    pub rounds: u32,
    /// Where it stood, if it was inside a larger text.
    pub found_at: Option<String>,
}

impl Offer {
    /// What it is, in a few paragraphs.
    #[must_use]
    pub fn paragraphs(&self) -> Vec<String> {
        let text = |object: &str, key: &str| {
            let value = self.call.get(object).and_then(|object| object.get(key));
            value.and_then(Value::as_str).map(str::to_owned)
        };
        let tool = text("probe", "tool").unwrap_or_default();
        let of = text("probe", "server").map(|server| format!(" of {server}"));
        let until = self.call.get("until").map(ToString::to_string);
        let found = self.found_at.iter();
        let found = found.map(|at| format!("It was found at {at}."));
        let mut told = vec![
            format!("It calls {tool}{}.", of.unwrap_or_default()),
            format!("until {}", until.unwrap_or_default()),
        ];
        told.extend(found);
        told
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// To leave although a wait runs.
    Quit,
    /// To suspend although a wait runs.
    Suspend,
    /// To trust a server.
    Approve {
        /// Its name.
        server: String,
        /// What it would do.
        approval: Approval,
    },
    /// To write over a file.
    Overwrite {
        /// The file.
        path: PathBuf,
        /// Whether it is the one that was read, changed by somebody else since.
        changed: bool,
        /// What is to be saved.
        request: Box<SaveRequest>,
    },
    /// To call a tool that says that it destroys, or that may.
    Destructive {
        /// Whose tool.
        server: String,
        /// Its name.
        tool: String,
        /// Whether the server says so; else it hasn't listed the tool, and nobody knows.
        known: bool,
        /// What was wanted.
        intent: Intent,
    },
}

impl Question {
    /// The title of the question.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Quit => "Quit?",
            Self::Suspend => "Suspend?",
            Self::Approve { .. } => "Trust this server?",
            Self::Overwrite { .. } => "Write over it?",
            Self::Destructive { .. } => "Call it again and again?",
        }
    }

    /// What a yes means while so many waits are `running`, in a few paragraphs.
    #[must_use]
    pub fn paragraphs(&self, running: usize) -> Vec<String> {
        match self {
            Self::Quit if running > 1 => {
                vec![format!(
                    "{running} waits are running. They end as cancelled."
                )]
            }
            Self::Quit => vec!["A wait is running. It ends as cancelled.".to_owned()],
            Self::Suspend if running > 1 => {
                vec![format!(
                    "{running} waits are running. Their budgets run on while stakeout is suspended."
                )]
            }
            Self::Suspend => {
                vec![
                    "A wait is running. Its budget runs on while stakeout is suspended.".to_owned(),
                ]
            }
            Self::Approve { server, approval } => vec![
                format!("{server} is configured in {}.", approval.origin),
                "It would use:".to_owned(),
                approval.would_run.clone(),
                "The answer is remembered until the entry changes.".to_owned(),
            ],
            Self::Overwrite { path, changed, .. } => {
                let path = path.display();
                vec![
                    if *changed {
                        format!("{path} was changed by another program since it was read.")
                    } else {
                        format!("{path} exists already.")
                    },
                    "What is in it now is lost then.".to_owned(),
                ]
            }
            Self::Destructive {
                server,
                tool,
                known,
                ..
            } => vec![
                if *known {
                    format!(
                        "{tool} of {server} says that it may destroy something (destructiveHint)."
                    )
                } else {
                    format!("{server} has not listed {tool}, so it may destroy something.")
                },
                "A wait calls it with every sample. This is asked once.".to_owned(),
            ],
        }
    }
}
