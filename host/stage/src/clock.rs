//! The wall clock of calls.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A clock that stands still while the host works on its own account, such as copying what a
/// plugin told it to append: how long that takes says nothing about the plugin.
#[derive(Clone, Default)]
pub(crate) struct Clock(Arc<Mutex<Stopped>>);

#[derive(Default)]
struct Stopped {
    before: Duration,
    since: Option<Instant>,
}

/// The clock goes on when this is dropped.
pub(crate) struct Pause(Clock);

impl Clock {
    /// Stops the clock.
    pub(crate) fn pause(&self) -> Pause {
        self.with(|stopped| stopped.since = Some(Instant::now()));
        Pause(self.clone())
    }

    /// Does the work, or gives up on it when the clock has gone so far. None if it gave up.
    pub(crate) async fn limit<T>(
        &self,
        allowed: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let mut work = pin!(work);
        let (began, stopped) = (Instant::now(), self.stopped());
        loop {
            let passed = began.elapsed().saturating_sub(self.stopped().saturating_sub(stopped));
            let left = allowed.checked_sub(passed).filter(|left| !left.is_zero())?;
            if let Ok(done) = tokio::time::timeout(left, &mut work).await {
                return Some(done);
            }
        }
    }

    fn stopped(&self) -> Duration {
        self.with(|stopped| stopped.before + stopped.since.map_or(Duration::ZERO, |s| s.elapsed()))
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut Stopped) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        self.0.with(|stopped| {
            if let Some(since) = stopped.since.take() {
                stopped.before += since.elapsed();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(30);
    const LONG: Duration = Duration::from_millis(150);

    #[tokio::test]
    async fn work_that_takes_too_long_is_given_up() {
        assert!(Clock::default().limit(SHORT, tokio::time::sleep(LONG)).await.is_none());
        assert!(Clock::default().limit(LONG, tokio::time::sleep(SHORT)).await.is_some());
    }

    #[tokio::test]
    async fn a_pause_does_not_count() {
        let clock = Clock::default();
        let work = async {
            let _pause = clock.pause();
            tokio::time::sleep(LONG).await;
        };
        assert!(clock.limit(SHORT, work).await.is_some());
        assert!(clock.limit(SHORT, tokio::time::sleep(LONG)).await.is_none());
    }
}
