//! The rules that an answer must keep, beyond those that its building checks.

use std::collections::BTreeSet;

use crate::model::{
    Answer, Colour, EncodePlan, Job, Overlay, Plan, PlannedTrack, RateControl, Resumption, Stage,
    Verdict, VideoEncoding, WatermarkPlan,
};

/// The containers that this host knows with the media type of each.
const MEDIA_TYPES: [(&str, &str); 3] =
    [("mp4", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm")];

/// The code point of ITU-T H.273 for what is not specified.
const UNSPECIFIED: u8 = 2;

/// The frames that an instance holds beside those that it looks ahead: the one that it is given,
/// and some to work on.
const FRAMES_BESIDE: u64 = 4;

/// What a plugin can do beyond deciding.
#[derive(Clone, Copy)]
pub(crate) struct Able {
    /// Whether frames can pass through it.
    pub(crate) filters_frames: bool,
    /// Whether it can encode frames.
    pub(crate) encodes_frames: bool,
}

/// Checks what a stage answered to a job, and to a question's answer if there was one. The error
/// is the broken rule as a sentence without a full stop.
pub(crate) fn check(
    stage: Stage,
    job: &Job,
    resumption: Option<&Resumption>,
    able: Able,
    verdict: &Verdict,
) -> Result<(), String> {
    match verdict {
        Verdict::Ready(plan) => {
            check_plan(stage, job, able, plan)?;
            match resumption {
                Some(resumption) => check_resumed(resumption, plan),
                None => check_unasked(job, plan),
            }
        }
        Verdict::Suspend(suspension) => check_plan(stage, job, able, &suspension.confirms),
    }
}

/// What a stage may decide on without having asked.
fn check_unasked(job: &Job, plan: &Plan) -> Result<(), String> {
    match plan {
        Plan::Watermark(plan) if job.request.approval_required && plan.draws() => {
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

fn check_plan(stage: Stage, job: &Job, able: Able, plan: &Plan) -> Result<(), String> {
    if plan.stage() != stage {
        return Err(format!("the {stage} stage returned a plan of the {} stage", plan.stage()));
    }
    match plan {
        Plan::Encode(plan) => check_encode(able, plan),
        Plan::Watermark(plan) => {
            plan.overlays.iter().try_for_each(|overlay| check_overlay(job, overlay))?;
            check_filter(job, able, plan)
        }
        Plan::Mux(plan) => check_media_type(&job.request.container, &plan.media_type),
    }
}

fn check_encode(able: Able, plan: &EncodePlan) -> Result<(), String> {
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
    if video.is_empty() {
        return Err("its encode plan has no video track".to_owned());
    }
    video_encodings(plan).try_for_each(|encoding| check_video(able, plan, encoding))
}

fn video_encodings(plan: &EncodePlan) -> impl Iterator<Item = &VideoEncoding> {
    plan.tracks.iter().filter_map(|track| match track {
        PlannedTrack::Video { encoding, .. } => Some(encoding),
        PlannedTrack::Audio { .. } => None,
    })
}

fn check_video(able: Able, plan: &EncodePlan, encoding: &VideoEncoding) -> Result<(), String> {
    if encoding.copy && encoding.rate_control == RateControl::Lossless {
        return Err("it allows to copy a track that is to be lossless".to_owned());
    }
    if !encoding.wants_frames {
        return Ok(());
    }
    if !able.encodes_frames {
        return Err("it wants the frames of a track without exporting frame-encoder".to_owned());
    }
    if encoding.copy {
        return Err("it allows to copy a track whose frames it wants".to_owned());
    }
    check_alone(plan)
}

fn check_filter(job: &Job, able: Able, plan: &WatermarkPlan) -> Result<(), String> {
    if plan.wants_frames.is_none() {
        return Ok(());
    }
    if !able.filters_frames {
        return Err("it wants the frames without exporting frame-filter".to_owned());
    }
    let Some(encode) = &job.encode_plan else {
        return Err("it wants the frames before there is a raster".to_owned());
    };
    check_alone(encode)
}

/// Frames are those of one video track.
fn check_alone(plan: &EncodePlan) -> Result<(), String> {
    match video_encodings(plan).count() {
        0 | 1 => Ok(()),
        tracks => Err(format!("it wants the frames of a render with {tracks} video tracks")),
    }
}

/// The bytes of frames that an instance needs for what was planned; 0 for a plan without frames.
/// What may be held is the operator's, so that too many are no broken rule.
pub(crate) fn frame_bytes(job: &Job, verdict: &Verdict) -> u64 {
    let plan = match verdict {
        Verdict::Ready(plan) => plan,
        Verdict::Suspend(suspension) => &suspension.confirms,
    };
    let (raster, look_ahead) = match (plan, &job.encode_plan) {
        (Plan::Encode(plan), _) if video_encodings(plan).any(|video| video.wants_frames) => {
            (plan.raster.size, 0)
        }
        (Plan::Watermark(WatermarkPlan { wants_frames: Some(frames), .. }), Some(encode)) => {
            (encode.raster.size, *frames)
        }
        _ => return 0,
    };
    let frame = u64::from(raster.width) * u64::from(raster.height) * 3 / 2;
    frame.saturating_mul(u64::from(look_ahead) + FRAMES_BESIDE)
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
