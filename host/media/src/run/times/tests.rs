use bytes::Bytes;

use super::{Chain, Grid, Placed, Progress, Times};
use crate::MediaError;
use crate::fragments::Sample;

/// The first byte of a frame.
const VP9: &[u8] = &[0x82];

fn sample(pts: i64, dts: i64, data: &[u8]) -> Sample {
    let data = Bytes::copy_from_slice(data);
    Sample { pts, dts, duration: 512, is_sync: pts == dts, data }
}

/// Pictures of 512 ticks, two of which a decoder holds back.
fn pictures() -> Times {
    Times::Pictures(Grid {
        frame: 512,
        reordered: 2,
        tolerance: 32,
        in_units: false,
        progress: Progress::default(),
    })
}

fn sound(priming: i64, opus: bool) -> Times {
    Times::Sound(Chain { priming, tolerance: 72, opus, next: None })
}

/// What becomes of samples at `times`, with their decode times left open.
fn place(mut of: Times, times: &[i64], data: &[u8]) -> Result<Vec<Placed>, MediaError> {
    let placed = times.iter().map(|pts| of.place(&sample(*pts, *pts, data)));
    let placed = placed.collect::<Result<Vec<_>, _>>()?;
    of.finish()?;
    Ok(placed)
}

#[test]
fn encoders_are_trusted_but_for_the_beginning() {
    let mut times = Times::Encoded { priming: 1024, origin: None };
    times.header(Some(312)).unwrap();
    let placed = times.place(&sample(5000, 4000, b"")).unwrap();
    assert_eq!(placed, Placed { pts: -312, dts: -1312, duration: 512 });
}

#[test]
fn pictures_come_to_their_places_and_get_decode_times() {
    // I, P, B, B, P: rounded by up to 10 ticks.
    let placed = place(pictures(), &[100, 1642, 605, 1130, 2148], VP9).unwrap();
    let times: Vec<_> = placed.iter().map(|placed| (placed.pts, placed.dts)).collect();
    assert_eq!(times, [(0, -1024), (1536, -512), (512, 0), (1024, 512), (2048, 1024)]);
    assert!(placed.iter().all(|placed| placed.duration == 512));
}

#[test]
fn pictures_that_are_not_on_the_grid_are_not_copied() {
    for times in [
        // Off its place, twice at one, before the first, missing at the end and for long, and
        // later than a decoder waits.
        &[0, 550][..],
        &[0, 512, 512],
        &[512, 0],
        &[0, 1024],
        &(2..40).map(|number| number * 512).fold(vec![0], |mut all, next| {
            all.push(next);
            all
        }),
        &[0, 512 * 4, 512 * 3, 512 * 2, 512],
    ] {
        let placed = place(pictures(), times, VP9);
        assert!(matches!(placed, Err(MediaError::CannotCopy { .. })), "{times:?}: {placed:?}");
    }
    let mut late = pictures();
    assert!(
        late.place(&sample(0, -512, VP9)).is_err(),
        "it begins with a picture that needs others"
    );
}

#[test]
fn units_of_h264_must_be_whole() {
    let whole = |data: &[u8]| {
        let Times::Pictures(grid) = pictures() else { panic!() };
        place(Times::Pictures(Grid { in_units: true, ..grid }), &[0], data).is_ok()
    };
    assert!(whole(&[0, 0, 0, 1, 0x65, 0, 0, 0, 2, 0x41, 7]));
    for damaged in
        [&[][..], &[0; 20], &[0, 0, 0, 2, 0x65], &[0, 0, 0, 1, 0xe5], &[0, 0, 0, 1, 9, 0]]
    {
        assert!(!whole(damaged), "{damaged:?}");
    }
    for damaged in [&[][..], &[0; 20], &[0xc2]] {
        assert!(place(pictures(), &[0], damaged).is_err(), "{damaged:?}");
    }
}

#[test]
fn sound_is_a_chain() {
    // Of a container that rounds to milliseconds, at 48 kHz.
    let placed = place(sound(1024, false), &[-1008, 0, 1008, 2064], b"x").unwrap();
    let times: Vec<_> = placed.iter().map(|placed| placed.pts).collect();
    assert_eq!(times, [-1024, 0, 1024, 2048]);
    // 20 ms and 10 ms.
    let mut opus = sound(336, true);
    opus.header(Some(312)).unwrap();
    assert_eq!(opus.place(&sample(0, 0, &[31 << 3])).unwrap().pts, -312);
    let placed = opus.place(&sample(960, 960, &[30 << 3])).unwrap();
    assert_eq!((placed.pts, placed.duration), (648, 480));
    for broken in [&[0, 1100][..], &[0, 1024, 4096]] {
        let placed = place(sound(0, false), broken, b"x");
        assert!(matches!(placed, Err(MediaError::CannotCopy { .. })), "{broken:?}");
    }
    assert!(place(sound(0, false), &[0], b"").is_err());
    assert!(sound(1024, true).header(Some(312)).is_err());
}
