//! `GET /artifacts/…`: what a render has made, for whoever has the link.

mod range;

use std::io::SeekFrom;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use contract::envelope::{Envelope, Repair};
use contract::tools;
use render::catalogue::Code;
use render::failure::Failure;
use serde_json::json;
use store::{Artifact, ArtifactKind};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio_util::io::ReaderStream;

use self::range::Wanted;
use super::Site;
use super::access::request_id;
use super::answers::Problem;
use super::links::Refused;

/// How much of a file is read at a time.
const READ_BYTES: usize = 256 << 10;

pub(crate) async fn get(
    State(site): State<Arc<Site>>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let fetched = match path {
        Ok(Path((ticket, _))) => fetch(&site, &ticket, request.method(), request.headers()).await,
        Err(_) => Err(unknown()),
    };
    fetched.unwrap_or_else(|problem| problem.response(&request_id(&request), &site.fingerprint))
}

async fn fetch(
    site: &Site,
    ticket: &str,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let target = match site.links.read(ticket) {
        Ok(target) => target,
        Err(Refused::Forged) => return Err(unknown()),
        Err(Refused::Expired(target)) => return Err(expired(&target.render)),
    };
    let opened = site.service.store().open_artifact(&target.tenant, &target.render, target.kind);
    let (artifact, file) = match opened.await {
        Ok(opened) => opened,
        Err(store::Error::NotFound(_) | store::Error::Expired) => return Err(unknown()),
        Err(error) => return Err(Failure::new(Code::Internal, error.to_string()).into()),
    };
    let mut response = Response::new(Body::empty());
    describe(&artifact, response.headers_mut());
    let tag = format!("\"{}\"", artifact.tag);
    if range::names(headers.get(header::IF_NONE_MATCH), &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    let wanted = match *method {
        Method::HEAD => Wanted::Whole,
        _ => range::wanted(headers, &tag, artifact.bytes),
    };
    let (first, length) = match wanted {
        Wanted::Whole => (0, artifact.bytes),
        Wanted::Part { first, length } => {
            let last = first.saturating_add(length).saturating_sub(1);
            let range = format!("bytes {first}-{last}/{}", artifact.bytes);
            set(&mut response, header::CONTENT_RANGE, &range);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            (first, length)
        }
        Wanted::Nothing => {
            set(&mut response, header::CONTENT_RANGE, &format!("bytes */{}", artifact.bytes));
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            return Ok(response);
        }
    };
    set(&mut response, header::CONTENT_LENGTH, &length.to_string());
    if method != Method::HEAD {
        let mut file = tokio::fs::File::from_std(file);
        let seeked = file.seek(SeekFrom::Start(first)).await;
        seeked.map_err(|error| Failure::storage("reading an artifact", &error))?;
        *response.body_mut() =
            Body::from_stream(ReaderStream::with_capacity(file.take(length), READ_BYTES));
    }
    Ok(response)
}

/// What is always said of a file. It is never shown within the server's own pages.
fn describe(artifact: &Artifact, headers: &mut HeaderMap) {
    let name = match artifact.kind {
        ArtifactKind::Output => {
            let ending = match artifact.media_type.as_str() {
                "video/webm" => "webm",
                "video/quicktime" => "mov",
                _ => "mp4",
            };
            format!("{}.{ending}", artifact.render)
        }
        ArtifactKind::Preview => format!("{}-watermark-preview.png", artifact.render),
    };
    for (header, value) in [
        (header::CONTENT_TYPE, artifact.media_type.clone()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::ETAG, format!("\"{}\"", artifact.tag)),
    ] {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(header, value);
        }
    }
    for (header, value) in [
        (header::ACCEPT_RANGES, "bytes"),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(header, HeaderValue::from_static(value));
    }
}

fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// A forged link, and one to what is gone or was never there: nobody can tell which.
fn unknown() -> Problem {
    Failure::new(Code::RenderNotFound, "This link leads to nothing.").into()
}

/// Only who had the link can come here, so it may be told.
fn expired(render: &str) -> Problem {
    let failure =
        Failure::invalid_field("link", "The link has expired; the render's status has a new one.");
    let mut problem = Problem::new(StatusCode::GONE, failure);
    let repair = Repair::call("poll_render_status", tools::STATUS, json!({ "render_id": render }));
    problem.envelope = Envelope::repair(problem.envelope, repair);
    problem
}
