use proptest::prelude::*;
use stage::model::{AudioEncoding, Raster, VideoEncoding};

use super::*;

fn plan(video: &str, audio: &str) -> EncodePlan {
    EncodePlan {
        raster: Raster {
            size: model::Size { width: 64, height: 36 },
            frame_rate: model::Rational { numerator: 25, denominator: 1 },
            colour: model::Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false },
        },
        tracks: vec![
            PlannedTrack::Video { source: 0, encoding: VideoEncoding::new(video) },
            PlannedTrack::Audio { source: 1, encoding: AudioEncoding::new(audio, 48_000, 2) },
        ],
    }
}

#[test]
fn known_codecs_become_encoders() {
    for video in ["avc1", "avc1.640028"] {
        let made = composition(&plan(video, "mp4a.40.2"), &WatermarkPlan::default()).unwrap();
        assert!(matches!(made.tracks[0], TrackPlan::Video { codec: VideoCodec::H264, .. }));
        assert!(matches!(made.tracks[1], TrackPlan::Audio { codec: AudioCodec::Aac, .. }));
    }
}

proptest! {
    /// Invariant 4 of the stage contract: a composition has no text at all, so
    /// that a plugin's text either names a known encoder or ends the render.
    #[test]
    fn a_codec_name_never_gets_further_than_here(name in "\\PC{0,64}") {
        prop_assume!(!name.starts_with("avc1"));
        let failure = composition(&plan(&name, "mp4a.40.2"), &WatermarkPlan::default()).unwrap_err();
        prop_assert_eq!(failure.code, Code::PluginFailed);
        prop_assert!(failure.message.chars().all(|c| c.is_ascii() && !c.is_control()));
    }
}
