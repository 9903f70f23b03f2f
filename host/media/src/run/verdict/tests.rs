use bytes::Bytes;

use super::{Delivered, judge};
use crate::MediaError;
use crate::track::Packet;

fn delivered(frames: Option<u64>, ticks: u64, packets: i64) -> Delivered {
    let mut delivered = Delivered::promised(frames, ticks, 1000);
    for number in 0..packets {
        let data = Bytes::from_static(b"data");
        let pts = number * 100;
        let packet = Packet { track: 0, pts, dts: pts, duration: 100, is_sync: true, data };
        delivered.count(&packet);
    }
    delivered
}

#[test]
fn one_frame_more_or_less_is_within_the_promise() {
    for got in [9, 10, 11] {
        let tracks = [delivered(Some(10), 1000, got), delivered(None, 1500, 15)];
        let summary = judge(&tracks, u64::try_from(got).unwrap(), "").unwrap();
        assert_eq!(summary.frames, u64::try_from(got).unwrap());
        assert_eq!(summary.packets, [summary.frames, 15]);
        assert_eq!(summary.bytes, (summary.frames + 15) * 4);
    }
    for got in [0, 8, 12] {
        let verdict = judge(&[delivered(Some(10), 1000, got)], u64::try_from(got).unwrap(), "");
        assert!(matches!(verdict, Err(MediaError::FrameCount { expected: 10, .. })), "{got}");
    }
}

#[test]
fn what_ffmpeg_counted_must_have_arrived() {
    let verdict = judge(&[delivered(Some(10), 1000, 10)], 11, "");
    assert!(matches!(verdict, Err(MediaError::FrameCount { expected: 11, got: 10 })));
}

#[test]
fn sound_that_breaks_off_is_noticed() {
    let pictures = delivered(Some(10), 1000, 10);
    let sound = delivered(None, 5000, 30);
    let verdict = judge(&[pictures, sound], 10, "");
    assert!(matches!(verdict, Err(MediaError::Unreadable { .. })), "{verdict:?}");
}

#[test]
fn what_ffmpeg_said_counts_even_if_it_ended_well() {
    let said = "[matroska,webm @ 0x1] File ended prematurely at pos. 9 (0x9)\n";
    let verdict = judge(&[delivered(Some(10), 1000, 10)], 10, said);
    assert!(matches!(verdict, Err(MediaError::Unreadable { .. })), "{verdict:?}");
}

#[test]
fn complaints_are_told_and_many_of_them_are_no_film() {
    let judged = |said: &str| judge(&[delivered(Some(10), 1000, 10)], 10, said);
    assert_eq!(judged("").unwrap().damage, None);
    assert_eq!(judged("\n").unwrap().damage, None);
    assert_eq!(judged("bad header\n").unwrap().damage.unwrap(), "bad header");
    for many in
        ["bad header\n".repeat(11).as_str(), "bad header\n  Last message repeated 10 times\n"]
    {
        let many = judged(many);
        assert!(matches!(many, Err(MediaError::Unreadable { .. })), "{many:?}");
    }
}
