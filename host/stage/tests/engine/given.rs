//! What a plugin is given by later minors of the contract.

use std::io::Write;
use std::sync::Arc;

use stage::model::{Blob, Plan, Stage, Verdict, WatermarkPlan};
use stage::{LimitKind, Limits, PluginFault};

use super::frame_plugin::{Frames, SMALL, SMALL_BYTES, framed_job, rule};
use super::plugin::{engine, limited};

async fn decided(start: &'static str, image: Option<&[u8]>) -> Result<Verdict, PluginFault> {
    let plugin = Frames { start, ..Frames::default() }.load(&engine()).await;
    let mut job = framed_job(SMALL);
    Arc::make_mut(&mut job.request).watermark_image = image.map(|bytes| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Blob::new(file).unwrap()
    });
    let decision = plugin.start(Stage::Watermark, &job, &limited(Limits::default())).await?;
    Ok(decision.verdict)
}

#[tokio::test]
async fn a_plan_that_wants_the_frames_says_how_many_it_holds_back() {
    let verdict = decided("(call $want-frames (local.get $plan) (i32.const 64))", None).await;
    let plan = WatermarkPlan { overlays: vec![], wants_frames: Some(64) };
    assert_eq!(verdict.unwrap(), Verdict::Ready(Plan::Watermark(plan)));
    let rule = rule(decided("(call $want-frames (local.get $plan) (i32.const 65))", None).await);
    assert!(rule.contains("0..=64 frames, not 65"), "{rule}");
}

#[tokio::test]
async fn frames_that_the_operator_gives_no_room_for_are_no_broken_rule() {
    let start = "(call $want-frames (local.get $plan) (i32.const 6))";
    let plugin = Frames { start, ..Frames::default() }.load(&engine()).await;
    let limits = Limits { frame_bytes: 10 * SMALL_BYTES - 1, ..Limits::default() };
    let answer = plugin.start(Stage::Watermark, &framed_job(SMALL), &limited(limits)).await;
    let fault = answer.unwrap_err();
    let PluginFault::Limit { limit, allowed, used, .. } = &fault else { panic!("{fault}") };
    assert_eq!((*limit, *allowed, *used), (LimitKind::Frames, 479, 480));
    assert!(fault.to_string().contains("frames limit: 479 bytes are allowed, it came to 480"));
}

#[tokio::test]
async fn a_plugin_reads_the_callers_picture_piece_by_piece() {
    // Traps unless the file is `0123456789` and ends there.
    let start = "
        (call $watermark-image (call $request (local.get $job)) (i32.const 1040))
        (if (i32.eqz (i32.load8_u (i32.const 1040))) (then unreachable))
        (if (i64.ne (call $blob-size (i32.load (i32.const 1044))) (i64.const 10)) (then unreachable))
        (call $blob-read (i32.load (i32.const 1044)) (i64.const 6) (i32.const 1048576) (i32.const 1048))
        (if (i32.ne (i32.load (i32.const 1052)) (i32.const 4)) (then unreachable))
        (if (i32.ne (i32.load (i32.load (i32.const 1048))) (i32.const 0x39383736)) (then unreachable))
        (call $blob-read (i32.load (i32.const 1044)) (i64.const 10) (i32.const 5) (i32.const 1048))
        (if (i32.load (i32.const 1052)) (then unreachable))";
    decided(start, Some(b"0123456789")).await.unwrap();

    let too_much = "
        (call $watermark-image (call $request (local.get $job)) (i32.const 1040))
        (call $blob-read (i32.load (i32.const 1044)) (i64.const 0) (i32.const 1048577) (i32.const 1048))";
    let rule = rule(decided(too_much, Some(b"x")).await);
    assert!(rule.contains("1048576 are allowed"), "{rule}");

    let none = "
        (call $watermark-image (call $request (local.get $job)) (i32.const 1040))
        (if (i32.load8_u (i32.const 1040)) (then unreachable))";
    decided(none, None).await.unwrap();
}

#[tokio::test]
async fn a_plugin_that_names_no_mark_draws_text() {
    let engine = engine();
    let plain = Frames::default().load(&engine).await;
    assert!(plain.draws("text") && !plain.draws("image"));
    assert!(plain.filters_frames() && plain.encodes_frames());

    let describe = "(call $add-mark (local.get $manifest) (i32.const 144) (i32.const 5))";
    let drawing = Frames { describe, ..Frames::default() }.load(&engine).await;
    assert_eq!(drawing.manifest().marks, ["image"]);
    assert!(drawing.draws("image") && !drawing.draws("text"));
}
