use super::*;

fn track(timescale: u32, start: u64, duration: u64, entry: u64) -> Presentation {
    Presentation { timescale, start, duration, entry }
}

#[test]
fn a_common_clock_makes_every_edit_exact() {
    let video = track(30_000, 0, 300 * 1001, 2002);
    let audio = track(48_000, 7200, 480_480, 1024);
    let timeline = Timeline::new(&[video, audio]).unwrap();
    assert_eq!(timeline.timescale, 240_000);
    assert_eq!(
        timeline.tracks[0].edits,
        [Edit { duration: 300 * 1001 * 8, media_time: Some(2002) }]
    );
    assert_eq!(
        timeline.tracks[1].edits,
        [
            Edit { duration: 36_000, media_time: None },
            Edit { duration: 2_402_400, media_time: Some(1024) },
        ]
    );
    assert_eq!(timeline.tracks[1].duration, 2_438_400);
    assert_eq!(timeline.duration, 2_438_400);
}

#[test]
fn a_long_film_takes_the_finest_clock_and_every_tick_survives() {
    // 44.1 kHz beside a clock of 90 kHz: the common clock of 4.41 MHz passes 32 bits in 16 minutes.
    let hours = 3 * 3600;
    for extra in 0..500 {
        let video = track(90_000, 0, 90_000 * hours, 0);
        let audio = track(44_100, 44_100 + extra, 44_100 * hours + extra * 7, 1024);
        let timeline = Timeline::new(&[video, audio]).unwrap();
        assert_eq!(timeline.timescale, 90_000);
        let edits = &timeline.tracks[1].edits;
        assert_eq!(rescale(edits[0].duration, 90_000, 44_100).unwrap(), audio.start);
        assert_eq!(rescale(edits[1].duration, 90_000, 44_100).unwrap(), audio.duration);
        assert!(timeline.duration <= u64::from(u32::MAX));
    }
}

#[test]
fn a_common_clock_that_no_field_can_hold_is_not_taken() {
    let timeline =
        Timeline::new(&[track(4_294_967_291, 0, 10, 0), track(48_000, 0, 10, 0)]).unwrap();
    assert_eq!(timeline.timescale, 4_294_967_291);
}

#[test]
fn times_beyond_all_fields_are_refused() {
    let huge = track(1, 0, u64::MAX, 0);
    assert_eq!(Timeline::new(&[huge, track(48_000, 0, 1, 0)]), Err(MuxError::TooLarge));
    assert_eq!(Timeline::new(&[track(1, u64::MAX, u64::MAX, 0)]), Err(MuxError::TooLarge));
    assert_eq!(Timeline::new(&[]), Err(MuxError::NoTracks));
}
