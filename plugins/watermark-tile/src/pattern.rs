//! Where the marks lie, by the number of the frame and nothing else.

#[cfg(test)]
mod tests;

use crate::parameters::Parameters;
use stage_sdk::{Point, Raster, Rect, Size};

/// The farthest that marks move from one frame to the next, in pixels.
const FASTEST: f64 = 2.0;

/// Where marks stop in the end, after millions of years; sums stay in their
/// range.
const FARTHEST: i64 = 1 << 50;

/// Marks in rows, every other row half a step aside, all of it moving to the
/// right and half as fast down.
///
/// Every coordinate is even, so that marks lie on whole samples of
/// half-resolution colour wherever they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    raster: Size,
    mark: Size,
    /// From a mark to the next.
    step: Size,
    pixels_per_frame: f64,
}

/// The part of a mark that is on the raster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Where on the raster.
    pub(crate) area: Rect,
    /// Which part of the mark begins there.
    pub(crate) from: Point,
}

impl Pattern {
    /// The pattern of marks of this size, which has even sides.
    pub(crate) fn new(mark: Size, raster: Raster, parameters: &Parameters) -> Self {
        let short = f64::from(raster.size.width.min(raster.size.height));
        let percent = |share: f32| short * f64::from(share) / 100.0;
        let gap = percent(parameters.spacing_percent) as u32 & !1;
        let speed = percent(parameters.speed_percent) / raster.frame_rate.as_f64();
        Self {
            raster: raster.size,
            mark,
            step: Size::new(mark.width + gap, mark.height + gap),
            pixels_per_frame: speed.clamp(0.0, FASTEST),
        }
    }

    /// The marks on the frame of this number.
    pub(crate) fn placed(self, index: u64) -> impl Iterator<Item = Placed> {
        let Size { width, height } = self.step;
        let moved = ((index as f64 * self.pixels_per_frame / 2.0) as i64).min(FARTHEST) * 2;
        let rows = along((moved / 2) & !1, height, self.mark.height, self.raster.height);
        rows.flat_map(move |(row, top)| {
            let aside = if row % 2 == 0 { 0 } else { i64::from((width / 2) & !1) };
            along(moved + aside, width, self.mark.width, self.raster.width)
                .filter_map(move |(_, left)| self.seen(left, top))
        })
    }

    /// The part on the raster of the mark at this place.
    fn seen(self, left: i64, top: i64) -> Option<Placed> {
        let (x, from_x, width) = cut(left, self.mark.width, self.raster.width)?;
        let (y, from_y, height) = cut(top, self.mark.height, self.raster.height)?;
        let from = Point { x: from_x, y: from_y };
        Some(Placed { area: Rect::new(x, y, width, height), from })
    }
}

/// Numbers and starts of the marks that may be seen along one side, if the mark
/// of number 0 starts at `origin`.
fn along(origin: i64, step: u32, mark: u32, side: u32) -> impl Iterator<Item = (i64, i64)> {
    let step = i64::from(step.max(2));
    let first = (-origin - i64::from(mark)).div_euclid(step);
    (first..)
        .map(move |number| (number, number * step + origin))
        .take_while(move |(_, start)| *start < i64::from(side))
}

/// Where a stretch is seen along a side: its start there, how much before it
/// is cut off, and what is left.
fn cut(start: i64, length: u32, side: u32) -> Option<(u32, u32, u32)> {
    let before = u32::try_from(-start.min(0)).ok()?;
    let at = u32::try_from(start.max(0)).ok()?;
    let seen = length.checked_sub(before)?.min(side.checked_sub(at)?);
    (seen > 0).then_some((at, before, seen))
}
