//! The rules that an answer must keep, beyond those that its building checks.

use crate::model::{
    Answer, EncodePlan, Job, Overlay, Plan, PlannedTrack, Resumption, Stage, Verdict,
};

/// The containers that this host knows with the media type of each.
const MEDIA_TYPES: [(&str, &str); 3] =
    [("mp4", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm")];

/// Checks what a stage answered to a job, and to a question's answer if there was one. The error
/// is the broken rule as a sentence without a full stop.
pub(crate) fn check(
    stage: Stage,
    job: &Job,
    resumption: Option<&Resumption>,
    verdict: &Verdict,
) -> Result<(), String> {
    match verdict {
        Verdict::Ready(plan) => {
            check_plan(stage, job, plan)?;
            resumption.map_or(Ok(()), |resumption| check_ready(resumption, plan))
        }
        Verdict::Suspend(suspension) => check_plan(stage, job, &suspension.confirms),
    }
}

fn check_ready(resumption: &Resumption, plan: &Plan) -> Result<(), String> {
    match resumption.answer {
        Answer::Yes if *plan != resumption.confirmed_plan => {
            Err("after a yes it returned another plan than the one that was confirmed".to_owned())
        }
        Answer::No => Err("after a no it returned a plan without asking again".to_owned()),
        // Nobody looks at the plan once the deadline has passed.
        Answer::Yes | Answer::Expired => Ok(()),
    }
}

fn check_plan(stage: Stage, job: &Job, plan: &Plan) -> Result<(), String> {
    if plan.stage() != stage {
        return Err(format!("the {stage} stage returned a plan of the {} stage", plan.stage()));
    }
    match plan {
        Plan::Encode(plan) => check_encode(plan),
        Plan::Watermark(plan) => {
            plan.overlays.iter().try_for_each(|overlay| check_overlay(job, overlay))
        }
        Plan::Mux(plan) => check_media_type(&job.request.container, &plan.media_type),
    }
}

fn check_encode(plan: &EncodePlan) -> Result<(), String> {
    if plan.tracks.iter().any(|track| matches!(track, PlannedTrack::Video { .. })) {
        Ok(())
    } else {
        Err("its encode plan has no video track".to_owned())
    }
}

fn check_overlay(job: &Job, overlay: &Overlay) -> Result<(), String> {
    let Some(plan) = &job.encode_plan else {
        return Err("an overlay was planned before there is a raster".to_owned());
    };
    let (raster, Overlay { image, at }) = (plan.raster.size, overlay);
    let end = |from: u32, length: u32| u64::from(from) + u64::from(length);
    let inside = end(at.x, image.size.width) <= u64::from(raster.width)
        && end(at.y, image.size.height) <= u64::from(raster.height);
    if inside {
        Ok(())
    } else {
        Err(format!("an overlay of {} at {at} leaves the raster of {raster}", image.size))
    }
}

fn check_media_type(container: &str, media_type: &str) -> Result<(), String> {
    match MEDIA_TYPES.iter().find(|(known, _)| *known == container) {
        Some((_, expected)) if *expected != media_type => {
            Err(format!("{media_type:?} is not the media type of {container}, which is {expected}"))
        }
        // What a container is that this host does not know, its plugin knows best.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
