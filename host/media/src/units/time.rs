use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::Rational;

/// A point in time as a container tells it: whole ticks of a time base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    /// How many ticks, possibly below 0.
    pub ticks: i64,
    /// How long a tick lasts, in seconds.
    pub time_base: Rational,
}

impl Time {
    /// The time in seconds, rounded.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.ticks as f64 * self.time_base.as_f64()
    }

    /// How long it is from `earlier` to this time, in steps of which `rate` pass in a second,
    /// rounded to the nearest; below 0 if this time is the earlier one.
    #[must_use]
    pub fn steps_since(self, earlier: Self, rate: Rational) -> i64 {
        self.exact_steps_since(earlier, rate).unwrap_or_else(|| {
            // Beyond 128 bits only for absurd time bases, where a rounded answer is as good.
            ((self.seconds() - earlier.seconds()) * rate.as_f64()).round() as i64
        })
    }

    fn exact_steps_since(self, earlier: Self, rate: Rational) -> Option<i64> {
        let (a, b) = (self.time_base, earlier.time_base);
        let own = i128::from(self.ticks).checked_mul(cross(a, b))?;
        let other = i128::from(earlier.ticks).checked_mul(cross(b, a))?;
        let above = own.checked_sub(other)?.checked_mul(i128::from(rate.numerator))?;
        let below = i128::from(a.denominator)
            .checked_mul(i128::from(b.denominator))?
            .checked_mul(i128::from(rate.denominator))?;
        i64::try_from(above.checked_add(below / 2)?.div_euclid(below)).ok()
    }
}

/// What a tick of `a` is worth over the common denominator with `b`.
fn cross(a: Rational, b: Rational) -> i128 {
    i128::from(a.numerator) * i128::from(b.denominator)
}

impl PartialOrd for Time {
    /// By the moment, exactly, whatever the time bases.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // 63 + 32 + 32 bits always fit.
        let own = i128::from(self.ticks) * cross(self.time_base, other.time_base);
        Some(own.cmp(&(i128::from(other.ticks) * cross(other.time_base, self.time_base))))
    }
}

#[cfg(test)]
mod tests;
