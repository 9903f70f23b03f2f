//! Sizes, places and layouts.

/// Width and height in whole pixels or samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// The number of pixels.
    #[must_use]
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// A position; (0, 0) is top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// To the right.
    pub x: u32,
    /// Downwards.
    pub y: u32,
}

/// A rectangle, possibly empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// How many columns.
    pub width: u32,
    /// How many rows.
    pub height: u32,
}

impl Rect {
    /// Whether it lies within a plane of `size`.
    pub(crate) fn fits(self, size: Size) -> bool {
        let within = |at: u32, length, side| at.checked_add(length).is_some_and(|end| end <= side);
        within(self.x, self.width, size.width) && within(self.y, self.height, size.height)
    }

    /// How many samples it has.
    pub(crate) fn samples(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// How samples are laid out in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Planes Y, Cb and Cr in this order, one byte a sample, the colour planes with half the
    /// resolution both ways.
    Yuv420p8,
}

impl Layout {
    /// The number by which the stage contract calls it.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Yuv420p8 => 1,
        }
    }

    /// The planes of a picture of `size`, in samples.
    #[must_use]
    pub fn planes(self, size: Size) -> [Size; 3] {
        match self {
            Self::Yuv420p8 => {
                let Size { width, height } = size;
                let colour = Size { width: width.div_ceil(2), height: height.div_ceil(2) };
                [size, colour, colour]
            }
        }
    }

    /// How many bytes a picture of `size` has.
    #[must_use]
    pub fn bytes(self, size: Size) -> usize {
        self.planes(size).into_iter().map(|plane| length(plane.pixels())).sum()
    }
}

/// What was asked for is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutOfBounds {
    /// The layout has fewer planes.
    #[error("the picture has no such plane")]
    Plane,
    /// The rectangle, or the mark, does not lie within the picture.
    #[error("the area leaves the picture")]
    Area,
    /// There are more or fewer bytes than the size needs.
    #[error("the number of bytes is not that of the area")]
    Length,
}

/// A number of samples as a length. What does not fit is more than there can be.
pub(crate) fn length(samples: u64) -> usize {
    usize::try_from(samples).unwrap_or(usize::MAX)
}
