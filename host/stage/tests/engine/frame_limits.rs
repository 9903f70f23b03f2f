//! What work on frames may cost, and what it does cost.

use std::time::{Duration, Instant};

use stage::model::Size;
use stage::{LimitKind, Limits, Pass, PluginFault};

use super::frame_plugin::{Frames, SMALL_BYTES, frame, frame_of, framed_job};
use super::plugin::{engine, limited};

/// Which limit stops a plugin that does this with a frame, and what was allowed.
async fn stopped(push: &str, limits: Limits) -> (LimitKind, u64) {
    let engine = engine();
    let mut filter = Frames::filtering(push).filter(&engine, 64, limits).await.unwrap();
    loop {
        match filter.push(frame(5)).await {
            Ok(_) => {}
            Err(PluginFault::Limit { limit, allowed, .. }) => {
                assert_eq!(engine.live_instances(), 0);
                return (limit, allowed);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test]
async fn frames_are_limited() {
    let limits = Limits { frame_bytes: 10 * SMALL_BYTES, ..Limits::default() };
    let retain = "(loop (drop (call $retain (local.get $frame))) (br 0))";
    let keep = "(i32.store (i32.const 1008) (i32.const 0))";
    for push in [retain, keep] {
        assert_eq!(stopped(push, limits.clone()).await, (LimitKind::Frames, 480), "{push}");
    }
}

#[tokio::test]
async fn each_call_has_its_own_time() {
    let limits = Limits { frame_time_ms: 40, ..Limits::default() };
    assert_eq!(stopped("(loop (br 0))", limits.clone()).await, (LimitKind::Time, 40));
    let wall = Limits { frame_time_ms: 60_000, frame_wall_per_call_ms: 40, ..Limits::default() };
    assert_eq!(stopped("(loop (br 0))", wall).await, (LimitKind::WallTime, 40));

    // Far more in all than one call may take.
    let busy = "(loop
        (drop (call $index (local.get $frame)))
        (local.set $image (i32.add (local.get $image) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get $image) (i32.const 40000))))";
    let mut filter = Frames::filtering(busy).filter(&engine(), 0, limits).await.unwrap();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(300) {
        filter.push(frame(5)).await.unwrap();
    }
}

// What a filter costs beside what it computes; run by hand.
#[tokio::test]
#[ignore = "measures"]
async fn how_long_rectangles_take() {
    let rect = |name: &str, width: u32, height: u32, rest: &str| {
        format!(
            "(call ${name} (local.get $frame) (i32.const 0) (i32.const 0) (i32.const 0) \
             (i32.const {width}) (i32.const {height}) {rest})"
        )
    };
    let engine = engine();
    let size = Size { width: 1920, height: 1080 };
    for (name, width, height) in [("nothing", 0, 0), ("320x64", 320, 64), ("1920x1080", 1920, 1080)]
    {
        let push = rect("read-rect", width, height, "(i32.const 1040)")
            + &rect(
                "write-rect",
                width,
                height,
                "(i32.load (i32.const 1040)) (i32.load (i32.const 1044))",
            );
        let plugin = Frames::filtering(push).load(&engine).await;
        let pass = Pass { first: 0, frames: None };
        let terms = limited(Limits::default());
        let began = Instant::now();
        let mut filter = plugin.begin_filter(&framed_job(size), pass, 0, &terms).await.unwrap();
        let begun = began.elapsed();
        let mut frame = frame_of(size, 0);
        let mut times = Vec::new();
        for _ in 0..300 {
            let began = Instant::now();
            frame = filter.push(frame).await.unwrap().remove(0);
            times.push(began.elapsed());
        }
        times.sort();
        println!("{name}: begun in {begun:?}, median {:?}, 99 % {:?}", times[150], times[297]);
    }
}
