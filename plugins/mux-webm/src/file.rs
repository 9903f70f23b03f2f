//! One file being written: what is told of the packets while they pass, and the head at the end.

use mux_common::{Credits, MuxError, TrackProblem};
use stage_sdk::Packet;

use crate::clusters::{Block, Clusters, Length, Step};
use crate::head::{Entry, Head};
use crate::track::Track;

/// A file whose clusters are collected elsewhere, as [`File::push`] says; [`File::finish`] makes
/// what comes before them.
#[derive(Debug)]
pub(crate) struct File {
    credits: Credits,
    tracks: Vec<Growing>,
    /// The place of the track by which one seeks.
    lead: usize,
    clusters: Clusters,
}

#[derive(Debug)]
struct Growing {
    track: Track,
    last_dts: Option<i64>,
    /// How long packets last.
    steady: u32,
    /// Whether all of them last so long.
    is_even: bool,
}

/// A packet of Opus as every encoder makes it unless told otherwise, in its samples.
const OPUS_PACKET: u32 = 960;

/// The most tracks: their numbers fill one byte, as many readers expect.
const MOST_TRACKS: usize = 126;

impl File {
    /// Begins a file.
    ///
    /// # Errors
    /// If there are no tracks or too many.
    pub(crate) fn new(tracks: Vec<Track>, credits: Credits) -> Result<Self, MuxError> {
        if tracks.is_empty() {
            return Err(MuxError::NoTracks);
        }
        if tracks.len() > MOST_TRACKS {
            return Err(MuxError::TooLarge);
        }
        // A file of sound alone is one as well.
        let lead = tracks.iter().position(Track::is_video).unwrap_or(0);
        let growing = |track: Track| {
            let steady = if track.is_video() { 0 } else { OPUS_PACKET };
            Growing { track, last_dts: None, steady, is_even: true }
        };
        let tracks = tracks.into_iter().map(growing).collect();
        Ok(Self { credits, tracks, lead, clusters: Clusters::default() })
    }

    /// Takes note of the next packet and says where it goes.
    ///
    /// # Errors
    /// If its track was not announced, or there is no place for its times.
    pub(crate) fn push(&mut self, packet: &Packet) -> Result<Step<'_>, MuxError> {
        let track = packet.track;
        let growing = self.tracks.get_mut(track).ok_or(MuxError::UnannouncedTrack { track })?;
        let leads = track == self.lead;
        let block = growing.block(packet, leads).map_err(MuxError::of_track(track))?;
        Ok(self.clusters.push(&block))
    }

    /// Ends the file: the length of the last cluster, and all that precedes the first.
    ///
    /// # Errors
    /// If a track has had no packet.
    pub(crate) fn finish(self) -> Result<(Option<Length>, Vec<u8>), MuxError> {
        let Self { credits, tracks, lead, clusters } = self;
        let tracks = tracks.into_iter().enumerate();
        let tracks = tracks
            .map(|(place, growing)| growing.finish().map_err(MuxError::of_track(place)))
            .collect::<Result<Vec<_>, _>>()?;
        let (length, size, cues) = clusters.finish();
        let head = Head { credits: &credits, tracks: &tracks, lead, cues: &cues, clusters: size };
        Ok((length, head.write()))
    }
}

impl Growing {
    fn block(&mut self, packet: &Packet, leads: bool) -> Result<Block, TrackProblem> {
        if self.last_dts.is_some_and(|last| packet.dts <= last) {
            return Err(TrackProblem::Order);
        }
        let clock = &self.track.clock;
        // Video has no place for what is decoded and not shown.
        if self.track.is_video() && packet.pts < 0 {
            return Err(TrackProblem::Early);
        }
        let discard = if self.track.is_video() { 0 } else { self.beyond_the_end(packet) };
        let block = Block {
            track: u8::try_from(packet.track).unwrap_or(u8::MAX).saturating_add(1),
            timestamp: clock.timestamp(packet)?,
            floor: clock.decoded(packet)?,
            size: packet.size,
            is_sync: packet.is_sync,
            leads,
            discard: clock.nanos(discard).ok_or(TrackProblem::Time)?,
        };
        self.is_even &= self.last_dts.is_none() || packet.duration == self.steady;
        self.last_dts = Some(packet.dts);
        self.steady = packet.duration;
        Ok(block)
    }

    /// How many ticks of a packet of sound lie beyond what is presented. The duration of a last
    /// packet may leave out what is not presented, so that it is taken for as long as the one
    /// before.
    fn beyond_the_end(&self, packet: &Packet) -> u64 {
        let length = i64::from(packet.duration.max(self.steady));
        let promised = i64::try_from(self.track.clock.duration).unwrap_or(i64::MAX);
        let beyond = packet.pts.saturating_add(length).saturating_sub(promised);
        u64::try_from(beyond.min(length)).unwrap_or(0)
    }

    fn finish(self) -> Result<Entry, TrackProblem> {
        self.last_dts.ok_or(TrackProblem::NoPackets)?;
        let even = Some(self.steady).filter(|steady| self.is_even && *steady > 0);
        let frame = even.filter(|_| self.track.is_video());
        let frame_nanos = frame.and_then(|ticks| self.track.clock.nanos(ticks.into()));
        Ok(Entry { track: self.track, frame_nanos })
    }
}

#[cfg(test)]
mod tests;
