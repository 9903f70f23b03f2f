//! The small finished facts that stages and host share.

/// A positive ratio, such as a frame rate of 30000/1001 frames per second or a
/// display aspect of 16/9. The host gives lowest terms and accepts any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    /// At least 1.
    pub numerator: u32,
    /// At least 1.
    pub denominator: u32,
}

impl Rational {
    /// `numerator` over `denominator`.
    pub const fn new(numerator: u32, denominator: u32) -> Self {
        Self { numerator, denominator }
    }

    /// The nearest floating-point number, for what need not be exact.
    pub fn as_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

/// Width and height in whole pixels, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl Size {
    /// `width` by `height` pixels.
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }
}

/// A pixel position; (0, 0) is the top left pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Grows to the right.
    pub x: u32,
    /// Grows downwards.
    pub y: u32,
}

/// Where something sits in a larger area, as a share of the free space: 0 is
/// left or top, 0.5 the middle, 1 right or bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// In 0..=1.
    pub x: f32,
    /// In 0..=1.
    pub y: f32,
}

/// How sample values become colours: code points of ITU-T H.273, where 2 means
/// unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Colour primaries.
    pub primaries: u8,
    /// Transfer characteristics.
    pub transfer: u8,
    /// Matrix coefficients.
    pub matrix: u8,
    /// Whether samples use the full range.
    pub full_range: bool,
}

impl Colour {
    /// High definition television: BT.709 throughout, limited range.
    pub const BT709: Self = Self { primaries: 1, transfer: 1, matrix: 1, full_range: false };

    /// Whether the transfer is one of high dynamic range (PQ or HLG).
    pub const fn is_hdr(self) -> bool {
        matches!(self.transfer, 16 | 18)
    }
}
