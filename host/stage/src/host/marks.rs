//! Pictures of a plugin in the colour of its raster, kept for the next frame.

use std::sync::{Arc, Weak};

use picture::{Mark, MarkColour};

use super::types::Point;
use crate::fault::Stop;
use crate::model::{Image, Job};

/// As many are looked through for each picture that is drawn.
const MAX_MARKS: usize = 256;

/// The latest marks that were made, the oldest first. To bring a picture to the raster's colour
/// takes longer than to draw it, and most pictures are drawn on every frame.
pub(super) struct Marks {
    allowed: usize,
    colour: Option<MarkColour>,
    made: Vec<Made>,
}

struct Made {
    /// Does not keep the picture: one that changes gets other pixels, and this names none then.
    rgba: Weak<Vec<u8>>,
    at: Point,
    mark: Arc<Mark>,
}

impl Marks {
    /// None yet, and never more bytes of them than are allowed.
    pub(super) fn new(allowed: u64) -> Self {
        let allowed = usize::try_from(allowed).unwrap_or(usize::MAX);
        Self { allowed, colour: None, made: Vec::new() }
    }

    /// Sets the colour of the raster.
    pub(super) fn colour_of(&mut self, job: &Job) {
        self.colour = job.encode_plan.as_ref().map(|plan| MarkColour {
            matrix: plan.raster.colour.matrix,
            full_range: plan.raster.colour.full_range,
        });
    }

    /// The mark of a picture at a place.
    pub(super) fn of(&mut self, image: &Image, at: Point) -> Result<Arc<Mark>, Stop> {
        let is_it = |made: &&Made| {
            made.at == at && std::ptr::eq(made.rgba.as_ptr(), Arc::as_ptr(&image.rgba))
        };
        if let Some(made) = self.made.iter().find(is_it) {
            return Ok(Arc::clone(&made.mark));
        }
        let colour = self.colour.ok_or_else(|| Stop::Host("a frame has no raster".to_owned()))?;
        let size = picture::Size { width: image.size.width, height: image.size.height };
        let place = picture::Point { x: at.x, y: at.y };
        let mark = Mark::new(&image.rgba, size, place, colour)
            .map_err(|error| Stop::Host(format!("a picture has no place: {error}")))?;
        let mark = Arc::new(mark);
        self.keep(Made { rgba: Arc::downgrade(&image.rgba), at, mark: Arc::clone(&mark) });
        Ok(mark)
    }

    fn keep(&mut self, new: Made) {
        self.made.retain(|made| made.rgba.strong_count() > 0);
        self.made.push(new);
        let (mut bytes, mut kept) = (0_usize, 0);
        for made in self.made.iter().rev().take(MAX_MARKS) {
            bytes = bytes.saturating_add(made.mark.bytes().len());
            if bytes > self.allowed {
                break;
            }
            kept += 1;
        }
        self.made.drain(..self.made.len() - kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Size;

    fn image(width: u32) -> Image {
        let size = Size { width, height: 2 };
        Image { size, rgba: Arc::new(vec![9; width as usize * 8]) }
    }

    fn marks(allowed: u64) -> Marks {
        let colour = Some(MarkColour { matrix: 1, full_range: false });
        Marks { colour, ..Marks::new(allowed) }
    }

    #[test]
    fn a_mark_is_made_once_for_a_picture_and_a_place() {
        let (mut marks, image) = (marks(10_000), image(2));
        let here = Point { x: 0, y: 0 };
        let first = marks.of(&image, here).unwrap();
        assert!(Arc::ptr_eq(&first, &marks.of(&image, here).unwrap()));
        assert!(!Arc::ptr_eq(&first, &marks.of(&image, Point { x: 2, y: 0 }).unwrap()));
    }

    #[test]
    fn a_picture_that_changes_is_another() {
        let (mut marks, mut image) = (marks(10_000), image(2));
        let here = Point { x: 0, y: 0 };
        let first = marks.of(&image, here).unwrap();
        Arc::make_mut(&mut image.rgba).fill(200);
        assert_ne!(first, marks.of(&image, here).unwrap());
        assert_eq!(marks.made.len(), 1, "the mark of what is gone is not kept");
    }

    #[test]
    fn no_more_is_kept_than_is_allowed() {
        let image = image(2);
        let bytes = marks(0).of(&image, Point { x: 0, y: 0 }).unwrap().bytes().len();
        for (allowed, kept) in [(0, 0), (bytes, 1), (3 * bytes, 3), (1 << 30, MAX_MARKS)] {
            let mut marks = marks(allowed as u64);
            for x in 0..2 * MAX_MARKS as u32 {
                marks.of(&image, Point { x: 2 * x, y: 0 }).unwrap();
            }
            assert_eq!(marks.made.len(), kept, "{allowed} bytes");
        }
    }
}
