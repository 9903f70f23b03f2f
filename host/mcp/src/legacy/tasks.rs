//! `tasks/get`, `tasks/cancel` and the held `tasks/result`.

use std::sync::Arc;

use futures::StreamExt as _;
use serde_json::Value;

use super::{
    answers,
    call::Call,
    follow,
    log::Wait,
    progress::{self, Rising},
    session::Session,
    wire,
};
use crate::{
    caller::Caller,
    error::RpcError,
    handler::Handler,
    jsonrpc,
    model::{CancelError, Look, Outcome, Task, TaskError},
    server::Inner,
};

fn unknown() -> RpcError {
    RpcError::invalid_params("task not found")
}

fn task_error(error: TaskError) -> RpcError {
    match error {
        TaskError::Unknown => unknown(),
        TaskError::Other(error) => error,
    }
}

/// `tasks/get`.
pub(super) async fn get<H: Handler>(
    inner: &Inner<H>,
    caller: &Caller,
    id: &str,
) -> Result<Value, RpcError> {
    let task = inner.handler.get_task(caller, id, Look::Glance).await.map_err(task_error)?;
    Ok(wire::task(&task))
}

/// `tasks/cancel`.
pub(super) async fn cancel<H: Handler>(
    inner: &Inner<H>,
    caller: &Caller,
    id: &str,
) -> Result<Value, RpcError> {
    match inner.handler.cancel_task(caller, id).await {
        Ok(task) => Ok(wire::task(&task)),
        Err(CancelError::Unknown) => Err(unknown()),
        Err(CancelError::Finished(task)) => {
            let status = wire::status(&task);
            Err(RpcError::invalid_params(format!("the task has ended already: it is {status}")))
        }
        Err(CancelError::Other(error)) => Err(error),
    }
}

/// `tasks/result`: waits for the end of a task, and meanwhile carries what it asks.
pub(super) async fn result<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    call: &Arc<Call>,
    caller: &Caller,
    wait: Wait,
) -> Result<Value, RpcError> {
    let id = wait.task.clone();
    let watched = inner.handler.watch_task(caller, &id, Look::Attend).await;
    let mut changes = watched.map_err(task_error)?;
    let mut begun = false;
    let rising = Rising::default();
    while let Some(task) = changes.next().await {
        if let Some(outcome) = task.state.outcome() {
            // Whoever still looks at a question hears first that it is settled.
            answers::withdraw(session, &id, &[]).await;
            return ended(&task.id, outcome);
        }
        if !std::mem::replace(&mut begun, true) {
            call.open(Some(wait.clone())).await;
            follow::begin(inner, session, &id, None).await?;
        }
        if let (Some(token), Some(progress)) = (&wait.token, &task.progress)
            && rising.passes(progress.progress)
        {
            let params = progress::params(token, progress, Some(&id));
            call.say(&jsonrpc::notification("notifications/progress", params), true).await;
        }
    }
    // Forgotten before it ended, or ended while nobody looked.
    let task = inner.handler.get_task(caller, &id, Look::Glance).await.map_err(task_error)?;
    ended_or_lost(&task)
}

fn ended_or_lost(task: &Task) -> Result<Value, RpcError> {
    match task.state.outcome() {
        Some(outcome) => ended(&task.id, outcome),
        None => {
            tracing::error!(task = task.id, "a task was not watched to its end");
            Err(RpcError::internal())
        }
    }
}

/// What the call would have been answered without a task.
fn ended(id: &str, outcome: &Outcome) -> Result<Value, RpcError> {
    match outcome {
        Outcome::Result(result) | Outcome::Cancelled(result) => {
            Ok(wire::tool_result(result, Some(id)))
        }
        Outcome::Error(error) => Err(error.clone()),
    }
}
