//! Two servers that answer the same question, measured in turn.

use std::fmt;

use serde_json::{Value, json};

use crate::stats::{median, paired_ratio, quantile, spread};

/// What one server did in one stretch of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Answers a second.
    per_second: f64,
    /// The time to an answer in milliseconds: of the middle one, and of the slowest in a hundred.
    p50: f64,
    p99: f64,
}

impl Window {
    /// From the milliseconds that each answer took, over so many seconds.
    pub(crate) fn new(latencies: &[f64], seconds: f64) -> Self {
        Self {
            per_second: latencies.len() as f64 / seconds,
            p50: quantile(latencies, 0.5),
            p99: quantile(latencies, 0.99),
        }
    }
}

/// The product's server against a minimal one on the official SDK.
pub(crate) struct Contest {
    pub(crate) name: &'static str,
    pub(crate) ours: Vec<Window>,
    pub(crate) reference: Vec<Window>,
}

/// A column: its name, and where the number is.
type Column = (&'static str, fn(&Window) -> f64);

/// The columns.
const NUMBERS: [Column; 3] = [
    ("per_second", |window| window.per_second),
    ("p50_ms", |window| window.p50),
    ("p99_ms", |window| window.p99),
];

impl Contest {
    /// A number of every window, of both sides.
    fn both(&self, number: fn(&Window) -> f64) -> [Vec<f64>; 2] {
        [&self.ours, &self.reference].map(|windows| windows.iter().map(number).collect())
    }

    pub(crate) fn json(&self) -> Value {
        let numbers = NUMBERS.map(|(name, number)| {
            let [ours, reference] = self.both(number);
            let side = |samples: &[f64]| {
                json!({ "median": median(samples), "spread": spread(samples), "windows": samples })
            };
            let value = json!({
                "ours": side(&ours),
                "reference": side(&reference),
                "ratio_of_medians": median(&ours) / median(&reference).max(f64::MIN_POSITIVE),
                "median_of_pairs": paired_ratio(&ours, &reference),
            });
            (name.to_owned(), value)
        });
        let numbers: serde_json::Map<String, Value> = numbers.into_iter().collect();
        json!({ "name": self.name, "numbers": numbers })
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<44}{:>10}{:>10}{:>8}{:>8}", self.name, "ours", "SDK", "ratio", "spread")?;
        for (name, number) in NUMBERS {
            let [ours, reference] = self.both(number);
            let (our, other) = (median(&ours), median(&reference));
            let ratio = our / other.max(f64::MIN_POSITIVE);
            let spread = 100.0 * spread(&reference);
            writeln!(f, "{name:<44}{our:>10.2}{other:>10.2}{ratio:>8.3}{spread:>7.0}%")?;
        }
        Ok(())
    }
}
