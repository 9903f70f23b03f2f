//! Taking a body in: what arrives is written on a thread of its own, behind a short queue, so that
//! a slow disk slows the sender down.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use futures::{Stream, StreamExt as _};
use sha2::{Digest as _, Sha256};
use store::{Draft, Upload};
use tokio::sync::mpsc;

/// How long nothing may come of a body.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// How many parts of a body wait to be written.
const QUEUED: usize = 8;

/// A file that is arriving.
pub(super) enum Receiving {
    /// One that comes in one go or not at all.
    Whole { draft: Draft, file: File, received: u64 },
    /// One that can be gone on with.
    Part(Upload),
}

/// Why no more is taken in. What has arrived of a file that can be gone on with stays.
#[derive(Debug)]
pub(super) enum Stopped {
    /// There is more than may be.
    TooLarge,
    /// The client has gone away, or does not keep to HTTP.
    Broken,
    /// Nothing came for too long.
    Idle,
    /// The disk failed.
    Unwritten(io::Error),
}

impl Receiving {
    pub(super) fn whole(draft: Draft) -> io::Result<Self> {
        let file = draft.writer()?;
        Ok(Self::Whole { draft, file, received: 0 })
    }

    pub(super) fn part(upload: Upload) -> Self {
        Self::Part(upload)
    }

    /// How many bytes are there.
    pub(super) fn received(&self) -> u64 {
        match self {
            Self::Whole { received, .. } => *received,
            Self::Part(upload) => upload.received(),
        }
    }

    /// Takes a body in, without its first `skip` bytes, until it ends or more than `most` bytes are
    /// there.
    pub(super) async fn take_in<E>(
        self,
        mut body: impl Stream<Item = Result<Bytes, E>> + Unpin,
        mut skip: u64,
        most: u64,
    ) -> Result<Self, Stopped> {
        let mut room = most.saturating_sub(self.received());
        let (parts, queue) = mpsc::channel(QUEUED);
        let writing = tokio::task::spawn_blocking(move || self.write(queue));
        let read = async {
            loop {
                let part = match tokio::time::timeout(IDLE, body.next()).await {
                    Err(_) => return Err(Stopped::Idle),
                    Ok(None) => return Ok(()),
                    Ok(Some(Err(_))) => return Err(Stopped::Broken),
                    Ok(Some(Ok(part))) => part,
                };
                let part = without(part, &mut skip);
                room = match room.checked_sub(part.len() as u64) {
                    Some(room) => room,
                    None => return Err(Stopped::TooLarge),
                };
                if !part.is_empty() && parts.send(part).await.is_err() {
                    // The writer says why.
                    return Ok(());
                }
            }
        };
        let read = read.await;
        drop(parts);
        let written = writing.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        let receiving = written.map_err(Stopped::Unwritten)?;
        read.map(|()| receiving)
    }

    fn write(mut self, mut queue: mpsc::Receiver<Bytes>) -> io::Result<Self> {
        while let Some(part) = queue.blocking_recv() {
            match &mut self {
                Self::Whole { file, received, .. } => {
                    file.write_all(&part)?;
                    *received = received.saturating_add(part.len() as u64);
                }
                Self::Part(upload) => upload.append(&part)?,
            }
        }
        Ok(self)
    }

    /// The whole file.
    pub(super) fn finish(self) -> io::Result<Draft> {
        match self {
            Self::Whole { draft, .. } => Ok(draft),
            Self::Part(upload) => upload.finish(),
        }
    }
}

/// A part of a body without what is to be skipped of it.
fn without(mut part: Bytes, skip: &mut u64) -> Bytes {
    let here = usize::try_from(*skip).unwrap_or(usize::MAX).min(part.len());
    part.advance(here);
    *skip = skip.saturating_sub(here as u64);
    part
}

/// The SHA-256 of a file.
pub(super) async fn hash(path: PathBuf) -> io::Result<[u8; 32]> {
    let hashed = tokio::task::spawn_blocking(move || {
        let mut file = File::open(path)?;
        let mut hash = Sha256::new();
        let mut part = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut part)?;
            match part.get(..count) {
                Some(read) if !read.is_empty() => hash.update(read),
                _ => return Ok(hash.finalize().into()),
            }
        }
    });
    hashed.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
