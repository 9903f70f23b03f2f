//! The small finished values that every other type here is made of.

use serde::{Deserialize, Serialize};

mod time;

pub use time::Time;

/// A positive ratio, such as a frame rate of 30000/1001 frames per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rational {
    /// Above the line, at least 1.
    pub numerator: u32,
    /// Below the line, at least 1.
    pub denominator: u32,
}

impl Rational {
    /// One: square pixels, one tick a second.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The ratio in lowest terms; none if a part is 0 or does not fit after reducing.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        Some(Self {
            numerator: u32::try_from(numerator / divisor).ok()?,
            denominator: u32::try_from(denominator / divisor).ok()?,
        })
    }

    /// The nearest floating-point value.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

/// The greatest common divisor of two numbers above 0.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Width and height in whole pixels, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

impl From<Size> for picture::Size {
    fn from(Size { width, height }: Size) -> Self {
        Self { width, height }
    }
}

impl From<picture::Size> for Size {
    fn from(picture::Size { width, height }: picture::Size) -> Self {
        Self { width, height }
    }
}

/// A pixel position; (0, 0) is the top left pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: u32,
    /// Downwards.
    pub y: u32,
}

impl From<Point> for picture::Point {
    fn from(Point { x, y }: Point) -> Self {
        Self { x, y }
    }
}

impl From<picture::Point> for Point {
    fn from(picture::Point { x, y }: picture::Point) -> Self {
        Self { x, y }
    }
}

/// How sample values become colours: the code points of ITU-T H.273 and the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Colour {
    /// Colour primaries (H.273 table 2), 2 where unspecified.
    pub primaries: u8,
    /// Transfer characteristics (H.273 table 3), 2 where unspecified.
    pub transfer: u8,
    /// Matrix coefficients (H.273 table 4), 2 where unspecified.
    pub matrix: u8,
    /// Whether samples use all values (0..=255 for 8 bits) and not the studio range.
    pub full_range: bool,
}

impl Colour {
    /// BT.709 in the studio range: what HD players expect.
    pub const BT709: Self = Self { primaries: 1, transfer: 1, matrix: 1, full_range: false };

    /// Nothing said: the code point 2 everywhere, studio range.
    pub const UNSPECIFIED: Self = Self { primaries: 2, transfer: 2, matrix: 2, full_range: false };
}
