//! What every request passes: it gets an id, must name this server, and is told to the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use render::failure::Failure;

use super::{Site, answers::Problem};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The name of a request in answers and in the log.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub(crate) String);

/// Counts requests. The first part tells the lives of a server apart.
pub(crate) struct RequestIds {
    life: String,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        let mut life = [0; 4];
        // Ids that could be guessed would do no harm.
        let _ = getrandom::fill(&mut life);
        Self { life: super::hex::text(&life), next: AtomicU64::new(1) }
    }

    fn next(&self) -> RequestId {
        RequestId(format!("{}-{}", self.life, self.next.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Outermost. Addresses are logged as their routes: links and queries hold what is no business of
/// a log's reader.
pub(crate) async fn watched(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let id = site.request_ids.next();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let route = route.unwrap_or_else(|| "(none)".to_owned());
    let (status, ms) = (response.status().as_u16(), began.elapsed().as_millis());
    if ["/healthz", "/readyz"].contains(&route.as_str()) && response.status().is_success() {
        tracing::debug!(%method, route, status, ms, request_id = id.0, "request");
    } else {
        tracing::info!(%method, route, status, ms, request_id = id.0, "request");
    }
    if let Ok(value) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Before everything but the checks of health: the request must name this server and come from
/// nowhere else. (The endpoint of the protocol sees to that itself.)
pub(crate) async fn addressed(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let wrong = if !mcp::host_allowed(&site.hosts, request.headers(), request.uri()) {
        "This host name is not served here."
    } else if !mcp::origin_allowed(&site.origins, request.headers()) {
        "Requests from this origin are not served."
    } else {
        return next.run(request).await;
    };
    let problem = Problem::new(StatusCode::FORBIDDEN, Failure::invalid_field("host", wrong));
    problem.response(&request_id(&request), &site.fingerprint)
}

/// The id that [`watched`] gave.
pub(crate) fn request_id(request: &Request) -> RequestId {
    let id = request.extensions().get::<RequestId>();
    id.cloned().unwrap_or_else(|| RequestId(String::new()))
}
