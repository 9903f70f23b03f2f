//! Packets that somebody else has made.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{oneshot, watch};

use crate::MediaError;
use crate::fragments::Header;
use crate::graph::timescale;
use crate::merge::Feeder;
use crate::process::Progress;
use crate::track::Packet;
use crate::units::Rational;

use super::super::session::{Part, Session};
use super::super::starting::Starting;
use super::super::tracks::Clock;

/// Takes the packets of a video track that is encoded outside.
#[derive(Debug)]
pub struct PacketSink {
    rate: Rational,
    track: u32,
    tell: Option<oneshot::Sender<Header>>,
    feeder: Feeder,
    report: watch::Sender<Progress>,
    since: Instant,
    part: Part,
}

impl PacketSink {
    pub(super) fn new(
        rate: Rational,
        starting: &mut Starting,
        clock: Clock,
        session: &Arc<Session>,
    ) -> Self {
        let report = starting.reports();
        let (track, tell, feeder) = starting.lane(clock, None);
        let (tell, since, part) = (Some(tell), Instant::now(), session.part());
        Self { rate, track, tell, feeder, report, since, part }
    }

    /// The number of the track.
    #[must_use]
    pub fn track(&self) -> u32 {
        self.track
    }

    /// Ticks per second of the packets' times.
    #[must_use]
    pub fn timescale(&self) -> u32 {
        timescale(self.rate)
    }

    /// The ticks from one frame of the raster to the next.
    #[must_use]
    pub fn frame_duration(&self) -> u32 {
        (self.timescale() / self.rate.numerator.max(1)).saturating_mul(self.rate.denominator)
    }

    /// Describes the track: [`Track::codec`](crate::Track::codec) and
    /// [`Track::codec_config`](crate::Track::codec_config).
    ///
    /// Fails if it was described before.
    pub async fn describe(
        &mut self,
        codec: String,
        codec_config: Vec<u8>,
    ) -> Result<(), MediaError> {
        let header = Header::given(codec, self.timescale(), codec_config);
        let again = || MediaError::host("encoding", "a track was described twice");
        // That nobody waits for it any more is for those to say who do not.
        drop(self.tell.take().ok_or_else(again)?.send(header));
        Ok(())
    }

    /// Takes the next packet in the order of decoding, with its times in ticks of
    /// [`PacketSink::timescale`]; whatever track it names, it becomes one of this track.
    ///
    /// Fails with [`MediaError::Storage`].
    pub async fn push(&mut self, packet: Packet) -> Result<(), MediaError> {
        let end = packet.pts.saturating_add(i64::from(packet.duration));
        self.feeder.push(Packet { track: self.track, ..packet }).await?;
        let seconds = self.since.elapsed().as_secs_f64().max(f64::EPSILON);
        let micros = i128::from(end) * 1_000_000 / i128::from(self.timescale().max(1));
        self.report.send_modify(|progress| {
            progress.frame += 1;
            progress.out_time_us = progress.out_time_us.max(u64::try_from(micros).ok());
            progress.fps = (progress.frame as f64 / seconds) as f32;
            progress.speed = (micros as f64 / 1e6 / seconds) as f32;
        });
        Ok(())
    }

    /// Says that there are no more packets.
    pub fn finish(mut self) {
        self.report.send_modify(|progress| progress.done = true);
        self.part.done();
    }
}
