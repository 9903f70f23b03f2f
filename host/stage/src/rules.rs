//! The rules that an answer must keep, beyond those that its building checks.

use std::collections::BTreeSet;

use crate::model::{
    Answer, Colour, EncodePlan, Job, Overlay, Plan, PlannedTrack, Resumption, Stage, Verdict,
};

/// The containers that this host knows with the media type of each.
const MEDIA_TYPES: [(&str, &str); 3] =
    [("mp4", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm")];

/// The code point of ITU-T H.273 for what is not specified.
const UNSPECIFIED: u8 = 2;

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
            match resumption {
                Some(resumption) => check_resumed(resumption, plan),
                None => check_unasked(job, plan),
            }
        }
        Verdict::Suspend(suspension) => check_plan(stage, job, &suspension.confirms),
    }
}

/// What a stage may decide on without having asked.
fn check_unasked(job: &Job, plan: &Plan) -> Result<(), String> {
    match plan {
        Plan::Watermark(plan) if job.request.approval_required && !plan.overlays.is_empty() => {
            Err("it planned to draw without asking, though the request requires approval"
                .to_owned())
        }
        _ => Ok(()),
    }
}

/// What a stage may decide on after an answer.
fn check_resumed(resumption: &Resumption, plan: &Plan) -> Result<(), String> {
    match resumption.answer {
        Answer::Yes if *plan != resumption.shown_plan => {
            Err("after a yes it returned another plan than the one that was shown".to_owned())
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
    let Colour { primaries, transfer, matrix, .. } = plan.raster.colour;
    if [primaries, transfer, matrix].contains(&UNSPECIFIED) {
        return Err("its raster's colour is not specified".to_owned());
    }
    let (mut video, mut audio) = (BTreeSet::new(), BTreeSet::new());
    for track in &plan.tracks {
        let is_new = match track {
            PlannedTrack::Video { source, .. } => video.insert(source),
            PlannedTrack::Audio { source, .. } => audio.insert(source),
        };
        if !is_new {
            return Err("its encode plan names a track of the source twice".to_owned());
        }
    }
    if video.is_empty() { Err("its encode plan has no video track".to_owned()) } else { Ok(()) }
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
