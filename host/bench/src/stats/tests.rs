use super::*;

#[test]
fn the_median_ignores_one_disturbed_run() {
    assert_eq!(median(&[1.0, 900.0, 3.0]), 3.0);
    assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
    assert_eq!(median(&[]), 0.0);
}

#[test]
fn one_in_a_hundred_is_slower_than_the_quantile() {
    let numbers: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    assert_eq!(quantile(&numbers, 0.99), 99.0);
    assert_eq!(quantile(&numbers, 0.5), 50.0);
    assert_eq!(quantile(&[7.0], 0.99), 7.0);
    assert_eq!(quantile(&[], 0.99), 0.0);
}

#[test]
fn pairs_are_compared_before_the_middle_is_taken() {
    // The machine was busy twice, each time for both sides.
    assert_eq!(paired_ratio(&[1.1, 5.5, 2.2], &[1.0, 5.0, 2.0]), 1.1);
    assert_eq!(paired_ratio(&[1.0], &[0.0]), 0.0);
}

#[test]
fn the_spread_is_of_the_middle_half() {
    assert_eq!(spread(&[10.0, 10.0, 10.0, 10.0]), 0.0);
    assert_eq!(spread(&[9.0, 10.0, 10.0, 11.0, 100.0]), 0.1);
}
