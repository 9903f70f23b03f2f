//! What is known of a track before its first packet: the host's announcement, understood.

use stage_sdk::{Colour, Track as Announced, TrackFormat};

use crate::error::{MuxError, TrackProblem};

/// A track that can be written. Its clock's 0 is where its presentation begins; what an encoder
/// made before that, its priming, are the packets with times below 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Track {
    /// Ticks per second.
    pub(crate) timescale: u32,
    /// When its presentation begins on the clock of the movie, in ticks of the track.
    pub(crate) start: u64,
    /// How long it is presented, in ticks.
    pub(crate) duration: u64,
    /// What it is.
    pub(crate) media: Media,
    /// The language of its sound.
    pub(crate) language: Language,
}

/// A codec that this crate can describe, and what the description needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    /// H.264 with square pixels; its packets hold NAL units with length prefixes.
    Avc {
        /// Pixels across.
        width: u16,
        /// Pixels down.
        height: u16,
        /// The colour of the samples.
        colour: Colour,
        /// The payload of the `avcC` box.
        config: Vec<u8>,
    },
    /// AAC.
    Aac {
        /// Samples per second and channel.
        sample_rate: u32,
        /// The number of channels.
        channels: u16,
        /// The AudioSpecificConfig.
        config: Vec<u8>,
    },
}

impl Track {
    /// Understands a track by its RFC 6381 codec, its configuration and its format.
    ///
    /// # Errors
    /// [`MuxError::UnknownCodec`] for a codec other than H.264 with its parameter sets in the
    /// configuration (`avc1`) and AAC (`mp4a.40`), and the [`TrackProblem`] of a description that
    /// cannot be right.
    pub(crate) fn new(place: usize, announced: Announced) -> Result<Self, MuxError> {
        let wrong = MuxError::of_track(place);
        let Announced { codec, timescale, codec_config, start, duration, format, .. } = announced;
        let media = match codec_family(&codec) {
            Some(Family::Avc) => Media::avc(codec_config, format).map_err(&wrong)?,
            Some(Family::Aac) => Media::aac(codec_config, format).map_err(&wrong)?,
            None => return Err(MuxError::UnknownCodec { codec }),
        };
        if timescale == 0 {
            return Err(wrong(TrackProblem::Timescale));
        }
        if duration == 0 {
            return Err(wrong(TrackProblem::Duration));
        }
        let language = Language::new(announced.language.as_deref());
        Ok(Self { timescale, start, duration, media, language })
    }
}

enum Family {
    Avc,
    Aac,
}

fn codec_family(codec: &str) -> Option<Family> {
    // The sample entry, then for mp4a the object type: 40 is AAC, 6b for one is not.
    let mut parts = codec.split('.');
    match (parts.next(), parts.next()) {
        (Some("avc1"), _) => Some(Family::Avc),
        (Some("mp4a"), Some("40")) => Some(Family::Aac),
        _ => None,
    }
}

impl Media {
    fn avc(config: Vec<u8>, format: TrackFormat) -> Result<Self, TrackProblem> {
        let TrackFormat::Video { size, colour } = format else { return Err(TrackProblem::Format) };
        // Version 1, profile, compatibility, level, length size, SPS, PPS.
        if config.len() < 7 || config.first() != Some(&1) {
            return Err(TrackProblem::Config);
        }
        let (Some(width), Some(height)) = (nonzero(size.width), nonzero(size.height)) else {
            return Err(TrackProblem::Size);
        };
        Ok(Self::Avc { width, height, colour, config })
    }

    fn aac(config: Vec<u8>, format: TrackFormat) -> Result<Self, TrackProblem> {
        let TrackFormat::Audio { sample_rate, channels } = format else {
            return Err(TrackProblem::Format);
        };
        // Object type, frequency index and channel configuration fill 13 bits.
        if config.len() < 2 {
            return Err(TrackProblem::Config);
        }
        let channels = nonzero(channels).ok_or(TrackProblem::Channels)?;
        Ok(Self::Aac { sample_rate, channels, config })
    }

    /// Whether it is sound.
    pub(crate) fn is_audio(&self) -> bool {
        matches!(self, Self::Aac { .. })
    }
}

/// A count that the format keeps in 16 bits and that cannot be 0.
fn nonzero(value: u32) -> Option<u16> {
    u16::try_from(value).ok().filter(|value| *value > 0)
}

/// A language by the three letters of ISO 639-2/T, `und` where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language([u8; 3]);

impl Language {
    /// The language of these letters; undetermined without them or if they are no such code.
    pub(crate) fn new(code: Option<&str>) -> Self {
        code.and_then(|code| <[u8; 3]>::try_from(code.as_bytes()).ok())
            .filter(|code| code.iter().all(u8::is_ascii_lowercase))
            .map_or(Self(*b"und"), Self)
    }

    /// Five bits a letter, `a` being 1 (ISO/IEC 14496-12, 8.4.2.3). QuickTime reads such a value
    /// in the same way: its own language numbers end below the least of them.
    pub(crate) fn packed(self) -> u16 {
        self.0.iter().fold(0, |packed, letter| (packed << 5) | u16::from(letter & 0x1f))
    }
}

#[cfg(test)]
mod tests;
