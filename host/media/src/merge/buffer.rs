//! Packets that wait for their turn.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::{Handed, Incoming};
use crate::MediaError;
use crate::track::Packet;

/// What all tracks of a run share.
#[derive(Debug)]
pub(crate) struct Buffer {
    spool_dir: PathBuf,
    limit: u64,
    held: AtomicU64,
}

impl Buffer {
    /// Holds at most `limit` bytes of packets in memory and the rest in unnamed files in
    /// `spool_dir`.
    pub(crate) fn new(spool_dir: PathBuf, limit: u64) -> Arc<Self> {
        Arc::new(Self { spool_dir, limit, held: AtomicU64::new(0) })
    }

    /// Takes `bytes` of the memory, if there is so much.
    fn hold(self: &Arc<Self>, bytes: u64) -> Option<Held> {
        let taken = self.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, |held| {
            held.checked_add(bytes).filter(|sum| *sum <= self.limit)
        });
        taken.is_ok().then(|| Held { buffer: Arc::clone(self), bytes })
    }
}

/// Memory that is given back when it is dropped.
#[derive(Debug)]
struct Held {
    buffer: Arc<Buffer>,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.buffer.held.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

/// The end of a track's queue at which packets go in.
#[derive(Debug)]
pub(crate) struct Feeder {
    buffer: Arc<Buffer>,
    queue: mpsc::UnboundedSender<Handed>,
    spool: Option<Arc<Spool>>,
    /// Where the spool goes on.
    position: u64,
}

impl Feeder {
    /// A feeder of `buffer`, and where its packets come out.
    pub(crate) fn new(buffer: &Arc<Buffer>) -> (Self, Incoming) {
        let (queue, incoming) = mpsc::unbounded_channel();
        (Self { buffer: Arc::clone(buffer), queue, spool: None, position: 0 }, incoming)
    }

    /// Queues a packet. Fails with [`MediaError::Storage`].
    pub(crate) async fn push(&mut self, packet: Packet) -> Result<(), MediaError> {
        let length = length(&packet.data);
        let waiting = match self.buffer.hold(length) {
            Some(held) => Waiting { packet, payload: Payload::Held(held) },
            None => self.spool(packet).await.map_err(MediaError::Storage)?,
        };
        self.hand_over(Ok(waiting));
        Ok(())
    }

    /// Ends the queue with an error.
    pub(crate) fn fail(self, error: MediaError) {
        self.hand_over(Err(error));
    }

    /// How far its spool has been written.
    #[cfg(test)]
    pub(super) fn spooled_bytes(&self) -> u64 {
        self.position
    }

    fn hand_over(&self, handed: Handed) {
        // Nobody takes packets any more: the run is being dropped.
        drop(self.queue.send(handed));
    }

    async fn spool(&mut self, mut packet: Packet) -> io::Result<Waiting> {
        let data = std::mem::take(&mut packet.data);
        let spool = match &self.spool {
            Some(spool) => Arc::clone(spool),
            None => {
                let directory = self.buffer.spool_dir.clone();
                let file = blocking(move || tempfile::tempfile_in(directory)).await?;
                Arc::clone(self.spool.insert(Arc::new(Spool { file, waiting: AtomicU64::new(0) })))
            }
        };
        if spool.waiting.load(Ordering::Acquire) == 0 {
            // Everything in it has been read: use it again from the beginning.
            self.position = 0;
        }
        let (at, length) = (self.position, length(&data));
        self.position += length;
        spool.waiting.fetch_add(1, Ordering::AcqRel);
        let file = Arc::clone(&spool);
        blocking(move || file.file.write_all_at(&data, at)).await?;
        Ok(Waiting { packet, payload: Payload::Spooled { spool, at, length } })
    }
}

/// A packet in a queue.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// Without its data, if that is spooled.
    packet: Packet,
    payload: Payload,
}

#[derive(Debug)]
enum Payload {
    Held(#[expect(dead_code, reason = "gives the memory back when it is dropped")] Held),
    Spooled { spool: Arc<Spool>, at: u64, length: u64 },
}

/// An unnamed file with the data of packets of one track.
#[derive(Debug)]
struct Spool {
    file: File,
    /// Packets that have not been dropped yet.
    waiting: AtomicU64,
}

impl Waiting {
    pub(super) fn dts(&self) -> i64 {
        self.packet.dts
    }

    /// The packet with its data.
    pub(super) async fn load(&self) -> Result<Packet, MediaError> {
        let Payload::Spooled { spool, at, length } = &self.payload else {
            return Ok(self.packet.clone());
        };
        let (spool, at, length) = (Arc::clone(spool), *at, *length);
        let data = blocking(move || {
            let mut data = vec![0; usize::try_from(length).map_err(io::Error::other)?];
            spool.file.read_exact_at(&mut data, at)?;
            Ok(data)
        });
        let data = Bytes::from(data.await.map_err(MediaError::Storage)?);
        Ok(Packet { data, ..self.packet.clone() })
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        if let Self::Spooled { spool, .. } = self {
            spool.waiting.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn length(data: &Bytes) -> u64 {
    u64::try_from(data.len()).unwrap_or(u64::MAX)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
