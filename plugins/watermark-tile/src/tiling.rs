//! One pass over the frames.

use crate::blend::{blend, sum, weaken};
use crate::ink::Ink;
use crate::parameters::Parameters;
use crate::pattern::{Pattern, Placed};
use stage_sdk::{Fault, Filter, Frame, Image, Raster, Rect, Size, YUV420};

/// Of so many rows one is read to find out how bright a frame is.
const ROWS_PER_READ: u32 = 16;

/// How strong marks are on a black frame, out of 255.
const WEAKEST: u32 = 144;

/// Draws the marks, one frame behind.
pub struct Tiling<F> {
    raster: Size,
    ink: Ink,
    pattern: Pattern,
    /// The frame that waits for the next one, and how bright it is.
    held: Option<(F, u32)>,
    /// Buffers that are used again.
    samples: Vec<u8>,
    weakened: [Vec<u8>; 3],
}

impl<F: Frame> Tiling<F> {
    /// A pass that repeats `image`, whose sides are even.
    pub(crate) fn new(image: &Image, raster: Raster, parameters: &Parameters) -> Self {
        Self {
            raster: raster.size,
            ink: Ink::new(image, raster.colour),
            pattern: Pattern::new(image.size, raster, parameters),
            held: None,
            samples: Vec::new(),
            weakened: Default::default(),
        }
    }

    /// The mean of the luma samples of some rows, 0 to 255.
    fn brightness(&mut self, frame: &F) -> u32 {
        let Size { width, height } = self.raster;
        let rows = (0..height).step_by(ROWS_PER_READ as usize);
        let count = rows.len() as u32 * width;
        let mut total = 0;
        for row in rows {
            frame.read_rect(0, Rect::new(0, row, width, 1), &mut self.samples);
            total += sum(&self.samples);
        }
        (total + count / 2) / count.max(1)
    }

    /// Draws on a frame that is so bright, as the next one is. The mean of both
    /// is what counts: at a cut the marks change in two steps, not in one.
    fn draw(&mut self, frame: &mut F, brightness: u32, next: u32) {
        let strength = WEAKEST + (brightness + next) * (255 - WEAKEST) / 510;
        for (layer, weakened) in self.ink.planes.iter().zip(&mut self.weakened) {
            weaken(&layer.alpha, strength.min(255) as u8, weakened);
        }
        for placed in self.pattern.placed(frame.index()) {
            for plane in 0..self.ink.planes.len() {
                self.lay(frame, plane, placed);
            }
        }
    }

    /// Lays one plane of one mark.
    fn lay(&mut self, frame: &mut F, plane: usize, Placed { area, from }: Placed) {
        let (Some(layer), Some(alpha)) = (self.ink.planes.get(plane), self.weakened.get(plane))
        else {
            return;
        };
        let half = if plane == 0 { 1 } else { 2 };
        let Rect { origin, size } = area;
        let area =
            Rect::new(origin.x / half, origin.y / half, size.width / half, size.height / half);
        frame.read_rect(plane, area, &mut self.samples);
        let skipped = (from.y / half) as usize * layer.width + (from.x / half) as usize;
        let ink = layer.samples.get(skipped..).unwrap_or_default().chunks(layer.width.max(1));
        let alpha = alpha.get(skipped..).unwrap_or_default().chunks(layer.width.max(1));
        let width = area.size.width as usize;
        for ((below, ink), alpha) in self.samples.chunks_mut(width.max(1)).zip(ink).zip(alpha) {
            blend(below, ink, alpha);
        }
        frame.write_rect(plane, area, &self.samples);
    }

    fn finish(&mut self, (mut frame, brightness): (F, u32), next: u32) -> F {
        self.draw(&mut frame, brightness, next);
        frame
    }
}

impl<F: Frame> Filter<F> for Tiling<F> {
    fn push(&mut self, frame: F) -> Result<Vec<F>, Fault> {
        let layout = frame.layout();
        if layout != YUV420 {
            return Err(Fault::failed(format!("Frames of the layout {layout} are not known.")));
        }
        let brightness = self.brightness(&frame);
        let held = self.held.take();
        let finished = held.map(|held| self.finish(held, brightness));
        self.held = Some((frame, brightness));
        Ok(finished.into_iter().collect())
    }

    fn flush(mut self) -> Result<Vec<F>, Fault> {
        let held = self.held.take();
        let finished = held.map(|(frame, brightness)| self.finish((frame, brightness), brightness));
        Ok(finished.into_iter().collect())
    }
}
