//! Coverage: how much of each pixel ink covers.

#[cfg(test)]
mod tests;

use stage_sdk::Size;

/// One byte a pixel, rows from the top; 255 is all ink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    size: Size,
    coverage: Vec<u8>,
}

impl Mask {
    /// `coverage` has a byte for each pixel; missing ones are free of ink.
    pub(crate) fn new(size: Size, mut coverage: Vec<u8>) -> Self {
        coverage.resize(size.width as usize * size.height as usize, 0);
        Self { size, coverage }
    }

    /// A mask without ink; sides may be 0.
    pub(crate) fn empty(size: Size) -> Self {
        Self::new(size, Vec::new())
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.coverage.iter().all(|byte| *byte == 0)
    }

    /// The pixels from the top left on.
    pub(crate) fn pixels(&self) -> impl Iterator<Item = u8> {
        self.coverage.iter().copied()
    }

    /// Lays `other` over this mask with its corner at (`x`, `y`); what is
    /// outside is left out. Where both cover a pixel in part, what is still
    /// seen through the first is covered by the second.
    pub(crate) fn add(&mut self, other: &Mask, x: u32, y: u32) {
        let width = self.size.width as usize;
        let other_width = other.size.width as usize;
        if width == 0 || other_width == 0 {
            return;
        }
        let rows = self.coverage.chunks_exact_mut(width).skip(y as usize);
        for (row, added) in rows.zip(other.coverage.chunks_exact(other_width)) {
            for (below, above) in row.iter_mut().skip(x as usize).zip(added) {
                let free = u32::from(255 - *below) * u32::from(255 - *above);
                *below = 255 - ((free + 127) / 255) as u8;
            }
        }
    }

    /// The same ink in a larger mask, with its corner at (`x`, `y`).
    pub(crate) fn placed(&self, size: Size, x: u32, y: u32) -> Self {
        let mut larger = Self::empty(size);
        larger.add(self, x, y);
        larger
    }

    /// The ink smeared over `radius` pixels and darkened again: what a soft
    /// pen of that width leaves around the letters.
    pub(crate) fn halo(&self, radius: u32) -> Self {
        const DARKEN: u32 = 3;
        let mut soft = self.clone();
        for _ in 0..2 {
            soft.coverage = soft.blurred_along_rows(radius as usize);
            soft.coverage = soft.blurred_along_columns(radius as usize);
        }
        for byte in &mut soft.coverage {
            *byte = (u32::from(*byte) * DARKEN).min(255) as u8;
        }
        soft
    }

    /// Each pixel as the mean of those up to `radius` before and behind it in
    /// its row, by a running sum: the cost does not depend on the radius.
    fn blurred_along_rows(&self, radius: usize) -> Vec<u8> {
        let span = 2 * radius as u32 + 1;
        let mut blurred = Vec::with_capacity(self.coverage.len());
        for row in self.rows() {
            let entering = row.iter().skip(radius).chain(std::iter::repeat(&0));
            let leaving = std::iter::repeat_n(&0, radius + 1).chain(row);
            let mut sum: u32 = row.iter().take(radius).map(|byte| u32::from(*byte)).sum();
            for ((_, entering), leaving) in row.iter().zip(entering).zip(leaving) {
                sum = sum + u32::from(*entering) - u32::from(*leaving);
                blurred.push((sum / span) as u8);
            }
        }
        blurred
    }

    /// The same along columns, with a running sum for each: memory is walked
    /// in its order.
    fn blurred_along_columns(&self, radius: usize) -> Vec<u8> {
        let span = 2 * radius as u32 + 1;
        let mut blurred = Vec::with_capacity(self.coverage.len());
        let mut sums = vec![0; self.size.width as usize];
        for row in self.rows().take(radius) {
            sums.iter_mut().zip(row).for_each(|(sum, byte)| *sum += u32::from(*byte));
        }
        for place in 0..self.size.height as usize {
            if let Some(entering) = self.rows().nth(place + radius) {
                sums.iter_mut().zip(entering).for_each(|(sum, byte)| *sum += u32::from(*byte));
            }
            let leaving = place.checked_sub(radius + 1).and_then(|place| self.rows().nth(place));
            if let Some(leaving) = leaving {
                sums.iter_mut().zip(leaving).for_each(|(sum, byte)| *sum -= u32::from(*byte));
            }
            blurred.extend(sums.iter().map(|sum| (sum / span) as u8));
        }
        blurred
    }

    fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.coverage.chunks_exact((self.size.width as usize).max(1))
    }
}
