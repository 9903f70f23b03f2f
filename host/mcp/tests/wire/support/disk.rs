use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use mcp::{
    MemoryStorage, Storage, Timestamp,
    storage::{EventRecord, PendingRecord, SessionRecord, StorageError, StoredSession},
};

/// A storage that can be full.
#[derive(Default)]
pub(crate) struct Disk {
    kept: MemoryStorage,
    full: AtomicBool,
}

impl Disk {
    pub(crate) fn fill(&self, full: bool) {
        self.full.store(full, Ordering::SeqCst);
    }

    fn room(&self) -> Result<&MemoryStorage, StorageError> {
        if self.full.load(Ordering::SeqCst) { Err(StorageError) } else { Ok(&self.kept) }
    }
}

#[async_trait]
impl Storage for Disk {
    async fn save_session(&self, session: &SessionRecord) -> Result<(), StorageError> {
        self.room()?.save_session(session).await
    }

    async fn load_session(&self, id: &str) -> Result<Option<StoredSession>, StorageError> {
        self.kept.load_session(id).await
    }

    async fn sessions_of(&self, principal: &str) -> Result<Vec<(String, Timestamp)>, StorageError> {
        self.kept.sessions_of(principal).await
    }

    async fn idle_sessions(&self, before: Timestamp) -> Result<Vec<String>, StorageError> {
        self.kept.idle_sessions(before).await
    }

    async fn remove_session(&self, id: &str) -> Result<(), StorageError> {
        self.room()?.remove_session(id).await
    }

    async fn save_pending(
        &self,
        session: &str,
        request: &PendingRecord,
    ) -> Result<(), StorageError> {
        self.room()?.save_pending(session, request).await
    }

    async fn remove_pending(&self, session: &str, id: &str) -> Result<(), StorageError> {
        self.room()?.remove_pending(session, id).await
    }

    async fn append_event(&self, session: &str, event: &EventRecord) -> Result<(), StorageError> {
        self.room()?.append_event(session, event).await
    }

    async fn remove_events(&self, session: &str, seqs: &[u64]) -> Result<(), StorageError> {
        self.room()?.remove_events(session, seqs).await
    }
}
