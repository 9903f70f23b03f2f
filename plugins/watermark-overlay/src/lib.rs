//! The reference watermark stage: a text set in embedded fonts or a picture,
//! laid over every frame, shown to a person first where that is asked for.
#![forbid(unsafe_code)]

pub mod parameters;
#[cfg(test)]
mod tests;

use mark::{Subject, place};
use parameters::Parameters;
use stage_sdk::{
    Fault, Job, Manifest, Overlay as Laid, Resumed, Resumption, Verdict, WatermarkPlan,
    WatermarkPlugin, export_watermark, manifest,
};

/// The plugin.
pub struct Overlay;

export_watermark!(Overlay);

impl WatermarkPlugin for Overlay {
    type Parameters = Parameters;

    fn manifest() -> Manifest {
        manifest!().parameters::<Parameters>().mark("text").mark("image")
    }

    fn start(job: &Job<Parameters>) -> Result<Verdict<WatermarkPlan>, Fault> {
        let Some(subject) = Subject::of(&job.request)? else {
            return Ok(Verdict::Ready(WatermarkPlan::default()));
        };
        let anchor = job.request.watermark_anchor;
        let room = place::room(job.decided_raster()?.size, job.parameters.margin_percent);
        let image = subject.draw(job, &job.parameters.style(), room.size, anchor)?;
        let at = room.place(image.size, anchor);
        let plan = WatermarkPlan { overlays: vec![Laid { image, at }], want_frames: None };
        if !job.request.approval_required {
            return Ok(Verdict::Ready(plan));
        }
        mark::ask(&subject, place::words(anchor), plan).map(Verdict::Suspend)
    }

    fn resume(
        job: &Job<Parameters>,
        resumption: &Resumption,
    ) -> Result<Resumed<WatermarkPlan>, Fault> {
        mark::conclude(Subject::of(&job.request)?.as_ref(), resumption)
    }
}
