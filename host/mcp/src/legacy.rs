//! The revisions with sessions: 2025-11-25, and 2025-06-18 and 2025-03-26 without tasks.

mod answers;
mod call;
mod follow;
mod initialize;
mod log;
mod methods;
mod progress;
mod requests;
mod routing;
mod session;
mod sessions;
mod tail;
mod tasks;
mod tools;
mod transport;
mod wire;
mod wiring;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use initialize::REVISIONS;
pub(crate) use sessions::{Sessions, sweep, tell};
pub(crate) use transport::{delete, get, post};

/// Locks what no panic can leave broken.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
