//! What an operator can set.

use mark::Style;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of the repeated watermark.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The height of capital letters in percent of the picture's short side.
    /// Text that would not fit is drawn smaller, and a warning says so.
    #[schemars(range(min = 0.5, max = 25))]
    pub size_percent: f32,
    /// The width of a picture in percent of the video's width. A picture that
    /// stands upright is drawn smaller: its share of the height is at most twice
    /// this.
    #[schemars(range(min = 1, max = 50))]
    pub image_width_percent: f32,
    /// The distance from one mark to the next in percent of the picture's short
    /// side.
    #[schemars(range(min = 0, max = 100))]
    pub spacing_percent: f32,
    /// How far the marks move in a second, in percent of the picture's short
    /// side; at most two pixels a frame. 0 stands still.
    #[schemars(range(min = 0, max = 20))]
    pub speed_percent: f32,
    /// How much of a white picture the marks hide: 0 nothing, 1 all. On a dark
    /// one, where marks are seen more easily, it is less.
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
            size_percent: 2.5,
            image_width_percent: 10.0,
            spacing_percent: 20.0,
            speed_percent: 1.0,
            opacity: 0.2,
            halo: 0.75,
        }
    }
}

impl Parameters {
    /// How a mark looks where it hides most.
    pub(crate) fn style(&self) -> Style {
        let Self { size_percent, image_width_percent, opacity, halo, .. } = *self;
        Style { size_percent, image_width_percent, opacity, halo }
    }
}
