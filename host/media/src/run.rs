//! The fused run: one ffmpeg decodes, composes and encodes, one pipe per track.

mod pump;
mod tracks;
mod verdict;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use crate::composition::Composition;
use crate::graph::{self, Inputs, OverlayInput};
use crate::jail::JailLimits;
use crate::merge::{Buffer, Feeder, Merger};
use crate::process::{Exit, Job, Progress, Tool, Watchdog};
use crate::source::Source;
use crate::track::{Packet, Track};
use crate::{Ffmpeg, Input, MediaError, overlay};

use pump::Pump;
use tracks::Clock;
use verdict::Delivered;

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
    /// Waits for ffmpeg.
    ending: JoinSet<Result<Exit, MediaError>>,
    limits: JailLimits,
}

impl Ffmpeg {
    /// Starts to make `composition` of `source`, which the probe found in `input`. Returns when
    /// every encoder has described its track. Packets beyond
    /// [`Limits::buffer_bytes`](crate::Limits::buffer_bytes) that wait go to unnamed files in
    /// `spool_dir`.
    ///
    /// Fails with the errors of [`Composition::check`], with those of starting a process, and
    /// with [`MediaError::Encoder`] if ffmpeg does not get as far as the first packet.
    pub async fn run(
        &self,
        input: &Input,
        source: &Source,
        composition: &Composition,
        spool_dir: &Path,
    ) -> Result<Run, MediaError> {
        composition.check(source, self.limits())?;
        let mut job = Job::new(Tool::Ffmpeg);
        let overlays = overlays(&mut job, composition)?;
        let inputs = Inputs {
            source: job.read(input.file())?,
            demuxer: input.format().demuxer(),
            max_pixels: self.limits().max_pixels,
            overlays: &overlays,
        };
        let (progress_name, progress_pipe) = job.write()?;
        let (mut names, mut pipes) = (Vec::new(), Vec::new());
        for _ in &composition.tracks {
            let (name, pipe) = job.write()?;
            names.push(name);
            pipes.push(pipe);
        }
        job.args(graph::run(source, composition, &inputs, &progress_name, &names));

        let clocks = tracks::clocks(source, composition)?;
        let mut child = self.spawn(job).await?;
        let moved = Arc::new(AtomicU64::new(0));
        let watchdog = Watchdog::new(Some(self.limits().stall), None);
        let mut ending = JoinSet::new();
        let watched = Arc::clone(&moved);
        ending.spawn(async move {
            child.wait_watched(watchdog, || watched.load(Ordering::Relaxed)).await
        });

        let mut pumps = JoinSet::new();
        let (report, progress) = watch::channel(Progress::default());
        pumps.spawn(pump::progress(progress_pipe, report, Arc::clone(&moved)));
        let buffer = Buffer::new(spool_dir.to_owned(), self.limits().buffer_bytes);
        let (mut headers, mut incoming) = (Vec::new(), Vec::new());
        for ((number, pipe), clock) in (0_u32..).zip(pipes).zip(&clocks) {
            let (feeder, packets) = Feeder::new(&buffer);
            let (tell, header) = oneshot::channel();
            let pump = Pump { track: number, priming: clock.priming(), moved: Arc::clone(&moved) };
            pumps.spawn(pump.run(pipe, tell, feeder));
            headers.push(header);
            incoming.push(packets);
        }

        let mut tracks = Vec::new();
        for ((header, clock), plan) in headers.into_iter().zip(&clocks).zip(&composition.tracks) {
            let Ok(header) = header.await else {
                return Err(no_header(&mut ending, &self.limits().jail).await);
            };
            tracks.push(clock.track(header, composition, plan, source)?);
        }
        Ok(Run {
            merger: Merger::new(&tracks, incoming),
            delivered: clocks.iter().map(Clock::promise).collect(),
            tracks,
            progress,
            pumps,
            ending,
            limits: self.limits().jail,
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
            // A pipe that ends too early is a symptom; how ffmpeg ended is the reason.
            Err(error @ MediaError::Encoder { .. }) => {
                let exit = self.exit().await?;
                Err(exit.check(&self.limits).err().unwrap_or(error))
            }
            Err(error) => Err(error),
        }
    }

    /// Waits until ffmpeg has ended, and judges whether everything came that was promised.
    /// Packets that were not taken are counted and dropped.
    ///
    /// Fails like [`Run::next_packet`], and with [`MediaError::FrameCount`] or
    /// [`MediaError::Unreadable`] if the source was cut off or damaged.
    pub async fn finish(mut self) -> Result<Summary, MediaError> {
        while self.next_packet().await?.is_some() {}
        let exit = self.exit().await?;
        exit.check(&self.limits)?;
        while self.pumps.join_next().await.is_some() {}
        let frames = self.progress.borrow().frame;
        verdict::judge(&self.delivered, frames, &exit.stderr_tail)
    }

    fn delivered_of(&mut self, track: u32) -> Option<&mut Delivered> {
        self.delivered.get_mut(usize::try_from(track).ok()?)
    }

    async fn exit(&mut self) -> Result<Exit, MediaError> {
        end_of(&mut self.ending).await
    }
}

async fn end_of(ending: &mut JoinSet<Result<Exit, MediaError>>) -> Result<Exit, MediaError> {
    match ending.join_next().await {
        Some(Ok(exit)) => exit,
        Some(Err(error)) => Err(MediaError::host("waiting for ffmpeg", error)),
        None => Err(MediaError::host("waiting for ffmpeg", "it was waited for before")),
    }
}

/// Why a pipe ended before it described its track.
async fn no_header(
    ending: &mut JoinSet<Result<Exit, MediaError>>,
    limits: &JailLimits,
) -> MediaError {
    match end_of(ending).await {
        Err(error) => error,
        Ok(exit) => exit.check(limits).err().unwrap_or_else(|| MediaError::Unreadable {
            message: "one of its streams has nothing that can be decoded".into(),
        }),
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
