//! A frame as the encoder wants it.

use jpeg_encoder::{ImageBuffer, JpegColorType};
use stage_sdk::Size;

/// Planes that are JPEG's own already: luma, and both chromas at half the width and height. The
/// encoder asks for rows of whole pixels and takes one chroma sample of four, so that each comes
/// back as it was.
pub(crate) struct Picture<'a> {
    width: u16,
    height: u16,
    planes: [Rows<'a>; 3],
}

#[derive(Clone, Copy)]
struct Rows<'a> {
    samples: &'a [u8],
    width: usize,
}

impl<'a> Picture<'a> {
    /// A picture of planes of these sizes.
    pub(crate) fn new(size: Size, planes: &'a [Vec<u8>; 3]) -> Self {
        let width = u16::try_from(size.width).unwrap_or(u16::MAX);
        let height = u16::try_from(size.height).unwrap_or(u16::MAX);
        let rows = |samples, width| Rows { samples, width };
        let [luma, blue, red] = planes;
        let (whole, half) = (usize::from(width), usize::from(width / 2));
        Self { width, height, planes: [rows(luma, whole), rows(blue, half), rows(red, half)] }
    }
}

impl<'a> Rows<'a> {
    fn row(self, y: usize) -> &'a [u8] {
        let start = y.saturating_mul(self.width);
        self.samples.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }
}

impl ImageBuffer for Picture<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let [luma, blue, red] = self.planes;
        let [whole, first, second, _] = buffers;
        whole.extend_from_slice(luma.row(y.into()));
        for (plane, buffer) in [(blue, first), (red, second)] {
            let row = plane.row(usize::from(y / 2));
            buffer.extend(row.iter().flat_map(|sample| [*sample; 2]));
        }
    }
}
