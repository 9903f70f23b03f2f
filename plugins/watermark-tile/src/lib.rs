//! A watermark stage that repeats a faint mark over every frame and moves it
//! slowly, so that no part of the picture is ever free of it for long.
//!
//! It works on the frames themselves: where the marks lie follows from a
//! frame's number, and how strong they are from how bright the frame and the
//! one after it are. Only the rectangles under the marks are read and written.
#![forbid(unsafe_code)]

mod blend;
mod ink;
pub mod parameters;
mod pattern;
#[cfg(test)]
mod tests;
mod tiling;

use mark::Subject;
use parameters::Parameters;
use stage_sdk::{
    Anchor, Fault, Frame, FrameFilter, Image, Job, Manifest, Pass, Resumed, Resumption, Size,
    Verdict, WatermarkPlan, WatermarkPlugin, export_frame_filter, manifest,
};
use tiling::Tiling;

/// The plugin.
pub struct Tile;

export_frame_filter!(Tile);

/// How many frames are held back: the next one says where a cut is.
const LOOK_AHEAD: u32 = 1;

/// The place in words, for the person who is asked.
const PLACE: &str = "repeated over the whole picture";

impl WatermarkPlugin for Tile {
    type Parameters = Parameters;

    fn manifest() -> Manifest {
        manifest!().parameters::<Parameters>().mark("text").mark("image")
    }

    fn start(job: &Job<Parameters>) -> Result<Verdict<WatermarkPlan>, Fault> {
        let Some(subject) = Subject::of(&job.request)? else {
            return Ok(Verdict::Ready(WatermarkPlan::default()));
        };
        // Drawn now, so that what is wrong with it is said before there are frames.
        draw(&subject, job)?;
        let plan = WatermarkPlan { overlays: Vec::new(), want_frames: Some(LOOK_AHEAD) };
        if !job.request.approval_required {
            return Ok(Verdict::Ready(plan));
        }
        mark::ask(&subject, PLACE, plan).map(Verdict::Suspend)
    }

    fn resume(
        job: &Job<Parameters>,
        resumption: &Resumption,
    ) -> Result<Resumed<WatermarkPlan>, Fault> {
        mark::conclude(Subject::of(&job.request)?.as_ref(), resumption)
    }
}

impl FrameFilter for Tile {
    type Filter<F: Frame> = Tiling<F>;

    fn begin<F: Frame>(job: &Job<Parameters>, _pass: Pass) -> Result<Tiling<F>, Fault> {
        let subject = Subject::of(&job.request)?
            .ok_or_else(|| Fault::failed("Frames came although there is no mark to draw."))?;
        let image = draw(&subject, job)?;
        // Whatever there is to tell was told by `start`.
        job.take_warnings();
        Ok(Tiling::new(&image, job.decided_raster()?, &job.parameters))
    }
}

/// One mark, at most half as large as the raster.
fn draw(subject: &Subject, job: &Job<Parameters>) -> Result<Image, Fault> {
    let raster = job.decided_raster()?.size;
    let half = |side: u32| ((side / 2) & !1).max(2);
    let room = Size::new(half(raster.width), half(raster.height));
    subject.draw(job, &job.parameters.style(), room, Anchor { x: 0.5, y: 0.5 })
}
