use super::*;
use crate::tests::{job, video};

fn rate(numerator: u32, denominator: u32, constant: bool) -> (u32, u32, Vec<&'static str>) {
    let mut track = video(640, 360);
    track.frame_rate = Rational::new(numerator, denominator);
    track.constant_frame_rate = constant;
    let job = job(track);
    let decided = frame_rate(&job, &job.source.video[0]);
    let codes = job.take_warnings().iter().map(|warning| warning.code).collect();
    (decided.numerator, decided.denominator, codes)
}

#[test]
fn keeps_a_constant_rate_exactly() {
    assert_eq!(rate(30_000, 1001, true), (30_000, 1001, vec![]));
    assert_eq!(rate(120, 1, true), (120, 1, vec![]));
    assert_eq!(rate(1, 2, true), (1, 2, vec![]));
}

#[test]
fn takes_every_nth_frame_above_the_limit() {
    assert_eq!(rate(240, 1, true), (240, 2, vec!["frame_rate_limited"]));
    assert_eq!(rate(240_000, 1001, true), (240_000, 2002, vec!["frame_rate_limited"]));
    assert_eq!(rate(1000, 1, true), (1000, 9, vec!["frame_rate_limited"]));
    let (numerator, denominator, _) = rate(u32::MAX, 1, true);
    assert!(u64::from(numerator) <= 120 * u64::from(denominator));
}

#[test]
fn variable_rates_become_the_next_standard_rate() {
    let variable = vec!["variable_frame_rate"];
    assert_eq!(rate(1, 10, false), (24_000, 1001, variable.clone()));
    assert_eq!(rate(26, 1, false), (30_000, 1001, variable.clone()));
    assert_eq!(rate(31, 1, false), (48, 1, variable.clone()));
    assert_eq!(rate(61, 1, false), (100, 1, variable.clone()));
    assert_eq!(rate(500, 1, false), (120, 1, variable));
}

#[test]
fn a_clock_that_is_slightly_off_means_its_standard_rate() {
    let variable = vec!["variable_frame_rate"];
    assert_eq!(rate(3002, 100, false), (30, 1, variable.clone()));
    assert_eq!(rate(2996, 100, false), (30_000, 1001, variable.clone()));
    assert_eq!(rate(30, 1, false), (30, 1, variable));
}

#[test]
fn rates_are_written_as_people_write_them() {
    assert_eq!(readable(Rational::new(30_000, 1001)), "29.97");
    assert_eq!(readable(Rational::new(100, 1)), "100");
    assert_eq!(readable(Rational::new(24_000, 1001)), "23.976");
}
