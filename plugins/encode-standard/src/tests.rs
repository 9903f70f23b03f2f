use super::*;
use serde_json::json;
use stage_sdk::{PlannedTrack, RateControl, Rational, Request, Size, Source, SourceAudio};

pub(crate) fn video(width: u32, height: u32) -> SourceVideo {
    SourceVideo::new("avc1", Size::new(width, height))
}

pub(crate) fn job(video: SourceVideo) -> Job<Parameters> {
    let request = Request::new("mp4", Size::new(1920, 1080));
    Job::new(Source::new(vec![video], vec![]), request, Parameters::default())
}

fn plan(job: &Job<Parameters>) -> EncodePlan {
    match Standard::start(job) {
        Ok(Verdict::Ready(plan)) => plan,
        other => panic!("no plan but {other:?}"),
    }
}

#[test]
fn a_usual_film_becomes_h264_and_aac_on_a_bt709_raster() {
    let mut job = job(video(3840, 2160));
    job.source = Source::new(vec![video(3840, 2160)], vec![SourceAudio::new("opus", 48_000, 2)]);
    let plan = plan(&job);
    assert_eq!(plan.raster.size, Size::new(1920, 1080));
    assert_eq!(plan.raster.frame_rate, Rational::new(25, 1));
    assert_eq!(plan.raster.colour, Colour::BT709);
    let [
        PlannedTrack::Video { encoding: picture, .. },
        PlannedTrack::Audio { encoding: sound, .. },
    ] = plan.tracks.as_slice()
    else {
        panic!("video then audio");
    };
    assert_eq!(
        (picture.codec.as_str(), picture.effort, picture.keyframe_interval),
        ("avc1", 2, 100)
    );
    assert_eq!(picture.rate_control, RateControl::ConstantQuality(20.0));
    assert_eq!(sound.codec, "mp4a.40.2");
    assert!(job.take_warnings().is_empty());
}

#[test]
fn lossless_overrides_the_quality() {
    let mut job = job(video(1920, 1080));
    job.parameters.lossless = true;
    let plan = plan(&job);
    assert!(matches!(
        plan.tracks.as_slice(),
        [PlannedTrack::Video { encoding, .. }] if encoding.rate_control == RateControl::Lossless
    ));
}

#[test]
fn keyframe_intervals_stay_within_what_a_plan_allows() {
    let mut parameters = Parameters { gop_seconds: 0.1, ..Parameters::default() };
    assert_eq!(parameters.keyframe_interval(Rational::new(1, 1)), 1);
    parameters.gop_seconds = 60.0;
    assert_eq!(parameters.keyframe_interval(Rational::new(120, 1)), 7200);
    assert_eq!(parameters.keyframe_interval(Rational::new(u32::MAX, 1)), 10_000);
}

#[test]
fn hdr_is_refused_in_words() {
    for (transfer, name) in [(16, "PQ"), (18, "HLG")] {
        let mut track = video(1920, 1080);
        track.colour.transfer = transfer;
        let Err(Fault::UnsupportedSource { message }) = Standard::start(&job(track)) else {
            panic!("HDR went through");
        };
        assert!(message.contains(name));
    }
}

#[test]
fn other_containers_are_refused_by_name() {
    let mut job = job(video(1920, 1080));
    job.request.container = "webm".into();
    let Err(Fault::InvalidField { field, message }) = Standard::start(&job) else {
        panic!("webm went through");
    };
    assert_eq!(field, "output_format");
    assert!(message.contains("webm"));
}

#[test]
fn the_schema_gives_every_parameter_its_default() {
    let manifest = Standard::manifest();
    let schema: serde_json::Value =
        serde_json::from_str(manifest.schema().expect("has parameters")).expect("is JSON");
    let properties = schema["properties"].as_object().expect("is an object");
    let defaults: serde_json::Map<_, _> = properties
        .iter()
        .map(|(name, property)| (name.clone(), property["default"].clone()))
        .collect();
    assert!(properties.values().all(|property| property.get("default").is_some()));
    let read: Parameters = serde_json::from_value(defaults.into()).expect("fits the type");
    assert_eq!(read, Parameters::default());
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(properties["quality"]["maximum"], json!(51));
}
