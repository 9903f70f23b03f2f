//! The index: where a reader that seeks finds the sync samples of the pictures.

use crate::ebml::{Writer, ids};

/// More points than this are not kept: with one every four seconds they last for nine hours.
const MOST: usize = 8192;

/// A place where decoding can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cue {
    /// The timestamp of its block.
    pub(crate) time: u64,
    /// Where its cluster begins, from the beginning of the first one.
    pub(crate) cluster: u64,
    /// Where its block begins in the content of the cluster.
    pub(crate) relative: u64,
}

/// The points of one track, in the order of their times, thinned as they become too many.
#[derive(Debug, Default)]
pub(crate) struct Cues {
    points: Vec<Cue>,
    /// No two points are nearer to each other than this.
    spacing: u64,
}

impl Cues {
    /// Adds the next place.
    pub(crate) fn push(&mut self, cue: Cue) {
        if self.points.len() >= MOST {
            self.thin();
        }
        let far = |last: &Cue| cue.time.saturating_sub(last.time) >= self.spacing;
        if self.points.last().is_none_or(far) {
            self.points.push(cue);
        }
    }

    /// Doubles the distance until at most half of the points are left: what remains is spread
    /// evenly over the file, however often decoding can start in it.
    fn thin(&mut self) {
        let span = |points: &[Cue]| {
            let ends = points.first().zip(points.last());
            ends.map_or(0, |(first, last)| last.time.saturating_sub(first.time))
        };
        let even = u64::try_from(MOST / 2).unwrap_or(1);
        let least = span(&self.points).div_ceil(even).max(1);
        self.spacing = self.spacing.saturating_mul(2).max(least);
        let (spacing, mut kept) = (self.spacing, None);
        self.points.retain(|cue| {
            let far = kept.is_none_or(|last: u64| cue.time.saturating_sub(last) >= spacing);
            if far {
                kept = Some(cue.time);
            }
            far
        });
    }

    /// The element, for clusters that begin at `base` in the segment. Its length does not depend
    /// on that.
    pub(crate) fn write(&self, w: &mut Writer, track: u64, base: u64) {
        w.master(ids::CUES, |w| {
            for cue in &self.points {
                w.master(ids::CUE_POINT, |w| {
                    w.number(ids::CUE_TIME, cue.time);
                    w.master(ids::CUE_TRACK_POSITIONS, |w| {
                        w.number(ids::CUE_TRACK, track);
                        let cluster = cue.cluster.saturating_add(base);
                        w.wide_number(ids::CUE_CLUSTER_POSITION, cluster);
                        w.number(ids::CUE_RELATIVE_POSITION, cue.relative);
                    });
                });
            }
        });
    }

    /// Bytes of memory behind the list.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.points.capacity() * size_of::<Cue>()
    }
}

#[cfg(test)]
mod tests;
