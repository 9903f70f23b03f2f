//! Overlay pictures, prepared for a raster whose colour has half the resolution.

use std::io::{Seek, SeekFrom, Write};

use crate::MediaError;
use crate::composition::Overlay;
use crate::units::{Point, Size};

/// A picture that begins on an even pixel, so that blending moves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prepared {
    pub(crate) size: Size,
    pub(crate) at: Point,
    pub(crate) rgba: Vec<u8>,
}

/// One pixel.
type Rgba = [u8; 4];

impl Prepared {
    /// Widens `overlay` by a transparent column or row where it begins on an odd pixel, and gives
    /// transparent pixels the colour of their neighbours: a colour sample is the mean of four
    /// pixels, and what cannot be seen must not tint what can.
    pub(crate) fn new(overlay: &Overlay) -> Self {
        let (left, top) = (overlay.at.x % 2, overlay.at.y % 2);
        let size = Size { width: overlay.size.width + left, height: overlay.size.height + top };
        let at = Point { x: overlay.at.x - left, y: overlay.at.y - top };
        let source = Picture { rgba: &overlay.rgba, size: overlay.size };
        let mut rgba = Vec::with_capacity(overlay.rgba.len());
        for y in 0..size.height {
            for x in 0..size.width {
                let pixel = x.checked_sub(left).zip(y.checked_sub(top));
                let pixel = pixel.and_then(|(x, y)| source.pixel(x, y)).unwrap_or_default();
                rgba.extend(if pixel[3] == 0 { source.tint(x, y, left, top) } else { pixel });
            }
        }
        Self { size, at, rgba }
    }

    /// An unnamed file with the pixels.
    pub(crate) fn file(&self) -> Result<std::fs::File, MediaError> {
        let failed = |error: &dyn std::fmt::Display| MediaError::host("storing an overlay", error);
        let flags = nix::sys::memfd::MFdFlags::MFD_CLOEXEC;
        let memory = nix::sys::memfd::memfd_create(c"overlay", flags).map_err(|e| failed(&e))?;
        let mut file = std::fs::File::from(memory);
        file.write_all(&self.rgba).map_err(|error| failed(&error))?;
        file.seek(SeekFrom::Start(0)).map_err(|error| failed(&error))?;
        Ok(file)
    }
}

/// A picture as it was given.
struct Picture<'a> {
    rgba: &'a [u8],
    size: Size,
}

impl Picture<'_> {
    /// None outside the picture.
    fn pixel(&self, x: u32, y: u32) -> Option<Rgba> {
        if x >= self.size.width || y >= self.size.height {
            return None;
        }
        let at = u64::from(y) * u64::from(self.size.width) + u64::from(x);
        let at = usize::try_from(at.checked_mul(4)?).ok()?;
        self.rgba.get(at..)?.first_chunk().copied()
    }

    /// A transparent pixel in the mean colour, by alpha, of the block of four around (`x`, `y`)
    /// of the widened picture.
    fn tint(&self, x: u32, y: u32, left: u32, top: u32) -> Rgba {
        let (mut sum, mut weight) = ([0_u32; 3], 0_u32);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = ((x & !1) + dx, (y & !1) + dy);
            let pixel = x.checked_sub(left).zip(y.checked_sub(top));
            let Some([r, g, b, a]) = pixel.and_then(|(x, y)| self.pixel(x, y)) else { continue };
            weight += u32::from(a);
            for (sum, value) in sum.iter_mut().zip([r, g, b]) {
                *sum += u32::from(value) * u32::from(a);
            }
        }
        let mean = |sum: u32| u8::try_from(sum.checked_div(weight).unwrap_or(0)).unwrap_or(u8::MAX);
        let [r, g, b] = sum.map(mean);
        [r, g, b, 0]
    }
}

#[cfg(test)]
mod tests;
