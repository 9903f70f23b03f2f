//! The endpoint: what every request must pass, whatever revision it speaks.

pub(crate) mod answer;
mod body;
pub(crate) mod checks;
pub(crate) mod sse;

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
};

use crate::{
    caller::{Challenge, Principal},
    error::{INVALID_REQUEST, RpcError},
    handler::Handler,
    jsonrpc::{self, Malformed, Message},
    legacy,
    server::Inner,
};

/// The header with the session's id.
pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the revision.
pub(crate) const REVISION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The header with the event after which a stream is to go on.
pub(crate) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

const METHODS: &str = "POST, GET, DELETE, OPTIONS";

pub(crate) async fn endpoint<H: Handler>(
    State(inner): State<Arc<Inner<H>>>,
    request: Request,
) -> Response {
    let (head, body) = request.into_parts();
    if !checks::host_allowed(&inner.config.hosts, &head.headers, &head.uri) {
        return refusal(StatusCode::FORBIDDEN, "this host name is not served here");
    }
    if !checks::origin_allowed(&inner.config.origins, &head.headers) {
        return refusal(StatusCode::FORBIDDEN, "requests from this origin are not served");
    }
    let origin = head.headers.get(header::ORIGIN).cloned();
    let mut response = if head.method == Method::OPTIONS {
        answer::empty(StatusCode::NO_CONTENT)
    } else {
        served(&inner, &head, body).await
    };
    if let Some(origin) = origin {
        share_with(origin, response.headers_mut());
    }
    response
}

async fn served<H: Handler>(inner: &Arc<Inner<H>>, head: &Parts, body: Body) -> Response {
    if inner.sessions.closed() {
        return stopping();
    }
    if ![Method::POST, Method::GET, Method::DELETE].contains(&head.method) {
        let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, "the method is not served here");
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(METHODS));
        return response;
    }
    let principal = match inner.authenticator.authenticate(head).await {
        Ok(principal) => principal,
        Err(challenge) => return challenged(&challenge),
    };
    match head.method {
        Method::GET if !checks::accepts(&head.headers, answer::EVENT_STREAM) => {
            refusal(StatusCode::NOT_ACCEPTABLE, "`Accept` must list text/event-stream")
        }
        Method::GET => legacy::get(inner, head, principal).await,
        Method::DELETE => legacy::delete(inner, head, principal).await,
        _ => posted(inner, head, body, principal).await,
    }
}

async fn posted<H: Handler>(
    inner: &Arc<Inner<H>>,
    head: &Parts,
    body: Body,
    principal: Principal,
) -> Response {
    if !checks::is_json(&head.headers) {
        let message = "`Content-Type` must be application/json";
        return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    if ![answer::JSON, answer::EVENT_STREAM].iter().all(|t| checks::accepts(&head.headers, t)) {
        let message = "`Accept` must list application/json and text/event-stream";
        return refusal(StatusCode::NOT_ACCEPTABLE, message);
    }
    let read = body::read(body, inner.config.max_body);
    let body = match tokio::time::timeout(inner.config.body_time, read).await {
        Ok(Ok(body)) => body,
        Ok(Err(body::Unread::TooLarge)) => {
            let message = format!("the body is larger than {} bytes", inner.config.max_body);
            return refusal(StatusCode::PAYLOAD_TOO_LARGE, &message);
        }
        Ok(Err(body::Unread::Broken)) => {
            return refusal(StatusCode::BAD_REQUEST, "the body broke off");
        }
        Err(_) => return refusal(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"),
    };
    match jsonrpc::parse(&body) {
        Ok(message) if is_stateless(&message) => {
            let supported = legacy::REVISIONS.join(", ");
            let id = match &message {
                Message::Request { id, .. } => Some(id),
                _ => None,
            };
            let error = RpcError::new(
                INVALID_REQUEST,
                format!(
                    "this revision is not served; begin with initialize and one of {supported}"
                ),
            );
            answer::error(StatusCode::BAD_REQUEST, id, &error)
        }
        Ok(message) => legacy::post(inner, head, message, principal).await,
        Err(Malformed { id, error }) => answer::error(StatusCode::BAD_REQUEST, id.as_ref(), &error),
    }
}

/// Whether a message speaks a revision without sessions: its envelope says so.
fn is_stateless(message: &Message) -> bool {
    match message {
        Message::Request { params, .. } => params
            .get("_meta")
            .is_some_and(|meta| meta.get("io.modelcontextprotocol/protocolVersion").is_some()),
        _ => false,
    }
}

/// An error about a request that was not looked into.
pub(crate) fn refusal(status: StatusCode, message: &str) -> Response {
    answer::error(status, None, &RpcError::new(INVALID_REQUEST, message))
}

/// The answer of a server that ends.
pub(crate) fn stopping() -> Response {
    let mut response =
        refusal(StatusCode::SERVICE_UNAVAILABLE, "the server is being stopped; try again");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    response
}

fn challenged(challenge: &Challenge) -> Response {
    let mut response = refusal(challenge.status, &challenge.message);
    let value = challenge.www_authenticate.as_ref().and_then(|v| HeaderValue::from_str(v).ok());
    if let Some(value) = value {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

/// Lets a page of an allowed origin read the answer.
fn share_with(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, \
             Mcp-Method, Mcp-Name, Last-Event-ID",
        ),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "Mcp-Session-Id, WWW-Authenticate"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
