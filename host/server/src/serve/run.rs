//! From a configuration to a server that runs, and to its end.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use contract::summary;
use mcp::{Authenticator, Environment, Notifier, Open, Server};
use render::catalogue::Code;
use render::failure::Failure;
use render::media_error;
use render::request::Container;
use render::service::{Chains as _, Means, Service, Working};
use store::{Mode, Sqlite, Store, SystemClock};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::access::RequestIds;
use super::auth::{self, Tokens};
use super::chains::ConfiguredChains;
use super::greeting::Greeting;
use super::links::{Keys, Links};
use super::signals::Signals;
use super::storage::KeptSessions;
use super::{Site, connections, listen, routes};
use crate::agents::{Agents, News};
use crate::config::{Auth, Config};
use crate::data;
use crate::setup::Setup;

/// How long requests that are being answered may take to end, once nothing else is waited for.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What is to be served.
pub(crate) struct Wanted {
    /// The configuration, with what the command line has changed.
    pub(crate) setup: Setup,
    /// The data directory.
    pub(crate) directory: PathBuf,
}

/// Serves until a signal comes; after that what runs has some time to end, until the next signal.
pub(crate) async fn run(wanted: Wanted) -> Result<(), Failure> {
    let mut signals = Signals::new();
    let Wanted { setup, directory } = wanted;
    listen::check(&setup.config.server)?;
    let store = open(directory).await?;
    let (listener, address) = listen::bind(setup.config.server.listen).await?;
    let drain = setup.config.server.drain();
    let starting = Serving::start(setup, store, listener, address);
    let serving = tokio::select! {
        serving = starting => serving?,
        () = signals.next() => return Ok(()),
    };
    signals.next().await;
    tracing::info!(seconds = drain.as_secs(), "stopping; what runs has some time to end");
    tokio::select! {
        () = serving.stop(drain) => tracing::info!("stopped"),
        () = signals.next() => tracing::warn!("stopped at once"),
    }
    Ok(())
}

/// Opening blocks for a moment, longer where the format is brought up to date.
async fn open(directory: PathBuf) -> Result<Sqlite, Failure> {
    tokio::task::spawn_blocking(move || data::open(&directory, Mode::Server))
        .await
        .unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("{error}."))))
}

/// A server that runs.
struct Serving {
    working: Working,
    protocol: Server<Agents>,
    site: Arc<Site>,
    http: JoinHandle<()>,
    /// Sent to take no more connections.
    close: oneshot::Sender<()>,
}

impl Serving {
    async fn start(
        setup: Setup,
        store: Sqlite,
        listener: TcpListener,
        address: SocketAddr,
    ) -> Result<Self, Failure> {
        let Config { server, renders, approval, .. } = setup.config.clone();
        let ffmpeg = setup.ffmpeg()?;
        ffmpeg.check().await.map_err(media_error)?;
        let keys = Keys::open(store.root())?;
        let directory = store.root().to_owned();
        let store: Arc<dyn Store> = Arc::new(store);
        let chains = ConfiguredChains(Arc::new(setup));
        load_chains(&chains).await?;
        let notifier = Notifier::default();
        let means = Means {
            store: Arc::clone(&store),
            ffmpeg,
            chains: Arc::new(chains.clone()),
            clock: Arc::new(SystemClock),
            listener: Arc::new(News(notifier.clone())),
        };
        let public_url = listen::public_url(&server, address);
        let life = Duration::from_secs(server.link_seconds);
        let links = Arc::new(Links::new(&public_url, keys, life, Box::new(SystemClock)));
        let authenticator: Arc<dyn Authenticator> = match server.auth {
            Auth::None => Arc::new(Open(auth::principal(auth::local()))),
            Auth::Tokens => Arc::new(Tokens(Arc::clone(&store))),
        };
        let working = Service::start(means, renders.settings(approval.deadline_seconds)).await;
        let working = working.map_err(|error| data::failure(&error, "such data"))?;
        let site = Arc::new(Site {
            service: working.service().clone(),
            authenticator: Arc::clone(&authenticator),
            links: Arc::clone(&links),
            chains,
            hosts: listen::hosts(&server, address),
            origins: listen::origins(&server),
            max_asset_bytes: server.max_asset_bytes,
            uploads: Semaphore::new(usize::try_from(server.uploads).unwrap_or(usize::MAX)),
            fingerprint: summary::fingerprint(env!("CARGO_PKG_VERSION")),
            request_ids: RequestIds::new(),
            stopping: AtomicBool::new(false),
        });
        let agents = Agents::new(
            working.service().clone(),
            links.clone(),
            Arc::new(SystemClock),
            links.uploads(),
            server.inline_bytes,
        );
        let protocol = mcp::Config {
            hosts: site.hosts.clone(),
            origins: site.origins.clone(),
            ..mcp::Config::default()
        };
        let storage = Arc::new(KeptSessions(store));
        let environment = Environment::default();
        let protocol = Server::new(agents, storage, authenticator, notifier, protocol, environment);
        let routes = routes(&site, protocol.router());
        let (close, closed) = oneshot::channel::<()>();
        let http = tokio::spawn(connections::serve(listener, routes, closed));
        Greeting { links: &links, auth: server.auth, listen: address, data: &directory }.print();
        Ok(Self { working, protocol, site, http, close })
    }

    /// While renders have time to end, agents may still ask about them. Then every stream ends;
    /// clients come back to the next server, which goes on with what has not ended.
    async fn stop(self, drain: Duration) {
        self.site.stopping.store(true, Ordering::Relaxed);
        self.working.stop(drain).await;
        self.protocol.close();
        let _ = self.close.send(());
        let mut http = self.http;
        if tokio::time::timeout(LAST_ANSWERS, &mut http).await.is_err() {
            http.abort();
        }
    }
}

/// Compiles every plugin once, so that no render has to wait for it. A server does not start if it
/// can make no mp4, or if a chain that is set for one container cannot work; of containers that the
/// chain for all does not serve the operator is warned.
async fn load_chains(chains: &ConfiguredChains) -> Result<(), Failure> {
    chains.0.check_chains().await?;
    chains.configured(auth::LOCAL, Container::Mp4).await?;
    for container in Container::ALL.iter().copied() {
        if let Err(failure) = chains.configured(auth::LOCAL, container).await {
            tracing::warn!(%container, "renders to this container will fail: {failure}");
        }
    }
    Ok(())
}
