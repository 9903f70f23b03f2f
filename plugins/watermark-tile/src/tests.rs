use super::*;
use stage_sdk::{
    Answer, Blob, Colour, Filter, MemoryFrame, Raster, Rational, Rect, Request, Source, SourceVideo,
};

const SIZE: Size = Size::new(320, 180);
const GREY: [u8; 3] = [120, 90, 150];

fn job(colour: Colour) -> Job<Parameters> {
    let request = Request { watermark_text: Some("DRAFT".into()), ..Request::new("mp4", SIZE) };
    let source = Source::new(vec![SourceVideo::new("avc1", SIZE)], vec![]);
    let raster = Raster { size: SIZE, frame_rate: Rational::new(25, 1), colour };
    // Fast, so that a few frames show it.
    let parameters = Parameters { speed_percent: 20.0, opacity: 0.6, ..Parameters::default() };
    Job::new(source, request, parameters).with_raster(raster)
}

fn frame(index: u64, samples: [u8; 3]) -> MemoryFrame {
    MemoryFrame::filled(index, SIZE, Colour::BT709, samples)
}

/// What becomes of frames that begin with this index.
fn walked(job: &Job<Parameters>, frames: Vec<MemoryFrame>) -> Vec<MemoryFrame> {
    let pass = Pass { first: frames[0].index(), frames: Some(frames.len() as u64) };
    let mut filter = Tile::begin::<MemoryFrame>(job, pass).expect("begins");
    let mut walked = Vec::new();
    for frame in frames {
        walked.extend(filter.push(frame).expect("takes frames"));
    }
    walked.extend(filter.flush().expect("ends"));
    walked
}

fn still(indices: std::ops::Range<u64>) -> Vec<MemoryFrame> {
    indices.map(|index| frame(index, GREY)).collect()
}

/// How far the marks on a frame are from what was below.
fn contrast(frame: &MemoryFrame, below: u8) -> u8 {
    frame.samples(0).iter().map(|sample| sample.abs_diff(below)).max().unwrap_or(0)
}

#[test]
fn frames_are_wanted_and_a_person_sees_the_same_plan() {
    let mut job = job(Colour::BT709);
    let plan = WatermarkPlan { overlays: vec![], want_frames: Some(1) };
    assert_eq!(Tile::start(&job), Ok(Verdict::Ready(plan.clone())));
    job.request.approval_required = true;
    let Ok(Verdict::Suspend(asked)) = Tile::start(&job) else { panic!("does not ask") };
    assert_eq!(asked.question, "Approve the watermark \"DRAFT\", repeated over the whole picture?");
    assert_eq!(asked.plan, plan);
    let (state, state_version) = (asked.state, asked.state_version);
    let answered = |answer| {
        let state = state.clone();
        Tile::resume(&job, &Resumption { answer, state, state_version })
    };
    assert_eq!(answered(Answer::Yes), Ok(Resumed::Confirmed));
    assert_eq!(answered(Answer::No), Err(Fault::Declined));
}

#[test]
fn nothing_to_draw_wants_no_frames() {
    let mut job = job(Colour::BT709);
    job.request.watermark_text = None;
    job.request.approval_required = true;
    assert_eq!(Tile::start(&job), Ok(Verdict::Ready(WatermarkPlan::default())));
}

#[test]
fn what_cannot_be_drawn_is_said_before_there_are_frames() {
    let mut job = job(Colour::BT709);
    job.request.watermark_text = Some("漢".into());
    assert!(matches!(Tile::start(&job), Err(Fault::InvalidField { .. })));
    job.request.watermark_text = None;
    job.request.watermark_image = Some(Blob::from(b"no picture".to_vec()));
    assert!(matches!(Tile::start(&job), Err(Fault::InvalidField { .. })));
}

#[test]
fn one_frame_is_held_back_until_the_next_or_the_end() {
    let mut filter =
        Tile::begin::<MemoryFrame>(&job(Colour::BT709), Pass { first: 0, frames: None }).unwrap();
    assert_eq!(filter.push(frame(0, GREY)).unwrap(), []);
    for index in 1..4 {
        let finished = filter.push(frame(index, GREY)).unwrap();
        assert_eq!(finished.iter().map(Frame::index).collect::<Vec<_>>(), [index - 1]);
    }
    let last = filter.flush().unwrap();
    assert_eq!(last.iter().map(Frame::index).collect::<Vec<_>>(), [3]);
    let empty =
        Tile::begin::<MemoryFrame>(&job(Colour::BT709), Pass { first: 0, frames: None }).unwrap();
    assert_eq!(empty.flush().unwrap(), []);
}

#[test]
fn a_walk_that_begins_anywhere_gives_the_same_frames() {
    let job = job(Colour::BT709);
    let all = walked(&job, still(0..12));
    assert_eq!(walked(&job, still(5..12)), all[5..]);
    // All but the last, which does not see the one after it.
    assert_eq!(walked(&job, still(5..8))[..2], all[5..7]);
    assert_ne!(all[0].samples(0), all[11].samples(0), "the marks move");
}

#[test]
fn a_mark_is_what_an_overlay_would_be() {
    // The whole marks of frame 0, blended by the plain double.
    for colour in [
        Colour::BT709,
        Colour { matrix: 5, ..Colour::BT709 },
        Colour { matrix: 9, full_range: true, ..Colour::BT709 },
    ] {
        let job = job(colour);
        let raster = job.raster.unwrap();
        let subject = Subject::of(&job.request).unwrap().unwrap();
        let mut image = draw(&subject, &job).unwrap();
        let drawn = &walked(&job, still(0..1))[0];

        let strength = 144 + u32::from(GREY[0]) * 111 / 255;
        for alpha in image.rgba.iter_mut().skip(3).step_by(4) {
            *alpha = (f64::from(*alpha) * f64::from(strength) / 255.0).round() as u8;
        }
        let picture = MemoryFrame::picture(&image);
        let mut expected = MemoryFrame::filled(0, SIZE, colour, GREY);
        let placed = pattern::Pattern::new(image.size, raster, &job.parameters).placed(0);
        let whole: Vec<Rect> =
            placed.map(|placed| placed.area).filter(|area| area.size == image.size).collect();
        assert!(whole.len() > 4);
        for area in whole {
            expected.blit(&picture, area.origin);
            for plane in 0..3 {
                let half = if plane == 0 { 1 } else { 2 };
                let area = Rect::new(
                    area.origin.x / half,
                    area.origin.y / half,
                    area.size.width / half,
                    area.size.height / half,
                );
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                drawn.read_rect(plane, area, &mut ours);
                expected.read_rect(plane, area, &mut theirs);
                let apart = ours.iter().zip(&theirs).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(apart <= Some(1), "{apart:?} in plane {plane} of {colour:?}");
            }
        }
    }
}

#[test]
fn only_what_is_under_marks_changes() {
    let job = job(Colour::BT709);
    let subject = Subject::of(&job.request).unwrap().unwrap();
    let size = draw(&subject, &job).unwrap().size;
    for frame in walked(&job, still(0..6)) {
        let placed: Vec<_> = pattern::Pattern::new(size, job.raster.unwrap(), &job.parameters)
            .placed(frame.index())
            .collect();
        for (place, sample) in frame.samples(0).iter().enumerate() {
            let (x, y) = (place as u32 % SIZE.width, place as u32 / SIZE.width);
            let covers = |area: Rect| {
                (area.origin.x..area.origin.x + area.size.width).contains(&x)
                    && (area.origin.y..area.origin.y + area.size.height).contains(&y)
            };
            let free = !placed.iter().any(|placed| covers(placed.area));
            assert!(!free || *sample == GREY[0], "({x}, {y})");
        }
    }
}

#[test]
fn marks_that_are_cut_at_an_edge_are_parts_of_whole_ones() {
    let job = job(Colour::BT709);
    let subject = Subject::of(&job.request).unwrap().unwrap();
    let size = draw(&subject, &job).unwrap().size;
    for frame in walked(&job, still(0..40)) {
        let placed: Vec<_> = pattern::Pattern::new(size, job.raster.unwrap(), &job.parameters)
            .placed(frame.index())
            .collect();
        let whole = placed.iter().find(|placed| placed.area.size == size).expect("is whole");
        for cut in &placed {
            let seen = cut.area.size;
            let origin = whole.area.origin;
            let same =
                Rect::new(origin.x + cut.from.x, origin.y + cut.from.y, seen.width, seen.height);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            frame.read_rect(0, cut.area, &mut ours);
            frame.read_rect(0, same, &mut theirs);
            assert_eq!(ours, theirs, "{cut:?} on frame {}", frame.index());
        }
    }
}

#[test]
fn strength_follows_the_light_and_knows_a_cut_beforehand() {
    let job = job(Colour::BT709);
    let dark = [30, 128, 128];
    let bright = [200, 128, 128];
    let frames = |second| vec![frame(0, dark), frame(1, second)];
    let stays = contrast(&walked(&job, frames(dark))[0], dark[0]);
    let cuts = contrast(&walked(&job, frames(bright))[0], dark[0]);
    assert!(cuts > stays, "{cuts} before a bright frame, {stays} before a dark one");
}

#[test]
fn the_schema_gives_every_parameter_its_default() {
    let manifest = Tile::manifest();
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
