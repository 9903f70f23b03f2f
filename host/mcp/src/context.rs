//! What a running call can say to its client.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::watch;

use crate::{
    error::RpcError,
    model::{ClientRequest, InputRequest, Progress},
};

/// How much a log message matters, as syslog has it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// For developers.
    Debug,
    /// All is well.
    Info,
    /// Normal, but worth a look.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// Much went wrong.
    Critical,
    /// Somebody must act.
    Alert,
    /// Nothing works.
    Emergency,
}

/// A codec's way to the client of one call.
#[async_trait]
pub(crate) trait Wire: Send + Sync {
    async fn progress(&self, progress: Progress);
    async fn log(&self, level: LogLevel, logger: Option<&str>, data: Value);
    async fn offer_input(&self, task: &str, input: InputRequest);
    async fn ask(&self, key: &str, request: ClientRequest) -> Result<Value, AskError>;
    async fn release(&self);
}

/// Why a client did not answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AskError {
    /// It has never said that it can.
    #[error("the client cannot be asked this")]
    Unsupported,
    /// It answered with an error.
    #[error(transparent)]
    Refused(RpcError),
    /// It will not answer any more.
    #[error("the client has gone")]
    Gone,
}

/// What a running call can say to its client. Everything said belongs to this call, and nothing
/// said is waited for: a slow client holds up nothing.
#[derive(Clone)]
pub struct Context {
    wire: Arc<dyn Wire>,
    cancelled: watch::Receiver<bool>,
}

impl Context {
    pub(crate) fn new(wire: Arc<dyn Wire>, cancelled: watch::Receiver<bool>) -> Self {
        Self { wire, cancelled }
    }

    /// Tells how far the call is, if the client wants to know. What does not rise is left out.
    pub async fn progress(&self, progress: Progress) {
        self.wire.progress(progress).await;
    }

    /// Says something for the client's log.
    pub async fn log(&self, level: LogLevel, logger: Option<&str>, data: Value) {
        self.wire.log(level, logger, data).await;
    }

    /// Puts an input request of a task to the person, on this call's own way to the client, if the
    /// client can show it and does not show it already. The answer goes to
    /// [`Handler::answer_input`](crate::Handler::answer_input), whenever it comes.
    pub async fn offer_input(&self, task: &str, input: InputRequest) {
        self.wire.offer_input(task, input).await;
    }

    /// Asks the client and waits for its answer: the result of the elicitation or of the sampling.
    /// The key names the question within the call.
    ///
    /// # Errors
    ///
    /// [`AskError`] if the client cannot be asked, will not answer, or has gone.
    pub async fn ask(&self, key: &str, request: ClientRequest) -> Result<Value, AskError> {
        self.wire.ask(key, request).await
    }

    /// Closes the connection of this call, where the client can come back for the rest.
    pub async fn release(&self) {
        self.wire.release().await;
    }

    /// Waits until the client has cancelled the call. What is returned afterwards is not sent.
    pub async fn cancelled(&self) {
        let mut cancelled = self.cancelled.clone();
        if cancelled.wait_for(|cancelled| *cancelled).await.is_err() {
            // The call has ended; nobody can cancel it any more.
            std::future::pending::<()>().await;
        }
    }
}
