//! What a run is to make of a source. Only numbers, pixels and closed choices: no text of a
//! caller or a file can reach ffmpeg through these types.

mod check;
mod copying;

use std::sync::Arc;

use crate::units::{Colour, Point, Rational, Size};

/// The raster, what is drawn on it, and the tracks to encode.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    /// The size of the output in square pixels, both sides even.
    pub size: Size,
    /// The constant frame rate of the output.
    pub frame_rate: Rational,
    /// The colour that frames are converted to and tagged with.
    pub colour: Colour,
    /// Pictures laid over every frame, the last one on top.
    pub overlays: Vec<Overlay>,
    /// The tracks to encode, in the order in which a [`crate::Run`] numbers them.
    pub tracks: Vec<TrackPlan>,
}

/// A picture laid over every frame, blended by its alpha.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Four bytes a pixel: red, green, blue (sRGB) and straight alpha, rows from the top.
    pub rgba: Arc<Vec<u8>>,
    /// The size of the picture in pixels.
    pub size: Size,
    /// Where its top left pixel lies on the raster.
    pub at: Point,
}

/// One track to encode.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackPlan {
    /// Made from a video stream of the source.
    Video {
        /// The number of the stream in the file.
        stream: u32,
        /// What encodes it.
        codec: VideoCodec,
        /// How bits are spent.
        rate: RateControl,
        /// From 0 (fastest) to 9 (smallest file).
        effort: u8,
        /// The longest distance between two sync samples, in frames.
        keyframe_interval: u32,
        /// Whether the source's own packets will do where they are what is asked for, whatever
        /// rate, effort and interval say; see [`Composition::copies`].
        copy: bool,
        /// Who encodes.
        encoder: VideoEncoder,
    },
    /// Made from an audio stream of the source.
    Audio {
        /// The number of the stream in the file.
        stream: u32,
        /// What encodes it.
        codec: AudioCodec,
        /// Samples per second and channel to deliver.
        sample_rate: u32,
        /// The number of channels to deliver.
        channels: u32,
        /// Bits per second over all channels; the encoder's own default where none is given.
        bit_rate: Option<u32>,
        /// Whether the source's own packets will do where they are what is asked for, whatever
        /// their bit rate; see [`Composition::copies`].
        copy: bool,
    },
}

impl TrackPlan {
    /// The number of the source's stream that the track is made from.
    #[must_use]
    pub fn stream(&self) -> u32 {
        match self {
            Self::Video { stream, .. } | Self::Audio { stream, .. } => *stream,
        }
    }
}

/// The video codecs that can be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoCodec {
    /// H.264 High profile, 8 bits 4:2:0, by x264.
    H264,
    /// VP9 profile 0, 8 bits 4:2:0, by libvpx.
    Vp9,
    /// AV1 Main profile, 8 bits 4:2:0, by SVT-AV1; never lossless.
    Av1,
}

/// Who encodes a video track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoEncoder {
    /// ffmpeg, by codec, rate, effort and keyframe interval.
    Host,
    /// Somebody outside of the engine, who gets the frames and gives packets; only in
    /// [`Ffmpeg::run_framed`](crate::Ffmpeg::run_framed).
    Given,
}

/// The audio codecs that can be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioCodec {
    /// AAC-LC, by ffmpeg's own encoder.
    Aac,
    /// Opus, by libopus; 48 kHz alone.
    Opus,
}

/// How bits are spent on a video track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// Constant quality at the codec's usual value.
    Default,
    /// Constant quality on the codec's own scale, from 0, the best, to 51 for H.264 and to 63
    /// for VP9 and AV1.
    ConstantQuality(f32),
    /// Every pixel of the raster comes back exactly.
    Lossless,
}
