//! Sessions of the protocol, kept in the store.

use std::sync::Arc;

use async_trait::async_trait;
use mcp::Timestamp;
use mcp::storage::{
    EventRecord, PendingRecord, Place, SessionRecord, Storage, StorageError, StoredSession,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{Event, Millis, Pending, Session, Store};

/// The store as the protocol layer wants it.
pub(crate) struct KeptSessions(pub(crate) Arc<dyn Store>);

/// The cause is for the operator; the protocol layer only has to know that it failed.
fn failed(error: impl std::fmt::Display) -> StorageError {
    tracing::error!("a session could not be kept: {error}");
    StorageError
}

fn written(record: &impl Serialize) -> Result<Value, StorageError> {
    serde_json::to_value(record).map_err(failed)
}

fn read<T: DeserializeOwned>(data: Value) -> Result<T, StorageError> {
    serde_json::from_value(data).map_err(failed)
}

fn event(event: Event) -> EventRecord {
    let place = Place { stream: event.stream, seq: event.number };
    EventRecord { place, at: Timestamp(event.at.0), payload: event.payload }
}

#[async_trait]
impl Storage for KeptSessions {
    async fn save_session(&self, session: &SessionRecord) -> Result<(), StorageError> {
        let session = Session {
            id: session.id.clone(),
            principal: session.principal.clone(),
            data: written(session)?,
            created: Millis(session.created.0),
            touched: Millis(session.touched.0),
        };
        self.0.save_session(session).await.map_err(failed)
    }

    async fn load_session(&self, id: &str) -> Result<Option<StoredSession>, StorageError> {
        let Some(stored) = self.0.load_session(id).await.map_err(failed)? else { return Ok(None) };
        let mut record: SessionRecord = read(stored.session.data)?;
        record.touched = Timestamp(stored.session.touched.0);
        let pending = stored.pending.into_iter().map(|pending| read(pending.data));
        Ok(Some(StoredSession {
            record,
            pending: pending.collect::<Result<_, _>>()?,
            events: stored.events.into_iter().map(event).collect(),
        }))
    }

    async fn sessions_of(&self, principal: &str) -> Result<Vec<(String, Timestamp)>, StorageError> {
        let sessions = self.0.sessions_of(principal).await.map_err(failed)?;
        Ok(sessions.into_iter().map(|(id, touched)| (id, Timestamp(touched.0))).collect())
    }

    async fn idle_sessions(&self, before: Timestamp) -> Result<Vec<String>, StorageError> {
        self.0.idle_sessions(Millis(before.0)).await.map_err(failed)
    }

    async fn remove_session(&self, id: &str) -> Result<(), StorageError> {
        self.0.remove_session(id).await.map_err(failed)?;
        Ok(())
    }

    async fn save_pending(
        &self,
        session: &str,
        request: &PendingRecord,
    ) -> Result<(), StorageError> {
        let pending = Pending {
            session: session.to_owned(),
            id: request.id.clone(),
            topic: request.task.clone(),
            data: written(request)?,
        };
        self.0.save_pending(pending).await.map_err(failed)
    }

    async fn remove_pending(&self, session: &str, id: &str) -> Result<(), StorageError> {
        self.0.remove_pending(session, id).await.map_err(failed)?;
        Ok(())
    }

    async fn append_event(&self, session: &str, event: &EventRecord) -> Result<(), StorageError> {
        let event = Event {
            number: event.place.seq,
            stream: event.place.stream,
            at: Millis(event.at.0),
            payload: event.payload.clone(),
        };
        self.0.append_events(session, vec![event]).await.map_err(failed)
    }

    async fn remove_events(&self, session: &str, seqs: &[u64]) -> Result<(), StorageError> {
        self.0.remove_events(session, seqs.to_vec()).await.map_err(failed)
    }
}

#[cfg(test)]
mod tests;
