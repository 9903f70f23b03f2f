//! Whether a stream has one frame rate, and which.

use crate::units::{Rational, Time};

/// The rate assumed for a stream of which nothing is known, such as one with a single frame.
const FALLBACK: Rational = Rational { numerator: 25, denominator: 1 };

/// One step of so many may be a gap in a steady stream.
const IRREGULAR: usize = 20;

/// What a stream and its packets say about its rate.
#[derive(Clone, Debug)]
pub(crate) struct Evidence<'a> {
    /// Presentation times from the beginning without gaps, in order, in ticks.
    pub(crate) head: &'a [i64],
    /// Seconds in a tick.
    pub(crate) time_base: Rational,
    /// ffmpeg's guess of the rate at which all timestamps can be represented.
    pub(crate) real: Option<Rational>,
    /// Frames over duration.
    pub(crate) average: Option<Rational>,
    /// How many frames the container says there are.
    pub(crate) frames: Option<u64>,
}

/// The rate of the frames and whether it is constant. ffmpeg's two numbers alone misjudge: of a
/// phone's recording with one long frame, and of a stream whose rate they only estimate.
pub(crate) fn judge(evidence: &Evidence<'_>) -> (Rational, bool) {
    let candidates = [evidence.real, evidence.average];
    if let Some(rate) = candidates.into_iter().flatten().find(|rate| fits(evidence, *rate)) {
        return (rate, true);
    }
    let rate = evidence.average.or_else(|| mean(evidence)).or(evidence.real);
    (rate.unwrap_or(FALLBACK), evidence.head.len() < 2)
}

/// Whether every frame of the head begins where `rate` says. Containers round to their ticks,
/// and recorders jitter by a fraction of a frame.
fn fits(evidence: &Evidence<'_>, rate: Rational) -> bool {
    let Some(first) = evidence.head.first() else { return true };
    let tick = evidence.time_base.as_f64();
    let frame = 1.0 / rate.as_f64();
    let tolerance = (1.5 * tick).max(frame / 16.0);
    let regular = evidence.head.iter().enumerate().all(|(number, pts)| {
        let at = pts.saturating_sub(*first) as f64 * tick;
        (at - number as f64 * frame).abs() <= tolerance
    });
    regular && count_agrees(evidence, rate)
}

/// The rate at which nearly all frames of the head follow each other, even if there are gaps.
pub(crate) fn steady(evidence: &Evidence<'_>) -> Option<Rational> {
    let tick = evidence.time_base.as_f64();
    let candidates = [evidence.real, evidence.average];
    candidates.into_iter().flatten().find(|rate| {
        let frame = 1.0 / rate.as_f64();
        let tolerance = (1.5 * tick).max(frame / 16.0);
        let steps = evidence.head.iter().zip(evidence.head.iter().skip(1));
        let steps = steps.map(|(from, to)| to.saturating_sub(*from) as f64 * tick);
        let regular = steps.filter(|step| (step - frame).abs() <= tolerance).count();
        let steps = evidence.head.len().saturating_sub(1);
        steps > 0 && regular >= steps - steps / IRREGULAR
    })
}

/// Whether the number of frames of the whole stream agrees: the average may show that the rate
/// changes after the head.
fn count_agrees(evidence: &Evidence<'_>, rate: Rational) -> bool {
    let (Some(frames), Some(average)) = (evidence.frames, evidence.average) else { return true };
    let expected = frames as f64 / average.as_f64() * rate.as_f64();
    (expected - frames as f64).abs() <= 1.5_f64.max(frames as f64 / 2000.0)
}

/// Frames over time within the head.
fn mean(evidence: &Evidence<'_>) -> Option<Rational> {
    let time_base = evidence.time_base;
    let (first, last) = (evidence.head.first()?, evidence.head.last()?);
    let ticks = u64::try_from(last.checked_sub(*first)?).ok()?;
    let frames = u64::try_from(evidence.head.len()).ok()?.checked_sub(1)?;
    let above = frames.checked_mul(u64::from(time_base.denominator))?;
    Rational::new(above, ticks.checked_mul(u64::from(time_base.numerator))?)
}

/// The moment at which the last frame ends: by its own duration, else one frame of `rate` later.
pub(crate) fn end_of_last(last: super::scan::Last, time_base: Rational, rate: Rational) -> Time {
    let frame = 1.0 / (rate.as_f64() * time_base.as_f64());
    let duration = last.duration.unwrap_or_else(|| frame.round() as i64);
    Time { ticks: last.pts.saturating_add(duration), time_base }
}
