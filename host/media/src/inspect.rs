//! What a finished file holds, read back by ffprobe.

use serde::{Deserialize, Serialize};

use crate::units::{Colour, Rational, Size};

/// A finished file as a reader finds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The container as ffmpeg names its demuxer, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    pub container: String,
    /// How long the file says it plays, in seconds; 0 where it does not say.
    pub duration_seconds: f64,
    /// Whether players can start before they have the whole file: `moov` lies before `mdat`.
    /// None for a container without such boxes.
    pub fast_start: Option<bool>,
    /// Its tracks, in the file's order.
    pub tracks: Vec<InspectedTrack>,
}

/// A track of a finished file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InspectedTrack {
    /// The RFC 6381 name of its sample entry, such as `avc1`, or ffmpeg's name where there is none.
    pub codec: String,
    /// How many packets can be read.
    pub packets: u64,
    /// When presentation begins on the file's clock, in seconds.
    pub begin_seconds: Option<f64>,
    /// How long the track is presented, in seconds.
    pub duration_seconds: Option<f64>,
    /// What the track carries.
    pub format: InspectedFormat,
}

/// What a track of a finished file carries.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InspectedFormat {
    /// Pictures.
    Video {
        /// The stored size in pixels.
        size: Size,
        /// Width over height of a stored pixel.
        sample_aspect: Rational,
        /// The colour tags.
        colour: Colour,
        /// The mean frame rate, if there is more than one frame.
        frame_rate: Option<Rational>,
    },
    /// Sound.
    Audio {
        /// Samples per second and channel.
        sample_rate: u32,
        /// The number of channels.
        channels: u32,
    },
    /// Something else.
    Other,
}
