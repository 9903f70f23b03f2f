//! All sessions: those in memory, and those that only the storage knows.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::{Value, json};
use tokio::{sync::Mutex as AsyncMutex, time::Instant};

use super::{follow, lock, log::STANDALONE, requests, session::Session};
use crate::{
    caller::Principal,
    handler::Handler,
    jsonrpc,
    notifier::Notice,
    server::Inner,
    storage::{SessionRecord, StorageError, StoredSession},
};

/// The sessions that are in memory.
#[derive(Default)]
pub(crate) struct Sessions {
    known: Mutex<HashMap<String, Arc<Session>>>,
    /// Held while a session comes or goes, so that none is there twice.
    changing: AsyncMutex<()>,
    closed: AtomicBool,
}

impl Sessions {
    pub(crate) fn closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Ends all streams and calls.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        for session in self.all() {
            session.stop();
        }
    }

    fn all(&self) -> Vec<Arc<Session>> {
        lock(&self.known).values().cloned().collect()
    }
}

/// Why there is no new session.
pub(crate) enum NoSession {
    /// All that the principal may have are in use.
    Full,
    /// The server failed.
    Failed,
}

impl From<StorageError> for NoSession {
    fn from(error: StorageError) -> Self {
        tracing::error!(%error, "a session was not stored");
        Self::Failed
    }
}

/// Begins a session. It is stored before anybody hears of it.
pub(crate) async fn create<H: Handler>(
    inner: &Arc<Inner<H>>,
    principal: Principal,
    revision: &str,
    client: Value,
) -> Result<Arc<Session>, NoSession> {
    make_room(inner, &principal).await?;
    let now = inner.environment.clock.now();
    let id = inner.environment.ids.token().ok_or(NoSession::Failed)?;
    let record = SessionRecord {
        id: id.clone(),
        principal: principal.key.clone(),
        created: now,
        touched: now,
        revision: revision.to_owned(),
        client,
        subscriptions: BTreeSet::new(),
        following: Default::default(),
        log_level: None,
        cannot_elicit: false,
    };
    inner.storage.save_session(&record).await?;
    let stored = StoredSession { record, pending: Vec::new(), events: Vec::new() };
    let session = Arc::new(restored(inner, stored, principal).0);
    lock(&inner.sessions.known).insert(id, Arc::clone(&session));
    Ok(session)
}

fn restored<H: Handler>(
    inner: &Inner<H>,
    stored: StoredSession,
    principal: Principal,
) -> (Session, Vec<(u64, super::log::Opening)>) {
    let (config, environment) = (Arc::clone(&inner.config), inner.environment.clone());
    Session::restore(stored, principal, config, environment, Arc::clone(&inner.storage))
}

/// Ends the longest unused session of a principal that has as many as it may.
async fn make_room<H: Handler>(
    inner: &Arc<Inner<H>>,
    principal: &Principal,
) -> Result<(), NoSession> {
    let theirs = inner.storage.sessions_of(&principal.key).await?;
    let Some(surplus) = (theirs.len() + 1).checked_sub(inner.config.max_sessions.max(1)) else {
        return Ok(());
    };
    let mut ended = 0;
    for (id, _) in theirs {
        if ended == surplus {
            break;
        }
        let in_use = lock(&inner.sessions.known).get(&id).is_some_and(|s| s.in_use());
        if !in_use {
            end(inner, &id).await?;
            ended += 1;
        }
    }
    if ended < surplus { Err(NoSession::Full) } else { Ok(()) }
}

/// Finds a session of a principal. Somebody else's is not found.
pub(crate) async fn find<H: Handler>(
    inner: &Arc<Inner<H>>,
    id: &str,
    principal: Principal,
) -> Result<Option<Arc<Session>>, StorageError> {
    let known = lock(&inner.sessions.known).get(id).cloned();
    let session = match known {
        Some(session) => session,
        None => {
            let _changing = inner.sessions.changing.lock().await;
            let known = lock(&inner.sessions.known).get(id).cloned();
            match known {
                Some(session) => session,
                None => match load(inner, id, &principal).await? {
                    Some(session) => session,
                    None => return Ok(None),
                },
            }
        }
    };
    if lock(&session.principal).key != principal.key {
        return Ok(None);
    }
    *lock(&session.principal) = principal;
    session.touch().await;
    Ok(Some(session))
}

/// Takes up a session that an earlier process left: follows its tasks again, and goes on with the
/// waits that it held.
async fn load<H: Handler>(
    inner: &Arc<Inner<H>>,
    id: &str,
    principal: &Principal,
) -> Result<Option<Arc<Session>>, StorageError> {
    let Some(stored) = inner.storage.load_session(id).await? else { return Ok(None) };
    let idle = stored.record.touched.after(inner.config.session_idle);
    if stored.record.principal != principal.key || idle < inner.environment.clock.now() {
        return Ok(None);
    }
    let following = stored.record.following.clone();
    let (session, open) = restored(inner, stored, principal.clone());
    let session = Arc::new(session);
    lock(&inner.sessions.known).insert(id.to_owned(), Arc::clone(&session));
    for (task, token) in following {
        follow::start(inner, &session, &task, token);
    }
    for (stream, opening) in open {
        requests::resume(inner, &session, stream, opening).await;
    }
    Ok(Some(session))
}

/// Ends a session and forgets it.
pub(crate) async fn end<H: Handler>(inner: &Arc<Inner<H>>, id: &str) -> Result<(), StorageError> {
    let _changing = inner.sessions.changing.lock().await;
    let known = lock(&inner.sessions.known).remove(id);
    if let Some(session) = &known {
        session.stop();
    }
    // Whatever is being written of it is written before it is removed, and nothing after.
    let _writing = match &known {
        Some(session) => Some(session.writing.lock().await),
        None => None,
    };
    inner.storage.remove_session(id).await
}

/// Looks for what has expired.
pub(crate) async fn sweep<H: Handler>(inner: &Arc<Inner<H>>) {
    let now = inner.environment.clock.now();
    for session in inner.sessions.all() {
        if session.in_use() {
            session.touch().await;
        }
        let stalled = Instant::now().checked_sub(inner.config.stalled_reader);
        let stalled = stalled.map(|since| lock(&session.log).stalled(since)).unwrap_or_default();
        for stream in stalled {
            session.left(stream, None);
        }
        let _writing = session.writing.lock().await;
        let old = lock(&session.log).forget(now.before(inner.config.log_age));
        if !old.is_empty()
            && let Err(error) = inner.storage.remove_events(&session.id, &old).await
        {
            tracing::warn!(%error, "old events were not removed");
        }
    }
    let idle = inner.storage.idle_sessions(now.before(inner.config.session_idle)).await;
    for id in idle.unwrap_or_default() {
        let in_use = lock(&inner.sessions.known).get(&id).is_some_and(|s| s.in_use());
        if !in_use && let Err(error) = end(inner, &id).await {
            tracing::warn!(%error, "an idle session was not removed");
        }
    }
}

/// Tells sessions what changed: those that may see it, and of a resource only its subscribers.
pub(crate) async fn tell<H: Handler>(inner: &Arc<Inner<H>>, notices: &BTreeSet<Notice>) {
    for session in inner.sessions.all() {
        if !lock(&session.log).was_attached(STANDALONE) {
            continue;
        }
        let principal = lock(&session.principal).clone();
        for notice in notices {
            let message = match notice {
                Notice::ResourceUpdated { uri, scope } => {
                    let subscribed = lock(&session.record).subscriptions.contains(uri);
                    if !subscribed || !inner.handler.sees(&principal, scope) {
                        continue;
                    }
                    let params = json!({ "uri": uri });
                    jsonrpc::notification("notifications/resources/updated", params)
                }
                Notice::ResourcesChanged { scope } => {
                    if !inner.handler.sees(&principal, scope) {
                        continue;
                    }
                    jsonrpc::notification("notifications/resources/list_changed", json!({}))
                }
                Notice::ToolsChanged => {
                    jsonrpc::notification("notifications/tools/list_changed", json!({}))
                }
            };
            if let Err(error) = session.say(STANDALONE, &message, false, false).await {
                tracing::warn!(%error, "a notice was not sent");
            }
        }
    }
}
