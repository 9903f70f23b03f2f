//! Every kind of source that must render comes out right as webm too, by ffprobe and by a demuxer
//! that has nothing to do with ffmpeg.

use std::path::Path;

use product_tests::film::{self, Colour, Film};
use product_tests::sources::{make, sample};
use product_tests::{Product, Ran, judge};
use serde_json::Value;

/// Seconds of a tick of webm.
const TICK: f64 = 0.001;
/// Seconds of an Opus packet.
const OPUS_FRAME: f64 = 0.02;
/// The longest distance between places to seek to, as the configuration has it.
const GROUP: f64 = 2.0;

/// What a source must become.
struct Expected {
    size: (u64, u64),
    /// Frames per second.
    rate: f64,
    frames: u64,
    /// Channels, or 0 for silence.
    channels: u64,
}

/// Renders a source at 720p and judges the output.
#[track_caller]
fn renders(source: &Path, expected: &Expected) -> (Product, Film, Value) {
    let product = Product::new();
    let chain = product.write(
        "fast.toml",
        format!("[plugins.encode-standard.parameters]\npreset = \"ultrafast\"\ngop_seconds = {GROUP}\ncopy = \"never\"\n"),
    );
    let report = product
        .run(&[
            "render",
            source.to_str().unwrap(),
            "-o",
            "out.webm",
            "--resolution",
            "720p",
            "--chain",
            chain.to_str().unwrap(),
        ])
        .ok();
    assert_eq!(product.names(), ["fast.toml", "out.webm"], "nothing else is left");
    let output = product.path("out.webm");
    let found = judge::probe(&output);
    by_ffprobe(&found, expected);
    if expected.channels > 0 {
        same_offset(source, &found);
    }
    assert_eq!(report["frames"], expected.frames);
    let film = film::read(&output);
    by_demuxer(&film, expected);
    (product, film, report)
}

#[track_caller]
fn by_ffprobe(found: &Value, expected: &Expected) {
    let video = judge::stream(found, "video");
    let (width, height) = expected.size;
    assert_eq!((&video["width"], &video["height"]), (&width.into(), &height.into()), "{video}");
    assert_eq!(video["sample_aspect_ratio"], "1:1");
    assert_eq!((&video["codec_name"], &video["pix_fmt"]), (&"vp9".into(), &"yuv420p".into()));
    for tag in ["color_space", "color_transfer", "color_primaries"] {
        assert_eq!(video[tag], "bt709", "{tag}");
    }
    assert_eq!(video["color_range"], "tv");
    assert_eq!(judge::number(&video["nb_read_packets"]), expected.frames as f64, "frames");
    let audio = judge::stream(found, "audio");
    if expected.channels == 0 {
        assert!(audio.is_null(), "{audio}");
    } else {
        assert_eq!(
            (&audio["codec_name"], &audio["channels"]),
            (&"opus".into(), &expected.channels.into())
        );
    }
}

#[track_caller]
fn by_demuxer(film: &Film, expected: &Expected) {
    assert_eq!(film.kind, "webm");
    assert!(film.index_first, "the index lies before the packets");
    let end = expected.frames as f64 / expected.rate;
    let video = film.video();
    assert_eq!((video.codec.as_str(), video.size), ("V_VP9", Some(expected.size)));
    assert_eq!(video.colour, Some(Colour::HD));
    assert_eq!(video.packets.len() as u64, expected.frames);
    video.is_steady(expected.rate, TICK);
    let each = video.default_duration.unwrap();
    assert!((each - 1.0 / expected.rate).abs() < 1e-8, "a frame lasts {each} s");
    assert!(video.packets[0].key);
    let longest = video.longest_group(end);
    assert!(longest <= GROUP + 1.0 / expected.rate + TICK, "no place to seek to for {longest} s");

    let mut last = video.starts + end;
    assert_eq!(film.audio().is_some(), expected.channels > 0);
    if let Some(audio) = film.audio() {
        assert_eq!(
            (audio.codec.as_str(), audio.sound),
            ("A_OPUS", Some((48_000.0, expected.channels)))
        );
        // libopus looks ahead by 6.5 ms, and a decoder needs 80 ms to settle.
        assert!((audio.codec_delay - 0.0065).abs() < 1e-6, "{} s", audio.codec_delay);
        assert_eq!(audio.seek_pre_roll, Some(0.08));
        assert!(audio.codec_config_bytes >= 19, "an Opus head");
        let sound = audio.starts - audio.codec_delay + audio.times().last().unwrap() + OPUS_FRAME;
        last = last.max(sound);
    }
    let duration = film.duration.unwrap();
    assert!(
        (duration - last).abs() <= OPUS_FRAME + 1.0 / expected.rate,
        "{duration} s, not {last} s"
    );
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
    assert!(shift.abs() <= OPUS_FRAME + TICK, "sound moved by {shift} s");
}

/// A test that renders a real clip.
macro_rules! samples {
    ($($test:ident: $file:literal => $width:literal x $height:literal, $frames:literal at $rate:expr, $channels:literal channels;)*) => {
        $(
            #[test]
            fn $test() {
                let Some(source) = sample($file) else { return };
                renders(&source, &Expected { size: ($width, $height), rate: $rate, frames: $frames, channels: $channels });
            }
        )*
    };
}

samples! {
    bigbuckbunny: "bigbuckbunny.mp4" => 1280 x 720, 132 at 25.0, 6 channels;
    bbb_trailer: "bbb_trailer.mp4" => 1280 x 720, 1323 at 24.0, 2 channels;
    carphone_pristine: "carphone_pristine.mp4" => 962 x 720, 120 at 30_000.0 / 1001.0, 0 channels;
    cockatoo: "cockatoo.mp4" => 1280 x 720, 280 at 20.0, 1 channels;
    realshort: "realshort.mp4" => 960 x 720, 36 at 45_000.0 / 1499.0, 1 channels;
    birds: "birds.mp4" => 1280 x 720, 31 at 30.0, 2 channels;
    black_h264_video: "black-h264-video.mp4" => 960 x 720, 1 at 25.0, 0 channels;
    mimetype_mov: "mimetype_mov.mov" => 1260 x 720, 166 at 30.0, 1 channels;
    mimetype_webm: "mimetype_webm.webm" => 1260 x 720, 166 at 30.0, 1 channels;
}

#[test]
fn a_phone_clip_of_variable_rate() {
    let Some(source) = sample("phone_VID_20191220.mp4") else { return };
    let expected = Expected { size: (1280, 720), rate: 30_000.0 / 1001.0, frames: 45, channels: 2 };
    let (_product, _film, report) = renders(&source, &expected);
    assert!(Ran::warnings(&report).contains(&"variable_frame_rate".to_owned()), "{report}");
}

const TESTSRC: &str = "-f lavfi -i testsrc2=size=320x180:rate=25:duration=1";
const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
const PLAIN: Expected = Expected { size: (1280, 720), rate: 25.0, frames: 25, channels: 0 };

#[track_caller]
fn generated(words: &str, expected: &Expected) -> (Product, Film, Value) {
    let dir = tempfile::tempdir().unwrap();
    let source = make(dir.path().join("in.mp4"), words);
    renders(&source, expected)
}

#[test]
fn one_frame() {
    generated(&format!("{TESTSRC} -frames:v 1 {H264}"), &Expected { frames: 1, ..PLAIN });
}

#[test]
fn no_audio() {
    generated(&format!("{TESTSRC} {H264}"), &PLAIN);
}

#[test]
fn odd_sides() {
    let words = format!("{TESTSRC} -vf scale=321:181,setsar=1 -c:v libx264 -pix_fmt yuv444p");
    generated(&words, &Expected { size: (1276, 720), ..PLAIN });
}

#[test]
fn rotated_by_90_degrees() {
    let dir = tempfile::tempdir().unwrap();
    let flat = make(dir.path().join("flat.mp4"), &format!("{TESTSRC} {H264}"));
    let words = format!("-i {} -c copy -metadata:s:v rotate=90", flat.display());
    renders(&make(dir.path().join("in.mp4"), &words), &Expected { size: (720, 1280), ..PLAIN });
}

#[test]
fn a_rate_of_30000_1001() {
    let words = format!("-f lavfi -i testsrc2=size=320x180:rate=30000/1001:duration=2 {H264}");
    generated(&words, &Expected { rate: 30_000.0 / 1001.0, frames: 60, ..PLAIN });
}

#[test]
fn a_variable_rate() {
    let words = format!("{TESTSRC} -vf select='lt(n,10)+gt(mod(n,3),0)' -vsync vfr {H264}");
    generated(&words, &Expected { rate: 24_000.0 / 1001.0, frames: 23, ..PLAIN });
}

#[test]
fn five_one_sound() {
    let words = format!(
        "{TESTSRC} -f lavfi -i anoisesrc=d=1:r=48000:a=0.1 -af pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0 {H264} -c:a aac"
    );
    generated(&words, &Expected { channels: 6, ..PLAIN });
}

#[test]
fn late_audio() {
    let words = format!(
        "{TESTSRC} -itsoffset 0.4 -f lavfi -i sine=frequency=440:duration=0.6:sample_rate=48000 {H264} -c:a aac"
    );
    let (product, _film, _report) = generated(&words, &Expected { channels: 1, ..PLAIN });
    let begins = judge::onset(&judge::sound(&product.path("out.webm")));
    assert!((begins - 0.4).abs() <= 2.0 * OPUS_FRAME, "the sound begins at {begins} s");
}

#[test]
fn late_video() {
    let words = format!(
        "-itsoffset 0.2 {TESTSRC} -f lavfi -i sine=frequency=440:duration=1.2:sample_rate=48000 -vsync vfr {H264} -c:a aac"
    );
    generated(&words, &Expected { channels: 1, ..PLAIN });
}
