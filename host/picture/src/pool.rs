//! Buffers that are used again. A picture of 4K has 12 MB: asking the system for it afresh costs
//! more than filling it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{Layout, Picture, Size};

/// Buffers for pictures of one size. A clone is the same pool.
#[derive(Clone, Debug)]
pub struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    size: Size,
    layout: Layout,
    keep: usize,
    free: Mutex<Vec<Vec<u8>>>,
}

impl Pool {
    /// An empty pool that keeps at most `keep` buffers of pictures that were dropped.
    #[must_use]
    pub fn new(size: Size, layout: Layout, keep: usize) -> Self {
        Self { shared: Arc::new(Shared { size, layout, keep, free: Mutex::default() }) }
    }

    /// A picture whose samples are whatever its buffer held before.
    #[must_use]
    pub fn take(&self) -> Picture {
        let used = self.free().pop();
        let bytes = self.shared.layout.bytes(self.shared.size);
        Picture::new(self.clone(), used.unwrap_or_else(|| vec![0; bytes]))
    }

    pub(crate) fn size(&self) -> Size {
        self.shared.size
    }

    pub(crate) fn layout(&self) -> Layout {
        self.shared.layout
    }

    /// Takes the buffer of a picture back.
    pub(crate) fn give_back(&self, buffer: Vec<u8>) {
        let mut free = self.free();
        if free.len() < self.shared.keep {
            free.push(buffer);
        }
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
        // Buffers have no state that a panic elsewhere could have broken.
        self.shared.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
