//! A frame without a host.

#[cfg(test)]
mod tests;

use super::{Frame, Plane, YUV420};
use crate::plans::Image;
use crate::types::{Colour, Point, Rect, Size};
use std::ops::Range;
use std::rc::Rc;

/// A frame in memory, for native tests. Where the host would end the call, it
/// panics.
///
/// ```
/// use stage_sdk::{Colour, Frame, MemoryFrame, Rect, Size};
///
/// let mut frame = MemoryFrame::filled(7, Size::new(8, 4), Colour::BT709, [16, 128, 128]);
/// let before = frame.retain();
/// frame.fill_rect(0, Rect::new(2, 1, 2, 1), 235);
///
/// let mut samples = Vec::new();
/// frame.read_rect(0, Rect::new(1, 1, 4, 1), &mut samples);
/// assert_eq!(samples, [16, 235, 235, 16]);
/// assert!(before.samples(0).iter().all(|sample| *sample == 16));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFrame {
    index: u64,
    colour: Colour,
    planes: Vec<(Size, Rc<Vec<u8>>)>,
}

impl MemoryFrame {
    /// A frame of one colour in the layout [`YUV420`], whose samples are
    /// `[Y, Cb, Cr]`. Both sides are even.
    pub fn filled(index: u64, size: Size, colour: Colour, samples: [u8; 3]) -> Self {
        let half = Size::new(size.width / 2, size.height / 2);
        let plane = |size: Size, sample| {
            (size, Rc::new(vec![sample; size.width as usize * size.height as usize]))
        };
        let [luma, blue, red] = samples;
        Self { index, colour, planes: vec![plane(size, luma), plane(half, blue), plane(half, red)] }
    }

    /// All samples of a plane; none where there is no such plane.
    pub fn samples(&self, plane: usize) -> &[u8] {
        self.planes.get(plane).map(|(_, samples)| &samples[..]).unwrap_or_default()
    }

    /// The part of each row that a rectangle covers.
    fn rows(&self, plane: usize, area: Rect) -> impl Iterator<Item = Range<usize>> + use<> {
        let size = self.planes.get(plane).map_or(Size::new(0, 0), |(size, _)| *size);
        assert!(area.is_inside(size), "{area:?} leaves plane {plane} of {size:?}");
        let first = area.origin.y..area.origin.y + area.size.height;
        first.map(move |row| {
            let start = row as usize * size.width as usize + area.origin.x as usize;
            start..start + area.size.width as usize
        })
    }

    /// Each row of a rectangle, to be changed.
    fn change(&mut self, plane: usize, area: Rect, mut change: impl FnMut(&mut [u8])) {
        let rows = self.rows(plane, area);
        let Some((_, samples)) = self.planes.get_mut(plane) else { return };
        let samples = Rc::make_mut(samples);
        rows.for_each(|row| change(samples.get_mut(row).unwrap_or_default()));
    }
}

impl Frame for MemoryFrame {
    type Picture = Image;

    fn index(&self) -> u64 {
        self.index
    }

    fn layout(&self) -> u32 {
        YUV420
    }

    fn planes(&self) -> Vec<Plane> {
        self.planes.iter().map(|(size, _)| Plane { size: *size, bytes_per_sample: 1 }).collect()
    }

    fn read_rect(&self, plane: usize, area: Rect, samples: &mut Vec<u8>) {
        samples.clear();
        for row in self.rows(plane, area) {
            samples.extend_from_slice(self.samples(plane).get(row).unwrap_or_default());
        }
    }

    fn write_rect(&mut self, plane: usize, area: Rect, samples: &[u8]) {
        let expected = area.size.width as usize * area.size.height as usize;
        assert_eq!(samples.len(), expected, "the samples of {area:?}");
        let mut rows = samples.chunks(area.size.width.max(1) as usize);
        self.change(plane, area, |row| row.copy_from_slice(rows.next().unwrap_or_default()));
    }

    fn fill_rect(&mut self, plane: usize, area: Rect, sample: u32) {
        assert!(sample <= 255, "a sample of {sample}");
        self.change(plane, area, |row| row.fill(sample as u8));
    }

    fn picture(image: &Image) -> Image {
        image.clone()
    }

    /// Plain and right to a rounding; the host's own is what counts.
    fn blit(&mut self, picture: &Image, at: Point) {
        let Size { width, height } = picture.size;
        for plane in 0..self.planes.len() {
            // A sample of colour is shared by two pixels in two rows.
            let shared = if plane == 0 { 1 } else { 2 };
            let columns = at.x / shared..(at.x + width).div_ceil(shared);
            for y in at.y / shared..(at.y + height).div_ceil(shared) {
                for x in columns.clone() {
                    let pixels = (0..shared * shared)
                        .map(|part| (x * shared + part % shared, y * shared + part / shared))
                        .filter_map(|(x, y)| Some((x.checked_sub(at.x)?, y.checked_sub(at.y)?)));
                    let (mut drawn, mut hidden) = (0.0, 0.0);
                    for (sample, opacity) in pixels.filter_map(|(x, y)| {
                        let [red, green, blue, alpha] = pixel(picture, x, y)?.map(f32::from);
                        let rgb = [red, green, blue].map(|part| part / 255.0);
                        let opacity = alpha / 255.0 / (shared * shared) as f32;
                        Some((*self.colour.samples(rgb).get(plane)?, opacity))
                    }) {
                        drawn += sample * opacity;
                        hidden += opacity;
                    }
                    self.change(plane, Rect::new(x, y, 1, 1), |row| {
                        for old in row {
                            *old = (f32::from(*old) * (1.0 - hidden) + drawn).round() as u8;
                        }
                    });
                }
            }
        }
    }

    fn retain(&self) -> Self {
        self.clone()
    }
}

fn pixel(picture: &Image, x: u32, y: u32) -> Option<[u8; 4]> {
    let place = (y as usize * picture.size.width as usize + x as usize) * 4;
    let inside = x < picture.size.width;
    picture.rgba.get(place..place + 4).filter(|_| inside)?.try_into().ok()
}
