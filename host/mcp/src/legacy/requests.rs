//! Requests from their arrival to their answer. A client that goes away ends nothing.

use std::sync::Arc;

use axum::{http::StatusCode, response::Response};
use serde_json::Value;
use tokio::sync::watch;

use super::{
    call::{Call, Way},
    lock,
    log::{Opening, Wait},
    methods,
    session::{Running, Session},
    tasks,
    transport::busy,
};
use crate::{
    error::{INTERNAL_ERROR, INVALID_REQUEST, RpcError},
    handler::Handler,
    http::{answer, stopping},
    jsonrpc::{Params, RequestId},
    server::Inner,
    storage::Place,
};

/// Answers a request.
pub(super) async fn answer<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    id: RequestId,
    method: String,
    params: Params,
) -> Response {
    let call = Arc::new(Call::new(Arc::clone(session), id.clone()));
    let cancel = match register(session, &call, method == "tasks/result") {
        Ok(cancel) => cancel,
        Err(Refused::Twice) => {
            let error = RpcError::new(INVALID_REQUEST, "a request with this id is being answered");
            return answer::error(StatusCode::BAD_REQUEST, Some(&id), &error);
        }
        Err(Refused::Busy) => return busy(Some(&id), "too many calls are running in this session"),
    };
    // Only these may take long or say something before their answer.
    let limit = matches!(method.as_str(), "tools/call" | "tasks/result")
        .then_some(inner.config.answer_grace);
    let work = {
        let (inner, session, call) = (Arc::clone(inner), Arc::clone(session), Arc::clone(&call));
        async move { methods::call(&inner, &session, &call, &method, params, cancel).await }
    };
    start(session, &call, work);
    match call.way(limit).await {
        Way::Json(message) => answer::json(StatusCode::OK, &message),
        Way::Nothing if inner.sessions.closed() => stopping(),
        Way::Nothing => answer::empty(StatusCode::ACCEPTED),
        Way::Stream(stream) => {
            answer::stream(session.attach(Place { stream, seq: stream }).await.into_stream())
        }
    }
}

enum Refused {
    Twice,
    Busy,
}

/// Waits have a limit of their own: some clients begin one whenever they poll, and each lasts as
/// long as its task.
fn register(
    session: &Session,
    call: &Arc<Call>,
    waits: bool,
) -> Result<watch::Receiver<bool>, Refused> {
    let mut running = lock(&session.running);
    if running.contains_key(call.request()) {
        return Err(Refused::Twice);
    }
    let limit = if waits { session.config.max_waits } else { session.config.max_calls };
    if running.values().filter(|other| other.waits == waits).count() >= limit {
        return Err(Refused::Busy);
    }
    let (cancel, cancelled) = watch::channel(false);
    let entry = Running { call: Arc::clone(call), cancel, work: None, waits };
    running.insert(call.request().clone(), entry);
    Ok(cancelled)
}

/// Runs the work of a call to its end, whatever becomes of its connection.
fn start(
    session: &Arc<Session>,
    call: &Arc<Call>,
    work: impl Future<Output = Result<Value, RpcError>> + Send + 'static,
) {
    let work = tokio::spawn(work);
    if let Some(running) = lock(&session.running).get_mut(call.request()) {
        running.work = Some(work.abort_handle());
    }
    let (session, call) = (Arc::clone(session), Arc::clone(call));
    tokio::spawn(async move {
        match work.await {
            Ok(outcome) => {
                if let Err(RpcError { code: INTERNAL_ERROR, message, .. }) = &outcome {
                    tracing::error!(request = %call.request(), message, "a request failed");
                }
                call.finish(outcome).await;
            }
            // The session or the server has stopped.
            Err(ended) if ended.is_cancelled() => call.let_go().await,
            Err(panicked) => {
                tracing::error!(%panicked, "a handler panicked");
                call.finish(Err(RpcError::internal())).await;
            }
        }
        let mut running = lock(&session.running);
        if running.get(call.request()).is_some_and(|known| Arc::ptr_eq(&known.call, &call)) {
            running.remove(call.request());
        }
    });
}

/// `notifications/cancelled`: the client does not want the answer any more. What is unknown or has
/// ended is no error. A task goes on; only the wait for it ends.
pub(super) async fn cancel(session: &Session, params: &Params) {
    let Some(id) = params.get("requestId").and_then(RequestId::read) else { return };
    let call = lock(&session.running).get(&id).map(|running| {
        running.cancel.send_replace(true);
        Arc::clone(&running.call)
    });
    if let Some(call) = call {
        call.abandon().await;
    }
}

/// Goes on with a stream that an earlier process left open. A wait for a task is begun again;
/// anything else has died with that process, and its client is told so.
pub(super) async fn resume<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    stream: u64,
    opening: Opening,
) {
    let call = Arc::new(Call::resumed(Arc::clone(session), opening.request, stream));
    match opening.wait {
        Some(wait) if register(session, &call, true).is_ok() => {
            let work = {
                let (inner, session, call) =
                    (Arc::clone(inner), Arc::clone(session), Arc::clone(&call));
                async move { wait_again(&inner, &session, &call, wait).await }
            };
            start(session, &call, work);
        }
        _ => {
            let message = "the server was started anew while this was running; call again";
            call.finish(Err(RpcError::new(INTERNAL_ERROR, message))).await;
        }
    }
}

async fn wait_again<H: Handler>(
    inner: &Arc<Inner<H>>,
    session: &Arc<Session>,
    call: &Arc<Call>,
    wait: Wait,
) -> Result<Value, RpcError> {
    let caller = session.caller(call.request().to_string());
    tasks::result(inner, session, call, &caller, wait).await
}
