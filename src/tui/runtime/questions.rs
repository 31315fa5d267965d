//! What servers ask, on its way to the screen, and the answers on their way back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::spawn_blocking;

use super::super::asking::Said;
use super::super::message::Msg;
use crate::app::{self, Servers};
use crate::mcp::{Asked, Reply};

/// The questions that wait for an answer, by number. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Open(Arc<Mutex<HashMap<u64, oneshot::Sender<Reply>>>>);

impl Open {
    /// Tells what servers ask from now on, as long as somebody listens.
    pub(super) fn listen(servers: &Servers, tell: mpsc::UnboundedSender<Msg>) -> Self {
        let open = Self::default();
        let (mut asked, own) = (servers.take_questions(), open.clone());
        tokio::spawn(async move {
            let mut number = 0;
            while let Some(question) = asked.recv().await {
                number += 1;
                tokio::spawn(own.clone().ask(number, question, tell.clone()));
            }
        });
        open
    }

    /// Tells a question, and sees it answered or withdrawn.
    async fn ask(self, number: u64, mut question: Asked, tell: mpsc::UnboundedSender<Msg>) {
        let (reply, replied) = oneshot::channel();
        self.lock().insert(number, reply);
        let elicitation = question.elicitation.clone();
        let _ = tell.send(Msg::Asked {
            number,
            elicitation: Box::new(elicitation),
        });
        tokio::select! {
            biased;
            reply = replied => question.answer(reply.unwrap_or(Reply::Cancel)),
            () = question.withdrawn() => {
                self.lock().remove(&number);
                let _ = tell.send(Msg::Withdrawn { number });
            }
        }
    }

    /// Sends an answer, if what is written fits what was asked for.
    pub(super) fn answer(
        &self,
        number: u64,
        said: Said,
        text: String,
        schema: Option<Value>,
        tell: mpsc::UnboundedSender<Msg>,
    ) {
        let open = self.clone();
        spawn_blocking(move || {
            let reply = match (said, schema) {
                (Said::Accept, Some(schema)) => app::answer(&text, &schema).map(Reply::Accept),
                (Said::Accept, None) => Ok(Reply::Accept(serde_json::Map::new())),
                (Said::Decline, _) => Ok(Reply::Decline),
                (Said::Cancel, _) => Ok(Reply::Cancel),
            };
            let result = reply.map(|reply| {
                if let Some(waiting) = open.lock().remove(&number) {
                    let _ = waiting.send(reply);
                }
            });
            let _ = tell.send(Msg::Answered { number, result });
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, oneshot::Sender<Reply>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
