//! The server: what all requests share, and what goes on between them.

use std::sync::{Arc, Weak};

use axum::Router;
use tokio::task::AbortHandle;

use crate::{
    caller::Authenticator,
    clock::{Clock, SystemClock},
    config::Config,
    handler::Handler,
    http,
    ids::{Ids, SystemIds},
    legacy::{self, Sessions},
    notifier::Notifier,
    storage::Storage,
};

/// Time and randomness. The default is the machine's own.
#[derive(Clone)]
pub struct Environment {
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// Ids that nobody can guess.
    pub ids: Arc<dyn Ids>,
}

impl Default for Environment {
    fn default() -> Self {
        Self { clock: Arc::new(SystemClock), ids: Arc::new(SystemIds) }
    }
}

pub(crate) struct Inner<H> {
    pub(crate) handler: H,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) authenticator: Arc<dyn Authenticator>,
    pub(crate) config: Arc<Config>,
    pub(crate) environment: Environment,
    pub(crate) sessions: Sessions,
}

/// Serves a [`Handler`] on one endpoint.
pub struct Server<H: Handler> {
    inner: Arc<Inner<H>>,
    background: Vec<AbortHandle>,
}

impl<H: Handler> Server<H> {
    /// A server over a storage, in which it finds the sessions of the process before. Must be made
    /// within a tokio runtime, on which it looks after sessions and notices.
    pub fn new(
        handler: H,
        storage: Arc<dyn Storage>,
        authenticator: Arc<dyn Authenticator>,
        notifier: Notifier,
        config: Config,
        environment: Environment,
    ) -> Self {
        let inner = Arc::new(Inner {
            handler,
            storage,
            authenticator,
            config: Arc::new(config),
            environment,
            sessions: Sessions::default(),
        });
        let background = vec![
            tokio::spawn(sweep(Arc::downgrade(&inner))).abort_handle(),
            tokio::spawn(tell(Arc::downgrade(&inner), notifier)).abort_handle(),
        ];
        Self { inner, background }
    }

    /// The endpoint, to be served or merged with other routes.
    pub fn router(&self) -> Router {
        Router::new()
            .route(&self.inner.config.path, axum::routing::any(http::endpoint::<H>))
            .with_state(Arc::clone(&self.inner))
    }

    /// Ends all streams and calls and refuses new requests with 503, so that the process can end.
    /// Clients come back to the next process over the same storage.
    pub fn close(&self) {
        self.inner.sessions.close();
    }
}

impl<H: Handler> Drop for Server<H> {
    fn drop(&mut self) {
        for task in &self.background {
            task.abort();
        }
    }
}

async fn sweep<H: Handler>(inner: Weak<Inner<H>>) {
    loop {
        let Some(every) = inner.upgrade().map(|inner| inner.config.sweep) else { return };
        tokio::time::sleep(every).await;
        let Some(inner) = inner.upgrade() else { return };
        legacy::sweep(&inner).await;
    }
}

async fn tell<H: Handler>(inner: Weak<Inner<H>>, notifier: Notifier) {
    loop {
        let notices = notifier.heard().await;
        let Some(inner) = inner.upgrade() else { return };
        legacy::tell(&inner, &notices).await;
    }
}
