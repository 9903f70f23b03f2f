//! The reference encode stage: H.264 and AAC for mp4 and mov.
//!
//! It composes every render in BT.709 with limited range, fits the picture
//! into the asked box and keeps one constant frame rate.
#![forbid(unsafe_code)]

mod parameters;
mod rate;
mod size;
mod sound;
#[cfg(test)]
mod tests;

use parameters::Parameters;
use stage_sdk::{
    Colour, EncodePlan, EncodePlugin, Fault, Job, Manifest, Raster, SourceVideo, Verdict,
    VideoEncoding, export_encode, manifest,
};

/// H.264 by its RFC 6381 sample entry.
const H264: &str = "avc1";
const CONTAINERS: [&str; 2] = ["mp4", "mov"];

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
        refuse_other_container(&job.request.container)?;
        let video = job.source.main_video()?;
        refuse_hdr(video)?;
        let frame_rate = rate::decide(job, video);
        let raster = Raster { size: size::decide(job, video), frame_rate, colour: Colour::BT709 };
        let mut plan = EncodePlan::new(raster);
        plan.add_video(
            video,
            VideoEncoding {
                codec: H264.into(),
                rate_control: job.parameters.rate_control(),
                effort: job.parameters.preset.effort(),
                keyframe_interval: job.parameters.keyframe_interval(frame_rate),
            },
        );
        if let Some((track, encoding)) = sound::decide(job) {
            plan.add_audio(track, encoding);
        }
        Ok(Verdict::Ready(plan))
    }
}

fn refuse_other_container(container: &str) -> Result<(), Fault> {
    if CONTAINERS.contains(&container) {
        return Ok(());
    }
    let message = format!("This encoder serves mp4 and mov, not {container}.");
    Err(Fault::invalid_field("output_format", message))
}

/// Without tone mapping an HDR picture would come out grey and washed out.
fn refuse_hdr(video: &SourceVideo) -> Result<(), Fault> {
    if !video.colour.is_hdr() {
        return Ok(());
    }
    let curve = if video.colour.transfer == 16 { "PQ" } else { "HLG" };
    Err(Fault::unsupported_source(format!(
        "The source is HDR video ({curve}), which cannot be rendered yet; convert it to SDR \
         (BT.709) first."
    )))
}
