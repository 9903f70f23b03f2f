//! The fused run: one ffmpeg decodes, composes and encodes, one pipe per track.

mod ending;
pub(crate) mod framed;
mod opus;
mod pulse;
mod pump;
mod session;
mod starting;
mod times;
mod tracks;
mod verdict;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::composition::{Composition, TrackPlan, VideoEncoder};
use crate::graph::{self, Inputs, OverlayInput};
use crate::merge::{Buffer, Merger};
use crate::process::{Job, Progress, Tool};
use crate::source::Source;
use crate::track::{Packet, Track};
use crate::{Ffmpeg, Input, MediaError, overlay};

use ending::Ending;
use pulse::Pulse;
use session::{Part, Session};
use verdict::Delivered;

pub use starting::Starting;

/// What a finished run has delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What ffmpeg complained of first though it went on; the source is damaged there. None for a
    /// source that is whole.
    pub damage: Option<String>,
    /// Frames of the first video track.
    pub frames: u64,
    /// Packets of every track, in the order of [`Run::tracks`].
    pub packets: Vec<u64>,
    /// Bytes of all packets.
    pub bytes: u64,
    /// Whether a track was copied, in the same order.
    pub copied: Vec<bool>,
}

/// A render that is running. Dropping it kills and reaps ffmpeg.
///
/// ffmpeg goes on whether packets are taken or not: what waits is kept in memory and on disk.
#[derive(Debug)]
pub struct Run {
    tracks: Vec<Track>,
    merger: Merger,
    delivered: Vec<Delivered>,
    progress: watch::Receiver<Progress>,
    /// The readers of the pipes.
    pumps: JoinSet<()>,
    endings: Vec<Ending>,
    handed_out: Option<Arc<AtomicU64>>,
    _part: Part,
}

impl Ffmpeg {
    /// Starts to make `composition` of `source`, which the probe found in `input`. Returns when
    /// every encoder has described its track. Packets beyond
    /// [`Limits::buffer_bytes`](crate::Limits::buffer_bytes) that wait go to unnamed files in
    /// `spool_dir`.
    ///
    /// Fails with the errors of [`Composition::check`], with those of starting a process, and
    /// with [`MediaError::Encoder`] if ffmpeg does not get as far as the first packet. Tracks that
    /// [`Composition::copies`] names are copied; if their packets turn out not to be fit for
    /// that, the run fails at some time with [`MediaError::CannotCopy`].
    pub async fn run(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
        spool_dir: &Path,
    ) -> Result<Run, MediaError> {
        composition.check(source, self.limits())?;
        let given = |track: &TrackPlan| {
            matches!(track, TrackPlan::Video { encoder: VideoEncoder::Given, .. })
        };
        if composition.tracks.iter().any(given) {
            let message = "its pictures are encoded outside, which needs their frames".into();
            return Err(MediaError::UnsupportedPlan { message });
        }
        let mut job = Job::new(Tool::Ffmpeg);
        let overlays = overlays(&mut job, composition)?;
        let inputs = self.inputs(&mut job, input, &overlays)?;
        let (progress_name, progress_pipe) = job.write()?;
        let (mut names, mut pipes) = (Vec::new(), Vec::new());
        for _ in &composition.tracks {
            let (name, pipe) = job.write()?;
            names.push(name);
            pipes.push(pipe);
        }
        let copied = composition.copies(source, input.format());
        job.args(graph::run(source, composition, &copied, &inputs, &progress_name, &names));

        let clocks = tracks::clocks(source, composition, &copied)?;
        let (session, pulse) = (Arc::new(Session::default()), Arc::new(Pulse::default()));
        let ending = Ending::of(self, job, &session, &pulse).await?;
        let buffer = Buffer::new(spool_dir.to_owned(), self.limits().buffer_bytes);
        let mut starting = Starting::new(source, composition, buffer, session.part());
        starting.tool(&ending);
        starting.reported(progress_pipe, &pulse);
        for (clock, pipe) in clocks.into_iter().zip(pipes) {
            starting.track(clock, pipe, &ending, &pulse);
        }
        starting.run().await
    }
}

impl Ffmpeg {
    /// What `job` is to read: the source and the pictures that are laid over it.
    pub(crate) fn inputs<'a>(
        &self,
        job: &mut Job,
        input: &Input,
        overlays: &'a [OverlayInput],
    ) -> Result<Inputs<'a>, MediaError> {
        Ok(Inputs {
            source: job.read(input.file())?,
            demuxer: input.format().demuxer(),
            max_pixels: self.limits().max_pixels,
            overlays,
        })
    }
}

impl Run {
    /// The tracks, in the order of [`Composition::tracks`].
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// How far it is. Runs ahead of the packets that were taken.
    #[must_use]
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// The next packet of any track, by decode time on the clock of all tracks; none when all
    /// have been delivered. May be cancelled and called again.
    ///
    /// Fails with [`MediaError::Encoder`], [`MediaError::Stalled`], [`MediaError::Budget`] or
    /// [`MediaError::Storage`]; then there are no more.
    pub async fn next_packet(&mut self) -> Result<Option<Packet>, MediaError> {
        match self.merger.next().await {
            Ok(Some(packet)) => {
                if let Some(delivered) = self.delivered_of(packet.track) {
                    delivered.count(&packet);
                }
                Ok(Some(packet))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(self.meant(error)),
        }
    }

    /// What an error of the tools means.
    fn meant(&self, error: MediaError) -> MediaError {
        if self.delivered.iter().any(Delivered::is_copied) {
            tracks::not_copied(error)
        } else {
            error
        }
    }

    /// Waits until ffmpeg has ended, and judges whether everything came that was promised.
    /// Packets that were not taken are counted and dropped.
    ///
    /// Fails like [`Run::next_packet`], and with [`MediaError::FrameCount`] or
    /// [`MediaError::Unreadable`] if the source was cut off or damaged. Whatever is wrong with the
    /// source of a run that copies is [`MediaError::CannotCopy`]: what is not decoded is not known
    /// well enough to say more.
    pub async fn finish(mut self) -> Result<Summary, MediaError> {
        while self.next_packet().await?.is_some() {}
        let mut said = None;
        for ending in &self.endings {
            let exit = ending.good().await.map_err(|error| self.meant(error))?;
            // The first is the one that decodes: what it complains of is the source.
            said.get_or_insert(exit.stderr_tail);
        }
        while self.pumps.join_next().await.is_some() {}
        let frames = self.handed_out.as_deref();
        let frames = frames.map_or_else(|| self.progress.borrow().frame, starting::count);
        verdict::judge(&self.delivered, frames, &said.unwrap_or_default())
            .map_err(|error| self.meant(error))
    }

    fn delivered_of(&mut self, track: u32) -> Option<&mut Delivered> {
        self.delivered.get_mut(usize::try_from(track).ok()?)
    }
}

/// Prepares the pictures and lets `job` read them.
pub(crate) fn overlays(
    job: &mut Job,
    composition: &Composition,
) -> Result<Vec<OverlayInput>, MediaError> {
    let mut overlays = Vec::new();
    for overlay in &composition.overlays {
        let mark = overlay::mark(overlay, composition.colour)?;
        let name = job.read(overlay::file(mark.bytes())?)?;
        overlays.push(OverlayInput { name, size: mark.size().into(), at: mark.at().into() });
    }
    Ok(overlays)
}
