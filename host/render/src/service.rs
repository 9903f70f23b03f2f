//! Renders for callers: admitted, queued, made, asked about, kept.
//!
//! The store has the truth; this decides what happens next and does it. A
//! render is driven by whoever claims it, one attempt at a time, from the last
//! step that was committed; while it waits for a person nothing of it is alive
//! but its row. Nothing here knows by which protocol callers came.

mod admit;
mod assets;
mod backoff;
mod caller;
mod chains;
mod decide;
mod live;
mod queue;
mod repairs;
mod room;
mod timers;
mod view;
mod work;

use std::sync::Arc;
use std::time::Duration;

use media::Ffmpeg;
use store::Store;
use tokio::task::JoinSet;

pub use admit::{Admission, Wish};
pub use assets::{AssetFacts, AssetKind, add_asset};
pub use caller::{Caller, Scope};
pub use chains::{Chains, Loading};
pub use decide::Answer;
pub use view::{Now, View};

use live::Live;
use queue::Queue;

/// How a service is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Renders that are made at a time. Default: 1 for each two processors, at
    /// least 1.
    pub concurrency: usize,
    /// Renders of one tenant that have not ended, at most. Default: 64.
    pub open_renders: u32,
    /// How long a person has to answer. Default: 24 h.
    pub approval_time: Duration,
    /// How long renders are kept where nobody says, and at most. Default: 24 h.
    pub ttl: Duration,
    /// How long they are kept at least. Default: 1 h.
    pub ttl_floor: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            concurrency: (processors / 2).max(1),
            open_renders: 64,
            approval_time: Duration::from_hours(24),
            ttl: Duration::from_hours(24),
            ttl_floor: Duration::from_hours(1),
        }
    }
}

/// Is told what has changed. Calls must return at once.
pub trait Listener: Send + Sync {
    /// A resource of the tenant has come or gone, or has new contents.
    fn resource(&self, tenant: &str, uri: &str);
}

/// Makes renders for callers. Cheap to clone; what runs ends with
/// [`Service::stop`] or with the last clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<dyn Store>,
    ffmpeg: Ffmpeg,
    chains: Arc<dyn Chains>,
    clock: Arc<dyn store::Clock>,
    listener: Arc<dyn Listener>,
    settings: Settings,
    live: Live,
    queue: Queue,
}

/// What a service works with.
pub struct Means {
    /// What keeps everything.
    pub store: Arc<dyn Store>,
    /// The codec engine.
    pub ffmpeg: Ffmpeg,
    /// Which plugins make which container for whom.
    pub chains: Arc<dyn Chains>,
    /// The time of day.
    pub clock: Arc<dyn store::Clock>,
    /// Who is told what changes.
    pub listener: Arc<dyn Listener>,
}

/// The work of a service, to be kept as long as it shall go on. Dropping it
/// ends every render that runs; the next service goes on from the last
/// committed step.
pub struct Working {
    service: Service,
    tasks: JoinSet<()>,
}

impl Service {
    /// Sets up a service and takes up what an earlier one has left.
    ///
    /// # Errors
    ///
    /// What the store fails with.
    pub async fn start(means: Means, settings: Settings) -> Result<Working, store::Error> {
        let Means { store, ffmpeg, chains, clock, listener } = means;
        let queue = Queue::new(settings.concurrency);
        let live = Live::default();
        let inner =
            Arc::new(Inner { store, ffmpeg, chains, clock, listener, settings, live, queue });
        let service = Self { inner };
        service.take_up().await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(queue::run(service.clone()));
        tasks.spawn(timers::run(service.clone()));
        Ok(Working { service, tasks })
    }

    /// Queues what has not ended.
    async fn take_up(&self) -> Result<(), store::Error> {
        for render in self.inner.store.open_renders().await? {
            match render.status {
                store::Status::Queued | store::Status::Working => {
                    self.inner.queue.add(render.id, render.version);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// What keeps everything.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }
}

impl Working {
    /// The service.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Takes no more renders up, and gives those that run this long to end.
    /// What has not ended by then goes on in the next service.
    pub async fn stop(mut self, drain: Duration) {
        self.service.inner.queue.close();
        let ended = self.service.inner.queue.idle();
        if tokio::time::timeout(drain, ended).await.is_err() {
            tracing::warn!("some renders did not end in time; they begin again at the next start");
        }
        self.tasks.shutdown().await;
    }
}

/// A moment as RFC 3339 in UTC.
#[must_use]
pub fn rfc3339(moment: store::Millis) -> String {
    crate::clock::rfc3339(moment.0)
}
