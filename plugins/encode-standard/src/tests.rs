use super::*;
use serde_json::json;
use stage_sdk::{
    AudioEncoding, PlannedTrack, Rational, Request, Size, Source, SourceAudio, SourceVideo,
};

fn video(width: u32, height: u32) -> SourceVideo {
    SourceVideo::new("avc1", Size::new(width, height))
}

fn job(video: SourceVideo) -> Job<Parameters> {
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
fn what_it_cannot_render_is_refused() {
    let mut other = job(video(1920, 1080));
    other.request.container = "avi".into();
    assert!(matches!(Standard::start(&other), Err(Fault::InvalidField { .. })));
    let mut hdr = video(1920, 1080);
    hdr.colour.transfer = 16;
    assert!(matches!(Standard::start(&job(hdr)), Err(Fault::UnsupportedSource { .. })));
}

/// The two encodings of a film of this source in a container.
fn encodings(container: &str, parameters: Parameters) -> (VideoEncoding, AudioEncoding) {
    let mut source = video(1920, 1080);
    source.codec = if container == "webm" { "vp09".into() } else { "avc1".into() };
    let heard = if container == "webm" { "Opus" } else { "mp4a" };
    let mut job = job(source.clone());
    job.source = Source::new(vec![source], vec![SourceAudio::new(heard, 48_000, 2)]);
    job.request.container = container.into();
    job.parameters = parameters;
    match plan(&job).tracks.as_slice() {
        [PlannedTrack::Video { encoding: seen, .. }, PlannedTrack::Audio { encoding, .. }] => {
            (seen.clone(), encoding.clone())
        }
        other => panic!("video then audio, not {other:?}"),
    }
}

#[test]
fn webm_becomes_vp9_and_opus_on_their_own_scales() {
    let parameters = Parameters { quality: 51.0, vp9_quality: 40, ..Parameters::default() };
    let (picture, sound) = encodings("webm", parameters);
    assert_eq!((picture.codec.as_str(), sound.codec.as_str()), ("vp09", "opus"));
    assert_eq!(picture.rate_control, RateControl::ConstantQuality(40.0));
    assert_eq!(picture.effort, 5);
    assert_eq!((sound.sample_rate, sound.bit_rate), (48_000, Some(96_000)));
}

#[test]
fn a_preset_holds_for_every_codec() {
    for container in CONTAINERS {
        let parameters =
            Parameters { preset: Some(parameters::Preset::Slow), ..Parameters::default() };
        assert_eq!(encodings(container, parameters).0.effort, 6);
    }
}

#[test]
fn what_already_is_as_asked_may_be_copied_unless_that_is_forbidden() {
    let copies = |container, parameters| {
        let (picture, sound) = encodings(container, parameters);
        (picture.allow_copy, sound.allow_copy)
    };
    for container in CONTAINERS {
        assert_eq!(copies(container, Parameters::default()), (true, true));
        let never = Parameters { copy: encode_common::Copying::Never, ..Parameters::default() };
        assert_eq!(copies(container, never), (false, false));
        // What is copied is not the raster to the last bit.
        let lossless = Parameters { lossless: true, ..Parameters::default() };
        assert_eq!(copies(container, lossless), (false, true));
    }
}

#[test]
fn a_small_source_that_is_scaled_up_is_not_copied() {
    let may_copy = |parameters: Parameters| {
        let mut job = job(video(640, 360));
        job.parameters = parameters;
        matches!(
            plan(&job).tracks.as_slice(),
            [PlannedTrack::Video { encoding, .. }] if encoding.allow_copy
        )
    };
    assert!(!may_copy(Parameters::default()));
    assert!(may_copy(Parameters { upscale: false, ..Parameters::default() }));
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
    assert_eq!(properties["vp9_quality"]["maximum"], json!(63));
    assert_eq!(properties["copy"]["default"], json!("when-possible"));
}
