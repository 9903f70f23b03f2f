use stage::{EncodedTrack, LimitKind, Limits, PluginFault};

use super::frame_plugin::{ENCODE, Frames, SMALL_BYTES, frame, rule};
use super::plugin::engine;

/// The rule that a plugin breaks which encodes the third frame so.
async fn broken(encoder_push: &str) -> String {
    let engine = engine();
    let push = format!(
        "(if (i64.eq (local.get $time) (i64.const 20)) (then {encoder_push}) (else {ENCODE}))"
    );
    let mut encoder = Frames::encoding(push).encoder(&engine, Limits::default()).await.unwrap();
    for index in 0..2 {
        encoder.push(&frame(index)).await.unwrap();
    }
    let rule = match encoder.push(&frame(2)).await {
        Ok(_) => rule(encoder.flush().await),
        fault => rule(fault),
    };
    assert_eq!(engine.live_instances(), 0);
    rule
}

#[tokio::test]
async fn every_frame_becomes_a_packet() {
    let engine = engine();
    let plugin = Frames::default();
    let mut encoder = plugin.encoder(&engine, Limits::default()).await.unwrap();
    let early = encoder.track().await.unwrap_err().to_string();
    assert!(early.contains("before there was a packet"), "{early}");
    for index in 0..3 {
        let packets = encoder.push(&frame(index)).await.unwrap();
        let [packet] = &packets[..] else { panic!("{packets:?}") };
        let time = 10 * index as i64;
        assert_eq!((packet.pts, packet.dts, packet.duration), (time, time, 10));
        assert_eq!((packet.track, packet.is_sync, &*packet.data), (0, true, &b"[packet]"[..]));
    }
    let track = EncodedTrack { codec: "mjpg".into(), codec_config: b"[pa".to_vec() };
    assert_eq!(encoder.track().await.unwrap(), track);
    let again = encoder.track().await.unwrap_err().to_string();
    assert!(again.contains("twice"), "{again}");
    assert!(encoder.flush().await.unwrap().is_empty());
    assert!(encoder.push(&frame(3)).await.is_err() && encoder.flush().await.is_err());
    drop(encoder);
    assert_eq!(engine.live_instances(), 0);
}

#[tokio::test]
async fn packets_that_are_held_back_come_with_the_end() {
    let encoder_push = "(i32.store (i32.const 1008) (i32.const 0))
        (call $drop-frame (local.get $frame))";
    let plugin = Frames {
        encoder_flush: "(i32.store (i32.const 1024) (call $packet (i64.const 0) (i64.const -5)))
            (i32.store (i32.const 1028) (call $packet (i64.const 10) (i64.const 10)))
            (i32.store (i32.const 1008) (i32.const 2))",
        encoder_begin: "(call $warn (local.get $job)
            (i32.const 64) (i32.const 8) (i32.const 80) (i32.const 17))",
        ..Frames::encoding(encoder_push)
    };
    let mut encoder = plugin.encoder(&engine(), Limits::default()).await.unwrap();
    for index in 0..2 {
        assert!(encoder.push(&frame(index)).await.unwrap().is_empty());
    }
    let times = encoder.flush().await.unwrap();
    let times: Vec<_> = times.iter().map(|packet| (packet.pts, packet.dts)).collect();
    assert_eq!(times, [(0, -5), (10, 10)]);
    assert_eq!(encoder.track().await.unwrap().codec, "mjpg");
    assert_eq!(encoder.take_warnings().len(), 1);
}

#[tokio::test]
async fn a_frame_that_is_lent_can_be_looked_at_kept_and_even_changed() {
    let encoder_push = format!(
        "(call $fill-rect (local.get $frame) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8) (i32.const 4) (i32.const 200))
         (if (global.get $kept) (then (call $drop-frame (global.get $kept))))
         (global.set $kept (call $retain (local.get $frame)))
         {ENCODE}"
    );
    let limits = Limits { frame_bytes: 4 * SMALL_BYTES, ..Limits::default() };
    let mut encoder = Frames::encoding(encoder_push).encoder(&engine(), limits).await.unwrap();
    for index in 0..20 {
        let frame = frame(index);
        encoder.push(&frame).await.unwrap();
        assert_eq!(frame.picture.bytes()[0], index as u8, "the host's own was changed");
    }
}

#[tokio::test]
async fn each_broken_rule_of_a_track_is_named() {
    let made = |packet: &str| {
        format!("(i32.store (i32.const 1024) {packet}) (call $drop-frame (local.get $frame))")
    };
    let none = "(i32.store (i32.const 1008) (i32.const 0)) (call $drop-frame (local.get $frame))";
    let kept = "(i32.store (i32.const 1024) (call $packet (local.get $time) (local.get $time)))";
    for (push, expected) in [
        (
            made("(call $packet (i64.const 20) (i64.const 10))"),
            "decoded at 10 after one decoded at 10",
        ),
        (made("(call $packet (i64.const 20) (i64.const 21))"), "after it is presented at 20"),
        (made("(call $packet (i64.const 25) (i64.const 20))"), "the time of no frame"),
        (made("(call $packet (i64.const 10) (i64.const 10))"), "decoded at 10"),
        (
            made(
                "(call $make (i64.const 20) (i64.const 20) (i32.const 9) (i32.const 1) (i32.const 0) (i32.const 1))",
            ),
            "a packet of 9 ticks, a frame has 10",
        ),
        (none.to_owned(), "no packet for 1 frames, the first of them at 20"),
        (kept.to_owned(), "kept a handle beyond the call that lent it"),
        (made("(call $encoded-track (i32.const 32) (i32.const 4))"), "of another kind"),
        (made("(i32.const 77)"), "dropped, given away"),
    ] {
        let rule = broken(&push).await;
        assert!(rule.contains(expected), "{push}: {rule}");
    }
}

#[tokio::test]
async fn a_track_begins_with_a_sync_packet() {
    let push = "(i32.store (i32.const 1024) (call $make (i64.const 0) (i64.const 0) (i32.const 10) (i32.const 0) (i32.const 0) (i32.const 1)))
        (call $drop-frame (local.get $frame))";
    let mut encoder = Frames::encoding(push).encoder(&engine(), Limits::default()).await.unwrap();
    let rule = rule(encoder.push(&frame(0)).await);
    assert!(rule.contains("not a sync one"), "{rule}");
}

#[tokio::test]
async fn a_lent_frame_cannot_be_used_in_a_later_call() {
    let push = format!(
        "(if (global.get $kept) (then (drop (call $index (global.get $kept)))))
         (global.set $kept (i32.add (local.get $frame) (i32.const 1)))
         {ENCODE}"
    );
    let mut encoder = Frames::encoding(push).encoder(&engine(), Limits::default()).await.unwrap();
    encoder.push(&frame(0)).await.unwrap();
    let rule = rule(encoder.push(&frame(1)).await);
    assert!(rule.contains("dropped, given away or been lent"), "{rule}");
}

#[tokio::test]
async fn packets_count_as_frames_do() {
    let push = "(loop (drop (call $packet (i64.const 0) (i64.const 0))) (br 0))";
    let limits = Limits { frame_bytes: 2 * SMALL_BYTES, ..Limits::default() };
    let mut encoder = Frames::encoding(push).encoder(&engine(), limits).await.unwrap();
    match encoder.push(&frame(0)).await {
        Err(PluginFault::Limit { limit: LimitKind::Frames, allowed: 96, used: 104, .. }) => {}
        other => panic!("{other:?}"),
    }
}
