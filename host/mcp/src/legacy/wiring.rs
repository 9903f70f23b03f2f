//! A running call's way to its client.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use super::{
    answers,
    call::Call,
    follow, lock,
    progress::{self, Rising},
    session::Session,
    wire,
};
use crate::{
    context::{AskError, LogLevel, Wire},
    handler::Handler,
    jsonrpc::{self, RequestId},
    model::{ClientRequest, InputRequest, Progress},
    server::Inner,
};

/// How long a request of the server waits for the connection that is to carry it.
const ATTACHING: std::time::Duration = std::time::Duration::from_secs(1);

pub(super) struct SessionWire<H> {
    inner: Arc<Inner<H>>,
    session: Arc<Session>,
    call: Arc<Call>,
    token: Option<RequestId>,
    rising: Rising,
    cancelled: watch::Receiver<bool>,
}

impl<H: Handler> SessionWire<H> {
    pub(super) fn new(
        inner: &Arc<Inner<H>>,
        session: &Arc<Session>,
        call: &Arc<Call>,
        token: Option<RequestId>,
        cancelled: watch::Receiver<bool>,
    ) -> Self {
        Self {
            inner: Arc::clone(inner),
            session: Arc::clone(session),
            call: Arc::clone(call),
            token,
            rising: Rising::default(),
            cancelled,
        }
    }

    /// Sends a request and waits for what the client says.
    async fn question(&self, method: &str, params: &Value) -> Result<Value, AskError> {
        let id = self.session.environment.ids.token().ok_or(AskError::Gone)?;
        let (answer, answered) = oneshot::channel();
        {
            let mut questions = lock(&self.session.questions);
            if questions.len() >= self.session.config.max_pending {
                return Err(AskError::Gone);
            }
            questions.insert(id.clone(), answer);
        }
        let _forget = Forget { session: &self.session, id: &id };
        self.call.say(&jsonrpc::request(&id, method, params), false).await;
        let mut cancelled = self.cancelled.clone();
        tokio::select! {
            answer = answered => match answer {
                Ok(Ok(result)) => Ok(result),
                Ok(Err(error)) => Err(AskError::Refused(error)),
                Err(_) => Err(AskError::Gone),
            },
            _ = cancelled.wait_for(|cancelled| *cancelled) => Err(AskError::Gone),
        }
    }
}

/// Forgets a question whose call does not wait any more.
struct Forget<'a> {
    session: &'a Session,
    id: &'a str,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        lock(&self.session.questions).remove(self.id);
    }
}

#[async_trait]
impl<H: Handler> Wire for SessionWire<H> {
    async fn progress(&self, progress: Progress) {
        let Some(token) = &self.token else { return };
        if self.rising.passes(progress.progress) {
            let params = progress::params(token, &progress, None);
            self.call.say(&jsonrpc::notification("notifications/progress", params), true).await;
        }
    }

    async fn log(&self, level: LogLevel, logger: Option<&str>, data: Value) {
        if !self.inner.handler.describe().capabilities.logging {
            return;
        }
        let wanted = lock(&self.session.record).log_level;
        if wanted.is_some_and(|wanted| level < wanted) {
            return;
        }
        let mut params = json!({ "level": level, "data": data });
        if let Some(logger) = logger {
            wire::put(&mut params, "logger", json!(logger));
        }
        self.call.say(&jsonrpc::notification("notifications/message", params), true).await;
    }

    async fn offer_input(&self, task: &str, input: InputRequest) {
        if !self.session.client().elicitation_form {
            return;
        }
        let Some(stream) = self.call.open(None).await else { return };
        self.session.serve(stream, task).await;
        let mut news = lock(&self.session.log).listen(stream);
        let attached = async {
            while !lock(&self.session.log).attached(stream) && news.changed().await.is_ok() {}
        };
        // Without a connection the request waits for any other, as usual.
        let _ = tokio::time::timeout(ATTACHING, attached).await;
        answers::ask(&self.session, task, &[input]).await;
        if let Err(error) = follow::begin(&self.inner, &self.session, task, None).await {
            tracing::warn!(%error, "a task is not followed");
        }
    }

    async fn ask(&self, _key: &str, request: ClientRequest) -> Result<Value, AskError> {
        let client = self.session.client();
        match request {
            ClientRequest::Elicit(kind) if client.elicitation_form => {
                self.question("elicitation/create", &wire::elicitation(&kind, None)).await
            }
            ClientRequest::Sample(params) if client.sampling => {
                self.question("sampling/createMessage", &params).await
            }
            ClientRequest::Elicit(_) | ClientRequest::Sample(_) => Err(AskError::Unsupported),
        }
    }

    async fn release(&self) {
        if let Some(stream) = self.call.open(None).await {
            // Whoever is to come back must have an event to come back with.
            let mut news = lock(&self.session.log).listen(stream);
            let attached = async {
                while !lock(&self.session.log).attached(stream) && news.changed().await.is_ok() {}
            };
            let _ = tokio::time::timeout(ATTACHING, attached).await;
            self.session.left(stream, None);
        }
    }
}
