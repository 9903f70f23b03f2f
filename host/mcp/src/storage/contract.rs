//! What every storage must do, as one check for all of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{EventRecord, PendingRecord, Place, SessionRecord, Storage, StorageError};
use crate::{clock::Timestamp, context::LogLevel, jsonrpc::RequestId};

/// What a storage did not do.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// An operation failed that should not have.
    #[error(transparent)]
    Failed(#[from] StorageError),
    /// Something is not as it should be.
    #[error("{0}")]
    Promise(&'static str),
}

fn holds(promise: &'static str, held: bool) -> Result<(), Broken> {
    if held { Ok(()) } else { Err(Broken::Promise(promise)) }
}

fn session(id: &str, principal: &str, touched: u64) -> SessionRecord {
    SessionRecord {
        id: id.to_owned(),
        principal: principal.to_owned(),
        created: Timestamp(1),
        touched: Timestamp(touched),
        revision: "2025-11-25".to_owned(),
        client: json!({ "capabilities": { "elicitation": {} } }),
        subscriptions: BTreeSet::from(["test://\u{e9}\u{1f600}".to_owned()]),
        following: BTreeMap::from([
            ("one".to_owned(), Some(RequestId::Number(7.into()))),
            ("two".to_owned(), Some(RequestId::Text("7".to_owned()))),
            ("three".to_owned(), None),
        ]),
        log_level: Some(LogLevel::Warning),
        cannot_elicit: false,
    }
}

fn pending(id: &str, order: u64) -> PendingRecord {
    PendingRecord {
        id: id.to_owned(),
        order,
        task: "task".to_owned(),
        key: "key".to_owned(),
        message: json!({ "id": id, "params": {} }),
        place: None,
        answered: false,
    }
}

fn event(stream: u64, seq: u64, payload: &str) -> EventRecord {
    EventRecord { place: Place { stream, seq }, at: Timestamp(seq), payload: payload.to_owned() }
}

/// Checks an empty storage, and leaves it empty.
///
/// # Errors
///
/// The first promise that it does not keep.
pub async fn check(storage: &dyn Storage) -> Result<(), Broken> {
    sessions(storage).await?;
    requests(storage).await?;
    events(storage).await?;
    storage.remove_session("b").await?;
    storage.remove_session("b").await?;
    holds("what was removed is gone", storage.load_session("b").await?.is_none())
}

async fn sessions(storage: &dyn Storage) -> Result<(), Broken> {
    holds("an unknown session is none", storage.load_session("a").await?.is_none())?;
    for (id, principal, touched) in [("a", "p", 30), ("b", "p", 10), ("c", "q", 20)] {
        storage.save_session(&session(id, principal, touched)).await?;
    }
    let loaded = storage.load_session("a").await?.map(|stored| stored.record);
    holds("a session comes back as it was", loaded == Some(session("a", "p", 30)))?;
    let theirs = storage.sessions_of("p").await?;
    let expected = [("b".to_owned(), Timestamp(10)), ("a".to_owned(), Timestamp(30))];
    holds("a principal's sessions, longest unused first", theirs == expected)?;
    let mut idle = storage.idle_sessions(Timestamp(30)).await?;
    idle.sort();
    holds("those before the moment, and no other", idle == ["b", "c"])?;
    let mut changed = session("b", "p", 40);
    changed.cannot_elicit = true;
    storage.save_session(&changed).await?;
    let loaded = storage.load_session("b").await?.map(|stored| stored.record);
    holds("a session is replaced", loaded == Some(changed))?;
    storage.remove_session("a").await?;
    storage.remove_session("c").await?;
    holds("removed from its principal", storage.sessions_of("q").await?.is_empty())
}

async fn requests(storage: &dyn Storage) -> Result<(), Broken> {
    let unknown = storage.save_pending("unknown", &pending("x", 1)).await;
    holds("a request belongs to a session", unknown.is_err())?;
    storage.save_pending("b", &pending("one", 1)).await?;
    storage.save_pending("b", &pending("two", 2)).await?;
    let mut sent = pending("one", 1);
    sent.place = Some(Place { stream: 5, seq: 6 });
    sent.answered = true;
    storage.save_pending("b", &sent).await?;
    storage.save_session(&session("b", "p", 50)).await?;
    storage.remove_pending("b", "two").await?;
    storage.remove_pending("b", "two").await?;
    let stored = storage.load_session("b").await?.map(|stored| stored.pending);
    holds(
        "requests are replaced, removed, and outlast their session's changes",
        stored == Some(vec![sent]),
    )
}

async fn events(storage: &dyn Storage) -> Result<(), Broken> {
    let unknown = storage.append_event("unknown", &event(1, 1, "")).await;
    holds("an event belongs to a session", unknown.is_err())?;
    let big = u64::from(u32::MAX).saturating_mul(1000);
    let written = [event(0, 3, "a\"\n\u{1f600}"), event(2, 4, "b"), event(0, big, "c")];
    for event in &written {
        storage.append_event("b", event).await?;
    }
    let stored = storage.load_session("b").await?.map(|stored| stored.events);
    holds("events come back in order", stored.as_deref() == Some(&written))?;
    storage.remove_events("b", &[4, 99]).await?;
    storage.remove_events("b", &[]).await?;
    let [first, _, last] = written;
    let stored = storage.load_session("b").await?.map(|stored| stored.events);
    holds("only the named events are removed", stored == Some(vec![first, last]))?;
    storage.remove_session("b").await?;
    storage.save_session(&session("b", "p", 60)).await?;
    let stored = storage.load_session("b").await?;
    let empty = stored.is_some_and(|s| s.events.is_empty() && s.pending.is_empty());
    holds("nothing of a removed session is left to its successor", empty)
}
