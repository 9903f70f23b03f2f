//! Signs of life of a tool, for its watchdog.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts what a tool gets done. While the host itself lets it wait, it is not to blame.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    beats: AtomicU64,
    held: AtomicBool,
}

impl Pulse {
    /// The tool has got `count` of anything done.
    pub(super) fn beat(&self, count: u64) {
        self.beats.fetch_add(count, Ordering::Relaxed);
    }

    /// Does `work` for which the tool may have to wait.
    pub(super) async fn holding<T>(&self, work: impl Future<Output = T>) -> T {
        self.held.store(true, Ordering::Relaxed);
        let done = work.await;
        // The time without a sign begins now.
        self.beat(1);
        self.held.store(false, Ordering::Relaxed);
        done
    }

    /// What has got done; grows with every look while the tool is held.
    pub(super) fn look(&self) -> u64 {
        self.beat(u64::from(self.held.load(Ordering::Relaxed)));
        self.beats.load(Ordering::Relaxed)
    }
}
