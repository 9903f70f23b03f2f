//! Futures that own the store that they ask.

use std::sync::Arc;

use super::{Inner, Sqlite};
use crate::Reply;
use crate::error::Result;

/// A reply that keeps the store open until it is given.
pub(super) fn reply<T, F>(store: &Sqlite, work: impl FnOnce(Arc<Inner>) -> F) -> Reply<T>
where
    F: Future<Output = Result<T>> + Send + 'static,
{
    Box::pin(work(Arc::clone(&store.inner)))
}
