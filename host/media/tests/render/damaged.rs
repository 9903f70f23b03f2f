//! Files that are not whole, and plans that cannot be carried out.

use std::path::Path;
use std::time::Duration;

use media::{Input, Limits, MediaError, RateControl, Rational, Summary, TrackPlan};

use crate::support::{Made, as_it_is, engine, engine_with, overwrite_packets};

/// Two minutes, so that the probe does not read all of it.
fn whole(name: &str, extra: &[&str]) -> Made {
    let mut args = vec![
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=10:d=120",
        "-f",
        "lavfi",
        "-i",
        "sine=d=120:r=48000",
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-g",
        "50",
        "-c:a",
        "aac",
    ];
    args.extend(extra);
    Made::new(name, &args)
}

/// Cuts a file off after a share of its bytes and renders what is left.
async fn render_cut(made: &Made, share: f64) -> MediaError {
    let bytes = std::fs::read(&made.path).unwrap();
    let kept = (bytes.len() as f64 * share) as usize;
    let extension = made.path.extension().unwrap().to_str().unwrap();
    let path = made.beside(&format!("cut.{extension}"));
    std::fs::write(&path, &bytes[..kept]).unwrap();
    render(&path).await.unwrap_err()
}

async fn render(path: &Path) -> Result<Summary, MediaError> {
    let engine = engine().await;
    let input = Input::open(path)?;
    let source = engine.probe(&input).await?;
    let plan = as_it_is(&source, RateControl::Default);
    engine.run(&input, &source, &plan, path.parent().unwrap()).await?.finish().await
}

#[tokio::test]
async fn a_file_that_is_cut_off_is_never_a_short_success() {
    let files = [
        whole("front.mp4", &["-movflags", "+faststart"]),
        whole("back.mp4", &[]),
        whole("film.mkv", &[]),
    ];
    for made in &files {
        render(&made.path).await.unwrap();
        for share in [0.3, 0.6, 0.97] {
            let error = render_cut(made, share).await;
            let told =
                matches!(error, MediaError::FrameCount { .. } | MediaError::Unreadable { .. });
            assert!(told, "{} cut at {share}: {error}", made.path.display());
        }
    }
}

#[tokio::test]
async fn a_film_whose_sound_is_mostly_gone_is_refused() {
    let sound = ["-f", "lavfi", "-i", "sine=d=6:r=48000", "-ac", "2", "-c:a", "aac"];
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=6"];
    for (share, fine) in [(0.05, true), (0.5, false), (0.97, false)] {
        let made = Made::new("film.mp4", &[&picture[..], &sound].concat());
        overwrite_packets(&made.path, "a", share);
        let ended = render(&made.path).await;
        match ended {
            Ok(summary) => assert!(fine && summary.damage.is_some(), "{share}: {summary:?}"),
            Err(error) => {
                let blamed = matches!(error, MediaError::Unreadable { .. });
                assert!(!fine && blamed, "{share}: {error}");
            }
        }
    }
}

#[tokio::test]
async fn films_that_were_joined_without_their_times_are_refused() {
    let made = Made::new("film.ts", &["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=4"]);
    let mut bytes = std::fs::read(&made.path).unwrap();
    render(&made.path).await.unwrap();
    bytes.extend(bytes.clone());
    std::fs::write(&made.path, bytes).unwrap();
    let ended = render(&made.path).await;
    let Err(MediaError::UnsupportedSource { message }) = ended else { panic!("{ended:?}") };
    assert!(message.contains("begin anew"), "{message}");
}

#[tokio::test]
async fn sound_alone_has_no_picture() {
    let made = Made::new("sound.mp4", &["-f", "lavfi", "-i", "sine=d=1"]);
    assert!(matches!(render(&made.path).await, Err(MediaError::NoVideo)));
}

#[tokio::test]
async fn a_head_without_a_body_is_unreadable() {
    let made = Made::new("clip.mp4", &["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]);
    assert!(matches!(render_cut(&made, 0.01).await, MediaError::Unreadable { .. }));
}

#[tokio::test]
async fn budgets_are_kept_before_anything_starts() {
    let made = Made::new("clip.mp4", &["-f", "lavfi", "-i", "testsrc2=s=64x48:r=1000:d=1"]);
    let input = Input::open(&made.path).unwrap();
    let limits = Limits { max_frames: 500, ..Limits::default() };
    let engine = engine_with(limits).await;
    let source = engine.probe(&input).await.unwrap();
    let mut plan = as_it_is(&source, RateControl::Default);
    let started = engine.run(&input, &source, &plan, made.path.parent().unwrap()).await;
    let Err(MediaError::Budget { allowed: 500, asked: 1000, .. }) = started else {
        panic!("{started:?}");
    };
    // All of them are decoded, however few are kept.
    plan.frame_rate = Rational { numerator: 25, denominator: 1 };
    let started = engine.preview(&input, &source, &plan).await;
    assert!(matches!(started, Err(MediaError::Budget { asked: 1000, .. })), "{started:?}");
    let TrackPlan::Video { stream, .. } = &mut plan.tracks[0] else { panic!() };
    *stream = 7;
    let started = engine.preview(&input, &source, &plan).await;
    assert!(matches!(started, Err(MediaError::UnsupportedPlan { .. })), "{started:?}");
}

#[tokio::test]
async fn a_dropped_run_ends_ffmpeg() {
    let made = whole("film.mkv", &[]);
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let mut plan = as_it_is(&source, RateControl::Lossless);
    // A size that no other test has, to tell its ffmpeg from theirs.
    plan.size = media::Size { width: 1282, height: 962 };
    let mut run = engine.run(&input, &source, &plan, made.path.parent().unwrap()).await.unwrap();
    assert!(run.next_packet().await.unwrap().is_some());
    assert!(is_running("scale=1282:962"));
    drop(run);
    let mut left = 40;
    while is_running("scale=1282:962") {
        assert!(left > 0, "ffmpeg is still there after two seconds");
        left -= 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whether a process has `argument` within its command line; one that has ended has none.
fn is_running(argument: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.into_iter().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(argument)
    })
}

/// Runs a whole render with `limits` and waiting packets in `spool`.
async fn render_with(limits: Limits, path: &Path, spool: &Path) -> Result<Summary, MediaError> {
    let engine = engine_with(limits).await;
    let input = Input::open(path)?;
    let source = engine.probe(&input).await?;
    let plan = as_it_is(&source, RateControl::Default);
    engine.run(&input, &source, &plan, spool).await?.finish().await
}

#[tokio::test]
async fn nowhere_to_put_what_waits_is_a_storage_error() {
    let made = whole("film.mkv", &[]);
    let limits = Limits { buffer_bytes: 0, ..Limits::default() };
    let ended = render_with(limits, &made.path, &made.beside("missing")).await;
    assert!(matches!(ended, Err(MediaError::Storage(_))), "{ended:?}");
}

#[tokio::test]
async fn an_ffmpeg_that_gets_nowhere_is_stopped() {
    let made = whole("film.mkv", &[]);
    let limits = Limits { stall: Duration::from_millis(1), ..Limits::default() };
    let ended = render_with(limits, &made.path, made.path.parent().unwrap()).await;
    assert!(matches!(ended, Err(MediaError::Stalled { .. })), "{ended:?}");
}

#[tokio::test]
async fn high_dynamic_range_is_refused_for_now() {
    let Some(path) = crate::support::sample("hdr.mkv") else { return };
    assert!(matches!(render(&path).await, Err(MediaError::UnsupportedSource { .. })));
}

#[tokio::test]
async fn a_picture_that_is_too_large_is_not_decoded() {
    let made = Made::new("clip.mp4", &["-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=0.2"]);
    let limits = Limits { max_pixels: 640 * 480 - 1, ..Limits::default() };
    let ended = render_with(limits, &made.path, made.path.parent().unwrap()).await;
    assert!(matches!(ended, Err(MediaError::Budget { allowed: 307_199, .. })), "{ended:?}");
}

/// Ten seconds with enough in them that the middle is picture and sound.
fn ten_seconds(name: &str) -> Made {
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=10"];
    let sound = ["-f", "lavfi", "-i", "sine=d=10:r=48000"];
    let codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac"];
    Made::new(name, &[&source[..], &sound, &codecs].concat())
}

#[tokio::test]
async fn a_source_that_lost_its_middle_is_refused() {
    // An index names frames that cannot be decoded any more; in the others packets are all that
    // there is, and the frame rate filter fills the gap.
    for name in ["hole.mp4", "hole.mkv", "hole.ts"] {
        let made = ten_seconds(name);
        assert_eq!(render(&made.path).await.unwrap().damage, None, "{name} is whole");
        let bytes = std::fs::read(&made.path).unwrap();
        let (from, to) = (bytes.len() * 4 / 10, bytes.len() * 7 / 10);
        let zeroed = [&bytes[..from], &vec![0; to - from], &bytes[to..]].concat();
        let cut = [&bytes[..from], &bytes[to..]].concat();
        for (what, bytes) in [("zeroed", zeroed), ("cut", cut)] {
            let path = made.beside(&format!("{what}-{name}"));
            std::fs::write(&path, bytes).unwrap();
            let error = render(&path).await.unwrap_err();
            assert!(matches!(error, MediaError::Unreadable { .. }), "{what} {name}: {error:?}");
        }
    }
}

#[tokio::test]
async fn a_little_damage_is_told() {
    let made = ten_seconds("scratch.ts");
    let mut bytes = std::fs::read(&made.path).unwrap();
    // A few packets of one picture.
    let middle = bytes.len() / 2 / 188 * 188;
    for packet in bytes[middle..middle + 4 * 188].chunks_mut(188) {
        packet[20..].fill(0x55);
    }
    let path = made.beside("scratched.ts");
    std::fs::write(&path, bytes).unwrap();
    let damage = render(&path).await.unwrap().damage.unwrap();
    assert!(!damage.contains("0x"), "{damage}");
}

#[tokio::test]
async fn pictures_that_are_far_apart_are_not_missed() {
    // Constant as far as the probe looks, and then nothing moves for a while.
    let graph = "testsrc2=s=64x48:r=50:d=70,select='not(between(n,2500,2900))'";
    let source = ["-f", "lavfi", "-i", graph, "-fps_mode", "passthrough"];
    for name in ["still.mkv", "still.ts"] {
        let codec = ["-c:v", "libx264", "-preset", "ultrafast"];
        let made = Made::new(name, &[&source[..], &codec].concat());
        assert_eq!(render(&made.path).await.unwrap().damage, None, "{name}");
    }
}

#[tokio::test]
async fn whole_sources_of_every_kind_are_not_refused() {
    let graph = "testsrc2=s=128x96:r=25:d=3";
    for (name, codec) in [
        ("hidden.webm", "-c:v libvpx -auto-alt-ref 1 -lag-in-frames 16 -b:v 200k"),
        ("hidden.mkv", "-c:v libvpx-vp9 -auto-alt-ref 1 -lag-in-frames 25 -cpu-used 5"),
        ("open.ts", "-c:v libx264 -x264-params open-gop=1:bframes=3:keyint=12"),
        ("open.mkv", "-c:v libx264 -x264-params open-gop=1:bframes=3:keyint=12"),
        ("fields.ts", "-c:v libx264 -flags +ildct+ilme -vf interlace,setfield=tff"),
        ("fields.mpg", "-c:v mpeg2video -flags +ildct+ilme -vf interlace,setfield=tff"),
        ("packed.avi", "-c:v mpeg4 -bf 2"),
    ] {
        let args = ["-f", "lavfi", "-i", graph, "-pix_fmt", "yuv420p"];
        let made = Made::new(name, &args.into_iter().chain(codec.split(' ')).collect::<Vec<_>>());
        let summary = render(&made.path).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(summary.damage, None, "{name}");
        // What begins in the middle of a group of pictures lacks some of its first ones.
        if name == "open.ts" {
            let bytes = std::fs::read(&made.path).unwrap();
            let late = made.beside(&format!("late-{name}"));
            std::fs::write(&late, &bytes[bytes.len() / 3 / 188 * 188..]).unwrap();
            render(&late).await.unwrap_or_else(|error| panic!("late {name}: {error}"));
        }
    }
}
