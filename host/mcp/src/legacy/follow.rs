//! A session follows the tasks that it has created or waited for, to their end: it is told of
//! their status, of their progress under the token of the call that created them, and is asked
//! what they ask.

use std::sync::Arc;

use futures::StreamExt as _;

use super::{
    answers, lock,
    log::STANDALONE,
    progress::{self, Rising},
    session::Session,
    wire,
};
use crate::{
    error::RpcError,
    handler::Handler,
    jsonrpc::{self, RequestId},
    model::{Look, Task},
    server::Inner,
};

/// Follows a task from now on, over restarts.
pub(super) async fn begin<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    task: &str,
    token: Option<RequestId>,
) -> Result<(), RpcError> {
    let (known, full) = {
        let following = &lock(&session.record).following;
        (following.contains_key(task), following.len() >= inner.config.max_following)
    };
    if full && !known {
        tracing::warn!(session = session.id.get(..8), "a session follows too many tasks");
        return Ok(());
    }
    if !known || token.is_some() {
        let stored = session.update(|record| {
            record.following.insert(task.to_owned(), token.clone());
        });
        stored.await.map_err(|_| RpcError::internal())?;
        if let Some(before) = lock(&session.followers).remove(task) {
            before.abort();
        }
    }
    start(inner, session, task, token);
    Ok(())
}

/// Follows a task that is stored as followed, unless that is done already.
pub(super) fn start<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    task: &str,
    token: Option<RequestId>,
) {
    let mut followers = lock(&session.followers);
    if followers.get(task).is_some_and(|follower| !follower.is_finished()) {
        return;
    }
    let work = {
        let (inner, session, task) = (Arc::clone(inner), Arc::clone(session), task.to_owned());
        async move {
            follow(&inner, &session, &task, token).await;
            answers::withdraw(&session, &task, &[]).await;
            let stored = session.update(|record| {
                record.following.remove(&task);
            });
            if let Err(error) = stored.await {
                tracing::warn!(%error, "the end of a task was not stored in its session");
            }
            lock(&session.followers).remove(&task);
        }
    };
    followers.insert(task.to_owned(), tokio::spawn(work).abort_handle());
}

async fn follow<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    id: &str,
    token: Option<RequestId>,
) {
    let caller = session.caller(String::new());
    let Ok(mut changes) = inner.handler.watch_task(&caller, id, Look::Glance).await else {
        return;
    };
    let rising = Rising::default();
    // What the answer that created the task said.
    let mut told = "working";
    while let Some(task) = changes.next().await {
        let over = task.state.outcome().is_some();
        answers::withdraw(session, id, &task.inputs).await;
        if !over {
            answers::ask(session, id, &task.inputs).await;
            if let Some(token) = &token {
                tell_progress(session, &task, token, &rising).await;
            }
        }
        let status = wire::status(&task);
        if status != std::mem::replace(&mut told, status)
            && session.has_tasks()
            && lock(&session.log).was_attached(STANDALONE)
        {
            let message = jsonrpc::notification("notifications/tasks/status", wire::task(&task));
            if let Err(error) = session.say(STANDALONE, &message, false, false).await {
                tracing::warn!(%error, "a task's status was not sent");
            }
        }
        if over {
            return;
        }
    }
}

/// Progress goes where the task's questions go; where nobody reads it is not kept.
async fn tell_progress(session: &Session, task: &Task, token: &RequestId, rising: &Rising) {
    let Some(progress) = &task.progress else { return };
    let Some(stream) = lock(&session.routing).choose(&task.id) else { return };
    if rising.passes(progress.progress) {
        let params = progress::params(token, progress, Some(&task.id));
        let message = jsonrpc::notification("notifications/progress", params);
        if let Err(error) = session.say(stream, &message, false, true).await {
            tracing::warn!(%error, "progress was not sent");
        }
    }
}
