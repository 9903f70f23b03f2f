//! What an operator can set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stage_sdk::{RateControl, Rational};

/// Settings of the standard encoder.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Constant quality as H.264's rate factor: 0 is best, 51 worst.
    #[schemars(range(min = 0, max = 51))]
    pub quality: f32,
    /// Every pixel of the raster comes back exactly; overrides the quality.
    pub lossless: bool,
    /// How long the encoder may search for a smaller file.
    pub preset: Preset,
    /// The longest distance between two sync samples in seconds.
    #[schemars(range(min = 0.1, max = 60))]
    pub gop_seconds: f32,
    /// Scale small sources up to the asked size; otherwise they keep theirs.
    pub upscale: bool,
    /// Bits per second of the sound over all channels; null for 64000 a
    /// channel, at most 320000.
    #[schemars(range(min = 8000, max = 2_000_000))]
    pub audio_bit_rate: Option<u32>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            quality: 20.0,
            lossless: false,
            preset: Preset::Veryfast,
            gop_seconds: 4.0,
            upscale: true,
            audio_bit_rate: None,
        }
    }
}

impl Parameters {
    pub(crate) fn rate_control(&self) -> RateControl {
        if self.lossless {
            RateControl::Lossless
        } else {
            RateControl::ConstantQuality(self.quality)
        }
    }

    /// `gop_seconds` in whole frames of this rate, within what a plan allows.
    pub(crate) fn keyframe_interval(&self, rate: Rational) -> u32 {
        let frames = (f64::from(self.gop_seconds) * rate.as_f64()).round();
        // The cast saturates, so that no value can wrap.
        (frames as u32).clamp(1, 10_000)
    }
}

/// x264's presets, from the fastest to the smallest file.
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
