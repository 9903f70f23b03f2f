//! POST, GET and DELETE.

use std::sync::Arc;

use axum::{
    http::{HeaderName, HeaderValue, StatusCode, header, request::Parts},
    response::Response,
};

use super::{
    answers::{self, Received},
    initialize, lock,
    log::{Resumable, STANDALONE, read_event_id},
    requests,
    session::Session,
    sessions::{self, NoSession},
};
use crate::{
    caller::Principal,
    error::{INVALID_PARAMS, RpcError},
    handler::Handler,
    http::{LAST_EVENT, REVISION, SESSION, answer, refusal},
    jsonrpc::{self, Message, Params, RequestId},
    server::Inner,
    storage::Place,
};

fn text<'a>(head: &'a Parts, name: &HeaderName) -> Option<&'a str> {
    head.headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// One message of a client.
pub(crate) async fn post<H: Handler>(
    inner: &Arc<Inner<H>>,
    head: &Parts,
    message: Message,
    principal: Principal,
) -> Response {
    if let Message::Request { id, method, params } = &message
        && method == "initialize"
    {
        return begin(inner, id, params, principal).await;
    }
    let session = match session(inner, head, principal).await {
        Ok(session) => session,
        Err((status, error)) => {
            let id = match &message {
                Message::Request { id, .. } => Some(id),
                _ => None,
            };
            return answer::error(status, id, &RpcError::new(crate::INVALID_REQUEST, error));
        }
    };
    match message {
        Message::Request { id, method, params } => {
            requests::answer(inner, &session, id, method, params).await
        }
        Message::Notification { method, params } => {
            if method == "notifications/cancelled" {
                requests::cancel(&session, &params).await;
            }
            answer::empty(StatusCode::ACCEPTED)
        }
        Message::Response { id, outcome } => {
            match answers::receive(inner, &session, &id, outcome).await {
                Received::Accepted => answer::empty(StatusCode::ACCEPTED),
                Received::Malformed(message) => {
                    let error = RpcError::new(INVALID_PARAMS, message);
                    answer::error(StatusCode::BAD_REQUEST, Some(&id), &error)
                }
                Received::Failed => {
                    let status = StatusCode::INTERNAL_SERVER_ERROR;
                    answer::error(status, Some(&id), &RpcError::internal())
                }
            }
        }
    }
}

/// A new session. One that the client names is left alone, whatever it is.
async fn begin<H: Handler>(
    inner: &Arc<Inner<H>>,
    id: &RequestId,
    params: &Params,
    principal: Principal,
) -> Response {
    let Some(asked) = params.get("protocolVersion").and_then(|version| version.as_str()) else {
        let error = RpcError::invalid_params("`protocolVersion` is missing");
        return answer::error(StatusCode::OK, Some(id), &error);
    };
    let revision = initialize::agree(asked);
    let mut client = params.clone();
    client.retain(|key, _| key == "capabilities" || key == "clientInfo");
    match sessions::create(inner, principal, revision, client.into()).await {
        Ok(session) => {
            let result = initialize::result(revision, &inner.handler.describe());
            let mut response = answer::json(StatusCode::OK, &jsonrpc::answer(id, Ok(result)));
            if let Ok(value) = HeaderValue::from_str(&session.id) {
                response.headers_mut().insert(SESSION, value);
            }
            response
        }
        Err(NoSession::Full) => {
            let message = "too many sessions are in use; end one with DELETE";
            busy(Some(id), message)
        }
        Err(NoSession::Failed) => answer::error(StatusCode::OK, Some(id), &RpcError::internal()),
    }
}

/// Too much at a time.
pub(super) fn busy(id: Option<&RequestId>, message: &str) -> Response {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let error = RpcError::new(i64::from(status.as_u16()), message);
    let mut response = answer::error(status, id, &error);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

/// The session that a request names.
async fn session<H: Handler>(
    inner: &Arc<Inner<H>>,
    head: &Parts,
    principal: Principal,
) -> Result<Arc<Session>, (StatusCode, &'static str)> {
    // Any revision that is served will do: some clients name another than was agreed on.
    if text(head, &REVISION).is_some_and(|named| !initialize::REVISIONS.contains(&named)) {
        return Err((StatusCode::BAD_REQUEST, "`MCP-Protocol-Version` names no served revision"));
    }
    let Some(id) = text(head, &SESSION) else {
        return Err((
            StatusCode::BAD_REQUEST,
            "`Mcp-Session-Id` is missing; begin with initialize",
        ));
    };
    match sessions::find(inner, id, principal).await {
        Ok(Some(session)) => Ok(session),
        Ok(None) => Err((StatusCode::NOT_FOUND, "session not found; begin again with initialize")),
        Err(error) => {
            tracing::error!(%error, "a session was not loaded");
            Err((StatusCode::INTERNAL_SERVER_ERROR, "the server failed; try again"))
        }
    }
}

/// The session's own stream, or any stream from the event after which it was cut.
pub(crate) async fn get<H: Handler>(
    inner: &Arc<Inner<H>>,
    head: &Parts,
    principal: Principal,
) -> Response {
    let session = match session(inner, head, principal).await {
        Ok(session) => session,
        Err((status, message)) => return refusal(status, message),
    };
    let from = match text(head, &LAST_EVENT) {
        None => {
            let newest = lock(&session.log).newest();
            Place { stream: STANDALONE, seq: newest }
        }
        Some(id) => {
            let place = read_event_id(id);
            let resumable =
                place.map_or(Resumable::No, |p| lock(&session.log).resumable(p, session.now()));
            match (place, resumable) {
                (Some(place), Resumable::Yes) => place,
                // Whoever has read everything need not come back.
                (Some(_), Resumable::Complete) => return answer::empty(StatusCode::NO_CONTENT),
                _ => {
                    let message = "`Last-Event-ID` names no event that can be gone on from";
                    return refusal(StatusCode::BAD_REQUEST, message);
                }
            }
        }
    };
    answer::stream(session.attach(from).await.into_stream())
}

/// The end of a session.
pub(crate) async fn delete<H: Handler>(
    inner: &Arc<Inner<H>>,
    head: &Parts,
    principal: Principal,
) -> Response {
    let session = match session(inner, head, principal).await {
        Ok(session) => session,
        Err((status, message)) => return refusal(status, message),
    };
    match sessions::end(inner, &session.id).await {
        Ok(()) => answer::empty(StatusCode::NO_CONTENT),
        Err(error) => {
            tracing::error!(%error, "a session was not removed");
            refusal(StatusCode::INTERNAL_SERVER_ERROR, "the server failed; try again")
        }
    }
}
