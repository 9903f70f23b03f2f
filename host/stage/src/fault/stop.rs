//! Why the host ends a call.

use std::io;

use super::LimitKind;

/// Raised by host functions; travels through wasmtime as the cause of a trap.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    #[error("the {limit} limit was passed")]
    Limit { limit: LimitKind, allowed: u64, used: u64 },
    #[error("{0}")]
    Contract(String),
    #[error("storage: {0}")]
    Storage(#[from] io::Error),
    #[error("{0}")]
    Host(String),
}

impl Stop {
    /// A broken rule of the contract, as a sentence without a full stop.
    pub(crate) fn contract(message: impl Into<String>) -> Self {
        Self::Contract(message.into())
    }
}

/// Fails with a broken rule unless `kept`.
pub(crate) fn ensure(kept: bool, rule: impl FnOnce() -> String) -> Result<(), Stop> {
    if kept { Ok(()) } else { Err(Stop::Contract(rule())) }
}

/// Fails if a limit is passed.
pub(crate) fn within(limit: LimitKind, used: u64, allowed: u64) -> Result<(), Stop> {
    if used <= allowed { Ok(()) } else { Err(Stop::Limit { limit, allowed, used }) }
}
