//! A film whose frames went through the host is the film that it would have been.

use std::path::Path;

use bytes::Bytes;
use media::{
    AudioCodec, Composition, FrameEncoder, Framed, Input, Packet, Point, RateControl, Rational,
    Size, Source, TrackPlan, VideoCodec, VideoEncoder,
};
use picture::{Mark, MarkColour};

use crate::support::{Made, Rendered, as_it_is, collect, engine, patch, sample};

fn lossless(source: &Source) -> Composition {
    as_it_is(source, RateControl::Lossless)
}

fn marked(source: &Source) -> Composition {
    let mark = |at| patch([255, 40, 0, 160], Size { width: 31, height: 15 }, at);
    let overlays = vec![mark(Point { x: 5, y: 6 }), mark(Point { x: 20, y: 9 })];
    Composition { overlays, ..lossless(source) }
}

/// Whether both ways make the same of `path`.
async fn compare(path: &Path, plan: impl Fn(&Source) -> Composition) -> Rendered {
    let fused = Rendered::of(path, &plan).await;
    let framed = Rendered::framed(path, &plan, |frame| frame).await;
    equal(&fused, &framed);
    assert_eq!(fused.summary.frames, framed.summary.frames);
    framed
}

fn equal(fused: &Rendered, framed: &Rendered) {
    assert_eq!(fused.tracks, framed.tracks);
    // Byte by byte, so that nobody has to know which way a film went.
    assert!(fused.packets == framed.packets, "the packets differ");
}

const PICTURE: [&str; 4] = ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2"];

fn with_sound(name: &str, more: &[&str]) -> Made {
    let sound = ["-f", "lavfi", "-i", "sine=d=2:r=22050", "-c:a", "pcm_s16le"];
    Made::new(name, &[&PICTURE[..], &sound, more].concat())
}

#[tokio::test]
async fn it_is_equal_with_and_without_a_mark() {
    let made = with_sound("clip.mov", &["-bf", "2"]);
    compare(&made.path, lossless).await;
    compare(&made.path, marked).await;
    compare(&made.path, |source| as_it_is(source, RateControl::Default)).await;
}

#[tokio::test]
async fn it_is_equal_at_another_size_and_rate() {
    let made = with_sound("clip.mkv", &[]);
    for (numerator, denominator) in [(30000, 1001), (45000, 1499)] {
        compare(&made.path, |source| Composition {
            frame_rate: Rational { numerator, denominator },
            size: Size { width: 150, height: 102 },
            ..marked(source)
        })
        .await;
    }
}

#[tokio::test]
async fn it_is_equal_with_sound_that_begins_elsewhere() {
    for (pictures, sound) in [("0", "1.5"), ("1.6", "0")] {
        let args = [
            &["-itsoffset", pictures][..],
            &PICTURE,
            &["-itsoffset", sound, "-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:a", "pcm_s16le"],
        ];
        let made = Made::new("late.mkv", &args.concat());
        let rendered = compare(&made.path, lossless).await;
        assert!(rendered.tracks.iter().any(|track| track.start > 0));
    }
}

#[tokio::test]
async fn it_is_equal_at_a_variable_rate() {
    let graph = "testsrc2=s=64x48:r=25:d=3,select='lt(n,25)+not(mod(n,3))'";
    let made = Made::new("v.mkv", &["-f", "lavfi", "-i", graph, "-fps_mode", "vfr"]);
    compare(&made.path, |source| Composition {
        frame_rate: Rational { numerator: 25, denominator: 1 },
        ..lossless(source)
    })
    .await;
}

#[tokio::test]
async fn it_is_equal_of_an_interlaced_film() {
    let picture = "testsrc2=s=96x64:r=50:d=2,interlace=scan=tff";
    let made = Made::new("fields.mp4", &["-f", "lavfi", "-i", picture, "-flags", "+ildct"]);
    compare(&made.path, |source| {
        assert!(source.video[0].interlaced);
        marked(source)
    })
    .await;
}

#[tokio::test]
async fn it_is_equal_of_one_frame() {
    let made = Made::new("one.mp4", &["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"]);
    assert_eq!(compare(&made.path, marked).await.summary.frames, 1);
}

#[tokio::test]
async fn it_is_equal_of_real_files() {
    for name in ["carphone_pristine.mp4", "realshort.mp4", "mimetype_webm.webm"] {
        let Some(path) = sample(name) else { continue };
        compare(&path, |source| Composition {
            size: Size { width: 192, height: 144 },
            ..marked(source)
        })
        .await;
    }
}

#[tokio::test]
async fn it_is_equal_in_other_codecs() {
    let made = with_sound("clip.mov", &[]);
    compare(&made.path, |source| {
        let mut plan = as_it_is(source, RateControl::Default);
        for track in &mut plan.tracks {
            match track {
                TrackPlan::Video { codec, .. } => *codec = VideoCodec::Vp9,
                TrackPlan::Audio { codec, sample_rate, .. } => {
                    (*codec, *sample_rate) = (AudioCodec::Opus, 48000);
                }
            }
        }
        plan
    })
    .await;
}

#[tokio::test]
async fn sound_is_copied_and_worked_on_pictures_are_not() {
    let sound = ["-f", "lavfi", "-i", "sine=d=2:r=48000", "-c:a", "aac", "-c:v", "libx264"];
    let made = Made::new("clip.mp4", &[&PICTURE[..], &sound].concat());
    let plan = |copied: bool| {
        move |source: &Source| {
            let mut plan = as_it_is(source, RateControl::Default);
            for track in &mut plan.tracks {
                match track {
                    TrackPlan::Video { copy, .. } => *copy = copied,
                    TrackPlan::Audio { copy, .. } => *copy = true,
                }
            }
            plan
        }
    };
    let fused = Rendered::of(&made.path, plan(false)).await;
    let framed = Rendered::framed(&made.path, plan(true), |frame| frame).await;
    equal(&fused, &framed);
    assert_eq!(framed.summary.copied, [false, true]);
}

#[tokio::test]
async fn a_mark_may_be_drawn_on_either_way() {
    let made = with_sound("clip.mov", &[]);
    let fused = Rendered::of(&made.path, marked).await;
    let marks: Vec<_> = marked(&fused.source)
        .overlays
        .iter()
        .map(|overlay| {
            let colour = MarkColour { matrix: 1, full_range: false };
            Mark::new(&overlay.rgba, overlay.size.into(), overlay.at.into(), colour).unwrap()
        })
        .collect();
    let framed = Rendered::framed(&made.path, lossless, |mut frame| {
        let mut picture = std::sync::Arc::unwrap_or_clone(frame.picture);
        for mark in &marks {
            mark.blend(&mut picture).unwrap();
        }
        frame.picture = picture.into();
        frame
    })
    .await;
    equal(&fused, &framed);
}

#[tokio::test]
async fn packets_may_be_made_outside() {
    let made = with_sound("clip.mov", &[]);
    let engine = engine().await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let mut plan = lossless(&source);
    if let TrackPlan::Video { encoder, .. } = &mut plan.tracks[0] {
        *encoder = VideoEncoder::Given;
    }
    let directory = tempfile::TempDir::new().unwrap();
    let refused = engine.run(&input, &source, &plan, directory.path()).await;
    assert!(matches!(refused, Err(media::MediaError::UnsupportedPlan { .. })));

    let run = engine.run_framed(&input, &source, &plan, directory.path()).await.unwrap();
    let Framed { mut decoded, encoder, starting } = run;
    let FrameEncoder::Given(mut sink) = encoder else { panic!("an encoder") };
    let duration = sink.frame_duration();
    assert_eq!((sink.timescale(), duration), (12800, 512));
    let frames = async {
        assert_eq!(sink.track(), 0);
        sink.describe("jpeg".into(), vec![1, 2, 3]).await?;
        assert!(sink.describe("png".into(), Vec::new()).await.is_err(), "described twice");
        while let Some(frame) = decoded.next().await? {
            let dts = i64::try_from(frame.index).unwrap() * i64::from(duration);
            let data = Bytes::copy_from_slice(&frame.picture.bytes()[..16]);
            sink.push(Packet { track: 9, pts: dts, dts, duration, is_sync: true, data }).await?;
        }
        sink.finish();
        Ok::<_, media::MediaError>(())
    };
    let packets = async {
        let run = starting.run().await?;
        let progress = run.progress();
        let collected = collect(Ok(run)).await?;
        let progress = *progress.borrow();
        assert!(progress.done && progress.frame == 50 && progress.out_time_us == Some(2_000_000));
        Ok(collected)
    };
    let ((), (tracks, packets, summary)) = tokio::try_join!(frames, packets).unwrap();
    assert_eq!((tracks[0].codec.as_str(), &tracks[0].codec_config[..]), ("jpeg", &[1, 2, 3][..]));
    assert_eq!(summary.frames, 50);
    assert_eq!(packets.iter().filter(|packet| packet.track == 0).count(), 50);
    let places: Vec<_> = packets
        .iter()
        .map(|it| {
            let track = &tracks[it.track as usize];
            let begins = i64::try_from(track.start + track.priming).unwrap();
            (it.dts + begins) * 48000 / i64::from(track.timescale)
        })
        .collect();
    assert!(places.is_sorted(), "out of order");
}
