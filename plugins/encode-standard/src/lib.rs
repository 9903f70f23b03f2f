//! The reference encode stage: H.264 and AAC for mp4 and mov, VP9 and Opus for webm.
//!
//! It composes every render in BT.709 with limited range, fits the picture
//! into the asked box and keeps one constant frame rate. What already is so may
//! be passed on as it is.
#![forbid(unsafe_code)]

mod parameters;
#[cfg(test)]
mod tests;

use encode_common::{
    SoundCodec, SoundWishes, frame_rate, may_copy, raster_size, refuse_hdr, refuse_other_container,
    sound,
};
use parameters::{Parameters, VideoCodec};
use stage_sdk::{
    Colour, EncodePlan, EncodePlugin, Fault, Job, Manifest, Raster, RateControl, Verdict,
    VideoEncoding, export_encode, manifest,
};

const CONTAINERS: [&str; 3] = ["mp4", "mov", "webm"];

/// The plugin.
pub struct Standard;

export_encode!(Standard);

impl EncodePlugin for Standard {
    type Parameters = Parameters;

    fn manifest() -> Manifest {
        CONTAINERS
            .iter()
            .fold(manifest!().parameters::<Parameters>(), |it, name| it.container(name))
    }

    fn start(job: &Job<Parameters>) -> Result<Verdict<EncodePlan>, Fault> {
        let Job { parameters, request, .. } = job;
        refuse_other_container(&CONTAINERS, &request.container)?;
        let video = job.source.main_video()?;
        refuse_hdr(video)?;
        let (picture, heard) = codecs(&request.container);
        let frame_rate = frame_rate(job, video);
        let size = raster_size(job, video, parameters.upscale);
        let raster = Raster { size, frame_rate, colour: Colour::BT709 };
        let rate_control = parameters.rate_control(picture);
        let mut plan = EncodePlan::new(raster);
        plan.add_video(
            video,
            VideoEncoding {
                rate_control,
                effort: parameters.effort(picture),
                keyframe_interval: parameters.keyframe_interval(frame_rate),
                allow_copy: rate_control != RateControl::Lossless
                    && may_copy(parameters.copy, video, picture.sample_entry(), &raster),
                ..VideoEncoding::new(picture.sample_entry())
            },
        );
        let wishes = SoundWishes { bit_rate: parameters.audio_bit_rate, copying: parameters.copy };
        if let Some((track, encoding)) = sound(job, heard, wishes) {
            plan.add_audio(track, encoding);
        }
        Ok(Verdict::Ready(plan))
    }
}

/// What every player of a container knows.
fn codecs(container: &str) -> (VideoCodec, SoundCodec) {
    match container {
        "webm" => (VideoCodec::Vp9, SoundCodec::Opus),
        _ => (VideoCodec::H264, SoundCodec::Aac),
    }
}
