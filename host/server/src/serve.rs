//! The server: the protocol's endpoint, and beside it uploads, downloads and checks of health.

mod access;
mod answers;
pub(crate) mod auth;
mod chains;
mod connections;
mod downloads;
mod greeting;
mod health;
pub(crate) mod hex;
pub(crate) mod links;
mod listen;
pub(crate) mod names;
mod run;
mod signals;
mod storage;
mod uploads;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use mcp::{Allowed, Authenticator};
use render::service::Service;
use tokio::sync::Semaphore;

pub(crate) use run::{Wanted, run};

use access::RequestIds;
use chains::ConfiguredChains;
use links::Links;

/// What the routes beside the protocol's endpoint share.
pub(crate) struct Site {
    service: Service,
    authenticator: Arc<dyn Authenticator>,
    links: Arc<Links>,
    chains: ConfiguredChains,
    /// The hosts that requests may name, and the pages that they may come from.
    hosts: Allowed,
    origins: Allowed,
    max_asset_bytes: u64,
    /// Places for uploads.
    uploads: Semaphore,
    fingerprint: String,
    request_ids: RequestIds,
    /// Set when the server is about to end.
    stopping: AtomicBool,
}

/// Every route, with that of the protocol among them.
fn routes(site: &Arc<Site>, endpoint: Router) -> Router {
    let beside = Router::new()
        .route("/assets", post(uploads::post))
        .route("/assets/uploads/{sha256}", get(uploads::progress))
        .route("/artifacts/{ticket}/{name}", get(downloads::get))
        .layer(from_fn_with_state(Arc::clone(site), access::addressed));
    let health =
        Router::new().route("/healthz", get(health::live)).route("/readyz", get(health::ready));
    beside
        .merge(health)
        .with_state(Arc::clone(site))
        .merge(endpoint)
        .layer(from_fn_with_state(Arc::clone(site), access::watched))
}
