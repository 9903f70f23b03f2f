//! The misdeeds of the fixture that tests of the whole product use, one by one: there each only has
//! to end a render, here each has to be what it is named after.

use std::fs;

use picture::{Frame, Mark, MarkColour, Picture};
use serde_json::json;
use stage::model::{Job, Plan, Size, SourceVideo, Stage, Verdict};
use stage::{EncodingTask, LimitKind, Limits, Pass, Plugin, PluginFault};

use super::frame_plugin::{frame_of, framed_job, seen};
use super::plugin::{engine, limited};

const RASTER: Size = Size { width: 64, height: 32 };

/// The fixture, if it was built.
async fn fixture() -> Option<Plugin> {
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("plugin-fixtures/hostile.wasm");
    let Ok(bytes) = fs::read(&path) else {
        eprintln!("no {}: use `cargo xtask test`", path.display());
        return None;
    };
    Some(engine().load(&bytes).await.unwrap())
}

fn told(plugin: &Plugin, parameters: serde_json::Value) -> Job {
    let parameters = plugin.check_parameters(&parameters).unwrap();
    Job { parameters, ..framed_job(RASTER) }
}

/// Time enough for a machine that does other things as well.
fn limits() -> Limits {
    Limits { plugin_time_ms: 2000, frame_bytes: 1 << 20, ..Limits::default() }
}

async fn filtered(
    plugin: &Plugin,
    mode: &str,
    look_ahead: u32,
    first: u64,
) -> Result<Vec<Frame>, PluginFault> {
    let job = told(plugin, json!({"stage": "filter", "mode": mode, "look_ahead": look_ahead}));
    let pass = Pass { first, frames: Some(4) };
    let mut filter = plugin.begin_filter(&job, pass, look_ahead, &limited(limits())).await?;
    let mut frames = Vec::new();
    for index in first..first + 4 {
        frames.extend(filter.push(frame_of(RASTER, index)).await?);
    }
    frames.extend(filter.flush().await?.0);
    Ok(frames)
}

async fn encoded(plugin: &Plugin, mode: &str) -> Result<usize, PluginFault> {
    let job = told(plugin, json!({"stage": "encoder", "mode": mode}));
    let task = EncodingTask { track: 0, timescale: 25, frame_duration: 1, frames: Some(4) };
    let mut encoder = plugin.begin_encoder(&job, task, &limited(limits())).await?;
    let mut packets = 0;
    for index in 0..4 {
        packets += encoder.push(&frame_of(RASTER, index)).await?.len();
    }
    packets += encoder.flush().await?.len();
    assert_eq!(encoder.track().await?.codec_config, b"0 Some(4) 25");
    Ok(packets)
}

#[tokio::test]
async fn its_misdeeds_with_frames_are_named() {
    let Some(plugin) = fixture().await else { return };
    for (mode, rule) in [
        ("frames_held", "held back 1 frames"),
        ("frames_lost", "held back 1 frames"),
        ("frames_many", "returned 2 frames when 1 had come"),
        ("frames_hoarded", "frames limit"),
        ("frame_stale", "used a handle"),
        ("frame_outside", "leaves plane 0"),
        ("frame_wrong_length", "has 4 samples"),
        ("panic", "crashed"),
        ("memory_hog", "memory limit"),
    ] {
        let fault = filtered(&plugin, mode, 0, 0).await.unwrap_err().to_string();
        assert!(fault.contains("hostile") && fault.contains(rule), "{mode}: {fault}");
    }
    let lost = filtered(&plugin, "frames_lost", 8, 0).await.unwrap_err().to_string();
    assert!(lost.contains("returned 0 of 4 frames"), "{lost}");
    let endless = filtered(&plugin, "endless_loop", 0, 0).await.unwrap_err();
    assert!(
        matches!(endless, PluginFault::Limit { limit: LimitKind::Time, allowed: 2000, .. }),
        "{endless}"
    );
}

#[tokio::test]
async fn its_misdeeds_with_packets_are_named() {
    let Some(plugin) = fixture().await else { return };
    assert_eq!(encoded(&plugin, "well_behaved").await.unwrap(), 4);
    for (mode, rule) in [
        ("packets_many", "decoded at 0 after one decoded at 0"),
        ("packets_lost", "no packet for 4 frames"),
        ("packets_unordered", "decoded at -1 after one decoded at 0"),
        ("packets_hoarded", "frames limit"),
        ("packet_late", "the time of no frame"),
        ("packet_not_sync", "not a sync one"),
        ("frames_hoarded", "frames limit"),
        ("frame_stale", "used a handle"),
        ("frame_outside", "leaves plane 0"),
        ("exits", "exited"),
    ] {
        let fault = encoded(&plugin, mode).await.unwrap_err().to_string();
        assert!(fault.contains("hostile") && fault.contains(rule), "{mode}: {fault}");
    }
}

#[tokio::test]
async fn it_can_behave_with_frames() {
    let Some(plugin) = fixture().await else { return };
    for look_ahead in [0, 3] {
        let frames = filtered(&plugin, "frames_identity", look_ahead, 9).await.unwrap();
        assert_eq!(seen(&frames), [(9, 9), (10, 10), (11, 11), (12, 12)]);
    }
    let fickle = |first| filtered(&plugin, "frames_fickle", 0, first);
    assert_eq!(seen(&fickle(0).await.unwrap())[0].1, 4);
    assert_eq!(seen(&fickle(9).await.unwrap())[0].1, 13);
}

async fn decided(plugin: &Plugin, stage: Stage, mode: &str) -> Result<Plan, PluginFault> {
    let mut job = told(plugin, json!({"stage": stage, "mode": mode}));
    let colour = job.encode_plan.as_ref().unwrap().raster.colour;
    let source = std::sync::Arc::make_mut(&mut job.source);
    source.video.push(SourceVideo {
        id: 0,
        codec: "avc1".into(),
        display_size: RASTER,
        display_aspect: stage::model::Rational { numerator: 2, denominator: 1 },
        frame_rate: stage::model::Rational { numerator: 25, denominator: 1 },
        constant_frame_rate: true,
        colour,
    });
    match plugin.start(stage, &job, &limited(limits())).await?.verdict {
        Verdict::Ready(plan) => Ok(plan),
        asked => panic!("{asked:?}"),
    }
}

#[tokio::test]
async fn what_it_draws_on_frames_is_what_its_overlay_draws() {
    let Some(plugin) = fixture().await else { return };
    let Plan::Watermark(plan) = decided(&plugin, Stage::Watermark, "overlay_blit").await.unwrap()
    else {
        panic!("a watermark stage plans a watermark");
    };
    let [overlay] = &plan.overlays[..] else { panic!("{plan:?}") };
    let (size, at) = (overlay.image.size, overlay.at);
    let mark = Mark::new(
        &overlay.image.rgba,
        picture::Size { width: size.width, height: size.height },
        picture::Point { x: at.x, y: at.y },
        MarkColour { matrix: 1, full_range: false },
    );
    let mark = mark.unwrap();
    for frame in filtered(&plugin, "frames_blit", 0, 0).await.unwrap() {
        let mut expected = Picture::clone(&frame_of(RASTER, frame.index).picture);
        mark.blend(&mut expected).unwrap();
        assert_eq!(frame.picture.bytes(), expected.bytes(), "frame {}", frame.index);
    }
}

#[tokio::test]
async fn its_contradictions_are_refused() {
    let Some(plugin) = fixture().await else { return };
    for (mode, rule) in [
        ("copies_lossless", "copy a track that is to be lossless"),
        ("copies_framed", "copy a track whose frames it wants"),
    ] {
        let fault = decided(&plugin, Stage::Encode, mode).await.unwrap_err().to_string();
        assert!(fault.contains(rule), "{fault}");
    }
}
