//! A server on a loopback port, and a client that sees every byte.

mod client;
mod disk;
mod product;
mod schema;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::http::{StatusCode, request::Parts};
use mcp::{
    Authenticator, Challenge, Clock, Config, Environment, Notifier, Principal, Server, Storage,
    SystemIds, Timestamp,
};

pub(crate) use client::{Client, Events};
use disk::Disk;
pub(crate) use product::Product;

/// The bearer token is the principal; without one there is `somebody`, and `nobody` is refused.
struct Tokens;

#[async_trait]
impl Authenticator for Tokens {
    async fn authenticate(&self, head: &Parts) -> Result<Principal, Challenge> {
        let header = head.headers.get("authorization").and_then(|value| value.to_str().ok());
        let key = header.and_then(|h| h.strip_prefix("Bearer ")).unwrap_or("somebody");
        if key == "nobody" {
            return Err(Challenge {
                status: StatusCode::UNAUTHORIZED,
                www_authenticate: Some("Bearer error=\"invalid_token\"".to_owned()),
                message: "the token is not valid".to_owned(),
            });
        }
        Ok(Principal { key: key.to_owned(), context: Arc::new(()) })
    }
}

/// A clock that stands still until it is moved.
pub(crate) struct TestClock(std::sync::atomic::AtomicU64);

impl TestClock {
    pub(crate) fn forward(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap();
        self.0.fetch_add(millis, std::sync::atomic::Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(std::sync::atomic::Ordering::SeqCst))
    }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) product: Product,
    pub(crate) notifier: Notifier,
    pub(crate) clock: Arc<TestClock>,
    pub(crate) storage: Arc<Disk>,
    config: Config,
    server: Server<Product>,
    address: std::net::SocketAddr,
    serving: tokio::task::JoinHandle<()>,
}

/// Quick settings.
pub(crate) fn quick() -> Config {
    Config {
        answer_grace: Duration::from_millis(150),
        carrier_grace: Duration::from_millis(50),
        keep_alive: Duration::from_millis(200),
        sweep: Duration::from_millis(50),
        ..Config::default()
    }
}

pub(crate) async fn start() -> Running {
    start_with(quick()).await
}

pub(crate) async fn start_with(config: Config) -> Running {
    let clock = Arc::new(TestClock(1_783_789_320_000.into()));
    serve(Product::new(Arc::clone(&clock)), Arc::default(), clock, config).await
}

async fn serve(
    product: Product,
    storage: Arc<Disk>,
    clock: Arc<TestClock>,
    config: Config,
) -> Running {
    let notifier = Notifier::default();
    let environment = Environment { clock: Arc::clone(&clock) as _, ids: Arc::new(SystemIds) };
    let kept: Arc<dyn Storage> = Arc::clone(&storage) as _;
    let server = Server::new(
        product.clone(),
        kept,
        Arc::new(Tokens),
        notifier.clone(),
        config.clone(),
        environment,
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = server.router();
    let serving = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    Running { product, notifier, clock, storage, config, server, address, serving }
}

impl Running {
    /// A client without a session.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// A client of the newest revision with a session, which can show forms.
    pub(crate) async fn connect(&self) -> Client {
        self.connect_as("somebody", "2025-11-25").await
    }

    pub(crate) async fn connect_as(&self, token: &str, revision: &str) -> Client {
        let mut client = self.client();
        client.token = Some(token.to_owned());
        let can = serde_json::json!({ "elicitation": {}, "sampling": {} });
        client.initialize(revision, can).await;
        client
    }

    /// Another process over the same storage and product.
    pub(crate) async fn restart(self) -> Running {
        self.server.close();
        self.serving.abort();
        let _ = self.serving.await;
        serve(self.product.clone(), self.storage, self.clock, self.config).await
    }

    /// The same client, talking to this process.
    pub(crate) fn adopt(&self, client: &mut Client) {
        client.address = self.address;
    }
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..500 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in vain: {what}");
}

impl Running {
    /// Stops what this process does, but lets it answer.
    pub(crate) fn close(&self) {
        self.server.close();
    }
}

impl Running {
    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}
