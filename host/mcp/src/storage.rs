//! What must survive a restart, behind a trait. It is written before it is sent.

#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod memory;

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use memory::MemoryStorage;

use crate::{clock::Timestamp, context::LogLevel, jsonrpc::RequestId};

/// A client's session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Its id, which nobody can guess.
    pub id: String,
    /// Whose it is ([`Principal::key`](crate::Principal)).
    pub principal: String,
    /// When it began.
    pub created: Timestamp,
    /// When it was last used, to the minute or so.
    pub touched: Timestamp,
    /// The revision that was agreed on.
    pub revision: String,
    /// What the client said in `initialize`: its name and capabilities.
    pub client: Value,
    /// Addresses of resources that it wants to hear of.
    pub subscriptions: BTreeSet<String>,
    /// Tasks that it follows, and with which progress token.
    pub following: BTreeMap<String, Option<RequestId>>,
    /// From which level on it wants log messages.
    pub log_level: Option<LogLevel>,
    /// It answered an elicitation with an error, so it is not asked again.
    pub cannot_elicit: bool,
}

/// A request of the server that is waiting for the client's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PendingRecord {
    /// Its JSON-RPC id, unique for ever.
    pub id: String,
    /// The order in which requests were made.
    pub order: u64,
    /// The task that asks.
    pub task: String,
    /// What it asks.
    pub key: String,
    /// The method and parameters.
    pub message: Value,
    /// The stream that carries it and its place there, once it was sent.
    pub place: Option<Place>,
    /// It was answered; kept so that it is not asked again while the task still shows it.
    pub answered: bool,
}

/// Where in the log something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The stream.
    pub stream: u64,
    /// The event, unique in the session and rising.
    pub seq: u64,
}

/// An event of a session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its place.
    pub place: Place,
    /// When it was written.
    pub at: Timestamp,
    /// What it is; only this crate reads it.
    pub payload: String,
}

/// Everything of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSession {
    /// The session.
    pub record: SessionRecord,
    /// Its pending requests.
    pub pending: Vec<PendingRecord>,
    /// Its log, in order.
    pub events: Vec<EventRecord>,
}

/// Why something could not be stored. The cause belongs in the storage's own log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the storage failed")]
pub struct StorageError;

/// Keeps sessions, pending requests and events. Every operation is atomic, and durable when it
/// returns.
#[async_trait]
pub trait Storage: Send + Sync + 'static {
    /// Adds a session, or replaces what is known of it.
    async fn save_session(&self, session: &SessionRecord) -> Result<(), StorageError>;

    /// Everything of a session.
    async fn load_session(&self, id: &str) -> Result<Option<StoredSession>, StorageError>;

    /// The sessions of a principal, longest unused first, and when each was last used.
    async fn sessions_of(&self, principal: &str) -> Result<Vec<(String, Timestamp)>, StorageError>;

    /// Sessions that were last used before a moment.
    async fn idle_sessions(&self, before: Timestamp) -> Result<Vec<String>, StorageError>;

    /// Removes a session with its requests and events. Removing what is not there is no error.
    async fn remove_session(&self, id: &str) -> Result<(), StorageError>;

    /// Adds a pending request, or replaces what is known of it.
    async fn save_pending(
        &self,
        session: &str,
        request: &PendingRecord,
    ) -> Result<(), StorageError>;

    /// Removes a pending request.
    async fn remove_pending(&self, session: &str, id: &str) -> Result<(), StorageError>;

    /// Adds an event to the end of a session's log.
    async fn append_event(&self, session: &str, event: &EventRecord) -> Result<(), StorageError>;

    /// Removes events of a session by their numbers.
    async fn remove_events(&self, session: &str, seqs: &[u64]) -> Result<(), StorageError>;
}
