//! Time by the clock on the wall and by the processors. On a busy machine only the second means
//! anything; only the first tells of waiting.

use std::time::Instant;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use crate::Outcome;

/// A span of time in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

impl Span {
    /// A part of it, in another unit.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { wall: self.wall * factor, cpu: self.cpu * factor }
    }
}

/// Runs from when it is made.
pub(crate) struct Stopwatch {
    started: Instant,
    used: f64,
}

impl Stopwatch {
    pub(crate) fn start() -> Outcome<Self> {
        let used = processor_seconds(&getrusage(UsageWho::RUSAGE_SELF)?);
        Ok(Self { started: Instant::now(), used })
    }

    pub(crate) fn read(&self) -> Outcome<Span> {
        let wall = self.started.elapsed().as_secs_f64();
        let used = processor_seconds(&getrusage(UsageWho::RUSAGE_SELF)?);
        Ok(Span { wall, cpu: used - self.used })
    }
}

/// In user and in system code.
pub(crate) fn processor_seconds(usage: &Usage) -> f64 {
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    micros as f64 / 1e6
}
