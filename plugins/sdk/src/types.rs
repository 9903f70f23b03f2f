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

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Its top left pixel.
    pub origin: Point,
    /// Its size, which may be 0.
    pub size: Size,
}

impl Rect {
    /// `width` by `height` pixels from (`x`, `y`) on.
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Self { origin: Point { x, y }, size: Size { width, height } }
    }

    /// Whether all of it lies in an area of this size.
    pub fn is_inside(self, area: Size) -> bool {
        let fits = |start: u32, length: u32, side: u32| {
            start.checked_add(length).is_some_and(|end| end <= side)
        };
        fits(self.origin.x, self.size.width, area.width)
            && fits(self.origin.y, self.size.height, area.height)
    }
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

    /// The samples Y, Cb and Cr, in 8 bits and still unrounded, of a picture's
    /// red, green and blue in 0..=1, by this matrix and range. A matrix that
    /// frames in 4:2:0 cannot have counts as BT.709, as it does in the host.
    ///
    /// ```
    /// use stage_sdk::Colour;
    ///
    /// let red = Colour::BT709.samples([1.0, 0.0, 0.0]).map(f32::round);
    /// assert_eq!(red, [63.0, 102.0, 240.0]);
    /// ```
    pub fn samples(self, rgb: [f32; 3]) -> [f32; 3] {
        let (of_red, of_blue) = match self.matrix {
            4 => (0.3, 0.11),
            5 | 6 => (0.299, 0.114),
            7 => (0.212, 0.087),
            9 | 10 => (0.2627, 0.0593),
            _ => (0.2126, 0.0722),
        };
        let [red, green, blue] = rgb;
        let luma = of_red * red + (1.0 - of_red - of_blue) * green + of_blue * blue;
        let (black, light, chroma) =
            if self.full_range { (0.0, 255.0, 255.0) } else { (16.0, 219.0, 224.0) };
        [
            black + light * luma,
            128.0 + chroma * (blue - luma) / (2.0 * (1.0 - of_blue)),
            128.0 + chroma * (red - luma) / (2.0 * (1.0 - of_red)),
        ]
        .map(|sample: f32| sample.clamp(0.0, 255.0))
    }
}
