//! From the times that ffmpeg writes to those of the track's own clock.

use std::collections::BTreeSet;

use crate::MediaError;
use crate::fragments::Sample;

use super::opus;

/// The samples of an AAC frame (ISO/IEC 14496-3, 4.5.2.1.1).
const AAC_FRAME: u32 = 1024;

/// The most places of the grid that may wait for an earlier one.
const WAITING: usize = 32;

/// The bytes before each unit of H.264 that say how long it is.
const LENGTH: usize = 4;

/// When a packet is presented and decoded, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) pts: i64,
    pub(super) dts: i64,
    pub(super) duration: u32,
}

/// Where the packets of a track come from, which decides how far their times are to be trusted.
#[derive(Clone, Debug)]
pub(super) enum Times {
    /// From an encoder: right but for where they begin.
    Encoded {
        /// How long before the track's zero the first packet is presented.
        priming: i64,
        /// Where ffmpeg's zero lies.
        origin: Option<i64>,
    },
    /// Copied pictures.
    Pictures(Grid),
    /// Copied sound.
    Sound(Chain),
}

/// One place for every picture; containers round their times, and may not tell decode times.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The ticks of a frame.
    pub(super) frame: i64,
    /// How many pictures a decoder holds back.
    pub(super) reordered: i64,
    /// How far from its place a picture may lie, in ticks.
    pub(super) tolerance: i64,
    /// Whether packets are length-prefixed units of H.264, else frames of VP9.
    pub(super) in_units: bool,
    pub(super) progress: Progress,
}

/// How far the pictures of a grid have come.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    origin: Option<i64>,
    packets: i64,
    /// The first place that is still empty.
    next: i64,
    /// Places behind it that are not.
    waiting: BTreeSet<i64>,
}

/// Sound without gaps: every packet begins where the one before ends.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// How long before the track's zero the first packet is presented.
    pub(super) priming: i64,
    /// How far from its place a packet may lie, in ticks.
    pub(super) tolerance: i64,
    /// Whether packets are Opus, else AAC.
    pub(super) opus: bool,
    /// Where the next packet begins, and where ffmpeg's zero lies.
    pub(super) next: Option<(i64, i64)>,
}

impl Times {
    /// Takes what the header says of the priming of sound that comes from an encoder.
    pub(super) fn header(&mut self, said: Option<u32>) -> Result<(), MediaError> {
        let Some(said) = said.map(i64::from) else { return Ok(()) };
        match self {
            Self::Encoded { priming, .. } => *priming = said,
            // What a decoder leaves out must be what lies before the beginning.
            Self::Sound(chain) if (chain.priming - said).abs() > chain.tolerance => {
                return Err(unclean("its sound begins elsewhere than its codec says"));
            }
            Self::Sound(chain) => chain.priming = said,
            Self::Pictures(_) => {}
        }
        Ok(())
    }

    /// The place of the next packet.
    pub(super) fn place(&mut self, sample: &Sample) -> Result<Placed, MediaError> {
        match self {
            Self::Encoded { priming, origin } => {
                let first = sample.pts.saturating_add(*priming);
                let origin = *origin.get_or_insert(first);
                let moved = |time: i64| {
                    time.checked_sub(origin)
                        .ok_or_else(|| MediaError::host("reading from ffmpeg", "a time"))
                };
                let (pts, dts) = (moved(sample.pts)?, moved(sample.dts)?);
                Ok(Placed { pts, dts, duration: sample.duration })
            }
            Self::Pictures(grid) => grid.place(sample),
            Self::Sound(chain) => chain.place(sample),
        }
    }

    /// Says whether the track may end here.
    pub(super) fn finish(&self) -> Result<(), MediaError> {
        match self {
            Self::Pictures(grid) if !grid.progress.waiting.is_empty() => {
                Err(unclean("a picture is missing"))
            }
            _ => Ok(()),
        }
    }
}

impl Grid {
    fn place(&mut self, sample: &Sample) -> Result<Placed, MediaError> {
        let Progress { origin, packets, next, waiting } = &mut self.progress;
        if origin.is_none() && !sample.is_sync {
            return Err(unclean("its first picture needs others"));
        }
        let is_in_form = if self.in_units { is_in_units } else { is_vp9_frame };
        if !is_in_form(&sample.data) {
            return Err(unclean("a picture is damaged"));
        }
        let late = sample.pts.saturating_sub(*origin.get_or_insert(sample.pts));
        let frame = self.frame.max(1);
        let place = late.saturating_add(frame / 2).div_euclid(frame);
        let pts = place.saturating_mul(frame);
        let dts = packets.saturating_sub(self.reordered).saturating_mul(frame);
        if late.saturating_sub(pts).abs() > self.tolerance {
            return Err(unclean("a picture is not where its frame rate puts it"));
        }
        if place < *next || !waiting.insert(place) {
            return Err(unclean("two pictures are at one place"));
        }
        if dts > pts {
            return Err(unclean("a picture is later than a decoder waits for it"));
        }
        while waiting.remove(next) {
            *next = next.saturating_add(1);
        }
        if waiting.len() > WAITING {
            return Err(unclean("a picture is missing"));
        }
        *packets = packets.saturating_add(1);
        let duration = u32::try_from(frame).unwrap_or(u32::MAX);
        Ok(Placed { pts, dts, duration })
    }
}

impl Chain {
    fn place(&mut self, sample: &Sample) -> Result<Placed, MediaError> {
        let duration = if self.opus { opus::samples(&sample.data) } else { Some(AAC_FRAME) };
        let duration = duration.ok_or_else(|| unclean("its sound is damaged"))?;
        let first = (-self.priming, sample.pts.saturating_add(self.priming));
        let (pts, origin) = self.next.unwrap_or(first);
        let found = sample.pts.saturating_sub(origin);
        if found.saturating_sub(pts).abs() > self.tolerance || sample.data.is_empty() {
            return Err(unclean("its sound has a gap"));
        }
        self.next = Some((pts.saturating_add(i64::from(duration)), origin));
        Ok(Placed { pts, dts: pts, duration })
    }
}

/// Whether `packet` is units of H.264, each behind its length, and nothing else.
fn is_in_units(packet: &[u8]) -> bool {
    let mut rest = packet;
    while let Some((length, after)) = rest.split_first_chunk::<LENGTH>() {
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        // The first bit of a unit is never set (ISO/IEC 14496-10, 7.3.1).
        if after.first().is_none_or(|first| first & 0x80 != 0) {
            return false;
        }
        match after.get(length..) {
            Some(after) if length > 0 => rest = after,
            _ => return false,
        }
    }
    rest.is_empty() && !packet.is_empty()
}

/// Whether `packet` begins like a frame of VP9 (its uncompressed header, frame_marker).
fn is_vp9_frame(packet: &[u8]) -> bool {
    packet.first().is_some_and(|first| first >> 6 == 0b10)
}

pub(super) fn unclean(message: &str) -> MediaError {
    MediaError::CannotCopy { message: message.into() }
}

#[cfg(test)]
mod tests;
