//! What a stage decides.

use crate::job::{Raster, SourceAudio, SourceVideo};
use crate::types::{Point, Size};

/// What the encode stage decides.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodePlan {
    /// Where the render is composed.
    pub raster: Raster,
    /// The tracks of the output in order; at least one is video.
    pub tracks: Vec<PlannedTrack>,
}

impl EncodePlan {
    /// A plan on this raster with no tracks yet.
    pub fn new(raster: Raster) -> Self {
        Self { raster, tracks: Vec::new() }
    }

    /// Adds a track made from a video track of the source, which may be named
    /// once.
    pub fn add_video(&mut self, track: &SourceVideo, encoding: VideoEncoding) {
        self.tracks.push(PlannedTrack::Video { source: track.place, encoding });
    }

    /// Adds a track made from an audio track of the source, which may be named
    /// once.
    pub fn add_audio(&mut self, track: &SourceAudio, encoding: AudioEncoding) {
        self.tracks.push(PlannedTrack::Audio { source: track.place, encoding });
    }
}

/// One track of the output.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedTrack {
    /// Made from a video track.
    Video {
        /// Its place among the source's video tracks.
        source: usize,
        /// How it is encoded.
        encoding: VideoEncoding,
    },
    /// Made from an audio track.
    Audio {
        /// Its place among the source's audio tracks.
        source: usize,
        /// How it is encoded.
        encoding: AudioEncoding,
    },
}

/// How a video track is encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct VideoEncoding {
    /// The codec by RFC 6381, such as `avc1`, at most 64 bytes.
    pub codec: String,
    /// What the encoder aims at.
    pub rate_control: RateControl,
    /// How long it may search for a smaller file: 0 is fastest, 9 slowest.
    pub effort: u8,
    /// The longest distance between two sync samples in frames, 1 to 10000.
    pub keyframe_interval: u32,
    /// Whether the source's own packets may be passed on where they already are
    /// what this encoding asks for and nothing is drawn. Does not go with
    /// [`RateControl::Lossless`].
    pub allow_copy: bool,
    /// Whether the plugin encodes the track itself, as a
    /// [`FrameEncoder`](crate::FrameEncoder): at most one track of a plan, and
    /// not one that may be copied.
    pub want_frames: bool,
}

impl VideoEncoding {
    /// This codec at its usual quality, middle effort, a sync sample at least
    /// every 250 frames.
    pub fn new(codec: impl Into<String>) -> Self {
        Self {
            codec: codec.into(),
            rate_control: RateControl::Default,
            effort: 5,
            keyframe_interval: 250,
            allow_copy: false,
            want_frames: false,
        }
    }
}

/// What a video encoder aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// Constant quality at the codec's usual value.
    Default,
    /// Constant quality in the codec's own scale (H.264: 0 best to 51 worst).
    ConstantQuality(f32),
    /// Every pixel of the raster comes back exactly.
    Lossless,
}

/// How an audio track is encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AudioEncoding {
    /// The codec by RFC 6381, such as `mp4a.40.2`, at most 64 bytes.
    pub codec: String,
    /// In Hz, 8000 to 192000.
    pub sample_rate: u32,
    /// 1 to 8.
    pub channels: u32,
    /// Bits per second over all channels, 8000 to 2000000; none for the
    /// encoder's own default.
    pub bit_rate: Option<u32>,
    /// Whether the source's own packets may be passed on where they already are
    /// what this encoding asks for.
    pub allow_copy: bool,
}

impl AudioEncoding {
    /// This codec with this rate and number of channels, at the encoder's own
    /// bit rate.
    pub fn new(codec: impl Into<String>, sample_rate: u32, channels: u32) -> Self {
        Self { codec: codec.into(), sample_rate, channels, bit_rate: None, allow_copy: false }
    }
}

/// What the watermark stage decides. Without overlays, and without the frames,
/// nothing is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatermarkPlan {
    /// From the lowest to the highest, at most 64.
    pub overlays: Vec<Overlay>,
    /// Set if every frame, with the overlays already on it, is to pass through
    /// the plugin's [`FrameFilter`](crate::FrameFilter), which holds back at
    /// most so many of them (0 to 64).
    pub want_frames: Option<u32>,
}

/// A picture laid over every frame of the raster, which it must not leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// The picture.
    pub image: Image,
    /// Where its top left pixel lies on the raster.
    pub at: Point,
}

/// A picture: RGBA, 8 bits a component, sRGB, straight (not premultiplied)
/// alpha, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Each side 1 to 16384.
    pub size: Size,
    /// 4 bytes for each pixel.
    pub rgba: Vec<u8>,
}

/// What the mux stage decides before there are packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MuxPlan {
    /// Of the file that the muxer will write, such as `video/mp4`, without
    /// parameters. It must belong to the asked container.
    pub media_type: String,
}
