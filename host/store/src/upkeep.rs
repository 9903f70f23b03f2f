//! What has to be done from time to time.

use crate::Reply;

/// A render that was there until its time was over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its id.
    pub id: String,
    /// Who owned it.
    pub tenant: String,
    /// Whether it had not come to an end: somebody may still work on it.
    pub unfinished: bool,
}

/// What a sweep has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Renders that have expired with their artifacts.
    pub renders: Vec<Ended>,
    /// How many files were removed.
    pub files: u32,
    /// Whether there is more to do at once.
    pub more: bool,
}

/// Housekeeping.
pub trait Upkeep: Send + Sync {
    /// Removes what is over: expired renders, old events and keys,
    /// plugins that nobody needs, files that nothing refers to. It does
    /// a bounded amount of work; call it every minute or so, and again at once
    /// while it says that there is more.
    fn sweep(&self) -> Reply<Swept>;

    /// Whether the store answers, for a readiness check.
    fn check(&self) -> Reply<()>;
}
