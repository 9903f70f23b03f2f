use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;

fn image() -> Image {
    Image { size: Size { width: 2, height: 1 }, rgba: Arc::new(vec![1, 2, 3, 0, 250, 6, 7, 255]) }
}

#[test]
fn a_suspension_comes_back_from_json_exactly() {
    let suspension = Suspension {
        question: "Is this right?".into(),
        confirms: Plan::Watermark(WatermarkPlan {
            overlays: vec![Overlay { image: image(), at: Point { x: 3, y: 4 } }],
            wants_frames: Some(2),
        }),
        state: vec![0, 255, 7],
        state_version: 9,
    };
    let text = serde_json::to_string(&suspension).unwrap();
    assert_eq!(serde_json::from_str::<Suspension>(&text).unwrap(), suspension);
}

#[test]
fn a_job_comes_back_from_json_exactly() {
    let job = Job {
        source: Arc::new(Source {
            video: vec![],
            audio: vec![SourceAudio {
                id: 1,
                codec: "mp4a".into(),
                sample_rate: 48000,
                channels: 2,
            }],
            tags: BTreeMap::from([("title".to_owned(), "A film".to_owned())]),
        }),
        request: Arc::new(Request {
            container: "mp4".into(),
            bounds: Size { width: 1920, height: 1080 },
            watermark_text: Some("x".into()),
            watermark_image: None,
            watermark_anchor: Anchor { x: 0.1, y: 1.0 },
            approval_required: true,
        }),
        parameters: serde_json::json!({"quality": 23.5}),
        encode_plan: Some(EncodePlan {
            raster: Raster {
                size: Size { width: 2, height: 2 },
                frame_rate: Rational { numerator: 30000, denominator: 1001 },
                colour: Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false },
            },
            tracks: vec![PlannedTrack::Video {
                source: 0,
                encoding: VideoEncoding {
                    rate_control: RateControl::ConstantQuality(18.1),
                    ..VideoEncoding::new("avc1")
                },
            }],
        }),
    };
    let text = serde_json::to_string(&job).unwrap();
    assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job);
}

#[test]
fn plans_that_were_stored_before_a_field_was_known_are_read() {
    let plan: WatermarkPlan = serde_json::from_str(r#"{"overlays": []}"#).unwrap();
    assert_eq!((plan.wants_frames, plan.draws()), (None, false));
    let encoding =
        r#"{"codec":"avc1","rate_control":"default","effort":5,"keyframe_interval":250}"#;
    let encoding: VideoEncoding = serde_json::from_str(encoding).unwrap();
    assert_eq!(encoding, VideoEncoding::new("avc1"));
    let encoding = r#"{"codec":"mp4a.40.2","sample_rate":48000,"channels":2,"bit_rate":null}"#;
    let encoding: AudioEncoding = serde_json::from_str(encoding).unwrap();
    assert_eq!(encoding, AudioEncoding::new("mp4a.40.2", 48_000, 2));
}

#[test]
fn a_plan_draws_with_overlays_or_with_the_frames() {
    let overlays = vec![Overlay { image: image(), at: Point { x: 0, y: 0 } }];
    assert!(WatermarkPlan { overlays, wants_frames: None }.draws());
    assert!(WatermarkPlan { overlays: vec![], wants_frames: Some(0) }.draws());
}

#[test]
fn a_damaged_picture_is_refused() {
    let whole = serde_json::to_string(&image()).unwrap();
    for text in [r#""not base64!""#, r#""AAAA""#, &format!("{}\"", &whole[..whole.len() / 2])] {
        assert!(serde_json::from_str::<Image>(text).is_err(), "{text}");
    }
}

#[test]
fn stages_are_named_as_they_are_read() {
    for stage in Stage::ALL {
        assert_eq!(stage.to_string().parse(), Ok(stage));
        assert_eq!(serde_json::json!(stage), serde_json::json!(stage.as_str()));
    }
    assert!("Encode".parse::<Stage>().is_err());
}
