//! The frames themselves, for plugins that want them.

mod memory;
#[cfg(test)]
mod tests;

use crate::plans::Image;
use crate::types::{Point, Rect, Size};
pub use memory::MemoryFrame;

/// A frame on the raster, in the raster's colour. The host owns the samples.
///
/// Inside the sandbox this is the host's frame; a native test uses
/// [`MemoryFrame`].
pub trait Frame: Sized + 'static {
    /// A picture ready to be blended into frames.
    type Picture: 'static;

    /// The number of the frame on the raster, from 0.
    fn index(&self) -> u64;

    /// The layout of the samples as a number that the host lists, such as
    /// [`YUV420`]. A plugin refuses what it does not know.
    fn layout(&self) -> u32;

    /// The planes in the layout's order.
    fn planes(&self) -> Vec<Plane>;

    /// The samples of a rectangle of one plane, row by row without padding, in
    /// place of what `samples` held. The call ends if there is no such plane or
    /// the rectangle leaves it.
    fn read_rect(&self, plane: usize, area: Rect, samples: &mut Vec<u8>);

    /// Replaces a rectangle of one plane. The call ends if there is no such
    /// plane, the rectangle leaves it or the length is wrong.
    fn write_rect(&mut self, plane: usize, area: Rect, samples: &[u8]);

    /// Sets every sample of a rectangle of one plane. The call ends if there is
    /// no such plane, the rectangle leaves it or the sample does not fit.
    fn fill_rect(&mut self, plane: usize, area: Rect, sample: u32);

    /// Makes a picture ready; once is enough for all frames.
    fn picture(image: &Image) -> Self::Picture;

    /// Blends a picture in, its top left pixel at `at`, as an overlay of the
    /// watermark plan would be. The call ends if it leaves the raster.
    fn blit(&mut self, picture: &Self::Picture, at: Point);

    /// A second handle to the same samples, such as for returning a frame
    /// twice. When one of them is written to, the other keeps what it had.
    fn retain(&self) -> Self;
}

/// The layout of planar 4:2:0 with 8 bits a sample: planes Y, Cb and Cr.
pub const YUV420: u32 = 1;

/// The most samples that pass the boundary in one call: of two bytes each, the
/// 16 MiB that every host takes.
const BAND_SAMPLES: u32 = 8 << 20;

/// A rectangle in bands of rows that pass the boundary, one at least.
pub(crate) fn bands(area: Rect) -> impl Iterator<Item = Rect> {
    let Rect { origin: Point { x, y }, size: Size { width, height } } = area;
    let rows = (BAND_SAMPLES / width.max(1)).max(1);
    (0..height.div_ceil(rows).max(1)).map(move |band| {
        let skipped = band * rows;
        Rect::new(x, y.saturating_add(skipped), width, rows.min(height - skipped))
    })
}

/// One plane of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// In samples.
    pub size: Size,
    /// 1, or 2 little-endian.
    pub bytes_per_sample: u8,
}

/// A walk over consecutive frames of a raster. The host may begin one anywhere,
/// such as one of a few frames for the preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The index of the first frame.
    pub first: u64,
    /// How many will come, as far as that is known.
    pub frames: Option<u64>,
}

/// A video track that a plugin encodes itself. Its raster is that of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodingTask {
    /// The place of the track in the encode plan, from 0.
    pub track: usize,
    /// Ticks per second of the times that packets are given.
    pub timescale: u32,
    /// The frame of index n is presented at n times this, and every packet
    /// lasts so long.
    pub frame_duration: u32,
    /// How many frames will come, as far as that is known.
    pub frames: Option<u64>,
}

impl EncodingTask {
    /// When the frame of this index is presented, in ticks.
    pub fn time_of(&self, index: u64) -> i64 {
        i64::try_from(index.saturating_mul(self.frame_duration.into())).unwrap_or(i64::MAX)
    }
}

/// What the muxer is told of a track that a plugin encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedTrack {
    /// By RFC 6381 with its profile, or a name of its own where RFC 6381 has
    /// none; 1 to 64 bytes.
    pub codec: String,
    /// What a decoder needs before the first packet, as in
    /// [`Track`](crate::Track); at most 64 KiB.
    pub codec_config: Vec<u8>,
}

/// A packet that a plugin made, in the ticks of its [`EncodingTask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadePacket {
    /// When it is presented: [`EncodingTask::time_of`] its frame.
    pub pts: i64,
    /// When it is decoded: rises strictly and is not above `pts`.
    pub dts: i64,
    /// How long it is presented: [`EncodingTask::frame_duration`].
    pub duration: u32,
    /// Whether decoding can start here; the first packet is such a one.
    pub is_sync: bool,
    /// The access unit.
    pub data: Vec<u8>,
}
