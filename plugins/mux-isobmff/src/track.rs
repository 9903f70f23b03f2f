//! What is known of a track before its first packet: the host's announcement, understood.

use mux_common::{Language, MuxError, TrackProblem};
use stage_sdk::{Colour, Track as Announced, TrackFormat};

use crate::container::Container;

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
    /// Baseline JPEG pictures (ITU-T T.81), each a file of its own.
    Jpeg {
        /// Pixels across.
        width: u16,
        /// Pixels down.
        height: u16,
        /// The colour of the samples.
        colour: Colour,
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
    /// configuration (`avc1`), AAC (`mp4a.40`) and JPEG by the name that the container has for
    /// it, and the [`TrackProblem`] of a description that cannot be right.
    pub(crate) fn new(
        place: usize,
        announced: Announced,
        container: Container,
    ) -> Result<Self, MuxError> {
        let wrong = MuxError::of_track(place);
        let Announced { codec, timescale, codec_config, start, duration, format, .. } = announced;
        let media = match codec_family(&codec, container) {
            Some(Family::Avc) => Media::avc(codec_config, format).map_err(&wrong)?,
            Some(Family::Jpeg) => Media::jpeg(&codec_config, format).map_err(&wrong)?,
            Some(Family::Aac) => Media::aac(codec_config, format).map_err(&wrong)?,
            None => {
                let (container, known) = (container.name(), container.codecs());
                return Err(MuxError::UnknownCodec { codec, container, known });
            }
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
    Jpeg,
    Aac,
}

fn codec_family(codec: &str, container: Container) -> Option<Family> {
    // The sample entry, then for mp4a and mp4v the object type in two hexadecimal digits: 40 is
    // AAC and 6C JPEG.
    let mut parts = codec.split('.');
    match (parts.next(), parts.next(), container) {
        (Some("avc1"), _, _) => Some(Family::Avc),
        (Some("mp4a"), Some("40"), _) => Some(Family::Aac),
        (Some("mp4v"), Some("6C" | "6c"), Container::Mp4) => Some(Family::Jpeg),
        (Some("jpeg"), None, Container::Mov) => Some(Family::Jpeg),
        _ => None,
    }
}

impl Media {
    fn avc(config: Vec<u8>, format: TrackFormat) -> Result<Self, TrackProblem> {
        let (width, height, colour) = picture(format)?;
        // Version 1, profile, compatibility, level, length size, SPS, PPS.
        if config.len() < 7 || config.first() != Some(&1) {
            return Err(TrackProblem::Config);
        }
        Ok(Self::Avc { width, height, colour, config })
    }

    fn jpeg(config: &[u8], format: TrackFormat) -> Result<Self, TrackProblem> {
        let (width, height, colour) = picture(format)?;
        // Every picture has its own tables.
        if !config.is_empty() {
            return Err(TrackProblem::Config);
        }
        Ok(Self::Jpeg { width, height, colour })
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

/// The sides and the colour of a picture.
fn picture(format: TrackFormat) -> Result<(u16, u16, Colour), TrackProblem> {
    let TrackFormat::Video { size, colour } = format else { return Err(TrackProblem::Format) };
    let width = nonzero(size.width).ok_or(TrackProblem::Size)?;
    let height = nonzero(size.height).ok_or(TrackProblem::Size)?;
    Ok((width, height, colour))
}

/// A count that the format keeps in 16 bits and that cannot be 0.
fn nonzero(value: u32) -> Option<u16> {
    u16::try_from(value).ok().filter(|value| *value > 0)
}

#[cfg(test)]
mod tests;
