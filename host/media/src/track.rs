//! What leaves the encoders.

use bytes::Bytes;

use crate::units::{Colour, Size};

/// An encoded track. Its clock ticks `timescale` times a second and is 0 where the track begins
/// to be presented.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The codec by RFC 6381 with its profile, such as `avc1.640028`, `vp09.00.40.08` or
    /// `opus`.
    pub codec: String,
    /// Ticks per second, at least 1.
    pub timescale: u32,
    /// What a decoder needs first: the payload of `avcC` (ISO/IEC 14496-15) for H.264, `vpcC` for
    /// VP9, `av1C` for AV1 and `dOps` for Opus, the AudioSpecificConfig (ISO/IEC 14496-3) for AAC.
    pub codec_config: Vec<u8>,
    /// When presentation begins on the clock of all tracks, in ticks; at least one track has 0.
    pub start: u64,
    /// Ticks of decoded sound before time 0 that a decoder throws away; 0 for video.
    pub priming: u64,
    /// How long the track is presented, in ticks; a promise, packets may reach a little beyond.
    pub duration: u64,
    /// The language as three letters of ISO 639-2/T, if the source says.
    pub language: Option<String>,
    /// What the track carries.
    pub format: TrackFormat,
}

/// What a track carries.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackFormat {
    /// Pictures with square pixels.
    Video {
        /// Their size in pixels.
        size: Size,
        /// The colour that their samples are in.
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

/// One encoded access unit; times are in ticks of its track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The place of its track in [`crate::Run::tracks`].
    pub track: u32,
    /// When it is presented; audio priming lies below 0.
    pub pts: i64,
    /// When it is decoded; rises strictly within a track and may be below 0.
    pub dts: i64,
    /// How long it is presented.
    pub duration: u32,
    /// Whether decoding can start here.
    pub is_sync: bool,
    /// The access unit: length-prefixed NAL units for H.264, a frame or superframe for VP9, a
    /// temporal unit without delimiter for AV1, a raw frame for AAC, a packet for Opus.
    pub data: Bytes,
}
