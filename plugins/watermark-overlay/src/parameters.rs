//! What an operator can set.

use mark::Style;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of the watermark.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The height of capital letters in percent of the picture's short side.
    /// Text that would not fit is drawn smaller, and a warning says so.
    #[schemars(range(min = 0.5, max = 50))]
    pub size_percent: f32,
    /// The width of a picture in percent of the video's width. A picture that
    /// stands upright is drawn smaller: its share of the height is at most twice
    /// this. What would not fit is drawn smaller, and a warning says so.
    #[schemars(range(min = 1, max = 100))]
    pub image_width_percent: f32,
    /// The distance to the picture's edges in percent of its short side.
    #[schemars(range(min = 0, max = 25))]
    pub margin_percent: f32,
    /// How much of the picture the mark hides: 0 nothing, 1 all.
    #[schemars(range(min = 0, max = 1))]
    pub opacity: f32,
    /// How dark the halo is that keeps the white letters of a text readable on a
    /// white picture: 0 is none, 1 black.
    #[schemars(range(min = 0, max = 1))]
    pub halo: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            size_percent: 3.0,
            image_width_percent: 15.0,
            margin_percent: 3.0,
            opacity: 0.8,
            halo: 0.75,
        }
    }
}

impl Parameters {
    /// How the mark looks.
    pub(crate) fn style(&self) -> Style {
        let Self { size_percent, image_width_percent, opacity, halo, .. } = *self;
        Style { size_percent, image_width_percent, opacity, halo }
    }
}
