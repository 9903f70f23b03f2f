//! The packets of all tracks in one order, however unevenly the encoders deliver them.
//!
//! Every pipe is drained as fast as ffmpeg writes: a pipe that is left full stops all of ffmpeg.
//! What waits is kept in memory up to a limit for all tracks together, and beyond it on disk.

mod buffer;

use std::cmp::Ordering;

use tokio::sync::mpsc;

use crate::MediaError;
use crate::track::{Packet, Track};

pub(crate) use buffer::{Buffer, Feeder};

use buffer::Waiting;

/// What a feeder hands over: a packet, or why there are no more.
type Handed = Result<Waiting, MediaError>;

/// The end of a track's queue at which packets come out.
pub(crate) type Incoming = mpsc::UnboundedReceiver<Handed>;

/// Merges the packets of tracks by decode time on their common clock.
#[derive(Debug)]
pub(crate) struct Merger {
    lanes: Vec<Lane>,
}

/// The packets of one track.
#[derive(Debug)]
struct Lane {
    incoming: Incoming,
    head: Option<Waiting>,
    ended: bool,
    start: i128,
    timescale: i128,
    /// No further packet has an earlier decode time; none while nothing is known.
    bound: Option<i64>,
}

impl Lane {
    fn take_in(&mut self, handed: Option<Handed>) -> Result<(), MediaError> {
        match handed {
            Some(waiting) => self.head = Some(waiting?),
            None => self.ended = true,
        }
        Ok(())
    }

    /// The decode time of the packet that comes next, or the earliest that it can have.
    fn next_dts(&self) -> Option<i64> {
        self.head.as_ref().map_or(self.bound, |waiting| Some(waiting.dts()))
    }

    /// By the next decode time; a lane of which nothing is known comes first.
    fn compare(&self, other: &Self) -> Ordering {
        match (self.next_dts(), other.next_dts()) {
            (Some(own), Some(others)) => {
                let own = (i128::from(own) + self.start) * other.timescale;
                own.cmp(&((i128::from(others) + other.start) * self.timescale))
            }
            (own, others) => own.is_some().cmp(&others.is_some()),
        }
    }
}

impl Merger {
    /// Merges `tracks`, each with what its [`Feeder`] hands over.
    pub(crate) fn new(tracks: &[Track], incoming: Vec<Incoming>) -> Self {
        let lanes = tracks.iter().zip(incoming).map(|(track, incoming)| Lane {
            incoming,
            head: None,
            ended: false,
            // Where a container puts the first packet, priming and all.
            start: i128::from(track.start) + i128::from(track.priming),
            timescale: i128::from(track.timescale),
            // Pictures are reordered by an unknown depth, sound is not.
            bound: i64::try_from(track.priming).ok().filter(|p| *p > 0).map(|priming| -priming),
        });
        Self { lanes: lanes.collect() }
    }

    /// The next packet; none when all tracks have ended. May be cancelled and called again.
    pub(crate) async fn next(&mut self) -> Result<Option<Packet>, MediaError> {
        loop {
            for lane in &mut self.lanes {
                if lane.head.is_none() && !lane.ended {
                    match lane.incoming.try_recv() {
                        Err(mpsc::error::TryRecvError::Empty) => {}
                        handed => lane.take_in(handed.ok())?,
                    }
                }
            }
            // Of equals the first: the lower track.
            let open = self.lanes.iter_mut().filter(|lane| lane.head.is_some() || !lane.ended);
            let Some(lane) = open.min_by(|a, b| a.compare(b)) else { return Ok(None) };
            if let Some(waiting) = &lane.head {
                let packet = waiting.load().await?;
                lane.bound = Some(packet.dts.saturating_add(1));
                lane.head = None;
                return Ok(Some(packet));
            }
            let handed = lane.incoming.recv().await;
            lane.take_in(handed)?;
        }
    }
}

#[cfg(test)]
mod tests;
