use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use super::{EventRecord, PendingRecord, SessionRecord, Storage, StorageError, StoredSession};
use crate::clock::Timestamp;

/// Keeps everything in memory, for as long as it lives.
#[derive(Debug, Default)]
pub struct MemoryStorage(Mutex<BTreeMap<String, Kept>>);

#[derive(Debug)]
struct Kept {
    record: SessionRecord,
    pending: BTreeMap<String, PendingRecord>,
    events: BTreeMap<u64, EventRecord>,
}

impl MemoryStorage {
    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Storage for MemoryStorage {
    async fn save_session(&self, session: &SessionRecord) -> Result<(), StorageError> {
        let mut kept = self.kept();
        match kept.get_mut(&session.id) {
            Some(known) => known.record = session.clone(),
            None => {
                let new = Kept {
                    record: session.clone(),
                    pending: BTreeMap::new(),
                    events: BTreeMap::new(),
                };
                kept.insert(session.id.clone(), new);
            }
        }
        Ok(())
    }

    async fn load_session(&self, id: &str) -> Result<Option<StoredSession>, StorageError> {
        Ok(self.kept().get(id).map(|kept| StoredSession {
            record: kept.record.clone(),
            pending: kept.pending.values().cloned().collect(),
            events: kept.events.values().cloned().collect(),
        }))
    }

    async fn sessions_of(&self, principal: &str) -> Result<Vec<(String, Timestamp)>, StorageError> {
        let mut found: Vec<_> = self
            .kept()
            .values()
            .filter(|kept| kept.record.principal == principal)
            .map(|kept| (kept.record.id.clone(), kept.record.touched))
            .collect();
        found.sort_by_key(|(_, touched)| *touched);
        Ok(found)
    }

    async fn idle_sessions(&self, before: Timestamp) -> Result<Vec<String>, StorageError> {
        let kept = self.kept();
        let idle = kept.values().filter(|kept| kept.record.touched < before);
        Ok(idle.map(|kept| kept.record.id.clone()).collect())
    }

    async fn remove_session(&self, id: &str) -> Result<(), StorageError> {
        self.kept().remove(id);
        Ok(())
    }

    async fn save_pending(
        &self,
        session: &str,
        request: &PendingRecord,
    ) -> Result<(), StorageError> {
        let mut kept = self.kept();
        let session = kept.get_mut(session).ok_or(StorageError)?;
        session.pending.insert(request.id.clone(), request.clone());
        Ok(())
    }

    async fn remove_pending(&self, session: &str, id: &str) -> Result<(), StorageError> {
        if let Some(session) = self.kept().get_mut(session) {
            session.pending.remove(id);
        }
        Ok(())
    }

    async fn append_event(&self, session: &str, event: &EventRecord) -> Result<(), StorageError> {
        let mut kept = self.kept();
        let session = kept.get_mut(session).ok_or(StorageError)?;
        session.events.insert(event.place.seq, event.clone());
        Ok(())
    }

    async fn remove_events(&self, session: &str, seqs: &[u64]) -> Result<(), StorageError> {
        if let Some(session) = self.kept().get_mut(session) {
            for seq in seqs {
                session.events.remove(seq);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
