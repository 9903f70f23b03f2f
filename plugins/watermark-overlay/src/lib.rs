//! The reference watermark stage: a line of text, shaped and drawn with
//! embedded fonts, shown to a person first where that is asked for.
#![forbid(unsafe_code)]

mod approval;
mod drawing;
mod fonts;
mod mask;
pub mod parameters;
mod place;
#[cfg(test)]
mod tests;
mod text;
mod typeset;

use parameters::Parameters;
use stage_sdk::{
    Fault, Job, Manifest, Resumed, Resumption, Verdict, WatermarkPlan, WatermarkPlugin,
    export_watermark, manifest,
};

/// The plugin.
pub struct Overlay;

export_watermark!(Overlay);

impl WatermarkPlugin for Overlay {
    type Parameters = Parameters;

    fn manifest() -> Manifest {
        manifest!().parameters::<Parameters>()
    }

    fn start(job: &Job<Parameters>) -> Result<Verdict<WatermarkPlan>, Fault> {
        let Some(text) = &job.request.watermark_text else {
            return Ok(Verdict::Ready(WatermarkPlan::default()));
        };
        let text = text::check(text)?;
        let plan =
            WatermarkPlan { overlays: vec![drawing::draw(text, job)?], ..Default::default() };
        if !job.request.approval_required {
            return Ok(Verdict::Ready(plan));
        }
        approval::ask(text, job.request.watermark_anchor, plan).map(Verdict::Suspend)
    }

    fn resume(
        job: &Job<Parameters>,
        resumption: &Resumption,
    ) -> Result<Resumed<WatermarkPlan>, Fault> {
        let text = job.request.watermark_text.as_deref().unwrap_or_default();
        approval::conclude(text::check(text)?, resumption)
    }
}
