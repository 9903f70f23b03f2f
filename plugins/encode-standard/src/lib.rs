//! The reference encode stage: H.264 and AAC.
#![forbid(unsafe_code)]
use stage_sdk::*;

/// Decides.
pub struct Small;

impl EncodePlugin for Small {
    type Parameters = NoParameters;

    fn manifest() -> Manifest {
        manifest!().container("mp4")
    }

    fn start(job: &Job<NoParameters>) -> Result<Verdict<EncodePlan>, Fault> {
        let video = job.source.main_video()?;
        let raster = Raster {
            size: Size::new(320, 180),
            frame_rate: video.frame_rate,
            colour: Colour::BT709,
        };
        let mut plan = EncodePlan::new(raster);
        plan.add_video(video, VideoEncoding::new("avc1"));
        Ok(Verdict::Ready(plan))
    }
}

stage_sdk::export_encode!(Small);
