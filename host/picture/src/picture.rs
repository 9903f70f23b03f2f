//! One picture.

use std::ops::Range;

use crate::geometry::length;
use crate::{Layout, OutOfBounds, Pool, Rect, Size};

/// The samples of a raster: planes one after the other, rows without padding (what ffmpeg calls
/// rawvideo). Its buffer goes back to its pool when it is dropped, and a clone takes one from
/// there; share it as an `Arc` instead where nobody writes.
#[derive(Debug)]
pub struct Picture {
    pool: Pool,
    samples: Vec<u8>,
}

/// A rectangle of a plane in the buffer.
struct Rows {
    /// Where its first row begins.
    first: usize,
    /// From one row to the next.
    stride: usize,
    width: usize,
    height: usize,
}

impl Rows {
    /// From the first sample to the last, with what lies between the rows.
    fn span(&self) -> Range<usize> {
        // An empty one may lie beyond the last sample.
        if self.width == 0 || self.height == 0 {
            return 0..0;
        }
        let rows = self.height.saturating_sub(1) * self.stride;
        self.first..self.first + rows + self.width
    }
}

impl Picture {
    pub(crate) fn new(pool: Pool, samples: Vec<u8>) -> Self {
        Self { pool, samples }
    }

    /// Its size in pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.pool.size()
    }

    /// How its samples are laid out.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.pool.layout()
    }

    /// All samples.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.samples
    }

    /// All samples, to be written.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.samples
    }

    /// Replaces the contents of `into` with the samples of a rectangle of a plane, row by row.
    pub fn read_rect(
        &self,
        plane: usize,
        area: Rect,
        into: &mut Vec<u8>,
    ) -> Result<(), OutOfBounds> {
        let rows = self.rows(plane, area)?;
        let samples = self.samples.get(rows.span()).ok_or(OutOfBounds::Area)?;
        into.clear();
        into.reserve(length(area.samples()));
        for row in samples.chunks(rows.stride.max(1)) {
            into.extend_from_slice(row.get(..rows.width).ok_or(OutOfBounds::Area)?);
        }
        Ok(())
    }

    /// Replaces a rectangle of a plane with `samples`, row by row.
    pub fn write_rect(
        &mut self,
        plane: usize,
        area: Rect,
        samples: &[u8],
    ) -> Result<(), OutOfBounds> {
        // The place first, so that the length of a wrong one is no matter.
        self.rows(plane, area)?;
        if samples.len() != length(area.samples()) {
            return Err(OutOfBounds::Length);
        }
        let width = length(area.width.into()).max(1);
        self.rows_mut(plane, area)?
            .zip(samples.chunks_exact(width))
            .for_each(|(row, samples)| row.copy_from_slice(samples));
        Ok(())
    }

    /// Sets every sample of a rectangle of a plane.
    pub fn fill_rect(&mut self, plane: usize, area: Rect, sample: u8) -> Result<(), OutOfBounds> {
        self.rows_mut(plane, area)?.for_each(|row| row.fill(sample));
        Ok(())
    }

    /// The rows of a rectangle of a plane, each as wide as the rectangle.
    pub(crate) fn rows_mut(
        &mut self,
        plane: usize,
        area: Rect,
    ) -> Result<impl Iterator<Item = &mut [u8]>, OutOfBounds> {
        let rows = self.rows(plane, area)?;
        let samples = self.samples.get_mut(rows.span()).ok_or(OutOfBounds::Area)?;
        Ok(samples.chunks_mut(rows.stride.max(1)).filter_map(move |row| row.get_mut(..rows.width)))
    }

    fn rows(&self, plane: usize, area: Rect) -> Result<Rows, OutOfBounds> {
        let planes = self.layout().planes(self.size());
        let size = planes.get(plane).ok_or(OutOfBounds::Plane)?;
        if !area.fits(*size) {
            return Err(OutOfBounds::Area);
        }
        let before: u64 = planes.iter().take(plane).map(|plane| plane.pixels()).sum();
        let first = before + u64::from(area.y) * u64::from(size.width) + u64::from(area.x);
        Ok(Rows {
            first: length(first),
            stride: length(size.width.into()),
            width: length(area.width.into()),
            height: length(area.height.into()),
        })
    }
}

impl Clone for Picture {
    fn clone(&self) -> Self {
        let mut copy = self.pool.take();
        copy.samples.copy_from_slice(&self.samples);
        copy
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        self.pool.give_back(std::mem::take(&mut self.samples));
    }
}

#[cfg(test)]
mod tests;
