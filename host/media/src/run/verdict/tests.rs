use bytes::Bytes;

use super::{Delivered, judge};
use crate::track::Packet;
use crate::{AudioStream, Coding, Colour, MediaError, Rational, Size, Time, VideoStream};

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
    let said = "[matroska,webm @ 0x1] [error] File ended prematurely at pos. 9 (0x9)\n";
    let verdict = judge(&[delivered(Some(10), 1000, 10)], 10, said);
    assert!(matches!(verdict, Err(MediaError::Unreadable { .. })), "{verdict:?}");
    // What a file says of itself does not.
    let said = "[info]     title           : partial file\n";
    judge(&[delivered(Some(10), 1000, 10)], 10, said).unwrap();
}

#[test]
fn complaints_are_told_and_damage_everywhere_is_no_film() {
    let judged = |said: &str| judge(&[delivered(Some(10), 1000, 10)], 10, said);
    assert_eq!(judged("").unwrap().damage, None);
    assert_eq!(
        judged("\n[verbose] all is well\n[warning] odd\nSvt[warn]: x").unwrap().damage,
        None
    );
    let bad = "[h264 @ 0x55ab4c1d5fc0] [error] bad header\n";
    assert_eq!(judged(bad).unwrap().damage.unwrap(), "h264: bad header");
    let corrupt = judged("[warning] film.ts: corrupt input packet in stream 0").unwrap();
    assert_eq!(corrupt.damage.unwrap(), "film.ts: corrupt input packet in stream 0");
    // They may be about pictures that are fine to look at.
    judged(&bad.repeat(100)).unwrap();
    let damaged = "[warning] film.ts: corrupt decoded frame in stream 0\n";
    judged(&damaged.repeat(15)).unwrap();
    for many in [damaged.repeat(16), format!("{damaged}    Last message repeated 15 times\n")] {
        let many = judged(&many);
        assert!(matches!(many, Err(MediaError::Unreadable { .. })), "{many:?}");
    }
}

/// A video of a thousand frames by its length.
fn video(constant_frame_rate: bool, frames: Option<u64>, interlaced: bool) -> VideoStream {
    let size = Size { width: 64, height: 48 };
    let time = |ticks| Time { ticks, time_base: Rational { numerator: 1, denominator: 1000 } };
    VideoStream {
        stream: 3,
        codec: "avc1".into(),
        codec_name: "h264".into(),
        pixel_format: "yuv420p".into(),
        coded_size: size,
        sample_aspect: Rational::ONE,
        rotation: 0,
        display_size: size,
        display_aspect: Rational { numerator: 4, denominator: 3 },
        frame_rate: Rational { numerator: 25, denominator: 1 },
        constant_frame_rate,
        colour: Colour::BT709,
        interlaced,
        has_alpha: false,
        frames,
        begin: time(0),
        end: time(40_000),
        last_frame_open: false,
        coding: Coding::default(),
    }
}

/// Whether a run is refused in which `decoded` frames of `video` were decoded.
fn refused(video: &VideoStream, decoded: u64, complaint: &str) -> bool {
    let said = format!(
        "[verbose]   Input stream #0:3 (video): 7 packets read (9 bytes); {decoded} frames decoded; \n\
         [verbose]   Input stream #0:31 (video): 7 packets read (9 bytes); 2 frames decoded; \n\
         {complaint}"
    );
    let track = delivered(Some(1000), 100_000, 1000).decoded_from(video);
    judge(&[track], 1000, &said).is_err()
}

#[test]
fn pictures_that_are_gone_are_missed_if_something_is_broken() {
    let broken = "[mpegts @ 0x1] [error] max resync size reached";
    let constant = video(true, None, false);
    assert!(!refused(&constant, 990, broken));
    assert!(refused(&constant, 989, broken));
    // Far apart and whole.
    assert!(!refused(&constant, 500, "[warning] odd"));
    // Steady but for a gap that the probe has seen.
    let steady_rate = Some(Rational { numerator: 25, denominator: 1 });
    let gap = VideoStream {
        coding: Coding { steady_rate, ..Coding::default() },
        ..video(false, None, false)
    };
    assert!(refused(&gap, 900, broken) && !refused(&gap, 900, ""));
    // An index is known to be right, and one that counts what an edit leaves out is not.
    assert!(refused(&video(false, Some(1000), false), 900, broken));
    assert!(!refused(&video(false, Some(1200), false), 900, broken));
    assert!(!refused(&video(false, None, false), 900, broken));
    // Two fields are one picture.
    assert!(!refused(&video(true, None, true), 500, broken));
}

#[test]
fn a_copy_of_what_is_damaged_is_given_up() {
    let bad = "[h264 @ 0x1] [error] Invalid NAL unit size\n";
    let verdict = judge(&[delivered(Some(10), 1000, 10).copied()], 10, bad);
    assert!(matches!(verdict, Err(MediaError::CannotCopy { .. })), "{verdict:?}");
    judge(&[delivered(Some(10), 1000, 10).copied()], 10, "[warning] odd\n").unwrap();
    // What is encoded beside it begins again, too.
    let both = [delivered(Some(10), 1000, 10), delivered(None, 1500, 15).copied()];
    assert!(matches!(judge(&both, 10, bad), Err(MediaError::CannotCopy { .. })));
}

#[test]
fn sound_that_is_gone_is_missed_if_something_is_broken() {
    let time = |ticks| Time { ticks, time_base: Rational { numerator: 1, denominator: 1000 } };
    let judged = |seconds: i64, samples: u64, complaint: &str| {
        let audio = AudioStream {
            stream: 1,
            codec: "mp4a".into(),
            codec_name: "aac".into(),
            sample_rate: 48000,
            channels: 2,
            language: None,
            default: true,
            begin: time(0),
            end: time(seconds * 1000),
            coding: Coding::default(),
        };
        let said = format!(
            "[verbose]   Input stream #0:1 (audio): 9 packets read (9 bytes); 7 frames decoded \
             ({samples} samples); \n{complaint}"
        );
        let tracks = [delivered(Some(10), 1000, 10), delivered(None, 1000, 10).heard_from(&audio)];
        judge(&tracks, 10, &said).is_ok()
    };
    let broken = "[aac @ 0x1] [error] channel element 0.0 duplicate";
    assert!(judged(4, 3 * 48000, broken) && !judged(4, 3 * 48000 - 1, broken));
    assert!(judged(100, 90 * 48000, broken) && !judged(100, 90 * 48000 - 1, broken));
    // Sound may have gaps in a source that is whole.
    assert!(judged(100, 48000, "[warning] odd"));
}

#[test]
fn times_that_begin_anew_are_noticed() {
    let judged = |video: &VideoStream, decoded: u64| {
        let said = format!(
            "[verbose]   Input stream #0:3 (video): 9 packets read (9 bytes); {decoded} frames \
             decoded; \n"
        );
        let track = delivered(Some(1000), 100_000, 1000).of_restarting_clock(video);
        judge(&[track], 1000, &said)
    };
    let constant = video(true, None, true);
    judged(&constant, 1125).unwrap();
    let twice = judged(&constant, 2000);
    assert!(matches!(twice, Err(MediaError::UnsupportedSource { .. })), "{twice:?}");
}
