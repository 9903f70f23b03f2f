//! Files that the caller gave beside the source.

use std::io;
use std::time::Instant;

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::assets;
use crate::fault::{Stop, ensure};
use crate::model::Blob;

/// The most bytes of one read.
const MAX_READ: u32 = 1 << 20;

impl assets::Host for Host {}

impl assets::HostBlob for Host {
    fn size(&mut self, blob: Resource<Blob>) -> Result<u64> {
        Ok(self.get(&blob)?.size())
    }

    // A disk can be slow, so other work of this thread goes on meanwhile.
    async fn read(&mut self, blob: Resource<Blob>, offset: u64, length: u32) -> Result<Vec<u8>> {
        let blob = self.get(&blob)?.clone();
        ensure(length <= MAX_READ, || {
            format!("{length} bytes were to be read at once, {MAX_READ} are allowed")
        })?;
        let began = Instant::now();
        let read = tokio::task::spawn_blocking(move || blob.read(offset, length as usize)).await;
        self.forgive(began.elapsed());
        let unreadable = |error: io::Error| {
            Stop::Host(format!("the file of the picture cannot be read: {error}"))
        };
        Ok(read.map_err(io::Error::other).and_then(|read| read).map_err(unreadable)?)
    }

    fn drop(&mut self, blob: Resource<Blob>) -> Result<()> {
        self.take(blob).map(drop)
    }
}
