//! Packets of the source that are passed on as they are.

use std::path::Path;

use media::{
    AudioCodec, Composition, Input, MediaError, RateControl, Rational, Source, TrackPlan,
    VideoCodec,
};
use sha2::{Digest, Sha256};

use crate::support::{Made, Rendered, as_it_is, engine, ffmpeg, overwrite_packets};

/// What a picture must be tagged with to be copied onto a raster of the usual colour.
const TAGGED: [&str; 8] = [
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-colorspace",
    "bt709",
    "-color_range",
    "tv",
];

/// Four seconds of pictures and of sound, in a file made with further `options`.
fn film(name: &str, options: &str) -> Made {
    let source = "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i sine=d=4:r=48000";
    let args = source.split(' ').chain(["-pix_fmt", "yuv420p"]).chain(TAGGED);
    Made::new(name, &args.chain(options.split(' ')).collect::<Vec<_>>())
}

/// A file made of another one by `options`.
fn remade(of: &Made, name: &str, options: &str) -> Made {
    let (before, after) = options.split_once('|').unwrap();
    let path = of.path.to_str().unwrap();
    let args = before.split_whitespace().chain(["-i", path]).chain(after.split_whitespace());
    Made::new(name, &args.collect::<Vec<_>>())
}

/// The source as it is, copied where that is possible.
fn copying(source: &Source) -> Composition {
    let mut plan = as_it_is(source, RateControl::Default);
    for track in &mut plan.tracks {
        match track {
            TrackPlan::Video { stream, codec, copy, .. } => {
                *copy = true;
                if source.video_stream(*stream).unwrap().codec_name == "vp9" {
                    *codec = VideoCodec::Vp9;
                }
            }
            TrackPlan::Audio { stream, codec, copy, .. } => {
                *copy = true;
                if source.audio_stream(*stream).unwrap().codec_name == "opus" {
                    *codec = AudioCodec::Opus;
                }
            }
        }
    }
    plan
}

/// A packet of a file: when it is presented, in seconds, and what it holds.
#[derive(Debug, PartialEq)]
struct Held {
    seconds: f64,
    hash: String,
}

/// The packets of the stream `number` of a file.
fn packets(path: &Path, number: u32) -> Vec<Held> {
    let map = format!("0:{number}");
    let path = path.to_str().unwrap();
    let hashes = ["-map", &map, "-c", "copy", "-f", "framehash", "-hash", "sha256", "-"];
    let text = ffmpeg(&[&["-copyts", "-i", path][..], &hashes].concat());
    let text = String::from_utf8(text).unwrap();
    let base = text.lines().find_map(|line| line.strip_prefix("#tb 0: ")).unwrap();
    let (above, below) = base.split_once('/').unwrap();
    let tick: f64 = above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<_> = line.split(',').map(str::trim).collect();
            let seconds = fields[2].parse::<f64>().unwrap() * tick;
            Held { seconds, hash: fields[5].to_owned() }
        })
        .collect()
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Renders `made`, of which every track must be copied or not as `copied` says, and compares the
/// packets of those that are with the source's: what they hold, in which order, and when they are
/// presented.
async fn check(made: &Made, copied: &[bool]) -> Rendered {
    check_with(made, copied, copying).await
}

async fn check_with(
    made: &Made,
    copied: &[bool],
    plan: impl Fn(&Source) -> Composition,
) -> Rendered {
    let name = made.path.file_name().unwrap().display().to_string();
    let rendered = Rendered::of(&made.path, &plan).await;
    assert_eq!(rendered.summary.copied, copied, "{name}: {:?}", rendered.source);
    let source = &rendered.source;
    let begins = source.video.iter().map(|video| video.begin);
    let begins = begins.chain(source.audio.iter().map(|audio| audio.begin));
    let zero = begins.map(media::Time::seconds).fold(f64::INFINITY, f64::min);
    let plan = plan(source);
    for (number, track) in (0_u32..).zip(&rendered.tracks) {
        if !copied[number as usize] {
            continue;
        }
        let expected = packets(&made.path, plan.tracks[number as usize].stream());
        assert_eq!(rendered.of_track(number).count(), expected.len(), "{name}: track {number}");
        for (packet, expected) in rendered.of_track(number).zip(expected) {
            assert_eq!(hash(&packet.data), expected.hash, "{name}: track {number}");
            let ticks = packet.pts as f64 + track.start as f64;
            let seconds = ticks / f64::from(track.timescale);
            // Containers round to a millisecond, and so does what the probe says of the begin.
            let shift = seconds - (expected.seconds - zero);
            assert!(shift.abs() < 0.0016, "{name}: track {number} is {shift} s off");
        }
    }
    rendered
}

/// Hashes of the decoded pictures of a file.
fn decoded(path: &Path) -> Vec<u8> {
    let path = path.to_str().unwrap();
    ffmpeg(&["-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "rawvideo", "-"])
}

#[tokio::test]
async fn pictures_out_of_order_and_sound_with_priming() {
    let made = film("film.mp4", "-c:v libx264 -bf 3 -g 30 -c:a aac");
    let rendered = check(&made, &[true, true]).await;
    assert_eq!(rendered.tracks[1].priming, 1024);
    assert_eq!(rendered.tracks[1].start, 0);
    assert_eq!(rendered.tracks[0].duration, rendered.summary.frames * 512);
    assert!(rendered.packets.iter().any(|packet| packet.pts != packet.dts));
    assert!(rendered.of_track(0).filter(|packet| packet.is_sync).count() > 3);
    assert!(rendered.pictures("yuv420p", "null") == decoded(&made.path), "other pictures");
}

#[tokio::test]
async fn matroska_tells_no_decode_times_and_rounds_the_others() {
    let made = film("film.mkv", "-c:v libx264 -bf 3 -g 30 -c:a aac");
    let rendered = check(&made, &[true, true]).await;
    assert!(rendered.pictures("yuv420p", "null") == decoded(&made.path), "other pictures");
    let made = film("film.mkv", "-c:v libx264 -vf fps=30000/1001 -c:a aac");
    check(&made, &[true, true]).await;
}

#[tokio::test]
async fn webm_and_opus() {
    let vp9 = "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus";
    let rendered = check(&film("film.webm", vp9), &[true, true]).await;
    assert_eq!(rendered.tracks[0].codec, "vp09.00.10.08");
    assert_eq!((rendered.tracks[1].codec.as_str(), rendered.tracks[1].priming), ("opus", 312));
    // The pre-skip is what the priming is.
    assert_eq!(rendered.tracks[1].codec_config[2..4], 312_u16.to_be_bytes());
    check(&film("film.mp4", "-c:v libx264 -c:a libopus"), &[true, true]).await;
    // Pictures that are not shown lie within the packets of others.
    let hidden = "-c:v libvpx-vp9 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 25";
    check(&film("film.mkv", &format!("{hidden} -c:a aac")), &[true, true]).await;
}

#[tokio::test]
async fn a_beginning_that_is_not_zero() {
    let whole = film("whole.mp4", "-c:v libx264 -bf 2 -g 25 -c:a aac");
    // Without an edit list the pictures begin later.
    let made = film("plain.mp4", "-c:v libx264 -bf 2 -an -use_editlist 0");
    let rendered = check(&made, &[true]).await;
    assert!(rendered.source.video[0].begin.ticks > 0);
    // An edit that begins within the sound's packets and at a sync sample of the pictures.
    let made = remade(&whole, "cut.mp4", "-ss 1 | -c copy");
    let rendered = check(&made, &[true, true]).await;
    assert!(rendered.tracks[1].priming > 0);
    // Sound, or pictures, that come late.
    for (name, map) in [("late.mp4", "-map 0:v -map 1:a"), ("early.mkv", "-map 1:v -map 0:a")] {
        let path = whole.path.to_str().unwrap();
        let args = format!("-itsoffset 1.5 -i {path} {map} -c copy");
        let rendered = check(&remade(&whole, name, &format!("| {args}")), &[true, true]).await;
        assert!(rendered.tracks.iter().any(|track| track.start > 0), "{name}");
    }
}

#[tokio::test]
async fn one_track_is_copied_and_the_other_encoded() {
    let made = film("film.mp4", "-c:v libx264 -c:a ac3");
    check(&made, &[true, false]).await;
    let made = film("film.mkv", "-c:v mpeg4 -c:a aac");
    check(&made, &[false, true]).await;
    // Something is drawn, or nothing may be copied.
    let made = film("film.mp4", "-c:v libx264 -c:a aac");
    let drawn = |source: &Source| {
        let mut plan = copying(source);
        let size = media::Size { width: 2, height: 2 };
        plan.overlays.push(crate::support::patch([0; 4], size, media::Point { x: 0, y: 0 }));
        plan
    };
    check_with(&made, &[false, true], drawn).await;
    check_with(&made, &[false, false], |source| copying(source).without_copying()).await;
}

#[tokio::test]
async fn what_is_not_as_asked_is_encoded() {
    let x264 = "-c:v libx264 -c:a aac";
    let whole = film("whole.mp4", &format!("{x264} -g 50"));
    let made = [
        film("film.ts", x264),
        film("deep.mp4", "-c:v libx264 -pix_fmt yuv420p10le -c:a flac -strict -2"),
        film("wide.mp4", &format!("{x264} -vf setsar=16/15")),
        film("full.mkv", &format!("{x264} -color_range pc")),
        film("fields.mkv", &format!("{x264} -flags +ildct+ilme -vf interlace,setfield=tff")),
        film("odd.mkv", &format!("{x264} -vf select='lt(n\\,30)+not(mod(n\\,3))' -fps_mode vfr")),
        remade(&whole, "turned.mov", "| -c copy -metadata:s:v rotate=90"),
        // The edit begins in the middle of a group of pictures.
        remade(&whole, "cut.mp4", "-ss 1.4 | -c copy"),
    ];
    for made in &made {
        let rendered = Rendered::of(&made.path, copying).await;
        assert!(!rendered.summary.copied[0], "{}", made.path.display());
    }
}

#[tokio::test]
async fn what_only_the_packets_tell_ends_the_copy_and_not_the_film() {
    // The pictures have a gap behind what the probe looks at.
    let graph = "testsrc2=s=64x48:r=50:d=70,select='not(between(n,2500,2550))'";
    let source = ["-f", "lavfi", "-i", graph, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p"];
    let codec = ["-c:v", "libx264", "-preset", "ultrafast"];
    let gap = Made::new("gap.mkv", &[&source[..], &codec, &TAGGED].concat());
    // A picture is damaged.
    let broken = film("broken.mp4", "-c:v libx264 -c:a aac");
    let mut bytes = std::fs::read(&broken.path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3000].fill(0);
    std::fs::write(&broken.path, bytes).unwrap();
    // Pictures are nothing but zeros.
    let zeros = film("zeros.mp4", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -an");
    overwrite_packets(&zeros.path, "v", 0.3);
    for made in [gap, broken, zeros] {
        let engine = engine().await;
        let input = Input::open(&made.path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let plan = copying(&source);
        assert!(plan.copies(&source, input.format())[0], "{}", made.path.display());
        let folder = made.path.parent().unwrap();
        let run = match engine.run(&input, &source, &plan, folder).await {
            Ok(run) => run.finish().await.map(|_| ()),
            Err(error) => Err(error),
        };
        assert!(matches!(run, Err(MediaError::CannotCopy { .. })), "{run:?}");
        let run = engine.run(&input, &source, &plan.without_copying(), folder).await.unwrap();
        let ended = run.finish().await;
        assert!(matches!(ended, Ok(_) | Err(MediaError::Unreadable { .. })), "{ended:?}");
    }
}

#[tokio::test]
async fn another_rate_is_encoded() {
    let made = film("film.mp4", "-c:v libx264 -c:a aac");
    let faster = |source: &Source| {
        let mut plan = copying(source);
        plan.frame_rate = Rational { numerator: 50, denominator: 1 };
        plan
    };
    check_with(&made, &[false, true], faster).await;
}

#[tokio::test]
#[ignore = "measures, which says nothing on a busy machine"]
async fn copying_takes_as_long_as_ffmpeg_takes() {
    let source = "-f lavfi -i testsrc2=s=1280x720:r=25:d=180 -f lavfi -i sine=d=180:r=48000";
    let codec = "-pix_fmt yuv420p -c:v libx264 -preset ultrafast -crf 20 -c:a aac";
    let args = source.split(' ').chain(codec.split(' ')).chain(TAGGED).collect::<Vec<_>>();
    let made = Made::new("long.mp4", &args);
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let plan = copying(&source);
    let (folder, copy) = (made.path.parent().unwrap(), made.beside("copy.mp4"));
    for _ in 0..3 {
        let start = std::time::Instant::now();
        ffmpeg(&["-i", made.path.to_str().unwrap(), "-c", "copy", copy.to_str().unwrap()]);
        let plain = start.elapsed();
        let start = std::time::Instant::now();
        let run = engine.run(&input, &source, &plan, folder).await.unwrap();
        let summary = run.finish().await.unwrap();
        assert_eq!(summary.copied, [true, true]);
        println!("{} MB: {plain:?}, {:?}", summary.bytes >> 20, start.elapsed());
    }
}

#[tokio::test]
async fn real_files_are_copied() {
    for (name, copied) in [
        ("bbb_trailer.mp4", &[true, false][..]),
        ("bigbuckbunny.mp4", &[true, true]),
        ("birds.mp4", &[true, true]),
    ] {
        let Some(path) = crate::support::sample(name) else { return };
        let folder = tempfile::TempDir::new().unwrap();
        let engine = engine().await;
        let input = Input::open(&path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let plan = copying(&source);
        let run = engine.run(&input, &source, &plan, folder.path()).await.unwrap();
        let summary = run.finish().await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(summary.copied, copied, "{name}");
    }
}
