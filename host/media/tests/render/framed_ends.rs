//! How a framed run ends that does not end well.

use std::path::Path;
use std::time::{Duration, Instant};

use media::{
    Composition, FrameEncoder, FrameSink, Framed, Input, Limits, MediaError, RateControl, Size,
};

use crate::support::{Made, as_it_is, collect, engine_with};

/// A framed run of a long clip on a raster of `width` by 48, by which its processes are known.
async fn start(width: u32, limits: Limits, directory: &Path) -> Framed {
    let picture = format!("testsrc2=s={width}x48:r=25:d=60");
    let path = directory.join("clip.mp4");
    let name = path.to_str().unwrap();
    crate::support::ffmpeg(&["-f", "lavfi", "-i", &picture, "-preset", "ultrafast", name]);
    let engine = engine_with(limits).await;
    let input = Input::open(&path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let size = Size { width, height: 48 };
    let plan = Composition { size, ..as_it_is(&source, RateControl::Default) };
    engine.run_framed(&input, &source, &plan, directory).await.unwrap()
}

fn sink(encoder: FrameEncoder) -> FrameSink {
    let FrameEncoder::Ffmpeg(sink) = encoder else { panic!("no encoder") };
    sink
}

/// The processes on whose command line `word` stands.
fn processes(word: &str) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(word)
    })
    .collect()
}

/// Waits for the process on whose command line `word` stands to become ffmpeg.
fn process(word: &str) -> i32 {
    for _ in 0..500 {
        for id in processes(word) {
            if std::fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|it| it == "ffmpeg\n")
            {
                return id;
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no process with {word}");
}

fn signal(id: i32, name: &str) {
    let sent =
        std::process::Command::new("sh").args(["-c", &format!("kill -{name} {id}")]).status();
    assert!(sent.unwrap().success());
}

fn gone(word: &str) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        if processes(word).is_empty() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Words of the command lines of both processes of a run of this width.
fn words(width: u32) -> [String; 2] {
    [format!("scale={width}:48:"), format!("yuv420p\0-video_size\0{width}x48")]
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_a_part_ends_both_processes() {
    for (part, width) in [(0, 202), (1, 204), (2, 206), (3, 208)] {
        let directory = tempfile::TempDir::new().unwrap();
        let Framed { mut decoded, encoder, starting } =
            start(width, Limits::default(), directory.path()).await;
        let mut sink = sink(encoder);
        for _ in 0..30 {
            sink.push(decoded.next().await.unwrap().unwrap()).await.unwrap();
        }
        let words = words(width);
        let _both = (process(&words[0]), process(&words[1]));
        // What is not dropped is kept until the processes are gone.
        let kept: Box<dyn std::any::Any> = match part {
            0 => {
                drop(starting);
                Box::new((decoded, sink))
            }
            1 => {
                drop(sink);
                Box::new((starting, decoded))
            }
            2 => {
                drop(decoded);
                Box::new((starting, sink))
            }
            _ => {
                let run = async { starting.run().await.map(drop) };
                let feed = async {
                    while let Some(frame) = decoded.next().await.ok().flatten() {
                        let _ = sink.push(frame).await;
                    }
                    Ok(())
                };
                let _ = tokio::try_join!(run, feed);
                Box::new((decoded, sink))
            }
        };
        assert!(words.iter().all(|word| gone(word)), "part {part} leaves a process");
        drop(kept);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encoder_that_dies_is_the_reason() {
    let directory = tempfile::TempDir::new().unwrap();
    let run = start(212, Limits::default(), directory.path()).await;
    let Framed { mut decoded, encoder, starting } = run;
    let mut sink = sink(encoder);
    signal(process(&words(212)[1]), "KILL");
    let error = loop {
        let frame = decoded.next().await.unwrap().unwrap();
        if let Err(error) = sink.push(frame).await {
            break error;
        }
    };
    let told = error.to_string();
    assert!(matches!(error, MediaError::Encoder { .. }) && told.contains("signal"), "{told}");
    let error = starting.run().await.unwrap_err().to_string();
    assert!(error.contains("signal"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decoder_that_dies_is_the_reason() {
    let directory = tempfile::TempDir::new().unwrap();
    let run = start(214, Limits::default(), directory.path()).await;
    let Framed { mut decoded, encoder: _encoder, starting: _starting } = run;
    signal(process(&words(214)[0]), "KILL");
    let error = loop {
        match decoded.next().await {
            Ok(frame) => assert!(frame.is_some(), "a film that was cut off ends well"),
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("signal"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_holds_frames_is_not_stalled_but_who_hangs_is() {
    // Long enough for a busy machine to start ffmpeg in.
    let limits = Limits { stall: Duration::from_secs(4), ..Limits::default() };
    let directory = tempfile::TempDir::new().unwrap();
    let run = start(222, limits.clone(), directory.path()).await;
    let Framed { mut decoded, encoder, starting: _starting } = run;
    let mut encoder = sink(encoder);
    let frame = decoded.next().await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_secs(6)).await;
    encoder.push(frame).await.unwrap();
    let stopped = process(&words(222)[1]);
    signal(stopped, "STOP");
    let error = loop {
        let frame = decoded.next().await.unwrap().unwrap();
        if let Err(error) = encoder.push(frame).await {
            break error;
        }
    };
    assert!(matches!(error, MediaError::Stalled { .. }), "{error}");

    let run = start(224, limits, directory.path()).await;
    let Framed { mut decoded, encoder: _encoder, starting: _starting } = run;
    decoded.next().await.unwrap().unwrap();
    signal(process(&words(224)[0]), "STOP");
    let error = loop {
        if let Err(error) = decoded.next().await {
            break error;
        }
    };
    assert!(matches!(error, MediaError::Stalled { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_must_be_as_many_and_in_their_places() {
    let directory = tempfile::TempDir::new().unwrap();
    let run = start(232, Limits::default(), directory.path()).await;
    let Framed { mut decoded, encoder, starting: _starting } = run;
    let mut encoder = sink(encoder);
    let first = decoded.next().await.unwrap().unwrap();
    encoder.push(first.clone()).await.unwrap();
    assert!(encoder.push(first).await.is_err(), "the same place twice");
    let error = encoder.finish().await.unwrap_err();
    assert!(matches!(error, MediaError::FrameCount { expected: 1500, got: 1 }), "{error}");

    let made = Made::new("clip.mp4", &["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"]);
    let engine = engine_with(Limits::default()).await;
    let input = Input::open(&made.path).unwrap();
    let source = engine.probe(&input).await.unwrap();
    let plan = as_it_is(&source, RateControl::Default);
    let run = engine.run_framed(&input, &source, &plan, directory.path()).await.unwrap();
    let Framed { mut decoded, encoder, starting } = run;
    let mut encoder = sink(encoder);
    let frames = async {
        while let Some(frame) = decoded.next().await? {
            if frame.index < 24 {
                encoder.push(frame).await?;
            }
        }
        encoder.finish().await
    };
    let packets = async { collect(starting.run().await).await };
    let error = tokio::try_join!(frames, packets).unwrap_err();
    assert!(matches!(error, MediaError::FrameCount { expected: 25, got: 24 }), "{error}");
}
