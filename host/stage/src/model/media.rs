//! Sizes, colours, tracks and packets.

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use wasmtime::component::{ComponentType, Lift, Lower};

/// A positive ratio, such as a frame rate or an aspect.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ComponentType, Lift, Lower,
)]
#[component(record)]
pub struct Rational {
    /// The upper part, at least 1.
    pub numerator: u32,
    /// The lower part, at least 1.
    pub denominator: u32,
}

impl Rational {
    /// The same ratio in lowest terms.
    pub(crate) fn reduced(self) -> Self {
        let (mut divisor, mut rest) = (self.numerator, self.denominator);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let divisor = divisor.max(1);
        Self { numerator: self.numerator / divisor, denominator: self.denominator / divisor }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// Width and height in whole pixels.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ComponentType, Lift, Lower,
)]
#[component(record)]
pub struct Size {
    /// Pixels in a row, at least 1.
    pub width: u32,
    /// Rows, at least 1.
    pub height: u32,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A pixel position from the top left pixel, which is (0, 0).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ComponentType, Lift, Lower,
)]
#[component(record)]
pub struct Point {
    /// Pixels to the right.
    pub x: u32,
    /// Pixels down.
    pub y: u32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A place in a larger area as a share of the free space, both parts in 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ComponentType, Lift, Lower)]
#[component(record)]
pub struct Anchor {
    /// 0 is left, 1 is right.
    pub x: f32,
    /// 0 is the top, 1 the bottom.
    pub y: f32,
}

/// Code points of ITU-T H.273 (2 means unspecified) and the sample range.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ComponentType, Lift, Lower,
)]
#[component(record)]
pub struct Colour {
    /// Colour primaries.
    pub primaries: u8,
    /// Transfer characteristics.
    pub transfer: u8,
    /// Matrix coefficients.
    pub matrix: u8,
    /// Whether samples use the full range.
    #[component(name = "full-range")]
    pub full_range: bool,
}

/// An encoded track as a muxer sees it. Times are in ticks of the track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// The codec by RFC 6381 with its profile.
    pub codec: String,
    /// Ticks per second, at least 1.
    pub timescale: u32,
    /// What a decoder needs before the first packet.
    pub codec_config: Vec<u8>,
    /// When presentation begins on the clock common to all tracks.
    pub start: u64,
    /// Ticks of decoded sound before time 0 that a decoder throws away.
    pub priming: u64,
    /// How long the track is presented.
    pub duration: u64,
    /// The language by ISO 639-2/T, if known.
    pub language: Option<String>,
    /// What kind of track it is.
    pub format: TrackFormat,
}

/// What the samples of an encoded track are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrackFormat {
    /// Pictures with square pixels.
    Video {
        /// The size in pixels.
        size: Size,
        /// The colour that the samples are in.
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

/// One encoded access unit. Times are in ticks of its track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The place of its track in the list given to the muxer, from 0.
    pub track: u32,
    /// When it is presented.
    pub pts: i64,
    /// When it is decoded.
    pub dts: i64,
    /// How long it lasts.
    pub duration: u32,
    /// Whether decoding can start here.
    pub is_sync: bool,
    /// The bytes.
    pub data: Bytes,
}
