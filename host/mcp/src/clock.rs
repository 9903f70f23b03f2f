//! The time of day, injected so that expiry can be tested.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since 1970-01-01 00:00 UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The moment this long after.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(millis(wait)))
    }

    /// The moment this long before.
    #[must_use]
    pub fn before(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(millis(time)))
    }

    /// As RFC 3339 writes it, in UTC with milliseconds.
    #[must_use]
    pub fn rfc3339(self) -> String {
        // The last second of the year 9999 is the last that the format can write.
        let millis = self.0.min(253_402_300_799_999);
        let time = UNIX_EPOCH.checked_add(Duration::from_millis(millis)).unwrap_or(UNIX_EPOCH);
        humantime::format_rfc3339_millis(time).to_string()
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Tells the time of day.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the time of day comes from")]
    fn now(&self) -> Timestamp {
        Timestamp(millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests;
