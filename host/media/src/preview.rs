//! One frame of what a run would make.

/// The picture that a run puts at one place of its raster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The picture as a PNG file: the raster's size, 8 bits of red, green and blue.
    pub png: Vec<u8>,
    /// Which frame of the raster it is, counted from 0.
    pub frame: u64,
}
