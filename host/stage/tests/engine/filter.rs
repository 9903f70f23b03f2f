use std::sync::Arc;

use stage::{Limits, Pass};

use super::frame_plugin::{Frames, SMALL, SMALL_BYTES, frame, framed_job, rule, seen};
use super::plugin::{engine, limited};

/// Keeps the frame and returns the one before it, from the second on.
const HOLD_ONE: &str = "
    (i32.store (i32.const 1024) (global.get $kept))
    (i32.store (i32.const 1008) (i32.ne (global.get $kept) (i32.const 0)))
    (global.set $kept (local.get $frame))";

const RETURN_KEPT: &str =
    "(i32.store (i32.const 1024) (global.get $kept)) (i32.store (i32.const 1008) (i32.const 1))";

/// The rule that a plugin breaks which does this with the second frame of a pass without
/// look-ahead.
async fn broken(filter_push: &str) -> String {
    let engine = engine();
    let push = format!(
        "(if (i64.eq (call $index (local.get $frame)) (i64.const 6)) (then {filter_push}))"
    );
    let mut filter = Frames::filtering(push).filter(&engine, 0, Limits::default()).await.unwrap();
    assert_eq!(seen(&filter.push(frame(5)).await.unwrap()), [(5, 5)]);
    let rule = rule(filter.push(frame(6)).await);
    assert_eq!(engine.live_instances(), 0);
    let error = filter.push(frame(7)).await.unwrap_err().to_string();
    assert!(error.contains("has ended"), "{error}");
    rule
}

#[tokio::test]
async fn frames_that_nothing_is_done_to_come_back_as_they_were() {
    let engine = engine();
    let plugin = Frames::default();
    let mut filter = plugin.filter(&engine, 0, Limits::default()).await.unwrap();
    for index in 5..8 {
        let frame = frame(index);
        let back = filter.push(frame.clone()).await.unwrap();
        assert_eq!(seen(&back), [(index, index as u8)]);
        assert!(Arc::ptr_eq(&back[0].picture, &frame.picture), "a sample was copied");
    }
    assert_eq!(engine.live_instances(), 1);
    assert_eq!(filter.flush().await.unwrap().0.len(), 0);
    assert_eq!(engine.live_instances(), 0);
}

#[tokio::test]
async fn a_plugin_knows_of_its_pass_and_of_the_frames() {
    let filter_begin = "
        (if (i64.ne (call $first (local.get $pass)) (i64.const 5)) (then unreachable))
        (call $frames (local.get $pass) (i32.const 1040))
        (if (i32.ne (i32.load8_u (i32.const 1040)) (i32.const 1)) (then unreachable))
        (if (i64.ne (i64.load (i32.const 1048)) (i64.const 3)) (then unreachable))
        (call $warn (local.get $job) (i32.const 64) (i32.const 8) (i32.const 80) (i32.const 17))";
    let filter_push = "
        (if (i32.ne (call $layout (local.get $frame)) (i32.const 1)) (then unreachable))
        (call $planes (local.get $frame) (i32.const 1040))
        (if (i32.ne (i32.load (i32.const 1044)) (i32.const 3)) (then unreachable))
        (if (i32.ne (i32.load offset=12 (i32.load (i32.const 1040))) (i32.const 4)) (then unreachable))
        (if (i32.ne (i32.load8_u offset=20 (i32.load (i32.const 1040))) (i32.const 1)) (then unreachable))";
    let plugin = Frames { filter_begin, ..Frames::filtering(filter_push) };
    let mut filter = plugin.filter(&engine(), 0, Limits::default()).await.unwrap();
    filter.push(frame(5)).await.unwrap();
    assert_eq!(filter.flush().await.unwrap().1[0].message, "The text was cut.");
}

#[tokio::test]
async fn frames_that_are_held_back_come_in_their_places() {
    let plugin = Frames { filter_flush: RETURN_KEPT, ..Frames::filtering(HOLD_ONE) };
    let mut filter = plugin.filter(&engine(), 1, Limits::default()).await.unwrap();
    assert_eq!(seen(&filter.push(frame(5)).await.unwrap()), []);
    assert_eq!(seen(&filter.push(frame(6)).await.unwrap()), [(5, 5)]);
    assert_eq!(seen(&filter.flush().await.unwrap().0), [(6, 6)]);
}

#[tokio::test]
async fn a_frame_can_be_shown_in_the_place_of_another() {
    // Drops the frame that comes and returns the kept one once more.
    let first = "(global.set $kept (call $retain (local.get $frame)))";
    let others = "(call $drop-frame (local.get $frame))
        (i32.store (i32.const 1024) (call $retain (global.get $kept)))";
    let push = format!("(if (global.get $kept) (then {others}) (else {first}))");
    let mut filter = Frames::filtering(push).filter(&engine(), 0, Limits::default()).await.unwrap();
    for index in 5..8 {
        assert_eq!(seen(&filter.push(frame(index)).await.unwrap()), [(index, 5)]);
    }
}

#[tokio::test]
async fn what_is_written_is_seen_in_one_frame_alone() {
    // Reads 2x1 samples, writes them elsewhere, fills a colour sample; the kept one stays.
    let push = "
        (global.set $kept (call $retain (local.get $frame)))
        (call $read-rect (local.get $frame) (i32.const 0) (i32.const 6) (i32.const 3) (i32.const 2) (i32.const 1) (i32.const 1040))
        (if (i32.ne (i32.load16_u (i32.load (i32.const 1040))) (i32.const 0x0505)) (then unreachable))
        (call $write-rect (local.get $frame) (i32.const 0) (i32.const 1) (i32.const 2) (i32.const 2) (i32.const 1) (i32.const 128) (i32.const 2))
        (call $fill-rect (local.get $frame) (i32.const 2) (i32.const 3) (i32.const 1) (i32.const 1) (i32.const 1) (i32.const 255))";
    let mut flushed = Frames { filter_flush: RETURN_KEPT, ..Frames::filtering(push) }
        .filter(&engine(), 0, Limits::default())
        .await
        .unwrap();
    let given = frame(5);
    let back = flushed.push(given.clone()).await.unwrap();
    let mut expected = vec![5; SMALL_BYTES as usize];
    expected[17..19].copy_from_slice(b"[p");
    expected[47] = 255;
    assert_eq!(back[0].picture.bytes(), expected);
    assert!(given.picture.bytes().iter().all(|sample| *sample == 5), "the host's own was changed");
    let rule = rule(flushed.flush().await);
    assert!(rule.contains("returned 2 frames when 1 had come"), "{rule}");
}

#[tokio::test]
async fn a_picture_is_blended_as_an_overlay_would_be() {
    let push = "
        (local.set $image (call $image (i32.const 3) (i32.const 2)))
        (call $write-image (local.get $image) (i32.const 0) (i32.const 0) (i32.const 2) (i32.const 1) (i32.const 128) (i32.const 8))
        (call $blit (local.get $frame) (local.get $image) (i32.const 5) (i32.const 1))";
    let mut filter = Frames::filtering(push).filter(&engine(), 0, Limits::default()).await.unwrap();
    let back = filter.push(frame(5)).await.unwrap();

    let mut rgba = [0; 24];
    rgba[..8].copy_from_slice(b"[packet]");
    let colour = picture::MarkColour { matrix: 1, full_range: false };
    let size = picture::Size { width: 3, height: 2 };
    let mark = picture::Mark::new(&rgba, size, picture::Point { x: 5, y: 1 }, colour).unwrap();
    let mut expected = (*frame(5).picture).clone();
    mark.blend(&mut expected).unwrap();
    assert_eq!(back[0].picture.bytes(), expected.bytes());
    assert_ne!(expected.bytes(), frame(5).picture.bytes());
}

#[tokio::test]
async fn each_broken_rule_of_a_pass_is_named() {
    for (push, expected) in [
        (
            "(i32.store (i32.const 1028) (call $retain (local.get $frame))) (i32.store (i32.const 1008) (i32.const 2))",
            "returned 3 frames when 2 had come",
        ),
        (
            "(i32.store (i32.const 1008) (i32.const 0))",
            "held back 1 frames, the look-ahead of its plan is 0",
        ),
        // Handles that it does not have, or not any more.
        (
            "(i32.store (i32.const 1028) (local.get $frame)) (i32.store (i32.const 1008) (i32.const 2))",
            "dropped, given away",
        ),
        ("(call $drop-frame (local.get $frame))", "dropped, given away"),
        (
            "(call $drop-frame (local.get $frame)) (drop (call $index (local.get $frame)))",
            "dropped, given away",
        ),
        ("(i32.store (i32.const 1024) (i32.const 77))", "dropped, given away"),
        (
            "(i32.store (i32.const 1024) (call $image (i32.const 1) (i32.const 1)))",
            "of another kind",
        ),
        // Places that are not there.
        (
            "(call $fill-rect (local.get $frame) (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 1) (i32.const 0))",
            "no plane 3",
        ),
        (
            "(call $fill-rect (local.get $frame) (i32.const 1) (i32.const 3) (i32.const 0) (i32.const 2) (i32.const 1) (i32.const 0))",
            "a rectangle of 2x1 at (3, 0) leaves plane 1 of 4x2",
        ),
        (
            "(call $fill-rect (local.get $frame) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 1) (i32.const 256))",
            "0..=255, not 256",
        ),
        (
            "(call $write-rect (local.get $frame) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 2) (i32.const 2) (i32.const 128) (i32.const 3))",
            "has 4 samples",
        ),
        (
            "(call $write-rect (local.get $frame) (i32.const 0) (i32.const -1) (i32.const 0) (i32.const 2) (i32.const 1) (i32.const 128) (i32.const 2))",
            "leaves plane 0 of 8x4",
        ),
        (
            "(call $read-rect (local.get $frame) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1) (i32.const -1) (i32.const 1040))",
            "leaves plane 0 of 8x4",
        ),
        (
            "(call $blit (local.get $frame) (call $image (i32.const 2) (i32.const 1)) (i32.const 7) (i32.const 0))",
            "a picture of 2x1 at (7, 0) leaves the raster of 8x4",
        ),
        ("(drop (call $packet (i64.const 0) (i64.const 0)))", "outside its frame-encoder"),
    ] {
        let rule = broken(push).await;
        assert!(rule.contains(expected), "{push}: {rule}");
    }
}

#[tokio::test]
async fn a_pass_that_keeps_frames_is_broken() {
    let plugin = Frames::filtering(HOLD_ONE);
    let mut filter = plugin.filter(&engine(), 1, Limits::default()).await.unwrap();
    filter.push(frame(5)).await.unwrap();
    let rule = rule(filter.flush().await);
    assert!(rule.contains("returned 0 of 1 frames"), "{rule}");
}

#[tokio::test]
async fn a_fault_is_passed_on() {
    let failed = "(i32.store (i32.const 1000) (i32.const 1))
        (i32.store (i32.const 1004) (call $failed (i32.const 80) (i32.const 17)))";
    let mut filter =
        Frames::filtering(failed).filter(&engine(), 0, Limits::default()).await.unwrap();
    let fault = filter.push(frame(5)).await.unwrap_err();
    assert_eq!(fault.to_string(), "plugin test-plugin failed: The text was cut.");
}

#[tokio::test]
async fn a_plugin_that_does_not_filter_is_not_begun() {
    let engine = engine();
    let plugin = super::plugin::Parts::default().load(&engine).await;
    assert!(!plugin.filters_frames() && !plugin.encodes_frames());
    let pass = Pass { first: 0, frames: None };
    let fault = plugin.begin_filter(&framed_job(SMALL), pass, 0, &limited(Limits::default())).await;
    let error = fault.err().unwrap().to_string();
    assert!(error.contains("does not export frame-filter"), "{error}");
}
