//! What an operator can set.

use encode_common::Copying;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stage_sdk::{RateControl, Rational};

/// Settings of the standard encoder.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Constant quality of H.264 (mp4 and mov) as its rate factor: 0 is best,
    /// 51 worst.
    #[schemars(range(min = 0, max = 51))]
    pub quality: f32,
    /// Constant quality of VP9 (webm) on its own scale: 0 is best, 63 worst.
    #[schemars(range(min = 0, max = 63))]
    pub vp9_quality: u8,
    /// Every pixel of the raster comes back exactly; overrides the quality.
    pub lossless: bool,
    /// How long the encoder may search for a smaller file, for every codec in
    /// ten steps; null for what keeps up with a film in 1080p on two
    /// processors: veryfast for H.264, medium for VP9.
    pub preset: Option<Preset>,
    /// The longest distance between two sync samples in seconds.
    #[schemars(range(min = 0.1, max = 60))]
    pub gop_seconds: f32,
    /// Scale small sources up to the asked size; otherwise they keep theirs.
    pub upscale: bool,
    /// Bits per second of the sound over all channels; null for what suits it:
    /// for AAC 64000 a channel, at most 320000, for Opus 96000 a pair.
    #[schemars(range(min = 8000, max = 2_000_000))]
    pub audio_bit_rate: Option<u32>,
    /// Pass on the source's own packets where they already are what is asked
    /// for and nothing is drawn. Quality, preset and sync distance then do not
    /// matter.
    pub copy: Copying,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            quality: 20.0,
            vp9_quality: 28,
            lossless: false,
            preset: None,
            gop_seconds: 4.0,
            upscale: true,
            audio_bit_rate: None,
            copy: Copying::WhenPossible,
        }
    }
}

/// How pictures are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VideoCodec {
    H264,
    Vp9,
}

impl VideoCodec {
    /// By RFC 6381.
    pub(crate) fn sample_entry(self) -> &'static str {
        match self {
            Self::H264 => "avc1",
            Self::Vp9 => "vp09",
        }
    }
}

impl Parameters {
    pub(crate) fn rate_control(&self, codec: VideoCodec) -> RateControl {
        match (self.lossless, codec) {
            (true, _) => RateControl::Lossless,
            (_, VideoCodec::H264) => RateControl::ConstantQuality(self.quality),
            (_, VideoCodec::Vp9) => RateControl::ConstantQuality(self.vp9_quality.into()),
        }
    }

    pub(crate) fn effort(&self, codec: VideoCodec) -> u8 {
        let usual = match codec {
            VideoCodec::H264 => Preset::Veryfast,
            VideoCodec::Vp9 => Preset::Medium,
        };
        self.preset.unwrap_or(usual).effort()
    }

    /// `gop_seconds` in whole frames of this rate, within what a plan allows.
    pub(crate) fn keyframe_interval(&self, rate: Rational) -> u32 {
        let frames = (f64::from(self.gop_seconds) * rate.as_f64()).round();
        // The cast saturates, so that no value can wrap.
        (frames as u32).clamp(1, 10_000)
    }
}

/// Ten steps from the fastest to the smallest file, by the names that x264 has
/// for its own.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Effort 0.
    Ultrafast,
    /// Effort 1.
    Superfast,
    /// Effort 2.
    Veryfast,
    /// Effort 3.
    Faster,
    /// Effort 4.
    Fast,
    /// Effort 5.
    Medium,
    /// Effort 6.
    Slow,
    /// Effort 7.
    Slower,
    /// Effort 8.
    Veryslow,
    /// Effort 9.
    Placebo,
}

impl Preset {
    /// The plan's measure of effort, 0 to 9, which has as many steps.
    pub(crate) fn effort(self) -> u8 {
        self as u8
    }
}
