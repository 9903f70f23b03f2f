//! Sources made on the spot, each with one property that goes wrong easily.

use media::{Colour, RateControl, Rational, Size, TrackFormat, TrackPlan};

use crate::support::{Made, Rendered, as_it_is};

const TWENTY_FIVE: Rational = Rational { numerator: 25, denominator: 1 };

/// The second of its start on the common clock, by track.
fn starts(rendered: &Rendered) -> Vec<f64> {
    let tracks = rendered.tracks.iter();
    tracks.map(|track| track.start as f64 / f64::from(track.timescale)).collect()
}

async fn render(made: &Made) -> Rendered {
    Rendered::of(&made.path, |source| as_it_is(source, RateControl::Default)).await
}

#[tokio::test]
async fn one_frame() {
    for name in ["one.mp4", "one.mkv", "one.webm"] {
        let codec = if name == "one.webm" { "libvpx-vp9" } else { "libx264" };
        let source =
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "1", "-c:v", codec];
        let rendered = render(&Made::new(name, &source)).await;
        assert_eq!(rendered.summary.frames, 1, "{name}");
        assert_eq!(rendered.tracks.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn odd_sides_become_even() {
    let source = ["-f", "lavfi", "-i", "testsrc=s=63x47:r=25:d=0.4", "-pix_fmt", "yuv444p"];
    let rendered = render(&Made::new("odd.mp4", &source)).await;
    assert_eq!(rendered.source.video[0].display_size, Size { width: 63, height: 47 });
    let TrackFormat::Video { size, colour } = rendered.tracks[0].format else { panic!() };
    assert_eq!((size, colour), (Size { width: 64, height: 48 }, Colour::BT709));
    assert_eq!(rendered.pictures("yuv420p", "null").len(), 10 * 64 * 48 * 3 / 2);
}

#[tokio::test]
async fn a_rotated_picture_stands_upright() {
    // Red above, blue below, to be turned clockwise by 90 degrees: red comes to the right.
    let graph = "color=red:s=64x32:r=25:d=0.4[a];color=blue:s=64x32:r=25:d=0.4[b];[a][b]vstack";
    let flat = Made::new("flat.mp4", &["-f", "lavfi", "-i", graph]);
    let flat_path = flat.path.to_str().unwrap();
    let turn = ["-i", flat_path, "-c", "copy", "-metadata:s:v", "rotate=270"];
    let rendered = render(&Made::new("turned.mov", &turn)).await;
    let video = &rendered.source.video[0];
    assert_eq!(video.coded_size, Size { width: 64, height: 64 });
    let (left, right) = match video.rotation {
        90 => ("blue", "red"),
        270 => ("red", "blue"),
        other => panic!("turned by {other}"),
    };
    let picture = rendered.pictures("rgb24", "null");
    let colour = |x: usize| {
        let pixel = &picture[(32 * 64 + x) * 3..][..3];
        if pixel[0] > pixel[2] { "red" } else { "blue" }
    };
    assert_eq!((colour(4), colour(60)), (left, right));
}

#[tokio::test]
async fn a_rotated_picture_has_its_sides_exchanged() {
    let flat = Made::new("flat.mp4", &["-f", "lavfi", "-i", "testsrc2=s=64x32:r=25:d=0.4"]);
    let flat_path = flat.path.to_str().unwrap();
    let turn = ["-i", flat_path, "-c", "copy", "-metadata:s:v", "rotate=90"];
    let rendered = render(&Made::new("turned.mp4", &turn)).await;
    let video = &rendered.source.video[0];
    assert_eq!(video.display_size, Size { width: 32, height: 64 });
    assert_eq!(video.display_aspect, Rational { numerator: 1, denominator: 2 });
    assert_eq!(rendered.summary.frames, 10);
}

#[tokio::test]
async fn a_rational_rate_stays_exact() {
    let rate = Rational { numerator: 30000, denominator: 1001 };
    for name in ["ntsc.mp4", "ntsc.mkv", "ntsc.ts", "ntsc.avi"] {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001:d=2", "-c:v", "libx264"];
        let rendered = render(&Made::new(name, &source)).await;
        let video = &rendered.source.video[0];
        assert!(video.constant_frame_rate, "{name}");
        assert_eq!(video.frame_rate, rate, "{name}");
        assert_eq!(rendered.summary.frames, 60, "{name}");
        assert_eq!(rendered.tracks[0].timescale % 30000, 0, "{name}");
    }
}

#[tokio::test]
async fn a_variable_rate_is_put_on_a_grid() {
    // Frames 0..25 at 25 a second, then every third of them.
    let graph = "testsrc2=s=64x48:r=25:d=3,select='lt(n,25)+not(mod(n,3))'";
    for name in ["variable.mp4", "variable.mkv"] {
        let source = ["-f", "lavfi", "-i", graph, "-fps_mode", "vfr", "-c:v", "libx264"];
        let made = Made::new(name, &source);
        let rendered = Rendered::of(&made.path, |source| {
            assert!(!source.video[0].constant_frame_rate, "{name}");
            let mut plan = as_it_is(source, RateControl::Default);
            plan.frame_rate = TWENTY_FIVE;
            plan
        });
        let rendered = rendered.await;
        // The last frame begins at 72/25 s; how long it lasts is the container's word.
        let frames = rendered.summary.frames;
        assert!((73..=76).contains(&frames), "{name}: {frames}");
    }
}

#[tokio::test]
async fn a_higher_and_a_lower_rate_keep_the_duration() {
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2"];
    let made = Made::new("source.mp4", &source);
    for (rate, frames) in [(50, 100), (10, 20), (60, 120)] {
        let rendered = Rendered::of(&made.path, |source| {
            let mut plan = as_it_is(source, RateControl::Default);
            plan.frame_rate = Rational { numerator: rate, denominator: 1 };
            plan
        });
        assert_eq!(rendered.await.summary.frames, frames);
    }
}

#[tokio::test]
async fn six_channels_stay_six() {
    let sound = "anoisesrc=d=1:r=48000:a=0.1,aformat=channel_layouts=5.1";
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-f", "lavfi", "-i", sound];
    let rendered = render(&Made::new("surround.mp4", &source)).await;
    let format = TrackFormat::Audio { sample_rate: 48000, channels: 6 };
    assert_eq!(rendered.tracks[1].format, format);
    assert_eq!(rendered.tracks[1].codec, "mp4a.40.2");
    // Channel configuration 6 in the AudioSpecificConfig (object type 2, rate index 3).
    assert_eq!(rendered.tracks[1].codec_config[..2], [0x11, 0xb0]);
    assert_eq!(rendered.tracks[1].priming, 1024);
}

/// Pictures and sound of which one may begin later.
fn late(name: &str, pictures: &str, sound: &str) -> Made {
    let video = "testsrc2=s=64x48:r=25:d=4";
    Made::new(
        name,
        &[
            "-itsoffset",
            pictures,
            "-f",
            "lavfi",
            "-i",
            video,
            "-itsoffset",
            sound,
            "-f",
            "lavfi",
            "-i",
            "sine=d=3:r=48000",
            "-c:a",
            "pcm_s16le",
            "-c:v",
            "libx264",
            "-fps_mode",
            "passthrough",
        ],
    )
}

#[tokio::test]
async fn late_sound_stays_late() {
    let rendered = render(&late("late.mkv", "0", "1.5")).await;
    let starts = starts(&rendered);
    assert!(starts[0].abs() < 0.001 && (starts[1] - 1.5).abs() < 0.002, "{starts:?}");
    assert_eq!(rendered.summary.frames, 100);
    assert!(rendered.tracks[1].duration.abs_diff(3 * 48000) < 100);
}

#[tokio::test]
async fn late_pictures_stay_late() {
    let rendered = render(&late("late.mov", "1.6", "0")).await;
    let starts = starts(&rendered);
    assert!((starts[0] - 1.6).abs() < 0.001 && starts[1].abs() < 0.001, "{starts:?}");
    assert_eq!(rendered.summary.frames, 100);
}

#[tokio::test]
async fn a_film_that_starts_far_from_zero() {
    let source = [
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=25:d=2",
        "-f",
        "lavfi",
        "-i",
        "sine=d=2:r=48000",
        "-c:v",
        "libx264",
        "-c:a",
        "mp2",
        "-output_ts_offset",
        "3600",
    ];
    let rendered = render(&Made::new("far.ts", &source)).await;
    assert_eq!(rendered.summary.frames, 50);
    assert!(rendered.source.video[0].begin.seconds() > 3599.0);
    assert!(starts(&rendered).into_iter().all(|start| start < 0.1));
}

#[tokio::test]
async fn the_default_sound_comes_first_and_cover_art_is_no_picture() {
    let source = [
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=25:d=1",
        "-f",
        "lavfi",
        "-i",
        "sine=d=1",
        "-f",
        "lavfi",
        "-i",
        "sine=d=1:f=880",
        "-f",
        "lavfi",
        "-i",
        "color=red:s=32x32:d=0.04",
        "-map",
        "3",
        "-map",
        "0",
        "-map",
        "1",
        "-map",
        "2",
        "-c:v:0",
        "png",
        "-c:v:1",
        "libx264",
        "-disposition:v:0",
        "attached_pic",
        "-disposition:a:0",
        "0",
        "-disposition:a:1",
        "default",
        "-metadata:s:a:1",
        "language=fra",
        "-metadata",
        "title=A film",
    ];
    let rendered = render(&Made::new("both.mp4", &source)).await;
    let source = &rendered.source;
    assert_eq!(source.video.len(), 1);
    assert_eq!(source.video[0].codec, "avc1");
    assert_eq!(source.ignored[0].kind, media::IgnoredKind::CoverArt);
    assert_eq!(source.audio[0].language.as_deref(), Some("fra"));
    assert_eq!(rendered.tracks[1].language.as_deref(), Some("fra"));
    assert_eq!(source.tags["title"], "A film");
    assert_eq!(rendered.packets.iter().map(|packet| packet.track).max(), Some(2));
}

#[tokio::test]
async fn much_that_waits_goes_to_disk_and_comes_back() {
    // Long noise without loss is far more than the buffer holds; sound comes 1.5 s late.
    let made = late("late.mkv", "0", "1.5");
    let limits = media::Limits { buffer_bytes: 1000, ..media::Limits::default() };
    let engine = crate::support::engine_with(limits).await;
    let input = media::Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let plan = as_it_is(&source, RateControl::Lossless);
    let mut run = engine.run(&input, &source, &plan, made.path.parent().unwrap()).await.unwrap();
    let mut packets = Vec::new();
    while let Some(packet) = run.next_packet().await.unwrap() {
        packets.push(packet);
    }
    run.finish().await.unwrap();
    let whole = Rendered::of(&made.path, |source| as_it_is(source, RateControl::Lossless)).await;
    assert!(packets == whole.packets, "the packets differ from those kept in memory");
    assert!(matches!(plan.tracks[0], TrackPlan::Video { .. }));
}

#[tokio::test]
async fn sound_keeps_its_place() {
    // Silence for half a second, then a tone.
    let sound = "sine=d=2:r=48000,volume=0:enable='lt(t,0.5)'";
    for (name, codec) in [("tone.mp4", "aac"), ("tone.webm", "libopus"), ("tone.mkv", "flac")] {
        let video = if name == "tone.webm" { "libvpx-vp9" } else { "libx264" };
        let source = [
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=64x48:r=25:d=2",
            "-f",
            "lavfi",
            "-i",
            sound,
            "-c:v",
            video,
            "-c:a",
            codec,
        ];
        let rendered = render(&Made::new(name, &source)).await;
        assert_eq!(rendered.summary.frames, 50, "{name}");
        let track = &rendered.tracks[1];
        let samples = rendered.samples(1);
        let onset = samples.iter().position(|sample| sample.abs() > 500).unwrap();
        // The decoder gives the priming, too.
        let seconds = (onset as f64 - track.priming as f64 + track.start as f64) / 48000.0
            - starts(&rendered)[0];
        assert!((seconds - 0.5).abs() < 1024.0 / 48000.0, "{name}: the tone begins at {seconds}");
        let length = track.duration as f64 / 48000.0;
        assert!((length - 2.0).abs() < 0.03, "{name}: {length}");
    }
}

#[tokio::test]
async fn an_edit_begins_in_the_middle_of_a_group_of_pictures() {
    let source = [
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=25:d=4",
        "-f",
        "lavfi",
        "-i",
        "sine=d=4:r=48000",
        "-c:v",
        "libx264",
        "-g",
        "50",
        "-c:a",
        "aac",
    ];
    let whole = Made::new("whole.mp4", &source);
    let path = whole.path.to_str().unwrap();
    // 35 pictures are decoded and thrown away.
    let cut = Made::new("cut.mp4", &["-ss", "1.4", "-i", path, "-c", "copy"]);
    let rendered = render(&cut).await;
    assert!(rendered.summary.frames.abs_diff(65) <= 1, "{}", rendered.summary.frames);
    let starts = starts(&rendered);
    assert!((starts[0] - starts[1]).abs() < 1024.0 / 48000.0, "{starts:?}");
}
