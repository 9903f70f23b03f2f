use super::*;
use stage_sdk::{
    Anchor, Answer, Blob, Colour, Overlay as Drawn, Raster, Rational, Request, Size, Source,
    SourceVideo,
};

const CORNERS: [(f32, f32); 5] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)];

fn job(text: Option<&str>, size: Size) -> Job<Parameters> {
    let request = Request { watermark_text: text.map(str::to_owned), ..Request::new("mp4", size) };
    let source = Source::new(vec![SourceVideo::new("avc1", size)], vec![]);
    let raster = Raster { size, frame_rate: Rational::new(25, 1), colour: Colour::BT709 };
    Job::new(source, request, Parameters::default()).with_raster(raster)
}

fn drawn(job: &Job<Parameters>) -> Drawn {
    match Overlay::start(job) {
        Ok(Verdict::Ready(WatermarkPlan { overlays, want_frames: None }))
            if overlays.len() == 1 =>
        {
            overlays[0].clone()
        }
        other => panic!("no mark but {other:?}"),
    }
}

fn answered(answer: Answer) -> Result<Resumed<WatermarkPlan>, Fault> {
    let mut job = job(Some("DRAFT"), Size::new(640, 360));
    job.request.approval_required = true;
    let Ok(Verdict::Suspend(asked)) = Overlay::start(&job) else { panic!("does not ask") };
    let (state, state_version) = (asked.state, asked.state_version);
    Overlay::resume(&job, &Resumption { answer, state, state_version })
}

#[test]
fn nothing_to_draw_asks_nobody() {
    let mut job = job(None, Size::new(640, 360));
    job.request.approval_required = true;
    assert_eq!(Overlay::start(&job), Ok(Verdict::Ready(WatermarkPlan::default())));
}

#[test]
fn a_mark_lies_inside_and_even_at_every_position_and_size() {
    let long = "All of these words must be seen by whoever looks at it. ".repeat(3);
    for size in [(1920, 1080), (720, 1280), (176, 144), (3840, 2160)] {
        for text in ["DRAFT", long.as_str(), "سري للغاية"] {
            for (x, y) in CORNERS {
                let mut job = job(Some(text), Size::new(size.0, size.1));
                job.request.watermark_anchor = Anchor { x, y };
                let Drawn { image, at } = drawn(&job);
                assert_eq!(image.rgba.len() as u32, image.size.width * image.size.height * 4);
                assert!(
                    [at.x, at.y, image.size.width, image.size.height].iter().all(|n| n % 2 == 0)
                );
                assert!(at.x + image.size.width <= size.0 && at.y + image.size.height <= size.1);
            }
        }
    }
}

#[test]
fn capitals_are_as_high_as_asked() {
    let mut job = job(Some("H"), Size::new(1920, 1080));
    job.parameters.size_percent = 10.0;
    let image = drawn(&job).image;
    let inked = |row: &&[u8]| row.chunks_exact(4).any(|pixel| pixel[0] > 250 && pixel[3] > 200);
    let height = image.rgba.chunks_exact(image.size.width as usize * 4).filter(inked).count();
    assert!(height.abs_diff(108) <= 1, "{height}");
}

#[test]
fn opacity_is_the_most_that_a_mark_hides() {
    let mut job = job(Some("HIM"), Size::new(1920, 1080));
    let alpha = |job: &Job<Parameters>| {
        drawn(job).image.rgba.chunks_exact(4).map(|pixel| pixel[3]).max().unwrap_or(0)
    };
    job.parameters.opacity = 1.0;
    assert_eq!(alpha(&job), 255);
    job.parameters.opacity = 0.5;
    assert_eq!(alpha(&job), 128);
}

#[test]
fn a_mark_that_must_shrink_says_so() {
    let mut job = job(Some(&"Wide words ".repeat(18)), Size::new(320, 180));
    job.parameters.size_percent = 20.0;
    drawn(&job);
    assert_eq!(job.take_warnings()[0].code, "watermark_scaled_down");
}

#[test]
fn the_person_sees_what_a_yes_confirms() {
    let mut job = job(Some("DRAFT"), Size::new(640, 360));
    let ready = drawn(&job);
    job.request.approval_required = true;
    let Ok(Verdict::Suspend(asked)) = Overlay::start(&job) else { panic!("does not ask") };
    assert_eq!(asked.question, "Approve the watermark \"DRAFT\", bottom right?");
    assert_eq!(asked.plan.overlays, vec![ready]);
    assert!(asked.state.len() < 1024);
}

#[test]
fn only_a_yes_goes_on() {
    assert_eq!(answered(Answer::Yes), Ok(Resumed::Confirmed));
    assert_eq!(answered(Answer::No), Err(Fault::Declined));
    assert_eq!(answered(Answer::Expired), Err(Fault::Declined));
}

/// A file of one opaque colour.
fn picture(width: u32, height: u32, colour: [u8; 3]) -> Blob {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = colour.repeat((width * height) as usize);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    Blob::from(file)
}

#[test]
fn a_picture_lies_where_a_text_would_with_its_share_of_the_width() {
    for (x, y) in CORNERS {
        let mut job = job(None, Size::new(1920, 1080));
        job.request.watermark_image = Some(picture(400, 100, [200, 30, 90]));
        job.request.watermark_anchor = Anchor { x, y };
        let Drawn { image, at } = drawn(&job);
        assert_eq!(image.size, Size::new(288, 72));
        assert!(image.rgba.chunks_exact(4).all(|pixel| pixel == [200, 30, 90, 204]));
        let place = |share: f32, side: u32, picture: u32| match share {
            0.0 => 32,
            1.0 => side - 32 - picture,
            _ => (side - picture) / 2,
        };
        assert_eq!((at.x, at.y), (place(x, 1920, 288), place(y, 1080, 72)));
        assert!(job.take_warnings().is_empty());
    }
}

#[test]
fn the_question_about_a_picture_says_so() {
    let mut job = job(None, Size::new(640, 360));
    job.request.watermark_image = Some(picture(40, 40, [1, 2, 3]));
    job.request.approval_required = true;
    let Ok(Verdict::Suspend(asked)) = Overlay::start(&job) else { panic!("does not ask") };
    assert_eq!(asked.question, "Approve the picture as the watermark, bottom right?");
    assert_eq!(asked.plan.overlays.len(), 1);
    let (state, state_version) = (asked.state, asked.state_version);
    let yes = Resumption { answer: Answer::Yes, state, state_version };
    assert_eq!(Overlay::resume(&job, &yes), Ok(Resumed::Confirmed));
    job.request.watermark_image = Some(picture(41, 41, [1, 2, 3]));
    assert!(matches!(Overlay::resume(&job, &yes), Err(Fault::Failed { .. })));
}

#[test]
fn a_file_that_is_no_picture_names_its_field() {
    let mut job = job(None, Size::new(640, 360));
    job.request.watermark_image = Some(Blob::from(b"#!/bin/sh".to_vec()));
    let Err(Fault::InvalidField { field, .. }) = Overlay::start(&job) else { panic!("drawn") };
    assert_eq!(field, "watermark.image_asset_id");
}

#[test]
fn the_schema_gives_every_parameter_its_default() {
    let manifest = Overlay::manifest();
    let schema: serde_json::Value =
        serde_json::from_str(manifest.schema().expect("has parameters")).expect("is JSON");
    let properties = schema["properties"].as_object().expect("is an object");
    let defaults: serde_json::Map<_, _> = properties
        .iter()
        .map(|(name, property)| (name.clone(), property["default"].clone()))
        .collect();
    let read: Parameters = serde_json::from_value(defaults.into()).expect("fits the type");
    assert_eq!(read, Parameters::default());
}
