//! What of a source may be passed on as it is.

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stage_sdk::{Raster, SourceVideo};

/// Whether the source's own packets may be passed on.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Copying {
    /// Where they already are what is asked for and nothing is drawn: exact, and done at once.
    #[default]
    WhenPossible,
    /// Everything is encoded, so that quality and sync distances are those of the settings.
    Never,
}

/// Whether a video track has the codec (its sample entry), the size and the rate that a plan asks
/// for. Whether its colour, its times and its packets fit as well is the host's to say.
pub fn may_copy(copying: Copying, video: &SourceVideo, codec: &str, raster: &Raster) -> bool {
    copying == Copying::WhenPossible
        && video.codec == codec
        && video.display_size == raster.size
        && video.constant_frame_rate
        && same_ratio(video, raster)
}

fn same_ratio(video: &SourceVideo, raster: &Raster) -> bool {
    let (own, asked) = (video.frame_rate, raster.frame_rate);
    u64::from(own.numerator) * u64::from(asked.denominator)
        == u64::from(asked.numerator) * u64::from(own.denominator)
}
