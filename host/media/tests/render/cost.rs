//! What handing out the frames costs. Not a test that can fail: it prints figures, where asked to
//! by `cargo test -p media --test render cost -- --ignored --nocapture`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use media::{
    Colour, Composition, Ffmpeg, FrameEncoder, Framed, Input, RateControl, Size, Source, TrackPlan,
    VideoCodec, VideoEncoder,
};
use nix::sys::resource::{UsageWho, getrusage};

use crate::support::{collect, engine, sample};

const SIZE: Size = Size { width: 1920, height: 1080 };

fn plan(source: &Source) -> Composition {
    let video = &source.video[0];
    let track = TrackPlan::Video {
        stream: video.stream,
        codec: VideoCodec::H264,
        rate: RateControl::Default,
        effort: 2,
        keyframe_interval: 250,
        copy: false,
        encoder: VideoEncoder::Host,
    };
    Composition {
        size: SIZE,
        frame_rate: video.frame_rate,
        colour: Colour::BT709,
        overlays: Vec::new(),
        tracks: vec![track],
    }
}

const FILTER: &str =
    "scale=1920:1080:flags=bicubic+accurate_rnd+full_chroma_int,setsar=1,format=yuv420p";
const X264: &str = "-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -g 250";

fn shell(line: &str) {
    let status = Command::new("sh").args(["-c", line]).stdin(Stdio::null()).status().unwrap();
    assert!(status.success(), "{line}");
}

fn plain(path: &Path) {
    let path = path.display();
    shell(&format!(
        "ffmpeg -v error -nostdin -i {path} -an -vf {FILTER} {X264} -f mp4 -movflags frag_keyframe - | cat > /dev/null"
    ));
}

fn two(path: &Path, rate: &str) {
    let path = path.display();
    shell(&format!(
        "ffmpeg -v error -nostdin -i {path} -an -vf {FILTER} -f rawvideo - | \
         ffmpeg -v error -nostdin -f rawvideo -pixel_format yuv420p -video_size 1920x1080 \
         -framerate {rate} -i - {X264} -f mp4 -movflags frag_keyframe - | cat > /dev/null"
    ));
}

async fn fused(engine: &Ffmpeg, input: &Input, source: &Source) {
    let spool = tempfile::TempDir::new().unwrap();
    collect(engine.run(input, source, &plan(source), spool.path()).await).await.unwrap();
}

async fn framed(engine: &Ffmpeg, input: &Input, source: &Source) {
    let spool = tempfile::TempDir::new().unwrap();
    let run = engine.run_framed(input, source, &plan(source), spool.path()).await.unwrap();
    let Framed { mut decoded, encoder: FrameEncoder::Ffmpeg(mut sink), starting } = run else {
        panic!("no encoder")
    };
    let frames = async {
        while let Some(frame) = decoded.next().await? {
            sink.push(frame).await?;
        }
        sink.finish().await
    };
    let packets = async { collect(starting.run().await).await };
    tokio::try_join!(frames, packets).unwrap();
}

/// How long a mark over a whole frame takes.
fn blending(frame: &picture::Frame) {
    let size = frame.picture.size();
    let rgba = vec![128; usize::try_from(size.pixels() * 4).unwrap()];
    let colour = picture::MarkColour { matrix: 1, full_range: false };
    let start = Instant::now();
    let mark = picture::Mark::new(&rgba, size, picture::Point { x: 0, y: 0 }, colour).unwrap();
    println!("making a mark of a whole frame: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let mut picture = (*frame.picture).clone();
    let start = Instant::now();
    for _ in 0..100 {
        mark.blend(&mut picture).unwrap();
    }
    println!("blending it: {:.2} ms", start.elapsed().as_secs_f64() * 10.0);
}

/// Seconds that processors spent on programs and on the system's part of their work, by this
/// process and by its children that have ended.
fn spent() -> [f64; 4] {
    let of = |who| {
        let usage = getrusage(who).unwrap();
        [usage.user_time(), usage.system_time()]
            .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
    };
    let (own, children) = (of(UsageWho::RUSAGE_SELF), of(UsageWho::RUSAGE_CHILDREN));
    [own[0], own[1], children[0], children[1]]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "prints figures and takes minutes"]
async fn cost() {
    let Some(path) = sample("bigbuckbunny.mp4") else { return };
    let engine = engine().await;
    let input = Input::open(&path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let start = Instant::now();
    let preview = engine.preview(&input, &source, &plan(&source)).await.unwrap();
    println!("preview: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    let frames = engine.preview_frames(&input, &source, &plan(&source), 1).await.unwrap();
    println!("the same as a frame: {:.2} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    engine.picture(&frames[0], Colour::BT709).await.unwrap();
    println!("and its picture: {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(frames[0].index, preview.frame);
    blending(&frames[0]);
    for _ in 0..3 {
        for way in ["plain", "two", "fused", "framed"] {
            let (start, before) = (Instant::now(), spent());
            match way {
                "plain" => plain(&path),
                "two" => two(&path, "25"),
                "fused" => fused(&engine, &input, &source).await,
                _ => framed(&engine, &input, &source).await,
            }
            let (wall, after) = (start.elapsed(), spent());
            let parts: Vec<_> =
                after.iter().zip(before).map(|(after, before)| after - before).collect();
            println!(
                "{way}: {:.2} s wall, {:.2} s processor (here {:.2} + {:.2}, ffmpeg {:.2} + {:.2})",
                wall.as_secs_f64(),
                parts.iter().sum::<f64>(),
                parts[0],
                parts[1],
                parts[2],
                parts[3],
            );
        }
    }
}
