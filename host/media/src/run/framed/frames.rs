//! The frames that go into the second ffmpeg.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use picture::Frame;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::Sender;
use tokio::sync::{mpsc, oneshot};

use crate::MediaError;
use crate::units::Size;

use super::super::ending::Ending;
use super::super::pulse::Pulse;
use super::super::session::{Part, Session};

/// How many frames wait for the encoder.
const WAITING: usize = 3;

/// How much is written between two signs of life, in bytes: what a pipe holds.
const CHUNK: usize = 1 << 20;

/// How many frames there were.
#[derive(Debug, Default)]
pub(super) struct Counts {
    decoded: Arc<AtomicU64>,
    complete: AtomicBool,
}

impl Counts {
    pub(super) fn decoded(&self) -> &Arc<AtomicU64> {
        &self.decoded
    }

    pub(super) fn one_decoded(&self) {
        self.decoded.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn all_decoded(&self) {
        self.complete.store(true, Ordering::Release);
    }

    /// How many there are in all, if that is known.
    fn all(&self) -> Option<u64> {
        self.complete.load(Ordering::Acquire).then(|| self.decoded.load(Ordering::Acquire))
    }
}

/// Takes the frames of a raster for ffmpeg to encode. A few wait in it while ffmpeg works.
#[derive(Debug)]
pub struct FrameSink {
    fed: Fed,
    counts: Arc<Counts>,
    promised: u64,
    pushed: u64,
}

impl FrameSink {
    /// Gives the next frame, which must be the one after the last; waits while enough are queued.
    /// A frame is lost if this is cancelled.
    ///
    /// Fails with [`MediaError::Encoder`], [`MediaError::Stalled`] or [`MediaError::Budget`] as
    /// ffmpeg ended; then it takes no more.
    pub async fn push(&mut self, frame: Frame) -> Result<(), MediaError> {
        if frame.index != self.pushed {
            let wrong = format!("frame {} came where {} was due", frame.index, self.pushed);
            return Err(MediaError::host("encoding", wrong));
        }
        if Size::from(frame.picture.size()) != self.fed.size {
            return Err(MediaError::host("encoding", "a frame has not the size of the raster"));
        }
        if self.fed.queue.send(frame).await.is_err() {
            return Err(self.fed.why().await);
        }
        self.pushed += 1;
        Ok(())
    }

    /// Says that there are no more frames, and waits until ffmpeg has taken them all.
    ///
    /// Fails like [`FrameSink::push`], and with [`MediaError::FrameCount`] if not as many frames
    /// were given as there are on the raster.
    pub async fn finish(self) -> Result<(), MediaError> {
        let expected = self.counts.all();
        if expected != Some(self.pushed) {
            let expected = expected.unwrap_or(self.promised);
            return Err(MediaError::FrameCount { expected, got: self.pushed });
        }
        let Fed { queue, written, mut part, .. } = self.fed;
        drop(queue);
        written.await.unwrap_or_else(|_| Err(stopped()))?;
        part.done();
        Ok(())
    }
}

/// The way into the second ffmpeg.
#[derive(Debug)]
pub(super) struct Fed {
    size: Size,
    queue: mpsc::Sender<Frame>,
    /// How the writing ended.
    written: oneshot::Receiver<Result<(), MediaError>>,
    part: Part,
}

impl Fed {
    /// Writes what is queued to `pipe` in a task of the session.
    pub(super) fn start(
        pipe: Sender,
        size: Size,
        ending: &Ending,
        pulse: &Arc<Pulse>,
        session: &Arc<Session>,
    ) -> Self {
        let (queue, frames) = mpsc::channel(WAITING);
        let (tell, written) = oneshot::channel();
        let (ending, pulse) = (ending.clone(), Arc::clone(pulse));
        session.spawn(async move {
            // Nobody may be left to be told.
            drop(tell.send(write(pipe, frames, ending, pulse).await));
        });
        Self { size, queue, written, part: session.part() }
    }

    /// The sink that leads here. Of `promised` frames, by what the source says of itself.
    pub(super) fn of(self, promised: Option<u64>, counts: Arc<Counts>) -> FrameSink {
        FrameSink { fed: self, counts, promised: promised.unwrap_or(0), pushed: 0 }
    }

    /// Why no more frames are taken.
    async fn why(&mut self) -> MediaError {
        match (&mut self.written).await {
            Ok(Err(error)) => error,
            _ => stopped(),
        }
    }
}

fn stopped() -> MediaError {
    MediaError::host("encoding", "the run was stopped")
}

async fn write(
    mut pipe: Sender,
    mut frames: mpsc::Receiver<Frame>,
    ending: Ending,
    pulse: Arc<Pulse>,
) -> Result<(), MediaError> {
    while let Some(frame) = pulse.holding(frames.recv()).await {
        for chunk in frame.picture.bytes().chunks(CHUNK) {
            if pipe.write_all(chunk).await.is_err() {
                drop(pipe);
                let message = "it stopped reading its frames".into();
                return Err(ending.reason(MediaError::Encoder { message }).await);
            }
            pulse.beat(1);
        }
    }
    Ok(())
}
