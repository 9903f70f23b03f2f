//! An encode stage that makes the pictures itself: every frame becomes a JPEG of its own, so that
//! an editor can cut anywhere. The sound is left to the host.
//!
//! It shows how a plugin brings a codec that the host does not have: the plan asks for the frames,
//! and packets come back.
#![forbid(unsafe_code)]

mod encoder;
mod picture;
#[cfg(test)]
mod tests;

use encode_common::{
    Copying, SoundCodec, SoundWishes, frame_rate, raster_size, refuse_hdr, refuse_other_container,
    sound,
};
use encoder::JpegEncoder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stage_sdk::{
    Colour, EncodePlan, EncodePlugin, EncodingTask, Fault, Frame, FrameEncoder, Job, Manifest,
    Raster, Verdict, VideoEncoding, export_frame_encoder, manifest,
};

const CONTAINERS: [&str; 2] = ["mov", "mp4"];

/// The colour of a JPEG file (JFIF 1.02): the matrix of BT.601 over the full range. It has two
/// numbers in H.273, of which readers of JPEG say this one. Primaries and transfer are those that
/// pictures have already.
const JFIF: Colour = Colour { matrix: 5, full_range: true, ..Colour::BT709 };

/// The plugin.
pub struct Mjpeg;

export_frame_encoder!(Mjpeg);

/// Settings of the encoder of JPEG pictures.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// The quality of the pictures: 1 is worst, 100 best.
    #[schemars(range(min = 1, max = 100))]
    pub quality: u8,
    /// Scale small sources up to the asked size; otherwise they keep theirs.
    pub upscale: bool,
    /// Bits per second of the sound over all channels; null for 64000 a
    /// channel, at most 320000.
    #[schemars(range(min = 8000, max = 2_000_000))]
    pub audio_bit_rate: Option<u32>,
    /// Pass on the source's own sound where it already is AAC.
    pub copy: Copying,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { quality: 90, upscale: true, audio_bit_rate: None, copy: Copying::WhenPossible }
    }
}

impl EncodePlugin for Mjpeg {
    type Parameters = Parameters;

    fn manifest() -> Manifest {
        CONTAINERS
            .iter()
            .fold(manifest!().parameters::<Parameters>(), |it, name| it.container(name))
    }

    fn start(job: &Job<Parameters>) -> Result<Verdict<EncodePlan>, Fault> {
        let codec = codec(&job.request.container)?;
        let video = job.source.main_video()?;
        refuse_hdr(video)?;
        let parameters = &job.parameters;
        let raster = Raster {
            size: raster_size(job, video, parameters.upscale),
            frame_rate: frame_rate(job, video),
            colour: JFIF,
        };
        let mut plan = EncodePlan::new(raster);
        plan.add_video(video, VideoEncoding { want_frames: true, ..VideoEncoding::new(codec) });
        let wishes = SoundWishes { bit_rate: parameters.audio_bit_rate, copying: parameters.copy };
        if let Some((track, encoding)) = sound(job, SoundCodec::Aac, wishes) {
            plan.add_audio(track, encoding);
        }
        Ok(Verdict::Ready(plan))
    }
}

impl FrameEncoder for Mjpeg {
    type Encoder<F: Frame> = JpegEncoder;

    fn begin<F: Frame>(job: &Job<Parameters>, task: EncodingTask) -> Result<JpegEncoder, Fault> {
        let codec = codec(&job.request.container)?;
        JpegEncoder::new(codec, job.decided_raster()?.size, job.parameters.quality, task)
    }
}

/// The name that a container has for JPEG pictures: that of QuickTime's sample entry, or the
/// object type that is registered for MPEG-4's.
fn codec(container: &str) -> Result<&'static str, Fault> {
    refuse_other_container(&CONTAINERS, container)?;
    Ok(if container == "mov" { "jpeg" } else { "mp4v.6C" })
}
