//! A picture with transparency, brought to the raster's colour and laid over its frames.

mod convert;

use crate::geometry::length;
use crate::{OutOfBounds, Picture, Point, Rect, Size};

use convert::{Coefficients, Pixels};

/// How the samples of the raster become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkColour {
    /// Matrix coefficients by ITU-T H.273, table 4; BT.709 where the code is not known.
    pub matrix: u8,
    /// Whether samples use all values and not the studio range.
    pub full_range: bool,
}

/// A clear column and row beyond the last visible colour sample, in pixels. ffmpeg takes the mean
/// of fewer alphas for the last ones of a picture, but not in all of its implementations; where
/// nothing is seen it makes no difference.
const EDGE: u32 = 2;

/// A picture in red, green, blue and alpha, brought to planar YUVA with colour of half the
/// resolution. It begins on an even pixel and has even sides, so that every colour sample of the
/// raster belongs to four of its pixels.
///
/// A colour sample is the mean of its four pixels, each with its alpha as its weight: what cannot
/// be seen does not tint what can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// With the edge.
    size: Size,
    at: Point,
    /// Planes Y, Cb, Cr and alpha.
    bytes: Vec<u8>,
    /// The alpha of each colour sample.
    colour_alpha: Vec<u8>,
}

impl Mark {
    /// The picture `rgba` (four bytes a pixel, straight alpha, rows from the top) of `size` with
    /// its top left pixel at `at` of a raster whose samples mean `colour`.
    ///
    /// Fails with [`OutOfBounds::Length`] if it has not the bytes of its size, and with
    /// [`OutOfBounds::Area`] if it lies further out than can be counted.
    pub fn new(
        rgba: &[u8],
        size: Size,
        at: Point,
        colour: MarkColour,
    ) -> Result<Self, OutOfBounds> {
        if u64::try_from(rgba.len()).ok() != size.pixels().checked_mul(4) {
            return Err(OutOfBounds::Length);
        }
        let (left, top) = (at.x % 2, at.y % 2);
        let widened = |length: u32, before: u32| {
            length.checked_add(before)?.checked_next_multiple_of(2)?.checked_add(EDGE)
        };
        let (width, height) = widened(size.width, left)
            .zip(widened(size.height, top))
            .filter(|(width, height)| {
                at.x.checked_add(*width).is_some() && at.y.checked_add(*height).is_some()
            })
            .ok_or(OutOfBounds::Area)?;
        let coefficients = Coefficients::of(colour);
        let widened = Size { width, height };
        let pixels = Pixels::new(rgba, size, left, top);
        let (mut luma, mut alpha) = (Vec::new(), Vec::new());
        for y in 0..height {
            for x in 0..width {
                let pixel = pixels.at(x, y);
                luma.push(coefficients.luma(pixel));
                alpha.push(pixel[3]);
            }
        }
        let (mut blue, mut red, mut colour_alpha) = (Vec::new(), Vec::new(), Vec::new());
        for y in (0..height).step_by(2) {
            for x in (0..width).step_by(2) {
                let block = pixels.block(x, y);
                let (cb, cr) = coefficients.chroma(&block);
                blue.push(cb);
                red.push(cr);
                colour_alpha.push(convert::mean_alpha(&block));
            }
        }
        let bytes = [luma, blue, red, alpha].concat();
        let at = Point { x: at.x - left, y: at.y - top };
        Ok(Self { size: widened, at, bytes, colour_alpha })
    }

    /// The size of [`Mark::bytes`]: up to three pixels more each way than was given. The last two
    /// columns and rows are clear and may lie outside of the raster.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Where its top left pixel lies; both are even.
    #[must_use]
    pub fn at(&self) -> Point {
        self.at
    }

    /// What ffmpeg calls rawvideo yuva420p: planes Y, Cb, Cr and alpha.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Lays it over `picture`: sample for sample what ffmpeg's filter
    /// `overlay=format=yuv420` makes of [`Mark::bytes`].
    ///
    /// Fails, and draws nothing, if anything of it that can be seen would leave the picture.
    pub fn blend(&self, picture: &mut Picture) -> Result<(), OutOfBounds> {
        let Size { width, height } = self.size;
        let area = Rect { x: self.at.x, y: self.at.y, width: width - EDGE, height: height - EDGE };
        let raster = picture.size();
        // A picture with odd sides ends within a block of four.
        let visible = Size {
            width: raster.width.next_multiple_of(2),
            height: raster.height.next_multiple_of(2),
        };
        if !area.fits(visible) {
            return Err(OutOfBounds::Area);
        }
        let luma = Rect {
            width: area.width.min(raster.width.saturating_sub(area.x)),
            height: area.height.min(raster.height.saturating_sub(area.y)),
            ..area
        };
        let colour =
            Rect { x: area.x / 2, y: area.y / 2, width: area.width / 2, height: area.height / 2 };
        let pixels = length(self.size.pixels());
        let (y, rest) = self.bytes.split_at_checked(pixels).ok_or(OutOfBounds::Length)?;
        let (cb, rest) = rest.split_at_checked(pixels / 4).ok_or(OutOfBounds::Length)?;
        let (cr, alpha) = rest.split_at_checked(pixels / 4).ok_or(OutOfBounds::Length)?;
        let (stride, half) = (length(width.into()), length((width / 2).into()));
        blend_plane(picture, 0, luma, (y, alpha, stride))?;
        blend_plane(picture, 1, colour, (cb, &self.colour_alpha, half))?;
        blend_plane(picture, 2, colour, (cr, &self.colour_alpha, half))
    }
}

/// Lays samples with their alpha and the length of their rows over a rectangle of a plane.
fn blend_plane(
    picture: &mut Picture,
    plane: usize,
    area: Rect,
    (samples, alpha, stride): (&[u8], &[u8], usize),
) -> Result<(), OutOfBounds> {
    let source = samples.chunks(stride.max(1)).zip(alpha.chunks(stride.max(1)));
    for (row, (samples, alpha)) in picture.rows_mut(plane, area)?.zip(source) {
        blend_row(row, samples, alpha);
    }
    Ok(())
}

/// In 16 bits, which nothing here exceeds; that, and not looking for it, lets the compiler blend
/// many samples at once.
fn blend_row(row: &mut [u8], samples: &[u8], alpha: &[u8]) {
    for ((below, above), alpha) in row.iter_mut().zip(samples).zip(alpha) {
        let (under, over) = (u16::from(*below), u16::from(*above));
        let (clear, opaque) = (u16::from(!*alpha), u16::from(*alpha));
        let sum = under.wrapping_mul(clear).wrapping_add(over.wrapping_mul(opaque));
        let sum = sum.wrapping_add(128);
        // Division by 255 to the nearest.
        *below = (sum.wrapping_add(sum >> 8) >> 8) as u8;
    }
}

#[cfg(test)]
mod tests;
