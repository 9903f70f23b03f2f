//! What was measured, as a table for people and as JSON for the rest.

use std::fmt;
use std::path::Path;

use serde_json::{Value, json};

use crate::Outcome;
use crate::child::Cost;
use crate::contest::Contest;
use crate::stats::{median, paired_ratio, spread};
use crate::stopwatch::Span;

/// All figures, in the order in which they were taken.
#[derive(Default)]
pub(crate) struct Report {
    duels: Vec<Duel>,
    contests: Vec<Contest>,
    figures: Vec<Figure>,
}

/// The product against plain ffmpeg, run by run in turn.
pub(crate) struct Duel {
    pub(crate) name: &'static str,
    pub(crate) ours: Vec<Cost>,
    pub(crate) plain: Vec<Cost>,
    /// The highest ratio that is good.
    pub(crate) target: f64,
    /// The two commands as they could be typed.
    pub(crate) commands: [String; 2],
}

/// Something that was measured again and again by itself.
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) samples: Vec<f64>,
    /// The same by the processors' time, where it is a time.
    pub(crate) cpu: Vec<f64>,
    /// The highest value that is good, if one was set.
    pub(crate) target: Option<f64>,
}

impl Figure {
    /// A time that was taken again and again.
    pub(crate) fn times(
        name: impl Into<String>,
        unit: &'static str,
        spans: &[Span],
        target: Option<f64>,
    ) -> Self {
        let samples = spans.iter().map(|span| span.wall).collect();
        let cpu = spans.iter().map(|span| span.cpu).collect();
        Self { name: name.into(), unit, samples, cpu, target }
    }
}

/// A number of every cost.
fn each(costs: &[Cost], number: impl Fn(&Cost) -> f64) -> Vec<f64> {
    costs.iter().map(number).collect()
}

impl Duel {
    fn wall(&self) -> [Vec<f64>; 2] {
        [&self.ours, &self.plain].map(|costs| each(costs, |cost| cost.wall))
    }

    fn cpu(&self) -> [Vec<f64>; 2] {
        [&self.ours, &self.plain].map(|costs| each(costs, |cost| cost.cpu))
    }

    fn json(&self) -> Value {
        let side = |costs: &[Cost]| {
            let [wall, cpu] = [each(costs, |cost| cost.wall), each(costs, |cost| cost.cpu)];
            let [own, largest] =
                [each(costs, |cost| cost.own_peak), each(costs, |cost| cost.largest_peak)];
            json!({
                "wall_s": { "median": median(&wall), "spread": spread(&wall), "runs": wall },
                "cpu_s": { "median": median(&cpu), "spread": spread(&cpu), "runs": cpu },
                "own_peak_mib": median(&own),
                "largest_process_peak_mib": median(&largest),
            })
        };
        let ratio = |[ours, plain]: [Vec<f64>; 2]| {
            json!({
                "of_medians": median(&ours) / median(&plain).max(f64::MIN_POSITIVE),
                "median_of_pairs": paired_ratio(&ours, &plain),
            })
        };
        let [ours, plain] = &self.commands;
        json!({
            "name": self.name,
            "target": self.target,
            "wall_ratio": ratio(self.wall()),
            "cpu_ratio": ratio(self.cpu()),
            "ours": side(&self.ours),
            "plain": side(&self.plain),
            "our_command": ours,
            "plain_command": plain,
        })
    }
}

impl Figure {
    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "unit": self.unit,
            "target": self.target,
            "median": median(&self.samples),
            "spread": spread(&self.samples),
            "samples": self.samples,
            "cpu_median": (!self.cpu.is_empty()).then(|| median(&self.cpu)),
            "cpu_samples": self.cpu,
        })
    }
}

impl Report {
    /// Keeps a comparison, and says at once what came of it: the rest may take long.
    pub(crate) fn duel(&mut self, duel: Duel) {
        let ([ours, plain], [our_cpu, plain_cpu]) = (duel.wall(), duel.cpu());
        let (wall, cpu) = (paired_ratio(&ours, &plain), paired_ratio(&our_cpu, &plain_cpu));
        eprintln!("{}: {wall:.3} by the wall, {cpu:.3} by processors.", duel.name);
        self.duels.push(duel);
    }

    pub(crate) fn contest(&mut self, contest: Contest) {
        self.contests.push(contest);
    }

    pub(crate) fn figure(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    pub(crate) fn write(&self, file: &Path) -> Outcome {
        let json = json!({
            "version": 1,
            "against_plain_ffmpeg": self.duels.iter().map(Duel::json).collect::<Vec<_>>(),
            "against_the_official_sdk":
                self.contests.iter().map(Contest::json).collect::<Vec<_>>(),
            "figures": self.figures.iter().map(Figure::json).collect::<Vec<_>>(),
        });
        std::fs::write(file, format!("{json:#}\n"))?;
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.duels.is_empty() {
            writeln!(
                f,
                "\n{:<18}{:>9}{:>9}{:>8}{:>10}{:>9}{:>8}{:>9}{:>8}{:>10}",
                "seconds, ratios",
                "ours",
                "plain",
                "wall",
                "ours cpu",
                "plain",
                "cpu",
                "target",
                "spread",
                "host MiB"
            )?;
        }
        for duel in &self.duels {
            let ([ours, plain], [our_cpu, plain_cpu]) = (duel.wall(), duel.cpu());
            writeln!(
                f,
                "{:<18}{:>9.3}{:>9.3}{:>8.3}{:>10.3}{:>9.3}{:>8.3}{:>9.2}{:>7.0}%{:>10.0}",
                duel.name,
                median(&ours),
                median(&plain),
                paired_ratio(&ours, &plain),
                median(&our_cpu),
                median(&plain_cpu),
                paired_ratio(&our_cpu, &plain_cpu),
                duel.target,
                100.0 * spread(&plain),
                median(&each(&duel.ours, |cost| cost.own_peak)),
            )?;
        }
        for contest in &self.contests {
            write!(f, "{contest}")?;
        }
        if !self.figures.is_empty() {
            writeln!(
                f,
                "\n{:<44}{:>10}{:>10}{:>13}{:>8}",
                "figure", "median", "cpu", "target", "spread"
            )?;
        }
        for figure in &self.figures {
            let target = figure.target.map_or(String::new(), |target| format!("<= {target}"));
            let cpu = median(&figure.cpu);
            let cpu = if cpu > 0.0 { format!("{cpu:.3}") } else { String::new() };
            writeln!(
                f,
                "{:<44}{:>10.3}{:>10} {:<4}{:>8}{:>7.0}%",
                figure.name,
                median(&figure.samples),
                cpu,
                figure.unit,
                target,
                100.0 * spread(&figure.samples),
            )?;
        }
        Ok(())
    }
}
