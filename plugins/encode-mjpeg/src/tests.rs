use super::*;
use serde_json::json;
use stage_sdk::{
    Encoder, MemoryFrame, PlannedTrack, Rational, Rect, Request, Size, Source, SourceAudio,
    SourceVideo,
};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
use zune_jpeg::JpegDecoder;

fn job(container: &str) -> Job<Parameters> {
    let source = Source::new(
        vec![SourceVideo::new("avc1", Size::new(1920, 1080))],
        vec![SourceAudio::new("mp4a", 48_000, 2)],
    );
    let request = Request::new(container, Size::new(1280, 720));
    Job::new(source, request, Parameters::default())
}

fn plan(job: &Job<Parameters>) -> EncodePlan {
    match Mjpeg::start(job) {
        Ok(Verdict::Ready(plan)) => plan,
        other => panic!("no plan but {other:?}"),
    }
}

#[test]
fn asks_for_the_frames_in_the_colour_of_jpeg_files() {
    for (container, codec) in [("mov", "jpeg"), ("mp4", "mp4v.6C")] {
        let plan = plan(&job(container));
        assert_eq!(plan.raster.size, Size::new(1280, 720));
        assert_eq!((plan.raster.colour.matrix, plan.raster.colour.full_range), (5, true));
        let [
            PlannedTrack::Video { encoding: picture, .. },
            PlannedTrack::Audio { encoding: sound, .. },
        ] = plan.tracks.as_slice()
        else {
            panic!("video then audio");
        };
        assert_eq!(picture.codec, codec);
        assert!(picture.want_frames && !picture.allow_copy);
        assert_eq!((sound.codec.as_str(), sound.allow_copy), ("mp4a.40.2", true));
    }
}

#[test]
fn what_it_cannot_render_is_refused() {
    let refused = Mjpeg::start(&job("webm"));
    assert!(matches!(refused, Err(Fault::InvalidField { field, .. }) if field == "output_format"));
    let mut hdr = job("mov");
    hdr.source.video[0].colour.transfer = 16;
    assert!(matches!(Mjpeg::start(&hdr), Err(Fault::UnsupportedSource { .. })));
}

#[test]
fn the_schema_gives_every_parameter_its_default() {
    let manifest = Mjpeg::manifest();
    let schema: serde_json::Value =
        serde_json::from_str(manifest.schema().expect("has parameters")).expect("is JSON");
    let properties = schema["properties"].as_object().expect("is an object");
    assert!(properties.values().all(|property| property.get("default").is_some()));
    assert_eq!(properties["quality"]["maximum"], json!(100));
}

/// An encoder of frames of this size, the fourth of which is presented at 3003.
fn encoder(size: Size, quality: u8) -> JpegEncoder {
    let mut job = job("mov");
    job.parameters.quality = quality;
    let raster = Raster { size, frame_rate: Rational::new(30_000, 1001), colour: JFIF };
    let task = EncodingTask { track: 0, timescale: 30_000, frame_duration: 1001, frames: None };
    Mjpeg::begin::<MemoryFrame>(&job.with_raster(raster), task).unwrap()
}

/// A frame whose planes all differ: luma rises to the right, one chroma downwards, the other is
/// split in the middle.
fn frame(size: Size) -> MemoryFrame {
    let mut frame = MemoryFrame::filled(3, size, JFIF, [0, 60, 200]);
    for x in 0..size.width {
        frame.fill_rect(0, Rect::new(x, 0, 1, size.height), x * 255 / size.width);
    }
    let half = Size::new(size.width / 2, size.height / 2);
    for y in 0..half.height {
        frame.fill_rect(1, Rect::new(0, y, half.width, 1), 40 + y * 150 / half.height);
    }
    frame.fill_rect(2, Rect::new(0, 0, half.width / 2, half.height), 90);
    frame
}

/// Decodes to Y, Cb and Cr of each pixel.
fn decode(data: &[u8]) -> (usize, usize, Vec<u8>) {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::YCbCr);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(data), options);
    let pixels = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    (width, height, pixels)
}

#[test]
fn every_plane_comes_back_without_a_conversion() {
    // The second size does not end with a block of the format.
    for (width, height) in [(64, 48), (70, 38)] {
        let size = Size::new(width, height);
        let frame = frame(size);
        let packets = encoder(size, 100).push(&frame).unwrap();
        let [packet] = &packets[..] else { panic!("one packet for a frame") };
        let (found_width, found_height, pixels) = decode(&packet.data);
        assert_eq!((found_width as u32, found_height as u32), (width, height));
        for (place, pixel) in (0..).zip(pixels.chunks(3)) {
            let (x, y) = (place % width, place / width);
            for (plane, found) in pixel.iter().enumerate() {
                // A decoder may smooth chroma where it changes.
                let edge = plane == 2 && x.abs_diff(width / 2) < 4;
                let (at_x, at_y, row) =
                    if plane == 0 { (x, y, width) } else { (x / 2, y / 2, width / 2) };
                let exact = frame.samples(plane)[(at_y * row + at_x) as usize];
                let off = found.abs_diff(exact);
                assert!(edge || off <= 4, "{off} in plane {plane} at {x}, {y}");
            }
        }
    }
}

#[test]
fn every_packet_is_a_whole_file_at_its_frames_time() {
    let size = Size::new(32, 16);
    let mut encoder = encoder(size, 90);
    let packets = encoder.push(&frame(size)).unwrap();
    let packet = &packets[0];
    assert_eq!((packet.pts, packet.dts, packet.duration), (3003, 3003, 1001));
    assert!(packet.is_sync);
    assert_eq!(packet.data[..4], [0xff, 0xd8, 0xff, 0xe0], "begins as JFIF does");
    assert!(packet.data.ends_with(&[0xff, 0xd9]));
    let track = Encoder::<MemoryFrame>::track(&mut encoder).unwrap();
    assert_eq!((track.codec.as_str(), track.codec_config.len()), ("jpeg", 0));
    assert!(Encoder::<MemoryFrame>::flush(&mut encoder).unwrap().is_empty());
}

#[test]
fn less_quality_is_fewer_bytes() {
    let size = Size::new(320, 180);
    let bytes = |quality| encoder(size, quality).push(&frame(size)).unwrap()[0].data.len();
    assert!(bytes(20) < bytes(90) && bytes(90) < bytes(100));
}

#[test]
fn frames_of_another_size_are_refused() {
    let refused = encoder(Size::new(32, 16), 90).push(&frame(Size::new(16, 16)));
    assert!(matches!(refused, Err(Fault::Failed { .. })));
}
