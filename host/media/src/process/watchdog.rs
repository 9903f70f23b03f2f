//! When a tool has taken too long.

use std::time::Duration;

/// The shortest and the longest time between two looks.
const INTERVAL: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// Judges how long a tool may go on. It has no clock: it is told the time since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watchdog {
    stall: Option<Duration>,
    deadline: Option<Duration>,
    furthest: u64,
    since: Duration,
}

/// What a [`Watchdog`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may go on.
    Fine,
    /// It made no progress for `limit`.
    Stalled {
        /// The time without progress that is allowed.
        limit: Duration,
    },
    /// It runs since `limit`.
    Overdue {
        /// The time that it has altogether.
        limit: Duration,
    },
}

impl Watchdog {
    /// Allows `stall` without progress and `deadline` altogether; `None` is no limit.
    pub fn new(stall: Option<Duration>, deadline: Option<Duration>) -> Self {
        Self { stall, deadline, furthest: 0, since: Duration::ZERO }
    }

    /// Judges at `now` (time since the start) a tool that has got to `progress` (any unit).
    /// Progress that goes back does not count as new when it comes again.
    pub fn look(self, now: Duration, progress: u64) -> (Self, Verdict) {
        if let Some(limit) = self.deadline.filter(|limit| now >= *limit) {
            return (self, Verdict::Overdue { limit });
        }
        if progress > self.furthest {
            return (Self { furthest: progress, since: now, ..self }, Verdict::Fine);
        }
        let idle = now.saturating_sub(self.since);
        match self.stall.filter(|limit| idle >= *limit) {
            Some(limit) => (self, Verdict::Stalled { limit }),
            None => (self, Verdict::Fine),
        }
    }

    /// How often to look, so that a limit is overrun by a tenth at most.
    pub fn interval(&self) -> Duration {
        let (shortest, longest) = INTERVAL;
        let limit = self.stall.into_iter().chain(self.deadline).min();
        limit.map_or(longest, |limit| (limit / 10).clamp(shortest, longest))
    }
}

#[cfg(test)]
mod tests;
