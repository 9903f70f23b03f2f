//! From red, green and blue to a raster's samples, exactly: whole numbers, rounded once.

use super::MarkColour;
use crate::Size;
use crate::geometry::length;

/// Red, green, blue and alpha.
pub(super) type Rgba = [u8; 4];

/// The matrix coefficients are counted in these parts.
const PARTS: i64 = 10_000;

/// A matrix and a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    red: i64,
    blue: i64,
    /// The value of black.
    black: i64,
    /// From black to white.
    luma_span: i64,
    /// From the lowest to the highest colour difference.
    chroma_span: i64,
}

impl Coefficients {
    pub(super) fn of(colour: MarkColour) -> Self {
        // ITU-T H.273, table 4: K_R and K_B.
        let (red, blue) = match colour.matrix {
            4 => (3000, 1100),
            5 | 6 => (2990, 1140),
            7 => (2120, 870),
            9 | 10 => (2627, 593),
            _ => (2126, 722),
        };
        let (black, luma_span, chroma_span) =
            if colour.full_range { (0, 255, 255) } else { (16, 219, 224) };
        Self { red, blue, black, luma_span, chroma_span }
    }

    /// Of a clear pixel any value will do.
    pub(super) fn luma(&self, pixel: Rgba) -> u8 {
        if pixel[3] == 0 {
            return u8::try_from(self.black).unwrap_or(0);
        }
        sample(self.black, self.brightness(pixel) * self.luma_span, PARTS * 255)
    }

    /// The two colour differences of pixels, each with its alpha as its weight.
    pub(super) fn chroma(&self, pixels: &[Rgba; 4]) -> (u8, u8) {
        if pixels.iter().all(|[_, _, _, alpha]| *alpha == 0) {
            return (128, 128);
        }
        let (mut to_blue, mut to_red, mut weight) = (0, 0, 0);
        for pixel in pixels {
            let [red, _, blue, alpha] = pixel.map(i64::from);
            let brightness = self.brightness(*pixel);
            to_blue += alpha * (blue * PARTS - brightness);
            to_red += alpha * (red * PARTS - brightness);
            weight += alpha;
        }
        let difference = |sum: i64, coefficient: i64| {
            sample(128, sum * self.chroma_span, 2 * (PARTS - coefficient) * 255 * weight)
        };
        (difference(to_blue, self.blue), difference(to_red, self.red))
    }

    /// 0 to 255 parts.
    fn brightness(&self, pixel: Rgba) -> i64 {
        let [red, green, blue, _] = pixel.map(i64::from);
        self.red * red + (PARTS - self.red - self.blue) * green + self.blue * blue
    }
}

/// `zero` and `above` / `below`, to the nearest.
fn sample(zero: i64, above: i64, below: i64) -> u8 {
    let value = zero + (2 * above + below).div_euclid(2 * below);
    u8::try_from(value.clamp(0, 255)).unwrap_or(u8::MAX)
}

/// The alpha with which a colour sample is blended, as ffmpeg rounds it.
pub(super) fn mean_alpha(pixels: &[Rgba; 4]) -> u8 {
    let sum: u16 = pixels.iter().map(|[_, _, _, alpha]| u16::from(*alpha)).sum();
    u8::try_from(sum / 4).unwrap_or(u8::MAX)
}

/// A picture with clear pixels around it.
#[derive(Debug)]
pub(super) struct Pixels<'a> {
    rgba: &'a [u8],
    size: Size,
    left: u32,
    top: u32,
}

impl<'a> Pixels<'a> {
    /// The picture `rgba` of `size`, so many pixels further right and down.
    pub(super) fn new(rgba: &'a [u8], size: Size, left: u32, top: u32) -> Self {
        Self { rgba, size, left, top }
    }

    /// Clear outside of the picture.
    pub(super) fn at(&self, x: u32, y: u32) -> Rgba {
        self.find(x, y).unwrap_or_default()
    }

    /// The four pixels with their top left at (`x`, `y`).
    pub(super) fn block(&self, x: u32, y: u32) -> [Rgba; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| self.at(x + right, y + down))
    }

    fn find(&self, x: u32, y: u32) -> Option<Rgba> {
        let (x, y) = (x.checked_sub(self.left)?, y.checked_sub(self.top)?);
        if x >= self.size.width || y >= self.size.height {
            return None;
        }
        let at = u64::from(y) * u64::from(self.size.width) + u64::from(x);
        self.rgba.get(length(at.checked_mul(4)?)..)?.first_chunk().copied()
    }
}
