//! Whose turn it is: renders are worked on in the order in which they were
//! queued, so many at a time.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinSet;

use super::{Service, work};

/// A render that is to be worked on, as it was when it was queued.
struct Turn {
    id: String,
    version: u64,
}

/// Renders that wait for their turn. As many as the store has open ones, which
/// admission limits.
pub(crate) struct Queue {
    sender: Mutex<Option<mpsc::UnboundedSender<Turn>>>,
    receiver: Mutex<Option<mpsc::UnboundedReceiver<Turn>>>,
    places: Arc<Semaphore>,
    concurrency: usize,
    ended: Notify,
}

impl Queue {
    pub(crate) fn new(concurrency: usize) -> Self {
        let concurrency = concurrency.max(1);
        let (sender, receiver) = mpsc::unbounded_channel();
        Self {
            sender: Mutex::new(Some(sender)),
            receiver: Mutex::new(Some(receiver)),
            places: Arc::new(Semaphore::new(concurrency)),
            concurrency,
            ended: Notify::new(),
        }
    }

    /// Queues a render.
    pub(crate) fn add(&self, id: String, version: u64) {
        if let Some(sender) = &*self.sender.lock().unwrap_or_else(PoisonError::into_inner) {
            // Nobody receives any more: the next service takes it up.
            let _ = sender.send(Turn { id, version });
        }
    }

    /// Takes no more renders up.
    pub(crate) fn close(&self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.places.close();
    }

    /// Waits until nothing is worked on.
    pub(crate) async fn idle(&self) {
        loop {
            let ended = self.ended.notified();
            if self.places.available_permits() >= self.concurrency {
                return;
            }
            ended.await;
        }
    }
}

/// Works on what is queued, until the queue is closed.
pub(super) async fn run(service: Service) {
    let queue = &service.inner.queue;
    let receiver = queue.receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(mut turns) = receiver else { return };
    let mut works = JoinSet::new();
    loop {
        // Closed means that nothing more is begun; what runs is waited for.
        let Ok(place) = Arc::clone(&queue.places).acquire_owned().await else { break };
        let turn = tokio::select! {
            turn = turns.recv() => turn,
            Some(_) = works.join_next(), if !works.is_empty() => {
                drop(place);
                continue;
            }
        };
        let Some(Turn { id, version }) = turn else { break };
        let service = service.clone();
        works.spawn(async move {
            work::attempt(&service, &id, version).await;
            drop(place);
            service.inner.queue.ended.notify_waiters();
        });
    }
    // The place that waited for a turn is free as well.
    queue.ended.notify_waiters();
    while works.join_next().await.is_some() {}
}
