//! Pictures of a raster as samples in memory: reading and writing parts of them, buffers that are
//! used again, and marks blended in. Pure arithmetic, which knows neither ffmpeg nor plugins.

mod geometry;
mod mark;
mod picture;
mod pool;

use std::sync::Arc;

pub use geometry::{Layout, OutOfBounds, Point, Rect, Size};
pub use mark::{Mark, MarkColour};
pub use picture::Picture;
pub use pool::Pool;

/// A frame of a raster.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number on the raster, from 0.
    pub index: u64,
    /// Its samples, which several frames may share.
    pub picture: Arc<Picture>,
}
