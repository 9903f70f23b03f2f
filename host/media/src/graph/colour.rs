//! Colour as the scaler names it.

use crate::source::VideoStream;
use crate::units::Colour;

/// Untagged pictures of fewer lines are taken for standard definition.
const HD_LINES: u32 = 720;

/// From a source's samples to the raster's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// None for sources without a matrix (RGB, grey).
    from: Option<(&'static str, &'static str)>,
    to: (&'static str, &'static str),
}

impl Conversion {
    /// The conversion that brings `video` to `raster`.
    pub(super) fn between(video: &VideoStream, raster: Colour) -> Self {
        let to = (matrix_name(raster.matrix), range_name(raster.full_range));
        let rgb = video.colour.matrix == 0
            || ["rgb", "bgr", "gbr", "0rgb", "0bgr", "gray", "pal8", "mono"]
                .iter()
                .any(|layout| video.pixel_format.starts_with(layout));
        let matrix = match video.colour.matrix {
            2 if video.coded_size.height < HD_LINES => "bt601",
            matrix => matrix_name(matrix),
        };
        let from = (!rgb).then(|| (matrix, range_name(video.colour.full_range)));
        Self { from, to }
    }

    /// Whether samples stay as they are.
    pub(super) fn is_none(self) -> bool {
        self.from == Some(self.to)
    }

    /// The options of the `scale` filter.
    pub(super) fn options(self) -> String {
        let (matrix, range) = self.to;
        let to = format!("out_color_matrix={matrix}:out_range={range}");
        let from =
            self.from.map(|(matrix, range)| format!("in_color_matrix={matrix}:in_range={range}:"));
        from.unwrap_or_default() + &to
    }
}

/// The scaler's name of an H.273 matrix; BT.709 where nothing is said.
pub(super) fn matrix_name(matrix: u8) -> &'static str {
    match matrix {
        4 => "fcc",
        5 | 6 => "bt601",
        7 => "smpte240m",
        9 | 10 => "bt2020",
        _ => "bt709",
    }
}

/// The scaler's name of a range.
pub(super) fn range_name(full: bool) -> &'static str {
    if full { "pc" } else { "tv" }
}
