//! How many frames a second the raster has.

#[cfg(test)]
mod tests;

use stage_sdk::{Job, Rational, SourceVideo};

/// More frames a second than this no raster may have.
const LIMIT: u32 = 120;

/// What variable rates are rounded up to: the rates of film, of both
/// television systems and of their doubles.
const STANDARD: [Rational; 12] = [
    Rational::new(24_000, 1001),
    Rational::new(24, 1),
    Rational::new(25, 1),
    Rational::new(30_000, 1001),
    Rational::new(30, 1),
    Rational::new(48, 1),
    Rational::new(50, 1),
    Rational::new(60_000, 1001),
    Rational::new(60, 1),
    Rational::new(100, 1),
    Rational::new(120_000, 1001),
    Rational::new(120, 1),
];

/// Cameras that aim at a standard rate miss it by less than this share (the
/// standard rates themselves lie at least 0.1 % apart): an average of 30.02
/// means 30, and 48 would only repeat frames.
const CLOCK_TOLERANCE: f64 = 0.002;

/// The source's own rate where it is constant, else the nearest standard rate
/// that loses no frames; never above the limit.
pub fn frame_rate<P>(job: &Job<P>, video: &SourceVideo) -> Rational {
    let rate = video.frame_rate;
    if video.constant_frame_rate {
        let limited = every_nth(rate);
        if limited != rate {
            let (from, to) = (readable(rate), readable(limited));
            let message = format!("The source has {from} frames a second and was reduced to {to}.");
            job.warn("frame_rate_limited", message);
        }
        return limited;
    }
    let standard = standard(rate.as_f64());
    let message = format!(
        "The source's frame rate varies ({} on average); the output has {} frames a second.",
        readable(rate),
        readable(standard)
    );
    job.warn("variable_frame_rate", message);
    standard
}

/// Every frame, every second, every third …: the first of these that is within
/// the limit, so that motion stays even.
fn every_nth(rate: Rational) -> Rational {
    let per_limit = u64::from(rate.denominator) * u64::from(LIMIT);
    let nth = u64::from(rate.numerator).div_ceil(per_limit.max(1)).max(1);
    let denominator = u64::from(rate.denominator) * nth;
    u32::try_from(denominator)
        .map_or(Rational::new(LIMIT, 1), |denominator| Rational::new(rate.numerator, denominator))
}

fn standard(average: f64) -> Rational {
    let off = |rate: &Rational| (rate.as_f64() / average - 1.0).abs();
    let meant = STANDARD
        .iter()
        .filter(|rate| off(rate) <= CLOCK_TOLERANCE)
        .min_by(|left, right| off(left).total_cmp(&off(right)));
    let above = || STANDARD.iter().find(|rate| rate.as_f64() >= average);
    meant.or_else(above).copied().unwrap_or(Rational::new(LIMIT, 1))
}

/// At most three decimals, none where there are none.
fn readable(rate: Rational) -> String {
    let text = format!("{:.3}", rate.as_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
