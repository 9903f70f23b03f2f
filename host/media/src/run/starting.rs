//! From encoders that have been started to tracks that are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::unix::pipe;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;

use crate::MediaError;
use crate::composition::Composition;
use crate::fragments::Header;
use crate::merge::{Buffer, Feeder, Incoming, Merger};
use crate::process::Progress;
use crate::source::Source;

use super::Run;
use super::ending::Ending;
use super::pulse::Pulse;
use super::pump::{self, Pump};
use super::session::Part;
use super::tracks::Clock;

/// A run whose tracks have not all been described by their encoders yet.
#[derive(Debug)]
pub struct Starting {
    source: Source,
    composition: Composition,
    buffer: Arc<Buffer>,
    lanes: Vec<Lane>,
    progress: watch::Receiver<Progress>,
    pumps: JoinSet<()>,
    /// First that of the tool which decodes.
    endings: Vec<Ending>,
    /// How many frames were handed out, if they were.
    handed_out: Option<Arc<AtomicU64>>,
    part: Part,
}

/// A track on its way.
#[derive(Debug)]
struct Lane {
    clock: Clock,
    header: oneshot::Receiver<Header>,
    incoming: Incoming,
    /// What encodes it, if a tool does.
    ending: Option<Ending>,
}

impl Starting {
    /// A run that has no tracks yet.
    pub(super) fn new(
        source: &Source,
        composition: &Composition,
        buffer: Arc<Buffer>,
        part: Part,
    ) -> Self {
        Self {
            source: source.clone(),
            composition: composition.clone(),
            buffer,
            lanes: Vec::new(),
            progress: watch::channel(Progress::default()).1,
            pumps: JoinSet::new(),
            endings: Vec::new(),
            handed_out: None,
            part,
        }
    }

    /// A further tool whose end is judged.
    pub(super) fn tool(&mut self, ending: &Ending) {
        self.endings.push(ending.clone());
    }

    /// Where the progress of the run is to be reported.
    pub(super) fn reports(&mut self) -> watch::Sender<Progress> {
        let (report, progress) = watch::channel(Progress::default());
        self.progress = progress;
        report
    }

    /// Takes the progress from the pipe of a tool.
    pub(super) fn reported(&mut self, pipe: pipe::Receiver, pulse: &Arc<Pulse>) {
        let report = self.reports();
        self.pumps.spawn(pump::progress(pipe, report, Arc::clone(pulse)));
    }

    /// The frames are handed out, and counted there.
    pub(super) fn counted(&mut self, frames: &Arc<AtomicU64>) {
        self.handed_out = Some(Arc::clone(frames));
    }

    /// The next track of the composition, which a tool encodes to `pipe`.
    pub(super) fn track(
        &mut self,
        clock: Clock,
        pipe: pipe::Receiver,
        ending: &Ending,
        pulse: &Arc<Pulse>,
    ) {
        let times = clock.times();
        let (track, tell, feeder) = self.lane(clock, Some(ending.clone()));
        let pump = Pump { track, times, pulse: Arc::clone(pulse), ending: ending.clone() };
        self.pumps.spawn(pump.run(pipe, tell, feeder));
    }

    /// The next track of the composition: its number, where it is to be described, and where its
    /// packets go.
    pub(super) fn lane(
        &mut self,
        clock: Clock,
        ending: Option<Ending>,
    ) -> (u32, oneshot::Sender<Header>, Feeder) {
        let track = u32::try_from(self.lanes.len()).unwrap_or(u32::MAX);
        let (feeder, incoming) = Feeder::new(&self.buffer);
        let (tell, header) = oneshot::channel();
        self.lanes.push(Lane { clock, header, incoming, ending });
        (track, tell, feeder)
    }

    /// Waits until every encoder has described its track. In a framed run frames must be taken
    /// and given at the same time: an encoder describes its track when it has seen some.
    ///
    /// Fails with [`MediaError::Encoder`] if ffmpeg does not get as far as the first packet.
    pub async fn run(self) -> Result<Run, MediaError> {
        let (mut tracks, mut incoming, mut delivered) = (Vec::new(), Vec::new(), Vec::new());
        for (lane, plan) in self.lanes.into_iter().zip(&self.composition.tracks) {
            let Ok(header) = lane.header.await else {
                return Err(lane.clock.undescribed(no_header(lane.ending).await));
            };
            tracks.push(lane.clock.track(header, &self.composition, plan, &self.source)?);
            incoming.push(lane.incoming);
            delivered.push(lane.clock.promise());
        }
        Ok(Run {
            merger: Merger::new(&tracks, incoming),
            delivered,
            tracks,
            progress: self.progress,
            pumps: self.pumps,
            endings: self.endings,
            handed_out: self.handed_out,
            _part: self.part,
        })
    }
}

/// Why a track was not described.
async fn no_header(ending: Option<Ending>) -> MediaError {
    match ending {
        Some(ending) => ending.good().await.err().unwrap_or_else(|| MediaError::Unreadable {
            message: "one of its streams has nothing that can be decoded".into(),
        }),
        None => MediaError::host("starting a run", "a track was given without its description"),
    }
}

/// How many frames were handed out until now.
pub(super) fn count(frames: &AtomicU64) -> u64 {
    frames.load(Ordering::Acquire)
}
