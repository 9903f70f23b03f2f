//! Requests of the server and what clients answer.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{lock, routing::Event, session::Session, wire};
use crate::{
    error::RpcError,
    handler::Handler,
    jsonrpc::{self, RequestId},
    model::{InputAnswer, InputRequest, TaskError},
    server::Inner,
    storage::PendingRecord,
};

/// Asks the client what a task asks, as far as it is not asked already. The requests are stored
/// before they are sent.
pub(super) async fn ask(session: &Session, task: &str, inputs: &[InputRequest]) {
    if inputs.is_empty() || !session.client().elicitation_form {
        return;
    }
    let _writing = session.writing.lock().await;
    for input in inputs {
        let order = {
            let pending = lock(&session.pending);
            if pending.values().any(|known| known.task == task && known.key == input.key) {
                continue;
            }
            if pending.len() >= session.config.max_pending {
                tracing::warn!(session = session.id.get(..8), "too many requests are pending");
                return;
            }
            lock(&session.log).number(session.now())
        };
        let Some(id) = session.environment.ids.token() else { return };
        let params = wire::elicitation(&input.kind, Some(task));
        let record = PendingRecord {
            message: jsonrpc::request(&id, "elicitation/create", &params),
            id,
            order,
            task: task.to_owned(),
            key: input.key.clone(),
            place: None,
            answered: false,
        };
        if let Err(error) = session.storage.save_pending(&session.id, &record).await {
            tracing::error!(%error, "a request was not stored");
            return;
        }
        lock(&session.pending).insert(order, record);
        session.route(Event::Asked { request: order, task: task.to_owned() }).await;
    }
}

/// Takes back the requests of a task that it does not ask any more.
pub(super) async fn withdraw(session: &Session, task: &str, asked: &[InputRequest]) {
    let gone = |known: &PendingRecord| {
        known.task == task && !asked.iter().any(|input| input.key == known.key)
    };
    if !lock(&session.pending).values().any(gone) {
        return;
    }
    let _writing = session.writing.lock().await;
    let gone: Vec<_> = lock(&session.pending)
        .values()
        .filter(|known| gone(known))
        .map(|known| (known.order, known.id.clone()))
        .collect();
    for (request, id) in gone {
        session.route(Event::Withdrawn { request }).await;
        lock(&session.pending).remove(&request);
        if let Err(error) = session.storage.remove_pending(&session.id, &id).await {
            tracing::warn!(%error, "a request was not removed");
        }
    }
}

/// What became of a client's response.
pub(super) enum Received {
    /// It was taken, or there was nothing to take it.
    Accepted,
    /// It is no answer to what was asked; the request stays open.
    Malformed(&'static str),
    /// The server failed; the request stays open.
    Failed,
}

/// A client's response. The first answer to a request counts; others change nothing.
pub(super) async fn receive<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    id: &RequestId,
    outcome: Result<Value, RpcError>,
) -> Received {
    let RequestId::Text(id) = id else { return Received::Accepted };
    let question = lock(&session.questions).remove(id);
    if let Some(question) = question {
        // The call may have ended; then nobody wants to know.
        let _ = question.send(outcome);
        return Received::Accepted;
    }
    let record = lock(&session.pending).values().find(|known| &known.id == id).cloned();
    let Some(record) = record.filter(|record| !record.answered) else { return Received::Accepted };
    let Some(answer) = read(outcome) else {
        return Received::Malformed("the result of an elicitation has no known `action`");
    };
    if matches!(answer, InputAnswer::Unable(_))
        && let Err(error) = session.update(|record| record.cannot_elicit = true).await
    {
        tracing::warn!(%error, "that a client cannot be asked was not stored");
    }
    // Marked before the product hears of it, so that nobody takes back what was just answered; but
    // stored afterwards, so that no crash loses an answer.
    let request = record.order;
    if !mark(session, request, true).await {
        return Received::Accepted;
    }
    let caller = session.caller(id.clone());
    match inner.handler.answer_input(&caller, &record.task, &record.key, answer).await {
        Ok(()) => {}
        Err(TaskError::Unknown) => tracing::debug!(task = record.task, "an answer came too late"),
        Err(TaskError::Other(error)) => {
            tracing::error!(%error, task = record.task, "an answer was not taken");
            mark(session, request, false).await;
            return Received::Failed;
        }
    }
    let record = lock(&session.pending).get(&request).cloned();
    if let Some(record) = record
        && let Err(error) = session.storage.save_pending(&session.id, &record).await
    {
        tracing::warn!(%error, "that a request was answered was not stored");
    }
    Received::Accepted
}

/// Marks a request as answered or not. Says whether that was a change.
async fn mark(session: &Session, request: u64, answered: bool) -> bool {
    let _writing = session.writing.lock().await;
    let event = {
        let mut pending = lock(&session.pending);
        let Some(known) = pending.get_mut(&request) else { return false };
        if std::mem::replace(&mut known.answered, answered) == answered {
            return false;
        }
        if answered {
            Event::Answered { request }
        } else {
            let on = known.place.map(|place| place.stream);
            Event::Restored { request, task: known.task.clone(), on, answered }
        }
    };
    session.route(event).await;
    true
}

/// Reads the answer to an elicitation; `None` if it is none.
fn read(outcome: Result<Value, RpcError>) -> Option<InputAnswer> {
    let result = match outcome {
        Ok(result) => result,
        Err(error) => return Some(InputAnswer::Unable(error)),
    };
    match result.get("action")?.as_str()? {
        "accept" => {
            Some(InputAnswer::Accept(result.get("content").cloned().unwrap_or_else(|| json!({}))))
        }
        "decline" => Some(InputAnswer::Decline),
        "cancel" => Some(InputAnswer::Cancel),
        _ => None,
    }
}
