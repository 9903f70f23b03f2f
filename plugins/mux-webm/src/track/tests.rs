use super::*;
use stage_sdk::{Colour, Size};

const VIDEO: TrackFormat = TrackFormat::Video { size: Size::new(640, 360), colour: Colour::BT709 };

fn announced(timescale: u32, start: u64) -> Announced {
    Announced {
        codec: "vp09.00.10.08".to_owned(),
        timescale,
        codec_config: Vec::new(),
        start,
        priming: 0,
        duration: 2000,
        language: None,
        format: VIDEO,
    }
}

fn packet(pts: i64, dts: i64) -> Packet {
    Packet { track: 0, pts, dts, duration: 1, size: 9, is_sync: true }
}

fn clock(timescale: u32, start: u64, priming: u64) -> Clock {
    Clock { timescale, start, priming, duration: 1 }
}

#[test]
fn times_are_rounded_to_the_nearest_millisecond_and_never_drift() {
    let clock = clock(30_000, 0, 0);
    for frame in [0, 1, 2, 100, 1_000_000] {
        let pts = frame * 1001;
        let exact = pts as f64 / 30.0;
        let found = clock.timestamp(&packet(pts, pts)).unwrap() as f64;
        assert!((found - exact).abs() <= 0.5, "{found} for {exact}");
    }
}

#[test]
fn the_first_block_of_primed_sound_is_at_the_start_of_its_track() {
    assert_eq!(clock(48_000, 0, 312).timestamp(&packet(-312, -312)), Ok(0));
    assert_eq!(clock(48_000, 24_000, 312).timestamp(&packet(-312, -312)), Ok(500));
    // The second packet follows after its own length, not after that without the delay.
    assert_eq!(clock(48_000, 0, 312).timestamp(&packet(648, 648)), Ok(20));
    assert_eq!(clock(48_000, 0, 312).delay(), 6_500_000);
}

#[test]
fn no_block_is_before_the_time_at_which_its_packet_is_decoded() {
    let clock = clock(48_000, 0, 312);
    assert_eq!(clock.decoded(&packet(-312, -312)), Ok(0));
    assert_eq!(clock.decoded(&packet(648, 648)), Ok(14));
}

#[test]
fn times_that_no_block_can_have_are_refused() {
    let clock = clock(1000, 10, 0);
    assert_eq!(clock.timestamp(&packet(-11, -11)), Err(TrackProblem::Early));
    assert_eq!(clock.timestamp(&packet(-10, -10)), Ok(0));
    assert_eq!(clock.timestamp(&packet(i64::MAX, 0)), Err(TrackProblem::Time));
    let slow = Clock { timescale: 1, start: 0, ..clock };
    assert_eq!(slow.timestamp(&packet(i64::MAX, 0)), Err(TrackProblem::Time));
}

#[test]
fn descriptions_that_cannot_be_right_are_refused() {
    let problem = |announced| match Track::new(3, announced) {
        Err(MuxError::Track { track: 3, problem }) => problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(announced(0, 0)), TrackProblem::Timescale);
    assert_eq!(problem(Announced { duration: 0, ..announced(25, 0) }), TrackProblem::Duration);
    let flat = TrackFormat::Video { size: Size::new(640, 0), colour: Colour::BT709 };
    assert_eq!(problem(Announced { format: flat, ..announced(25, 0) }), TrackProblem::Size);
    let other = TrackFormat::Other;
    assert_eq!(problem(Announced { format: other, ..announced(25, 0) }), TrackProblem::Format);
}
