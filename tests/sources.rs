//! Every kind of source that must render comes out right.

use std::path::Path;

use product_tests::sources::{make, sample};
use product_tests::{Product, Ran, judge};
use serde_json::Value;

/// The samples of an AAC frame at 48 kHz last so long.
const AAC_FRAME: f64 = 1024.0 / 44_100.0;

/// What a source must become.
struct Expected {
    size: (u64, u64),
    /// Frames per second.
    rate: f64,
    frames: u64,
    /// Channels, or 0 for silence.
    channels: u64,
}

/// Renders a source at 720p and judges the output by ffprobe, a demuxer in
/// pure Rust and the top-level boxes.
#[track_caller]
fn renders(source: &Path, more: &[&str], expected: &Expected) -> (Product, Value) {
    let product = Product::new();
    let mut args = vec!["--resolution", "720p"];
    args.extend(more);
    let report = product.render(source, &args).ok();
    let output = Path::new(report["output"].as_str().unwrap()).to_owned();
    let found = judge::probe(&output);
    let video = judge::stream(&found, "video");
    let (width, height) = expected.size;

    assert_eq!((&video["width"], &video["height"]), (&width.into(), &height.into()), "{video}");
    assert_eq!((&report["width"], &report["height"]), (&width.into(), &height.into()));
    assert_eq!(width % 2 + height % 2, 0);
    assert_eq!(video["sample_aspect_ratio"], "1:1");
    assert_eq!(video["codec_name"], "h264");
    assert_eq!(video["pix_fmt"], "yuv420p");
    for tag in ["color_space", "color_transfer", "color_primaries"] {
        assert_eq!(video[tag], "bt709", "{tag}");
    }
    assert_eq!(video["color_range"], "tv");
    assert_eq!(judge::number(&video["nb_read_packets"]), expected.frames as f64, "frames");
    assert_eq!(report["frames"], expected.frames);
    assert!(
        (judge::ratio(&video["r_frame_rate"]) - expected.rate).abs() < 1e-6,
        "{}",
        video["r_frame_rate"]
    );
    let duration = expected.frames as f64 / expected.rate;
    assert!(
        (judge::number(&video["duration"]) - duration).abs() <= 1.0 / expected.rate,
        "{}",
        video["duration"]
    );

    let audio = judge::stream(&found, "audio");
    if expected.channels == 0 {
        assert!(audio.is_null(), "{audio}");
    } else {
        assert_eq!(audio["codec_name"], "aac");
        assert_eq!(audio["channels"], expected.channels);
        same_offset(source, &found);
    }
    let boxes = judge::boxes(&output);
    assert_eq!(boxes.first().map(String::as_str), Some("ftyp"));
    let place = |name| boxes.iter().position(|found| found == name).unwrap();
    assert!(place("moov") < place("mdat"), "{boxes:?}");
    reads_in_pure_rust(&output, expected);
    assert_eq!(
        product.names(),
        [output.file_name().unwrap().to_str().unwrap()],
        "nothing else is left"
    );
    (product, report)
}

/// Sound begins as long after the picture as in the source.
#[track_caller]
fn same_offset(source: &Path, output: &Value) {
    let source = judge::probe(source);
    let offset = |probed: &Value| {
        judge::number(&judge::stream(probed, "audio")["start_time"])
            - judge::number(&judge::stream(probed, "video")["start_time"])
    };
    let shift = offset(output) - offset(&source);
    assert!(shift.abs() <= AAC_FRAME + 1e-6, "sound moved by {shift} s");
}

#[track_caller]
fn reads_in_pure_rust(output: &Path, expected: &Expected) {
    let bytes = std::fs::read(output).unwrap();
    let read = re_mp4::Mp4::read_bytes(&bytes).unwrap();
    let video =
        read.tracks().values().find(|track| track.kind == Some(re_mp4::TrackKind::Video)).unwrap();
    assert_eq!(video.samples.len() as u64, expected.frames);
    assert_eq!((u64::from(video.width), u64::from(video.height)), expected.size);
    assert!(video.samples[0].is_sync);
    for sample in &video.samples {
        let end = usize::try_from(sample.offset).unwrap() + usize::try_from(sample.size).unwrap();
        assert!(end <= bytes.len(), "a sample lies in the file");
    }
    let audio =
        read.tracks().values().filter(|track| track.kind == Some(re_mp4::TrackKind::Audio)).count();
    assert_eq!(audio, usize::from(expected.channels > 0));
}

/// A test that renders a real clip.
macro_rules! samples {
    ($($test:ident: $file:literal => $width:literal x $height:literal, $frames:literal at $rate:expr, $channels:literal channels;)*) => {
        $(
            #[test]
            fn $test() {
                let Some(source) = sample($file) else { return };
                let expected = Expected { size: ($width, $height), rate: $rate, frames: $frames, channels: $channels };
                renders(&source, &[], &expected);
            }
        )*
    };
}

samples! {
    bigbuckbunny: "bigbuckbunny.mp4" => 1280 x 720, 132 at 25.0, 6 channels;
    bbb_trailer: "bbb_trailer.mp4" => 1280 x 720, 1323 at 24.0, 2 channels;
    // 176×144 with pixels of 128:117 is 193:144, almost 4:3.
    carphone_pristine: "carphone_pristine.mp4" => 962 x 720, 120 at 30_000.0 / 1001.0, 0 channels;
    cockatoo: "cockatoo.mp4" => 1280 x 720, 280 at 20.0, 1 channels;
    realshort: "realshort.mp4" => 960 x 720, 36 at 45_000.0 / 1499.0, 1 channels;
    birds: "birds.mp4" => 1280 x 720, 31 at 30.0, 2 channels;
    black_h264_video: "black-h264-video.mp4" => 960 x 720, 1 at 25.0, 0 channels;
    mimetype_mp4: "mimetype_mp4.mp4" => 1260 x 720, 166 at 30.0, 1 channels;
    mimetype_mov: "mimetype_mov.mov" => 1260 x 720, 166 at 30.0, 1 channels;
    mimetype_webm: "mimetype_webm.webm" => 1260 x 720, 166 at 30.0, 1 channels;
}

#[test]
fn a_phone_clip_of_variable_rate() {
    let Some(source) = sample("phone_VID_20191220.mp4") else { return };
    // 41 frames in 1.517 s are 27.02 on average; the next standard rate is 30000/1001.
    let expected = Expected { size: (1280, 720), rate: 30_000.0 / 1001.0, frames: 45, channels: 2 };
    let (_product, report) = renders(&source, &[], &expected);
    assert!(Ran::warnings(&report).contains(&"variable_frame_rate".to_owned()), "{report}");
}

#[test]
fn the_rest_of_the_samples_is_right_or_refused_with_a_code() {
    for name in [
        "beep-aac-audio.mp4",
        "beep-flac-audio.mp4",
        "beep-opus-audio.mp4",
        "black-av1-video.mp4",
        "black-h264-fmp4.mp4",
        "black-h265-hvc1-video.mp4",
        "black-h265-video.mp4",
        "black-vp9-video.mp4",
        "hdr.mkv",
        "simple.mkv",
        "subtitles.mkv",
    ] {
        let Some(source) = sample(name) else { continue };
        let product = Product::new();
        let ran = product.render(&source, &["--resolution", "720p"]);
        eprintln!("{name}: exit {} {}", ran.code, ran.json["error"]["message"]);
        if ran.code == 0 {
            let found = judge::probe(&product.path("out.mp4"));
            assert_eq!(
                judge::number(&judge::stream(&found, "video")["nb_read_packets"]),
                ran.json["frames"].as_f64().unwrap()
            );
        } else {
            ran.failed(3, "unsupported_source");
            assert!(product.names().is_empty(), "{name} left {:?}", product.names());
        }
    }
}

fn generated(words: &str, name: &str, more: &[&str], expected: &Expected) -> (Product, Value) {
    let dir = tempfile::tempdir().unwrap();
    let source = make(dir.path().join(name), words);
    renders(&source, more, expected)
}

const TESTSRC: &str = "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1";

#[test]
fn one_frame() {
    let words = format!("{TESTSRC} -frames:v 1 -c:v libx264 -pix_fmt yuv420p");
    let expected = Expected { size: (1280, 720), rate: 25.0, frames: 1, channels: 0 };
    let (_product, report) = generated(&words, "one.mp4", &[], &expected);
    assert!(Ran::warnings(&report).contains(&"scaled_up".to_owned()), "{report}");
}

#[test]
fn no_audio() {
    let words = format!("{TESTSRC} -c:v libx264 -pix_fmt yuv420p");
    generated(
        &words,
        "silent.mp4",
        &[],
        &Expected { size: (1280, 720), rate: 25.0, frames: 25, channels: 0 },
    );
}

#[test]
fn odd_sides() {
    let words = "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -vf scale=321:181,setsar=1 -c:v libx264 -pix_fmt yuv444p";
    // 321:181 fitted into 1280×720 is 1276.9×720.
    generated(
        words,
        "odd.mp4",
        &[],
        &Expected { size: (1276, 720), rate: 25.0, frames: 25, channels: 0 },
    );
}

#[test]
fn rotated_by_90_degrees() {
    let dir = tempfile::tempdir().unwrap();
    let flat =
        make(dir.path().join("flat.mp4"), &format!("{TESTSRC} -c:v libx264 -pix_fmt yuv420p"));
    let words = format!("-i {} -c copy -metadata:s:v rotate=90", flat.display());
    let source = make(dir.path().join("portrait.mp4"), &words);
    // A portrait source turns the box: 720×1280.
    let expected = Expected { size: (720, 1280), rate: 25.0, frames: 25, channels: 0 };
    let (product, _report) = renders(&source, &[], &expected);
    let rotated = judge::probe(&product.path("out.mp4"));
    assert!(
        judge::stream(&rotated, "video")["side_data_list"].is_null(),
        "upright pixels, no matrix"
    );
}

#[test]
fn a_rate_of_30000_1001() {
    let words = "-f lavfi -i testsrc2=size=320x180:rate=30000/1001:duration=2 -c:v libx264 -pix_fmt yuv420p";
    generated(
        words,
        "ntsc.mp4",
        &[],
        &Expected { size: (1280, 720), rate: 30_000.0 / 1001.0, frames: 60, channels: 0 },
    );
}

#[test]
fn a_variable_rate() {
    // 20 frames in 0.96 s, of which every third is missing from the tenth on:
    // 20.8 a second on average, so that 24000/1001 is the next standard rate.
    let words = format!(
        "{TESTSRC} -vf select='lt(n,10)+gt(mod(n,3),0)' -vsync vfr -c:v libx264 -pix_fmt yuv420p"
    );
    let expected = Expected { size: (1280, 720), rate: 24_000.0 / 1001.0, frames: 23, channels: 0 };
    let (_product, report) = generated(&words, "vfr.mp4", &[], &expected);
    assert!(Ran::warnings(&report).contains(&"variable_frame_rate".to_owned()), "{report}");
}

#[test]
fn five_one_sound() {
    let words = format!(
        "{TESTSRC} -f lavfi -i anoisesrc=d=1:r=48000:a=0.1 -af pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0 -c:v libx264 -pix_fmt yuv420p -c:a aac"
    );
    generated(
        &words,
        "surround.mp4",
        &[],
        &Expected { size: (1280, 720), rate: 25.0, frames: 25, channels: 6 },
    );
}

#[test]
fn late_audio() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!(
        "{TESTSRC} -itsoffset 0.4 -f lavfi -i sine=frequency=440:duration=0.6:sample_rate=48000 -c:v libx264 -pix_fmt yuv420p -c:a aac"
    );
    let source = make(dir.path().join("late.mp4"), &words);
    let expected = Expected { size: (1280, 720), rate: 25.0, frames: 25, channels: 1 };
    let (product, _report) = renders(&source, &[], &expected);
    let [before, after] =
        [source.as_path(), &product.path("out.mp4")].map(|file| judge::onset(&judge::sound(file)));
    assert!((before - 0.4).abs() < AAC_FRAME, "the source's sound begins at {before} s");
    assert!(
        (before - after).abs() <= AAC_FRAME,
        "the sound began at {before} s and begins at {after} s"
    );
}

#[test]
fn late_video() {
    let dir = tempfile::tempdir().unwrap();
    let words = "-itsoffset 0.2 -f lavfi -i testsrc2=size=320x180:rate=25:duration=1 -f lavfi -i sine=frequency=440:duration=1.2:sample_rate=48000 -vsync vfr -c:v libx264 -pix_fmt yuv420p -c:a aac";
    let source = make(dir.path().join("late.mp4"), words);
    renders(&source, &[], &Expected { size: (1280, 720), rate: 25.0, frames: 25, channels: 1 });
}

#[test]
fn mov_is_a_quicktime_file() {
    let product = Product::new();
    let source = product_tests::sources::plain(product.path("in.mp4"));
    let ran = product.run(&[
        "render",
        source.to_str().unwrap(),
        "-o",
        "out.mov",
        "--format",
        "mov",
        "--resolution",
        "720p",
    ]);
    ran.ok();
    let found = judge::probe(&product.path("out.mov"));
    assert_eq!(found["format"]["tags"]["major_brand"], "qt  ");
    assert_eq!(judge::number(&judge::stream(&found, "video")["nb_read_packets"]), 50.0);
    assert_eq!(judge::stream(&found, "audio")["channels"], 2);
}
