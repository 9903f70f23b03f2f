//! What is known of a track before its first packet: the host's announcement, understood.

use mux_common::{Language, MuxError, TrackProblem};
use stage_sdk::{Packet, Track as Announced, TrackFormat};

use crate::codec::{Codec, Media};

/// A track that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Track {
    pub(crate) codec: Codec,
    pub(crate) language: Language,
    pub(crate) clock: Clock,
}

/// How the times of a track become those of the file. A track's own 0 is where its presentation
/// begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// Ticks per second.
    timescale: u32,
    /// When the presentation begins in the file, in ticks.
    start: u64,
    /// How many ticks before that the first packet of sound is presented.
    priming: u64,
    /// How long it is presented, in ticks.
    pub(crate) duration: u64,
}

const MILLIS: u64 = 1000;
const NANOS: u64 = 1_000_000_000;
/// What the delay of Opus is counted in.
const OPUS_RATE: u64 = 48_000;

impl Track {
    /// Understands a track by its RFC 6381 codec, its configuration and its format.
    ///
    /// # Errors
    /// [`MuxError::UnknownCodec`] and the [`TrackProblem`] of a description that cannot be right.
    pub(crate) fn new(place: usize, announced: Announced) -> Result<Self, MuxError> {
        let Announced { codec, timescale, codec_config, start, priming, duration, .. } = announced;
        let clock = Clock { timescale, start, priming, duration };
        let media = media(announced.format);
        let opus_priming = clock.scaled(priming, OPUS_RATE).unwrap_or(u64::MAX);
        let codec = Codec::new(place, &codec, &codec_config, media, opus_priming)?;
        clock.check(codec.media).map_err(MuxError::of_track(place))?;
        let language = Language::new(announced.language.as_deref());
        Ok(Self { codec, language, clock })
    }

    /// Whether it is pictures.
    pub(crate) fn is_video(&self) -> bool {
        matches!(self.codec.media, Media::Video { .. })
    }
}

fn media(format: TrackFormat) -> Option<Media> {
    match format {
        TrackFormat::Video { size, colour } => {
            Some(Media::Video { width: size.width, height: size.height, colour })
        }
        TrackFormat::Audio { sample_rate, channels } => {
            Some(Media::Audio { sample_rate, channels })
        }
        TrackFormat::Other => None,
    }
}

impl Clock {
    fn check(&self, media: Media) -> Result<(), TrackProblem> {
        if self.timescale == 0 {
            return Err(TrackProblem::Timescale);
        }
        if self.duration == 0 {
            return Err(TrackProblem::Duration);
        }
        match media {
            Media::Video { width, height, .. } if width == 0 || height == 0 => {
                Err(TrackProblem::Size)
            }
            _ => Ok(()),
        }
    }

    /// The timestamp of a packet's block. Readers subtract the codec's delay from it (RFC 9559,
    /// CodecDelay), so that it is that much later than the presentation.
    pub(crate) fn timestamp(&self, packet: &Packet) -> Result<u64, TrackProblem> {
        let delayed = packet.pts.checked_add_unsigned(self.priming).ok_or(TrackProblem::Time)?;
        let since_start = delayed.checked_add_unsigned(self.start).ok_or(TrackProblem::Time)?;
        let ticks = u64::try_from(since_start).map_err(|_| TrackProblem::Early)?;
        self.scaled(ticks, MILLIS).ok_or(TrackProblem::Time)
    }

    /// When a packet is decoded in the file, or 0 if that is before its beginning. No packet that
    /// follows has an earlier timestamp.
    pub(crate) fn decoded(&self, packet: &Packet) -> Result<u64, TrackProblem> {
        let since_start = packet.dts.checked_add_unsigned(self.start).ok_or(TrackProblem::Time)?;
        let ticks = u64::try_from(since_start).unwrap_or(0);
        self.scaled(ticks, MILLIS).ok_or(TrackProblem::Time)
    }

    /// So many ticks in nanoseconds.
    pub(crate) fn nanos(&self, ticks: u64) -> Option<u64> {
        self.scaled(ticks, NANOS)
    }

    /// The codec's delay in nanoseconds.
    pub(crate) fn delay(&self) -> u64 {
        self.nanos(self.priming).unwrap_or(0)
    }

    /// When the presentation ends in the file, in milliseconds.
    pub(crate) fn end(&self) -> f64 {
        // Exact to a microsecond for hundreds of years.
        (self.start.saturating_add(self.duration)) as f64 * MILLIS as f64
            / f64::from(self.timescale)
    }

    /// A time in other units, to the nearest of them.
    fn scaled(&self, ticks: u64, per_second: u64) -> Option<u64> {
        let timescale = u64::from(self.timescale);
        let half = timescale / 2;
        match ticks.checked_mul(per_second).and_then(|scaled| scaled.checked_add(half)) {
            Some(scaled) => scaled.checked_div(timescale),
            None => {
                let scaled = u128::from(ticks).checked_mul(per_second.into())?;
                let scaled = scaled.checked_add(half.into())?.checked_div(timescale.into())?;
                u64::try_from(scaled).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests;
