//! What a server asks of the operator while it works on a call.
//!
//! Owns the question, its answer, and the way between them. Must not know how an operator is asked.
//! Where nobody can be asked, it is declined at once, with the reason; a call never hangs on it.

use rmcp::model::{ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

use super::cause;

/// What a server asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Elicitation {
    /// Which server, as the operator knows it.
    pub server: String,
    /// Its words, at most 8 KiB.
    pub message: String,
    /// What it wants.
    pub wanted: Wanted,
}

/// What a server wants of the operator.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// An object that fits a JSON Schema, whose properties are primitive.
    Form {
        /// The schema.
        schema: Value,
    },
    /// That the operator goes to an address, by themselves: it is never opened for them.
    Visit {
        /// The address.
        url: String,
    },
}

/// What the operator says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Yes, with what was asked for; without fields where an address was to be visited.
    Accept(Map<String, Value>),
    /// No.
    Decline,
    /// Neither: the question was put away.
    Cancel,
}

/// A question that waits for its answer. Dropping it puts the question away.
#[derive(Debug)]
pub struct Asked {
    /// The question.
    pub elicitation: Elicitation,
    reply: oneshot::Sender<Reply>,
}

/// Where questions go.
pub type Questions = mpsc::UnboundedSender<Asked>;

impl Asked {
    /// Answers it.
    pub fn answer(self, reply: Reply) {
        // The server may have stopped waiting at this very moment.
        let _ = self.reply.send(reply);
    }

    /// Waits until nobody wants the answer any more: what the server was working on is over.
    pub async fn withdrawn(&mut self) {
        self.reply.closed().await;
    }
}

impl Elicitation {
    /// The question in the parameters of an `elicitation/create`.
    pub(super) fn read(server: &str, params: &Value) -> Self {
        let text = |key: &str| params.get(key).and_then(Value::as_str).unwrap_or_default();
        let wanted = match text("mode") {
            "url" => Wanted::Visit {
                url: text("url").to_owned(),
            },
            _ => Wanted::Form {
                schema: params
                    .get("requestedSchema")
                    .cloned()
                    .unwrap_or_else(|| json!({"type": "object"})),
            },
        };
        Self {
            server: server.to_owned(),
            message: cause::cut(text("message")),
            wanted,
        }
    }

    /// What is told beside the sample, where it is declined.
    pub(super) fn declined(&self) -> String {
        format!(
            "the server asked “{}”: nobody can be asked, so it was declined",
            self.message
        )
    }

    /// Asks the operator, and waits for the answer. Dropping the future withdraws the question.
    /// `None` where nobody can be asked.
    pub(super) async fn ask(self, questions: Option<&Questions>) -> Option<Reply> {
        let (reply, answered) = oneshot::channel();
        let asked = Asked {
            elicitation: self,
            reply,
        };
        questions?.send(asked).ok()?;
        Some(answered.await.unwrap_or(Reply::Cancel))
    }
}

impl Reply {
    /// As the protocol has it.
    pub(super) fn to_result(&self) -> ElicitResult {
        match self {
            Self::Accept(content) => ElicitResult::new(ElicitationAction::Accept)
                .with_content(Value::Object(content.clone())),
            Self::Decline => ElicitResult::new(ElicitationAction::Decline),
            Self::Cancel => ElicitResult::new(ElicitationAction::Cancel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_modes_are_read() {
        let form = json!({"message": "sure?", "requestedSchema": {"type": "object", "x": 1}});
        let read = Elicitation::read("ci", &form);
        assert_eq!(
            (read.server.as_str(), read.message.as_str()),
            ("ci", "sure?")
        );
        let schema = json!({"type": "object", "x": 1});
        assert_eq!(read.wanted, Wanted::Form { schema });
        let visit = json!({"mode": "url", "message": "log in", "url": "https://a.example"});
        let url = "https://a.example".to_owned();
        assert_eq!(
            Elicitation::read("ci", &visit).wanted,
            Wanted::Visit { url }
        );
    }

    #[tokio::test]
    async fn e1_a_question_that_nobody_answers_is_put_away() {
        let (questions, mut asked) = mpsc::unbounded_channel();
        let elicitation = Elicitation::read("ci", &json!({"message": "sure?"}));
        assert_eq!(elicitation.clone().ask(None).await, None);
        let drop_it = async { drop(asked.recv().await) };
        let (reply, ()) = tokio::join!(elicitation.clone().ask(Some(&questions)), drop_it);
        assert_eq!(reply, Some(Reply::Cancel));
        let mut withdrawn = {
            let asking = elicitation.ask(Some(&questions));
            tokio::select! {
                biased;
                _ = asking => None,
                question = asked.recv() => question,
            }
        };
        if let Some(question) = &mut withdrawn {
            question.withdrawn().await;
        }
        assert!(withdrawn.is_some());
    }
}
