//! Whether the server lives, and whether it can render.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use render::request::Container;
use render::service::Chains as _;
use serde_json::{Value, json};

use super::auth::LOCAL;
use super::{Site, answers};
use crate::setup;

/// It answers, so it lives.
pub(crate) async fn live() -> Response {
    answers::json(StatusCode::OK, &json!({ "live": true }))
}

/// Whether the store answers, ffmpeg is there and the chain loads. Why not is in the log.
pub(crate) async fn ready(State(site): State<Arc<Site>>) -> Response {
    let store = site.service.store().check().await.map_err(|error| error.to_string());
    let ffmpeg = setup::tools(&site.chains.0.config.media).map(drop);
    let chain = site.chains.configured(LOCAL, Container::Mp4).await.map(drop);
    let checks = [
        ("store", store),
        ("ffmpeg", ffmpeg.map_err(|failure| failure.message)),
        ("chain", chain.map_err(|failure| failure.message)),
    ];
    let stopping = site.stopping.load(Ordering::Relaxed);
    let mut told = serde_json::Map::new();
    let mut ready = !stopping;
    for (name, found) in checks {
        if let Err(why) = &found {
            tracing::warn!(check = name, "not ready: {why}");
        }
        ready &= found.is_ok();
        told.insert(name.to_owned(), Value::from(if found.is_ok() { "ok" } else { "failed" }));
    }
    told.insert("stopping".to_owned(), stopping.into());
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    answers::json(status, &json!({ "ready": ready, "checks": told }))
}
