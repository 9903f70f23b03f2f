//! What stages decide.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Colour, Image, Point, Rational, Size};

/// One of the three places in the chain, in the order of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Decides raster and codecs.
    Encode,
    /// Decides what is drawn.
    Watermark,
    /// Writes the container.
    Mux,
}

impl Stage {
    /// All stages in the order of decisions.
    pub const ALL: [Stage; 3] = [Stage::Encode, Stage::Watermark, Stage::Mux];

    /// The stage's name in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Encode => "encode",
            Stage::Watermark => "watermark",
            Stage::Mux => "mux",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a stage: expected encode, watermark or mux")]
pub struct UnknownStage(pub String);

impl FromStr for Stage {
    type Err = UnknownStage;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Stage::ALL
            .into_iter()
            .find(|stage| stage.as_str() == text)
            .ok_or_else(|| UnknownStage(text.to_owned()))
    }
}

/// A plan of any stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// What an encode stage decided.
    Encode(EncodePlan),
    /// What a watermark stage decided.
    Watermark(WatermarkPlan),
    /// What a mux stage decided.
    Mux(MuxPlan),
}

impl Plan {
    /// The stage that makes plans of this kind.
    pub fn stage(&self) -> Stage {
        match self {
            Plan::Encode(_) => Stage::Encode,
            Plan::Watermark(_) => Stage::Watermark,
            Plan::Mux(_) => Stage::Mux,
        }
    }
}

/// The grid of pixels and frame times on which a render is composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raster {
    /// The size in pixels, both sides even.
    pub size: Size,
    /// Frames per second, at most 120.
    pub frame_rate: Rational,
    /// The colour that frames are converted to and tagged with.
    pub colour: Colour,
}

/// What the encode stage decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncodePlan {
    /// The raster of the render.
    pub raster: Raster,
    /// The tracks of the output in order; a finished plan has a video track.
    pub tracks: Vec<PlannedTrack>,
}

/// A track of the output and what it is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlannedTrack {
    /// A video track.
    Video {
        /// The [`SourceVideo::id`](super::SourceVideo::id) that it is made from.
        source: u32,
        /// How it is encoded.
        encoding: VideoEncoding,
    },
    /// An audio track.
    Audio {
        /// The [`SourceAudio::id`](super::SourceAudio::id) that it is made from.
        source: u32,
        /// How it is encoded.
        encoding: AudioEncoding,
    },
}

/// What decides between quality and size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateControl {
    /// Constant quality at the codec's usual value.
    Default,
    /// Constant quality in the codec's own scale, 0..=63.
    ConstantQuality(f32),
    /// Every pixel of the raster comes back exactly.
    Lossless,
}

/// How a video track is encoded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoEncoding {
    /// The codec by RFC 6381, at most 64 bytes.
    pub codec: String,
    /// Default: [`RateControl::Default`].
    pub rate_control: RateControl,
    /// 0 is fastest, 9 searches longest. Default: 5.
    pub effort: u8,
    /// The longest distance between sync samples in frames, 1..=10000. Default: 250.
    pub keyframe_interval: u32,
    /// Whether the source's own packets may be passed on where they are what is asked for.
    #[serde(default)]
    pub copy: bool,
    /// Whether the plugin encodes the track itself, out of the frames.
    #[serde(default)]
    pub wants_frames: bool,
}

impl VideoEncoding {
    /// An encoding with the contract's defaults.
    pub fn new(codec: impl Into<String>) -> Self {
        Self {
            codec: codec.into(),
            rate_control: RateControl::Default,
            effort: 5,
            keyframe_interval: 250,
            copy: false,
            wants_frames: false,
        }
    }
}

/// How an audio track is encoded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AudioEncoding {
    /// The codec by RFC 6381, at most 64 bytes.
    pub codec: String,
    /// Samples per second and channel, 8000..=192000.
    pub sample_rate: u32,
    /// The number of channels, 1..=8.
    pub channels: u32,
    /// Mean bits per second over all channels, 8000..=2000000. Default: the encoder's own.
    pub bit_rate: Option<u32>,
    /// Whether the source's own packets may be passed on where they are what is asked for.
    #[serde(default)]
    pub copy: bool,
}

impl AudioEncoding {
    /// An encoding with the contract's defaults.
    pub fn new(codec: impl Into<String>, sample_rate: u32, channels: u32) -> Self {
        Self { codec: codec.into(), sample_rate, channels, bit_rate: None, copy: false }
    }
}

/// A picture laid over every frame of the raster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    /// The picture.
    pub image: Image,
    /// Where its top left pixel is on the raster.
    pub at: Point,
}

/// What the watermark stage decides. Without overlays, and without the frames, nothing is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WatermarkPlan {
    /// The pictures, each above those before it; at most 64.
    pub overlays: Vec<Overlay>,
    /// If every frame passes through the plugin: how many of them it holds back at most, 0..=64.
    #[serde(default)]
    pub wants_frames: Option<u32>,
}

impl WatermarkPlan {
    /// Whether anything is drawn: a plugin that wants the frames can draw on each.
    pub fn draws(&self) -> bool {
        !self.overlays.is_empty() || self.wants_frames.is_some()
    }
}

/// What the mux stage decides before there are packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MuxPlan {
    /// The media type of the file that the muxer will write, without parameters.
    pub media_type: String,
}
