use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::model::*;

const ABLE: Able = Able { filters_frames: true, encodes_frames: true };

/// What a frame of [`encode_plan`] takes.
const FRAME_BYTES: u64 = 100 * 50 * 3 / 2;

fn job(container: &str, encode_plan: Option<EncodePlan>) -> Job {
    Job {
        source: Arc::new(Source { video: vec![], audio: vec![], tags: BTreeMap::new() }),
        request: Arc::new(Request {
            container: container.into(),
            bounds: Size { width: 1920, height: 1080 },
            watermark_text: None,
            watermark_image: None,
            watermark_anchor: Anchor { x: 0.5, y: 0.5 },
            approval_required: false,
        }),
        parameters: serde_json::json!({}),
        encode_plan,
    }
}

fn encode_plan() -> EncodePlan {
    EncodePlan {
        raster: Raster {
            size: Size { width: 100, height: 50 },
            frame_rate: Rational { numerator: 25, denominator: 1 },
            colour: Colour { primaries: 1, transfer: 1, matrix: 1, full_range: false },
        },
        tracks: vec![PlannedTrack::Video { source: 0, encoding: VideoEncoding::new("avc1") }],
    }
}

fn overlay(x: u32, y: u32, width: u32, height: u32) -> Plan {
    let image = Image {
        size: Size { width, height },
        rgba: Arc::new(vec![0; width as usize * height as usize * 4]),
    };
    Plan::Watermark(WatermarkPlan {
        overlays: vec![Overlay { image, at: Point { x, y } }],
        wants_frames: None,
    })
}

fn mux(media_type: &str) -> Plan {
    Plan::Mux(MuxPlan { media_type: media_type.into() })
}

fn suspend(confirms: Plan) -> Verdict {
    Verdict::Suspend(Suspension {
        question: "Is it?".into(),
        confirms,
        state: vec![],
        state_version: 1,
    })
}

/// The rule that an answer breaks, whether it is returned as ready or asked about.
fn broken(stage: Stage, job: &Job, plan: Plan) -> Option<String> {
    let asked = check(stage, job, None, ABLE, &suspend(plan.clone())).err();
    let ready = check(stage, job, None, ABLE, &Verdict::Ready(plan)).err();
    assert_eq!(asked, ready);
    ready
}

#[test]
fn a_plan_must_be_of_its_stage() {
    let plans = [Plan::Encode(encode_plan()), overlay(0, 0, 1, 1), mux("video/mp4")];
    let job = job("mp4", Some(encode_plan()));
    for stage in Stage::ALL {
        for plan in &plans {
            let fits = plan.stage() == stage;
            assert_eq!(broken(stage, &job, plan.clone()).is_none(), fits, "{stage} {plan:?}");
        }
    }
}

#[test]
fn an_encode_plan_has_a_video_track() {
    let plan = EncodePlan { tracks: vec![], ..encode_plan() };
    let rule = broken(Stage::Encode, &job("mp4", None), Plan::Encode(plan)).unwrap();
    assert!(rule.contains("no video track"), "{rule}");
}

#[test]
fn an_encode_plan_names_a_track_once() {
    let audio = |source| PlannedTrack::Audio {
        source,
        encoding: AudioEncoding::new("mp4a.40.2", 48_000, 2),
    };
    let video = |source| PlannedTrack::Video { source, encoding: VideoEncoding::new("avc1") };
    for (tracks, is_fine) in [
        (vec![video(0), audio(0), video(1), audio(1)], true),
        (vec![video(0), audio(1), video(0)], false),
        (vec![video(0), audio(1), audio(1)], false),
    ] {
        let plan = EncodePlan { tracks, ..encode_plan() };
        match broken(Stage::Encode, &job("mp4", None), Plan::Encode(plan)) {
            None => assert!(is_fine),
            Some(rule) => assert!(!is_fine && rule.contains("twice"), "{rule}"),
        }
    }
}

#[test]
fn a_rasters_colour_is_specified() {
    for change in [
        |colour: &mut Colour| colour.primaries = 2,
        |colour: &mut Colour| colour.transfer = 2,
        |colour: &mut Colour| colour.matrix = 2,
    ] {
        let mut plan = encode_plan();
        change(&mut plan.raster.colour);
        let rule = broken(Stage::Encode, &job("mp4", None), Plan::Encode(plan)).unwrap();
        assert!(rule.contains("not specified"), "{rule}");
    }
}

#[test]
fn what_must_be_approved_is_not_drawn_unasked() {
    let mut job = job("mp4", Some(encode_plan()));
    Arc::make_mut(&mut job.request).approval_required = true;
    let drawn = overlay(0, 0, 2, 2);
    let ready =
        |plan: &Plan| check(Stage::Watermark, &job, None, ABLE, &Verdict::Ready(plan.clone()));
    let rule = ready(&drawn).unwrap_err();
    assert!(rule.contains("without asking"), "{rule}");
    ready(&Plan::Watermark(WatermarkPlan::default())).unwrap();
    check(Stage::Watermark, &job, None, ABLE, &suspend(drawn.clone())).unwrap();
    let yes = Resumption {
        answer: Answer::Yes,
        state: vec![],
        state_version: 1,
        shown_plan: drawn.clone(),
    };
    check(Stage::Watermark, &job, Some(&yes), ABLE, &Verdict::Ready(drawn)).unwrap();
}

#[test]
fn to_want_the_frames_is_to_draw() {
    let mut job = job("mp4", Some(encode_plan()));
    Arc::make_mut(&mut job.request).approval_required = true;
    let ready = Verdict::Ready(framed(0));
    let rule = check(Stage::Watermark, &job, None, ABLE, &ready).unwrap_err();
    assert!(rule.contains("without asking"), "{rule}");
}

fn framed(look_ahead: u32) -> Plan {
    Plan::Watermark(WatermarkPlan { overlays: vec![], wants_frames: Some(look_ahead) })
}

fn with_tracks(encodings: &[VideoEncoding]) -> EncodePlan {
    let tracks = encodings
        .iter()
        .zip(0..)
        .map(|(encoding, source)| PlannedTrack::Video { source, encoding: encoding.clone() });
    EncodePlan { tracks: tracks.collect(), ..encode_plan() }
}

#[test]
fn who_wants_the_frames_can_take_them() {
    let job = job("mp4", Some(encode_plan()));
    let rule = |able, plan: Plan| check(plan.stage(), &job, None, able, &Verdict::Ready(plan));
    assert_eq!(rule(ABLE, framed(6)), Ok(()));
    let unable = Able { filters_frames: false, encodes_frames: false };
    assert!(rule(unable, framed(6)).unwrap_err().contains("without exporting frame-filter"));

    let wants = VideoEncoding { wants_frames: true, ..VideoEncoding::new("mjpg") };
    let plan = Plan::Encode(with_tracks(&[wants]));
    assert_eq!(rule(ABLE, plan.clone()), Ok(()));
    assert!(rule(unable, plan).unwrap_err().contains("without exporting frame-encoder"));
}

#[test]
fn who_wants_the_frames_needs_room_for_them() {
    let job = job("mp4", Some(encode_plan()));
    let needed = |plan: Plan| frame_bytes(&job, &Verdict::Ready(plan));
    assert_eq!(needed(overlay(0, 0, 2, 2)), 0);
    assert_eq!(needed(framed(6)), 10 * FRAME_BYTES);
    assert_eq!(frame_bytes(&job, &suspend(framed(0))), 4 * FRAME_BYTES);
    let wants = VideoEncoding { wants_frames: true, ..VideoEncoding::new("mjpg") };
    assert_eq!(needed(Plan::Encode(with_tracks(&[wants]))), 4 * FRAME_BYTES);
    assert_eq!(needed(Plan::Encode(encode_plan())), 0);
}

#[test]
fn frames_are_those_of_one_track() {
    let (plain, wants) = (VideoEncoding::new("avc1"), VideoEncoding::new("mjpg"));
    let wants = VideoEncoding { wants_frames: true, ..wants };
    let two = with_tracks(&[plain.clone(), plain.clone()]);
    let rule = broken(Stage::Watermark, &job("mp4", Some(two)), framed(0)).unwrap();
    assert!(rule.contains("2 video tracks"), "{rule}");
    for tracks in [[plain, wants.clone()], [wants.clone(), wants]] {
        let plan = Plan::Encode(with_tracks(&tracks));
        let rule = broken(Stage::Encode, &job("mp4", None), plan).unwrap();
        assert!(rule.contains("2 video tracks"), "{rule}");
    }
}

#[test]
fn what_is_copied_is_neither_lossless_nor_encoded_by_the_plugin() {
    let copy = VideoEncoding { copy: true, ..VideoEncoding::new("avc1") };
    let lossless = VideoEncoding { rate_control: RateControl::Lossless, ..copy.clone() };
    let framed = VideoEncoding { wants_frames: true, ..copy.clone() };
    let rule =
        |encoding| broken(Stage::Encode, &job("mp4", None), Plan::Encode(with_tracks(&[encoding])));
    assert_eq!(rule(copy), None);
    assert!(rule(lossless).unwrap().contains("lossless"));
    assert!(rule(framed).unwrap().contains("whose frames it wants"));
}

#[test]
fn overlays_stay_on_the_raster() {
    let job = job("mp4", Some(encode_plan()));
    for fits in [overlay(0, 0, 100, 50), overlay(99, 49, 1, 1)] {
        assert_eq!(broken(Stage::Watermark, &job, fits), None);
    }
    for leaves in [overlay(0, 0, 101, 1), overlay(99, 0, 2, 1), overlay(0, u32::MAX, 1, 1)] {
        let rule = broken(Stage::Watermark, &job, leaves).unwrap();
        assert!(rule.contains("leaves the raster of 100x50"), "{rule}");
    }
}

#[test]
fn a_media_type_belongs_to_the_container() {
    let types = [("mp4", "video/mp4"), ("mov", "video/quicktime"), ("webm", "video/webm")];
    for (container, _) in types {
        for (owner, media_type) in types {
            let fits = owner == container;
            let broken = broken(Stage::Mux, &job(container, None), mux(media_type));
            assert_eq!(broken.is_none(), fits, "{container} {media_type}");
        }
    }
    assert_eq!(broken(Stage::Mux, &job("mkv", None), mux("video/matroska")), None);
}

#[test]
fn after_an_answer_only_some_verdicts_are_allowed() {
    let (job, confirmed, other) =
        (job("mp4", Some(encode_plan())), overlay(0, 0, 2, 2), overlay(1, 0, 2, 2));
    let allowed = |answer, verdict: &Verdict| {
        let resumption =
            Resumption { answer, state: vec![], state_version: 1, shown_plan: confirmed.clone() };
        check(Stage::Watermark, &job, Some(&resumption), ABLE, verdict).is_ok()
    };
    let same = Verdict::Ready(confirmed.clone());
    let another = Verdict::Ready(other.clone());
    let again = suspend(other);
    for (answer, expected) in [
        (Answer::Yes, [true, false, true]),
        (Answer::No, [false, false, true]),
        (Answer::Expired, [true, true, true]),
    ] {
        let got = [&same, &another, &again].map(|verdict| allowed(answer, verdict));
        assert_eq!(got, expected, "{answer:?}");
    }
}
