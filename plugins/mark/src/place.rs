//! Where the mark lies on the raster.

#[cfg(test)]
mod tests;

use stage_sdk::{Anchor, Point, Size};

/// The part of the raster inside the margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The width of the margin, even.
    margin: u32,
    /// The size of what is inside, both sides even.
    pub size: Size,
}

/// The room that a margin of this share of the short side leaves on a raster,
/// whose sides are even.
pub fn room(raster: Size, margin_percent: f32) -> Room {
    let short = raster.width.min(raster.height);
    // A margin of more than a quarter would leave less room than margin.
    let share = f64::from(margin_percent.clamp(0.0, 25.0)) / 100.0;
    let margin = (f64::from(short) * share) as u32 & !1;
    let inside = |side: u32| side.saturating_sub(2 * margin);
    Room { margin, size: Size::new(inside(raster.width), inside(raster.height)) }
}

impl Room {
    /// Where a picture of this size, which fits into the room, lies on the
    /// raster. Both coordinates are even, so that a picture of even sides meets
    /// whole pixels of half-resolution colour.
    pub fn place(&self, picture: Size, anchor: Anchor) -> Point {
        let along = |room: u32, picture: u32, share: f32| {
            let free = f64::from(room.saturating_sub(picture));
            self.margin + ((free * f64::from(share.clamp(0.0, 1.0))).round() as u32 & !1)
        };
        Point {
            x: along(self.size.width, picture.width, anchor.x),
            y: along(self.size.height, picture.height, anchor.y),
        }
    }
}

/// The place in words, as a person would name it.
pub fn words(anchor: Anchor) -> &'static str {
    let third = |share: f32| if share < 1.0 / 3.0 { 0 } else { 1 + u8::from(share > 2.0 / 3.0) };
    match (third(anchor.y), third(anchor.x)) {
        (0, 0) => "top left",
        (0, 1) => "top centre",
        (0, _) => "top right",
        (1, 0) => "left",
        (1, 1) => "in the centre",
        (1, _) => "right",
        (_, 0) => "bottom left",
        (_, 1) => "bottom centre",
        (_, _) => "bottom right",
    }
}
