//! How webm tells what each codec's own configuration tells. The host gives configurations as ISO
//! base media files hold them.

mod opus;
mod vp9;

use mux_common::{MuxError, TrackProblem};
use stage_sdk::Colour;

/// A codec that webm allows, and what its description needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Codec {
    /// Its identifier in the file.
    pub(crate) id: &'static str,
    /// What a decoder is given before the first block; empty if it needs nothing.
    pub(crate) private: Vec<u8>,
    /// What it makes.
    pub(crate) media: Media,
}

/// What a track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    /// Pictures with square pixels.
    Video {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The colour of the samples.
        colour: Colour,
    },
    /// Sound.
    Audio {
        /// Samples per second and channel.
        sample_rate: u32,
        /// The number of channels.
        channels: u32,
    },
}

/// What webm allows and this crate can describe, in words.
const KNOWN: &str = "VP9 (vp09), AV1 (av01) and Opus (opus)";

impl Codec {
    /// Understands a codec by its RFC 6381 name and its configuration. `priming` is what a
    /// decoder must throw away at the beginning, in samples of 48 kHz.
    ///
    /// # Errors
    /// [`MuxError::UnknownCodec`] for one that webm does not allow or this crate does not know.
    pub(crate) fn new(
        place: usize,
        name: &str,
        config: &[u8],
        media: Option<Media>,
        priming: u64,
    ) -> Result<Self, MuxError> {
        let problem = MuxError::of_track(place);
        let known = match (name.split('.').next(), media) {
            (Some("vp09"), Some(media @ Media::Video { .. })) => {
                vp9::features(config).map(|private| Self { id: "V_VP9", private, media })
            }
            (Some("av01"), Some(media @ Media::Video { .. })) => {
                av1(config).map(|private| Self { id: "V_AV1", private, media })
            }
            (Some(opus), Some(Media::Audio { channels, .. }))
                if opus.eq_ignore_ascii_case("opus") =>
            {
                // Opus always decodes to 48 kHz, whatever was encoded (RFC 7845, section 5.1).
                let media = Media::Audio { sample_rate: opus::SAMPLE_RATE, channels };
                opus::head(config, channels, priming).map(|private| Self {
                    id: "A_OPUS",
                    private,
                    media,
                })
            }
            (Some("vp09" | "av01" | "opus" | "Opus"), _) => Err(TrackProblem::Format),
            _ => {
                let codec = name.to_owned();
                return Err(MuxError::UnknownCodec { codec, container: "webm", known: KNOWN });
            }
        };
        known.map_err(problem)
    }
}

/// AV1's configuration record is the same in both families of files (AV1 in Matroska, 2.1): its
/// first byte is a marker and version 1.
fn av1(config: &[u8]) -> Result<Vec<u8>, TrackProblem> {
    match config {
        [0x81, _, _, _, ..] => Ok(config.to_vec()),
        _ => Err(TrackProblem::Config),
    }
}

#[cfg(test)]
mod tests;
