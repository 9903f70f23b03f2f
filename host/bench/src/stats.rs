//! Numbers from runs that were disturbed.

/// The middle of some numbers; 0 for none.
pub(crate) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.get(middle.wrapping_sub(1))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => {
            f64::midpoint(*upper, *lower)
        }
        (Some(upper), _) => *upper,
        _ => 0.0,
    }
}

/// The number that this share of some numbers does not exceed; 0 for none.
pub(crate) fn quantile(numbers: &[f64], share: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The middle of the ratios of runs that were neighbours in time. A machine that becomes busier
/// disturbs both of a pair, but not this.
pub(crate) fn paired_ratio(ours: &[f64], others: &[f64]) -> f64 {
    let ratios: Vec<f64> = ours
        .iter()
        .zip(others)
        .filter(|(_, other)| **other > 0.0)
        .map(|(ours, other)| ours / other)
        .collect();
    median(&ratios)
}

/// How far the middle half of some numbers reaches, as a share of their median.
pub(crate) fn spread(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() / 4;
    let (low, high) = (sorted.get(quarter), sorted.get(sorted.len().wrapping_sub(quarter + 1)));
    match (low, high, median(numbers)) {
        (Some(low), Some(high), median) if median > 0.0 => (high - low) / median,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests;
