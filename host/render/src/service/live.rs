//! What goes on now: how far renders are, who watches them, and how they are
//! stopped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How far a render is that somebody works on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// From 0 to 1.
    pub fraction: f64,
    /// What is being done, in a sentence.
    pub message: String,
}

/// Renders that somebody works on or watches.
#[derive(Clone, Default)]
pub(crate) struct Live(Arc<Mutex<HashMap<String, Entry>>>);

struct Entry {
    /// Sent whenever something has changed.
    news: watch::Sender<Option<Now>>,
    /// Set when the attempt is to stop.
    stop: Option<watch::Sender<bool>>,
}

impl Default for Entry {
    fn default() -> Self {
        Self { news: watch::channel(None).0, stop: None }
    }
}

impl Live {
    fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an attempt; it lasts as long as the value.
    pub(crate) fn begin(&self, id: &str) -> Attempt {
        let (stop, stopped) = watch::channel(false);
        self.entries().entry(id.to_owned()).or_default().stop = Some(stop);
        Attempt { live: self.clone(), id: id.to_owned(), stopped }
    }

    /// Stops the attempt at a render, if there is one.
    pub(crate) fn stop(&self, id: &str) {
        if let Some(stop) = self.entries().get(id).and_then(|entry| entry.stop.as_ref()) {
            stop.send_replace(true);
        }
    }

    /// Says that a render has changed in the store.
    pub(crate) fn changed(&self, id: &str) {
        let mut entries = self.entries();
        if let Some(entry) = entries.get(id) {
            entry.news.send_modify(|_| {});
            if entry.is_idle() {
                entries.remove(id);
            }
        }
    }

    /// How far a render is.
    pub(crate) fn now(&self, id: &str) -> Option<Now> {
        self.entries().get(id).and_then(|entry| entry.news.borrow().clone())
    }

    /// Is told when a render changes.
    pub(crate) fn watch(&self, id: &str) -> watch::Receiver<Option<Now>> {
        self.entries().entry(id.to_owned()).or_default().news.subscribe()
    }

    /// Forgets a render that nobody works on or watches.
    pub(crate) fn unwatch(&self, id: &str) {
        let mut entries = self.entries();
        if entries.get(id).is_some_and(Entry::is_idle) {
            entries.remove(id);
        }
    }
}

impl Entry {
    fn is_idle(&self) -> bool {
        self.stop.is_none() && self.news.receiver_count() == 0
    }
}

/// An attempt at a render.
pub(crate) struct Attempt {
    live: Live,
    id: String,
    stopped: watch::Receiver<bool>,
}

impl Attempt {
    /// Waits until it is to stop.
    pub(crate) async fn stopped(&self) {
        let mut stopped = self.stopped.clone();
        // A sender that is gone belongs to an entry that a later attempt has taken over.
        let _ = stopped.wait_for(|stop| *stop).await;
    }

    /// Who tells how far it is.
    pub(crate) fn teller(&self) -> Teller {
        Teller { live: self.live.clone(), id: self.id.clone() }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        let mut entries = self.live.entries();
        if let Some(entry) = entries.get_mut(&self.id) {
            entry.stop = None;
            entry.news.send_replace(None);
            if entry.is_idle() {
                entries.remove(&self.id);
            }
        }
    }
}

/// Tells how far an attempt is.
#[derive(Clone)]
pub(crate) struct Teller {
    live: Live,
    id: String,
}

impl Teller {
    pub(crate) fn tell(&self, now: Now) {
        if let Some(entry) = self.live.entries().get(&self.id) {
            entry.news.send_replace(Some(now));
        }
    }
}

#[cfg(test)]
mod tests;
