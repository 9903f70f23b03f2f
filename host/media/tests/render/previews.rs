//! The preview is the picture that a person will get.

use media::{Composition, Input, Overlay, Point, RateControl, Rational, Size, Source};

use crate::support::{Made, Rendered, as_it_is, engine, ffmpeg, patch, sample};

/// From the raster to RGB, as the preview does it.
const TO_RGB: &str = "scale=flags=bicubic+accurate_rnd+full_chroma_int:in_color_matrix=bt709:\
                      in_range=tv,format=rgb24";

/// Whether the preview of `path` equals that frame of a lossless run; which frame it is.
async fn compare(path: &std::path::Path, plan: impl Fn(&Source) -> Composition) -> u64 {
    let engine = engine().await;
    let input = Input::open(path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let composition = plan(&source);
    let preview = engine.preview(&input, &source, &composition).await.unwrap();

    let shown = pixels(&preview.png);
    let rendered = Rendered::of(path, plan).await;
    let pictures = rendered.pictures("rgb24", TO_RGB);
    let bytes = usize::try_from(composition.size.pixels() * 3).unwrap();
    let same = pictures.chunks(bytes).nth(usize::try_from(preview.frame).unwrap());
    assert!(same == Some(&shown), "frame {} differs from its preview", preview.frame);
    preview.frame
}

fn plain(source: &Source) -> Composition {
    as_it_is(source, RateControl::Lossless)
}

fn marked(source: &Source) -> Composition {
    let mark = |at| patch([255, 40, 0, 160], Size { width: 31, height: 15 }, at);
    let overlays: Vec<Overlay> = vec![mark(Point { x: 5, y: 6 }), mark(Point { x: 20, y: 9 })];
    Composition { overlays, ..plain(source) }
}

/// Six seconds with a sync sample every half second.
fn clip(name: &str) -> Made {
    let picture = "testsrc2=s=96x64:r=25:d=6";
    Made::new(name, &["-f", "lavfi", "-i", picture, "-c:v", "libx264", "-g", "12", "-bf", "3"])
}

#[tokio::test]
async fn it_equals_its_frame_in_every_container() {
    for name in ["clip.mp4", "clip.mkv", "clip.ts", "clip.avi"] {
        let made = clip(name);
        let frame = compare(&made.path, plain).await;
        // A transport stream has no index: the sync sample after the place will do.
        assert!((36..=60).contains(&frame), "{name}: {frame}");
        assert_eq!(compare(&made.path, marked).await, frame, "{name}");
    }
}

#[tokio::test]
async fn it_equals_its_frame_of_a_film_that_is_renewed_part_by_part() {
    // Every sync sample but the first is where a renewal begins, and shows nothing by itself.
    let x264 = "-c:v libx264 -g 12 -bf 2 -intra-refresh 1";
    for name in ["parts.mp4", "parts.mkv", "parts.ts"] {
        let source = "-f lavfi -i testsrc2=s=96x64:r=25:d=6,noise=alls=40:allf=t ";
        let made = Made::new(name, &[source.trim(), x264].join(" ").split(' ').collect::<Vec<_>>());
        let frame = compare(&made.path, marked).await;
        assert!((30..=60).contains(&frame), "{name}: {frame}");
        let engine = engine().await;
        let input = Input::open(&made.path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let plan = marked(&source);
        let preview = engine.preview(&input, &source, &plan).await.unwrap();
        let frames = engine.preview_frames(&input, &source, &plan, 3).await.unwrap();
        let png = engine.picture(&frames[0], plan.colour).await.unwrap();
        assert!(pixels(&png) == pixels(&preview.png), "{name}");
        assert_eq!(frames[0].index, preview.frame, "{name}");
    }
}

#[tokio::test]
async fn a_container_that_cannot_be_searched_has_a_preview_all_the_same() {
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=6"];
    let made = Made::new("clip.flv", &[&picture[..], &["-c:v", "libx264", "-g", "12"]].concat());
    compare(&made.path, marked).await;
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let frames = engine.preview_frames(&input, &source, &plain(&source), 2).await.unwrap();
    assert_eq!(frames.len(), 2);
}

#[tokio::test]
async fn it_equals_its_frame_at_another_size_and_rate() {
    let made = clip("clip.mp4");
    for rate in [10, 50] {
        let frame = compare(&made.path, |source| Composition {
            frame_rate: Rational { numerator: rate, denominator: 1 },
            size: Size { width: 150, height: 100 },
            ..marked(source)
        });
        let frame = frame.await;
        assert!(frame > 0, "{frame}");
    }
}

#[tokio::test]
async fn a_clip_with_one_sync_sample_shows_its_first_frame() {
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-output_ts_offset", "5"];
    assert_eq!(compare(&Made::new("short.mkv", &picture).path, marked).await, 0);
}

#[tokio::test]
async fn it_equals_its_frame_of_real_files() {
    for name in ["carphone_pristine.mp4", "realshort.mp4", "mimetype_webm.webm", "birds.mp4"] {
        let Some(path) = sample(name) else { continue };
        compare(&path, |source| Composition {
            size: Size { width: 192, height: 144 },
            ..marked(source)
        })
        .await;
    }
}

#[tokio::test]
async fn it_equals_its_frame_of_an_interlaced_film() {
    let picture = "testsrc2=s=96x64:r=50:d=6,interlace=scan=tff";
    let args = ["-f", "lavfi", "-i", picture, "-c:v", "libx264", "-g", "12", "-flags", "+ildct"];
    let made = Made::new("fields.mp4", &args);
    let frame = compare(&made.path, |source| {
        assert!(source.video[0].interlaced);
        marked(source)
    });
    assert!((36..=60).contains(&frame.await));
}

#[tokio::test]
async fn frames_begin_with_the_one_that_is_shown() {
    for name in ["clip.mp4", "clip.ts"] {
        let made = clip(name);
        let engine = engine().await;
        let input = Input::open(&made.path).unwrap();
        let source = engine.probe(&input).await.unwrap();
        let size = Size { width: 150, height: 100 };
        for (rate, overlays) in [(25, marked(&source).overlays), (10, Vec::new()), (50, Vec::new())]
        {
            let frame_rate = Rational { numerator: rate, denominator: 1 };
            let plan = Composition { frame_rate, size, overlays, ..plain(&source) };
            let preview = engine.preview(&input, &source, &plan).await.unwrap();
            let frames = engine.preview_frames(&input, &source, &plan, 4).await.unwrap();
            let numbers: Vec<_> = frames.iter().map(|frame| frame.index).collect();
            assert_eq!(numbers, (preview.frame..preview.frame + 4).collect::<Vec<_>>(), "{name}");

            let png = engine.picture(&frames[0], plan.colour).await.unwrap();
            assert!(pixels(&png) == pixels(&preview.png), "{name} at {rate}");

            let mut whole = Vec::new();
            Rendered::framed(
                &made.path,
                |_| plan.clone(),
                |frame| {
                    whole.push(frame.clone());
                    frame
                },
            )
            .await;
            for frame in frames {
                let same = &whole[usize::try_from(frame.index).unwrap()];
                assert!(same.picture.bytes() == frame.picture.bytes(), "{name}: {}", frame.index);
            }
        }
    }
}

#[tokio::test]
async fn there_are_no_more_frames_than_the_film_has() {
    let made = Made::new("short.mp4", &["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2"]);
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let frames = engine.preview_frames(&input, &source, &plain(&source), 100).await.unwrap();
    assert_eq!(frames.len(), 5);
}

/// The pixels of a PNG.
fn pixels(png: &[u8]) -> Vec<u8> {
    let directory = tempfile::TempDir::new().unwrap();
    let path = directory.path().join("picture.png");
    std::fs::write(&path, png).unwrap();
    ffmpeg(&["-i", path.to_str().unwrap(), "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
}
