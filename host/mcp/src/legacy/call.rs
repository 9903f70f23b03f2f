//! The answer to one request: one JSON object if nothing was said before it, else a stream.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::{Mutex, watch};

use super::{
    log::{Opening, Payload, Wait},
    session::Session,
};
use crate::{
    error::RpcError,
    jsonrpc::{self, RequestId},
};

#[derive(Debug, Default)]
struct State {
    stream: Option<u64>,
    answer: Option<Answer>,
}

/// How a call ended.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// With this message.
    Said(Value),
    /// Without one: the client cancelled.
    Silent,
}

/// What the request's own connection is to do.
pub(crate) enum Way {
    Json(Value),
    Nothing,
    Stream(u64),
}

pub(crate) struct Call {
    session: Arc<Session>,
    request: RequestId,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

impl Call {
    pub(crate) fn new(session: Arc<Session>, request: RequestId) -> Self {
        Self { session, request, state: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// A call of an earlier process, whose answer had become a stream.
    pub(crate) fn resumed(session: Arc<Session>, request: RequestId, stream: u64) -> Self {
        let state = Mutex::new(State { stream: Some(stream), answer: None });
        Self { session, request, state, changed: watch::Sender::new(()) }
    }

    pub(crate) fn request(&self) -> &RequestId {
        &self.request
    }

    /// Makes the answer a stream, if it is not one and nothing was answered. The stream.
    pub(crate) async fn open(&self, wait: Option<Wait>) -> Option<u64> {
        let mut state = self.state.lock().await;
        if state.stream.is_some() || state.answer.is_some() {
            return state.stream;
        }
        let opening = Opening { request: self.request.clone(), wait };
        let writing = self.session.writing.lock().await;
        let opened = self.session.append(None, Payload::Opened(opening), false).await;
        drop(writing);
        match opened {
            Ok(place) => {
                state.stream = Some(place.stream);
                self.changed.send_replace(());
                state.stream
            }
            Err(error) => {
                tracing::error!(%error, "a stream was not opened");
                None
            }
        }
    }

    /// Says something before the answer. Nothing is said after it.
    pub(crate) async fn say(&self, message: &Value, passing: bool) {
        let Some(stream) = self.open(None).await else { return };
        let state = self.state.lock().await;
        if state.answer.is_none()
            && let Err(error) = self.session.say(stream, message, false, passing).await
        {
            tracing::error!(%error, "a message of a call was not sent");
        }
    }

    /// Answers, if nothing was answered before.
    pub(crate) async fn finish(&self, outcome: Result<Value, RpcError>) {
        self.end(Answer::Said(jsonrpc::answer(&self.request, outcome))).await;
    }

    /// Ends the call without an answer.
    pub(crate) async fn abandon(&self) {
        self.end(Answer::Silent).await;
    }

    /// Ends the call here only. What is stored of it stays open, for another process to go on with.
    pub(crate) async fn let_go(&self) {
        self.state.lock().await.answer.get_or_insert(Answer::Silent);
        self.changed.send_replace(());
    }

    async fn end(&self, answer: Answer) {
        if self.session.stopped() {
            return self.let_go().await;
        }
        let mut state = self.state.lock().await;
        if state.answer.is_some() {
            return;
        }
        if let Some(stream) = state.stream {
            let payload = match &answer {
                Answer::Said(message) => Payload::Message { text: message.to_string(), last: true },
                Answer::Silent => Payload::Closed,
            };
            let writing = self.session.writing.lock().await;
            let said = self.session.append(Some(stream), payload, false).await;
            drop(writing);
            if let Err(error) = said {
                tracing::error!(%error, "the answer of a call was not sent");
                self.session.left(stream, None);
            }
        }
        state.answer = Some(answer);
        self.changed.send_replace(());
    }

    /// Waits until it is clear how the request's connection goes on. With a limit, the answer
    /// becomes a stream when the time is over.
    pub(crate) async fn way(&self, limit: Option<std::time::Duration>) -> Way {
        let mut changed = self.changed.subscribe();
        if let Some(limit) = limit {
            // The future that waited is gone before the lock is asked for again: left half-way, it
            // could be the one whose turn it is, and never take it.
            let waited = tokio::time::timeout(limit, self.until_decided(&mut changed)).await;
            if let Ok(way) = waited {
                return way;
            }
            self.open(None).await;
        }
        self.until_decided(&mut changed).await
    }

    async fn until_decided(&self, changed: &mut watch::Receiver<()>) -> Way {
        loop {
            if let Some(way) = self.decided().await {
                return way;
            }
            if changed.changed().await.is_err() {
                return Way::Nothing;
            }
        }
    }

    async fn decided(&self) -> Option<Way> {
        let state = self.state.lock().await;
        match (&state.stream, &state.answer) {
            (Some(stream), _) => Some(Way::Stream(*stream)),
            (None, Some(Answer::Said(message))) => Some(Way::Json(message.clone())),
            (None, Some(Answer::Silent)) => Some(Way::Nothing),
            (None, None) => None,
        }
    }
}
