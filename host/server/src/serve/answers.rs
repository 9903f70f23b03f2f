//! Answers in JSON: what was asked for, or the envelope that errors have everywhere.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use contract::envelope::Envelope;
use mcp::Challenge;
use render::catalogue::Code;
use render::failure::Failure;
use serde_json::Value;

use super::access::RequestId;

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(format!("{value:#}\n")));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// An error, before it is known to whom it is told.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) envelope: Envelope,
    challenge: Option<String>,
}

impl Problem {
    /// A failure with a status of its own.
    pub(crate) fn new(status: StatusCode, failure: Failure) -> Self {
        Self { status, envelope: Envelope::new(failure), challenge: None }
    }

    /// Something that helps itself after a while.
    pub(crate) fn later(status: StatusCode, code: Code, message: &str, seconds: u32) -> Self {
        let mut problem = Self::new(status, Failure::new(code, message));
        problem.envelope = problem.envelope.retry_after_ms(u64::from(seconds) * 1000);
        problem
    }

    /// As a response to the request of this id.
    pub(crate) fn response(&self, request: &RequestId, fingerprint: &str) -> Response {
        let mut response = json(self.status, &self.envelope.to_json(&request.0, fingerprint));
        let headers = response.headers_mut();
        let challenge = self.challenge.as_ref().and_then(|value| HeaderValue::from_str(value).ok());
        if let Some(challenge) = challenge {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        if let Some(wait) = self.envelope.retry_after_ms {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.div_ceil(1000)));
        }
        response
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let status = match failure.code {
            Code::InvalidField => StatusCode::BAD_REQUEST,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::InsufficientScope => StatusCode::FORBIDDEN,
            Code::UnsupportedSource => StatusCode::UNPROCESSABLE_ENTITY,
            Code::RenderNotFound | Code::RenderExpired => StatusCode::NOT_FOUND,
            Code::RateLimited | Code::QuotaExceeded => StatusCode::TOO_MANY_REQUESTS,
            Code::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        if status.is_server_error() {
            // The answer does not say it.
            tracing::error!(code = %failure.code, "a request failed: {failure}");
        }
        let scopes = failure.details.get("required_scopes").and_then(Value::as_array).cloned();
        let scopes: Vec<String> =
            scopes.iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let challenge = (failure.code == Code::InsufficientScope).then(|| {
            format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", scopes.join(" "))
        });
        Self { challenge, ..Self::new(status, failure) }
    }
}

impl From<Challenge> for Problem {
    fn from(challenge: Challenge) -> Self {
        let code = match challenge.status {
            // Nobody is known to lack a scope before it is known who they are.
            StatusCode::UNAUTHORIZED => Code::Unauthenticated,
            StatusCode::FORBIDDEN => Code::InsufficientScope,
            _ => Code::Internal,
        };
        let failure = Failure::new(code, challenge.message);
        Self { challenge: challenge.www_authenticate, ..Self::new(challenge.status, failure) }
    }
}
