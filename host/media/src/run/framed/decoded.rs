//! The frames that come out of the first ffmpeg.

use std::sync::Arc;

use picture::{Frame, Layout, Pool};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::mpsc;

use crate::MediaError;
use crate::units::Size;

use super::super::ending::Ending;
use super::super::pulse::Pulse;
use super::super::session::{Part, Session};
use super::frames::Counts;

/// How many frames are read ahead of who takes them.
const AHEAD: usize = 3;

/// How many buffers are kept for the next frames: those on both sides of the host's work and a
/// few in its hands.
const BUFFERS: usize = 12;

/// A frame, or the end, which is to be told from a reader that was stopped.
type Handed = Result<Option<Frame>, MediaError>;

/// The frames of a raster, as they are decoded. A few are read ahead.
#[derive(Debug)]
pub struct Decoded {
    frames: mpsc::Receiver<Handed>,
    ended: bool,
    part: Part,
}

impl Decoded {
    /// The next frame of the raster; none after the last. May be cancelled and called again.
    ///
    /// Fails with [`MediaError::Encoder`], [`MediaError::Stalled`] or [`MediaError::Budget`] as
    /// ffmpeg ended; then there are no more.
    pub async fn next(&mut self) -> Result<Option<Frame>, MediaError> {
        if self.ended {
            return Ok(None);
        }
        let handed = self.frames.recv().await;
        let stopped = || MediaError::host("decoding", "the run was stopped");
        let frame = handed.ok_or_else(stopped)??;
        if frame.is_none() {
            self.ended = true;
            self.part.done();
        }
        Ok(frame)
    }
}

/// What reads the frames.
pub(super) struct Reader<'a> {
    pub(super) size: Size,
    pub(super) pulse: &'a Arc<Pulse>,
    pub(super) ending: &'a Ending,
    pub(super) counts: &'a Arc<Counts>,
}

impl Reader<'_> {
    /// Reads `pipe` to its end in a task of the session.
    pub(super) fn start(self, pipe: Receiver, session: &Arc<Session>) -> Decoded {
        let (queue, frames) = mpsc::channel(AHEAD);
        let pool = Pool::new(self.size.into(), Layout::Yuv420p8, BUFFERS);
        let (pulse, ending) = (Arc::clone(self.pulse), self.ending.clone());
        let counts = Arc::clone(self.counts);
        session.spawn(read(pipe, pool, queue, pulse, ending, counts));
        Decoded { frames, ended: false, part: session.part() }
    }
}

async fn read(
    mut pipe: Receiver,
    pool: Pool,
    queue: mpsc::Sender<Handed>,
    pulse: Arc<Pulse>,
    ending: Ending,
    counts: Arc<Counts>,
) {
    for index in 0.. {
        // Nobody takes frames any more: the run is being dropped.
        let Ok(room) = pulse.holding(queue.reserve()).await else { return };
        let mut picture = pool.take();
        match fill(&mut pipe, picture.bytes_mut(), &pulse).await {
            Ok(true) => {
                counts.one_decoded();
                room.send(Ok(Some(Frame { index, picture: Arc::new(picture) })));
            }
            Ok(false) => {
                // How it ended says whether that was all.
                let ended = ending.good().await;
                counts.all_decoded();
                return room.send(ended.map(|_| None));
            }
            Err(error) => {
                drop(pipe);
                return room.send(Err(ending.reason(error).await));
            }
        }
    }
}

/// Fills `samples` from `pipe`; false if the pipe has ended before the first of them.
pub(crate) async fn fill_from(pipe: &mut Receiver, samples: &mut [u8]) -> Result<bool, MediaError> {
    fill(pipe, samples, &Pulse::default()).await
}

async fn fill(pipe: &mut Receiver, samples: &mut [u8], pulse: &Pulse) -> Result<bool, MediaError> {
    let mut filled = 0;
    while let Some(rest) = samples.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let count = pipe.read(rest).await;
        match count.map_err(|error| MediaError::host("reading from ffmpeg", error))? {
            0 if filled == 0 => return Ok(false),
            0 => {
                let message = "its frames break off".into();
                return Err(MediaError::Encoder { message });
            }
            count => {
                pulse.beat(u64::try_from(count).unwrap_or(1));
                filled += count;
            }
        }
    }
    Ok(true)
}
