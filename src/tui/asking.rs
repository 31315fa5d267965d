//! What a server asks of the operator, and the answer while it is written.
//!
//! Owns both. Must not know how an answer is checked or sent.

use std::time::Duration;

use serde_json::Value;

use super::field::Field;
use crate::app;
use crate::mcp::{Elicitation, Wanted};

/// For so long a question that has just come takes no answer: the key was meant for what lay below.
const TOO_SOON: Duration = Duration::from_millis(500);

/// What is said to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Yes, with what is written.
    Accept,
    /// No.
    Decline,
    /// Neither.
    Cancel,
}

/// A server's question.
#[derive(Debug, Clone)]
pub struct Asking {
    /// Which question it is of this session.
    pub number: u64,
    /// The question.
    pub elicitation: Elicitation,
    /// The answer as JSON, where fields are asked for.
    pub answer: Option<Field>,
    /// Whether the answer is typed in.
    pub typing: bool,
    /// Whether it was sent, and is being checked.
    pub sent: bool,
    /// Why it can't be sent.
    pub problem: Option<String>,
    came: Duration,
}

impl Asking {
    /// A question that came at `now`, on the loop's clock.
    #[must_use]
    pub fn new(number: u64, elicitation: Elicitation, now: Duration) -> Self {
        let answer = match &elicitation.wanted {
            Wanted::Form { schema } if has_fields(schema) => {
                let skeleton = app::form::skeleton(schema);
                let text = serde_json::to_string_pretty(&skeleton).unwrap_or_default();
                Some(Field::lines(&text))
            }
            _ => None,
        };
        Self {
            number,
            elicitation,
            answer,
            typing: false,
            sent: false,
            problem: None,
            came: now,
        }
    }

    /// Whether it takes an answer by `now`.
    #[must_use]
    pub fn takes_an_answer(&self, now: Duration) -> bool {
        !self.sent && now >= self.came + TOO_SOON
    }

    /// The schema of the answer, where fields are asked for.
    #[must_use]
    pub fn schema(&self) -> Option<&Value> {
        match &self.elicitation.wanted {
            Wanted::Form { schema } => Some(schema),
            Wanted::Visit { .. } => None,
        }
    }
}

fn has_fields(schema: &Value) -> bool {
    let fields = schema.get("properties").and_then(Value::as_object);
    fields.is_some_and(|fields| !fields.is_empty())
}
