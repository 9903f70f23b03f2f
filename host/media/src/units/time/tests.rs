use proptest::prelude::*;

use super::Time;
use crate::units::Rational;

fn ratio(numerator: u32, denominator: u32) -> Rational {
    Rational { numerator, denominator }
}

#[test]
fn steps_are_counted_exactly() {
    let ntsc = ratio(30000, 1001);
    let zero = Time { ticks: 0, time_base: ratio(1, 1000) };
    let hours = Time { ticks: 1001 * 90 * 3600 * 10, time_base: ratio(1, 90000) };
    assert_eq!(hours.steps_since(zero, ntsc), 30 * 36000);
    assert_eq!(zero.steps_since(hours, ntsc), -30 * 36000);
    let half = Time { ticks: 1, time_base: ratio(1, 2) };
    assert_eq!(half.steps_since(zero, ratio(1, 1)), 1, "halves are rounded up");
}

#[test]
fn one_moment_in_two_clocks_is_equal() {
    let a = Time { ticks: 3, time_base: ratio(1, 3) };
    let b = Time { ticks: 1000, time_base: ratio(1, 1000) };
    assert!(a <= b && b <= a);
    assert!(Time { ticks: 999, time_base: ratio(1, 1000) } < a);
}

proptest! {
    #[test]
    fn no_times_are_too_large(
        (a, b) in any::<(i64, i64)>(),
        bases in (1_u32.., 1_u32.., 1_u32.., 1_u32..),
        rate in (1_u32.., 1_u32..),
    ) {
        let a = Time { ticks: a, time_base: ratio(bases.0, bases.1) };
        let b = Time { ticks: b, time_base: ratio(bases.2, bases.3) };
        let steps = a.steps_since(b, ratio(rate.0, rate.1));
        let about = (a.seconds() - b.seconds()) * f64::from(rate.0) / f64::from(rate.1);
        prop_assert!((steps as f64 - about).abs() <= 1.0 + about.abs() * 1e-6
            || about.abs() > 9.0e18 || a.seconds().abs() > 1e9 || b.seconds().abs() > 1e9);
        prop_assert_eq!(a < b, b > a);
    }
}
