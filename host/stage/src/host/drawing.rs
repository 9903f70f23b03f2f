//! The pictures that a plugin draws.

use std::sync::Arc;

use wasmtime::Result;
use wasmtime::component::Resource;

use super::Host;
use super::bindings::video_render::stage::plans;
use super::types::{Point, Rect, Size};
use crate::fault::{LimitKind, Stop, ensure, within};
use crate::model::{Image, MAX_SIDE, Overlay, WatermarkPlan};

const MAX_OVERLAYS: usize = 64;
const MAX_LOOK_AHEAD: u32 = 64;
const PIXEL_BYTES: usize = 4;

impl Host {
    /// Counts the bytes of a picture that is about to be made.
    fn charge_image(&mut self, bytes: usize) -> Result<(), Stop> {
        let used = self.image_bytes.saturating_add(bytes as u64);
        within(LimitKind::Images, used, self.limits.image_bytes)?;
        self.image_bytes = used;
        Ok(())
    }
}

/// Copies the rows of `rgba` into the rectangle of a picture.
fn write_rect(image: &mut Image, area: Rect, rgba: &[u8]) -> Result<(), Stop> {
    let Rect { origin, size } = area;
    let end = |from: u32, length: u32| u64::from(from) + u64::from(length);
    let inside = end(origin.x, size.width) <= u64::from(image.size.width)
        && end(origin.y, size.height) <= u64::from(image.size.height);
    ensure(inside, || {
        format!("a rectangle of {size} at {origin} leaves its picture of {}", image.size)
    })?;
    let row_bytes = size.width as usize * PIXEL_BYTES;
    let expected = row_bytes * size.height as usize;
    ensure(rgba.len() == expected, || {
        format!("a rectangle of {size} has {expected} bytes, not {}", rgba.len())
    })?;
    if rgba.is_empty() {
        return Ok(());
    }
    let stride = image.size.width as usize * PIXEL_BYTES;
    let left = origin.x as usize * PIXEL_BYTES;
    let rows = Arc::make_mut(&mut image.rgba).chunks_exact_mut(stride).skip(origin.y as usize);
    for (row, pixels) in rows.zip(rgba.chunks_exact(row_bytes)) {
        if let Some(place) = row.get_mut(left..left + row_bytes) {
            place.copy_from_slice(pixels);
        }
    }
    Ok(())
}

impl plans::HostImage for Host {
    fn new(&mut self, size: Size) -> Result<Resource<Image>> {
        let side = |side: u32| (1..=MAX_SIDE).contains(&side);
        ensure(side(size.width) && side(size.height), || {
            format!("the sides of a picture are in 1..={MAX_SIDE}, not {size}")
        })?;
        let bytes = size.width as usize * size.height as usize * PIXEL_BYTES;
        self.charge_image(bytes)?;
        self.push(Image { size, rgba: Arc::new(vec![0; bytes]) })
    }

    fn write_rect(&mut self, image: Resource<Image>, area: Rect, rgba: Vec<u8>) -> Result<()> {
        let pixels = &self.get(&image)?.rgba;
        // An overlay that was made of this picture keeps the old pixels, so writing copies them.
        if Arc::strong_count(pixels) > 1 {
            self.charge_image(pixels.len())?;
        }
        Ok(write_rect(self.get_mut(&image)?, area, &rgba)?)
    }

    fn drop(&mut self, image: Resource<Image>) -> Result<()> {
        let image = self.take(image)?;
        if Arc::strong_count(&image.rgba) == 1 {
            self.image_bytes = self.image_bytes.saturating_sub(image.rgba.len() as u64);
        }
        Ok(())
    }
}

impl plans::HostOverlay for Host {
    fn new(&mut self, image: Resource<Image>, at: Point) -> Result<Resource<Overlay>> {
        let image = self.get(&image)?.clone();
        self.push(Overlay { image, at })
    }

    fn drop(&mut self, overlay: Resource<Overlay>) -> Result<()> {
        self.take(overlay).map(drop)
    }
}

impl plans::HostWatermarkPlan for Host {
    fn new(&mut self) -> Result<Resource<WatermarkPlan>> {
        self.push(WatermarkPlan::default())
    }

    fn add_overlay(
        &mut self,
        plan: Resource<WatermarkPlan>,
        overlay: Resource<Overlay>,
    ) -> Result<()> {
        let overlay = self.take(overlay)?;
        let overlays = &mut self.get_mut(&plan)?.overlays;
        ensure(overlays.len() < MAX_OVERLAYS, || format!("more than {MAX_OVERLAYS} overlays"))?;
        overlays.push(overlay);
        Ok(())
    }

    fn want_frames(&mut self, plan: Resource<WatermarkPlan>, look_ahead: u32) -> Result<()> {
        ensure(look_ahead <= MAX_LOOK_AHEAD, || {
            format!("a look-ahead is in 0..={MAX_LOOK_AHEAD} frames, not {look_ahead}")
        })?;
        self.get_mut(&plan)?.wants_frames = Some(look_ahead);
        Ok(())
    }

    fn drop(&mut self, plan: Resource<WatermarkPlan>) -> Result<()> {
        self.take(plan).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Image {
        Image { size: Size { width: 3, height: 2 }, rgba: Arc::new(vec![0; 24]) }
    }

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect { origin: Point { x, y }, size: Size { width, height } }
    }

    #[test]
    fn a_rectangle_is_written_where_it_belongs() {
        let mut image = picture();
        write_rect(&mut image, rect(1, 1, 2, 1), &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        let mut expected = vec![0; 24];
        expected[16..24].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(*image.rgba, expected);
    }

    #[test]
    fn pixels_that_another_holds_stay_as_they_were() {
        let mut image = picture();
        let before = image.clone();
        write_rect(&mut image, rect(0, 0, 1, 1), &[9; 4]).unwrap();
        assert_eq!(before, picture());
        assert_ne!(image, before);
    }

    #[test]
    fn rectangles_that_do_not_fit_are_refused() {
        let wrong = [
            (rect(2, 0, 2, 1), 8),
            (rect(0, 2, 1, 1), 4),
            (rect(u32::MAX, 0, 2, 1), 8),
            (rect(0, 0, 1, 1), 3),
            (rect(0, 0, 1, 1), 5),
        ];
        for (area, bytes) in wrong {
            assert!(write_rect(&mut picture(), area, &vec![1; bytes]).is_err(), "{area:?}");
        }
        assert!(write_rect(&mut picture(), rect(3, 2, 0, 0), &[]).is_ok());
    }
}
