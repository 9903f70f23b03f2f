//! What a stage is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Anchor, Blob, Colour, EncodePlan, Plan, Rational, Size};

/// One render as a stage sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// What goes in.
    #[serde(with = "shared")]
    pub source: Arc<Source>,
    /// What was asked for.
    #[serde(with = "shared")]
    pub request: Arc<Request>,
    /// The plugin's own parameters as [`Plugin::check_parameters`](crate::Plugin::check_parameters)
    /// returned them.
    pub parameters: serde_json::Value,
    /// What the encode stage decided; none while it is itself deciding.
    pub encode_plan: Option<EncodePlan>,
}

/// The source file, by the host's probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The video tracks in the file's order, never empty.
    pub video: Vec<SourceVideo>,
    /// The audio tracks, the file's default first.
    pub audio: Vec<SourceAudio>,
    /// Texts that the file carries about itself, by lower-case name.
    pub tags: BTreeMap<String, String>,
}

/// A video track of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceVideo {
    /// The host's own number for it; plugins never see it.
    pub id: u32,
    /// The codec's sample entry by RFC 6381, or ffmpeg's name.
    pub codec: String,
    /// The picture's size upright and in square pixels.
    pub display_size: Size,
    /// Width over height of the upright picture, exact.
    pub display_aspect: Rational,
    /// Frames per second: constant or average.
    pub frame_rate: Rational,
    /// Whether all frames last equally long.
    pub constant_frame_rate: bool,
    /// The colour as tagged in the file.
    pub colour: Colour,
}

/// An audio track of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceAudio {
    /// The host's own number for it; plugins never see it.
    pub id: u32,
    /// The codec's sample entry by RFC 6381, or ffmpeg's name.
    pub codec: String,
    /// Samples per second and channel, at least 1.
    pub sample_rate: u32,
    /// The number of channels, at least 1.
    pub channels: u32,
}

/// What the caller asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The container by its usual name.
    pub container: String,
    /// The box that the picture has to fit in, as for a landscape source.
    pub bounds: Size,
    /// The text to draw, if any.
    pub watermark_text: Option<String>,
    /// The file of the picture to draw, if any. It is not stored with the request: whoever reads
    /// one back opens the file again.
    #[serde(skip)]
    pub watermark_image: Option<Blob>,
    /// Where the mark belongs on the raster.
    pub watermark_anchor: Anchor,
    /// Whether a person must see and approve what is drawn.
    pub approval_required: bool,
}

/// What a person said, or that nobody did in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Go on with the plan that was shown.
    Yes,
    /// Do not go on with it.
    No,
    /// The deadline passed without an answer.
    Expired,
}

/// What a stage finds when it is entered again after a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resumption {
    /// What was said.
    pub answer: Answer,
    /// The state that the stage left behind.
    #[serde(with = "super::image::base64_bytes")]
    pub state: Vec<u8>,
    /// The version that the stage gave its state.
    pub state_version: u32,
    /// The plan that was shown, which a yes confirms.
    pub shown_plan: Plan,
}

/// Serialises what an [`Arc`] holds; two equal values become two allocations when read back.
mod shared {
    use super::{Arc, Deserialize, Serialize};

    pub(super) fn serialize<T: Serialize, S: serde::Serializer>(
        value: &Arc<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(deserializer).map(Arc::new)
    }
}
