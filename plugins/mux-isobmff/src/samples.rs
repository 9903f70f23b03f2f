//! What the file says about each sample of a track, collected while packets pass. A packet of
//! the host becomes a sample of the file.

use mux_common::TrackProblem;
use stage_sdk::Packet;

use crate::runs::Runs;

/// The samples that a track has so far, in decode order.
///
/// A film has a million of them, so every list is run-length coded but for the sizes, which
/// hardly ever repeat: about 12 bytes a sample in the worst case.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    decode_deltas: Runs<u32>,
    composition_offsets: Runs<i32>,
    sizes: Vec<u32>,
    sync_numbers: Vec<u32>,
    rate: RateMeter,
    span: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    first_dts: i64,
    last: Packet,
    earliest_pts: i64,
    least_offset: i32,
}

impl Samples {
    /// Adds the next sample of the track, which ticks `timescale` times a second.
    pub(crate) fn push(&mut self, packet: &Packet, timescale: u32) -> Result<(), TrackProblem> {
        let number = u32::try_from(self.sizes.len())
            .ok()
            .and_then(|count| count.checked_add(1))
            .ok_or(TrackProblem::Count)?;
        let offset = packet
            .pts
            .checked_sub(packet.dts)
            .and_then(|offset| i32::try_from(offset).ok())
            .ok_or(TrackProblem::Time)?;
        let span = match self.span {
            None => Span {
                first_dts: packet.dts,
                last: *packet,
                earliest_pts: packet.pts,
                least_offset: offset,
            },
            Some(span) => {
                let delta = packet.dts.checked_sub(span.last.dts).ok_or(TrackProblem::Time)?;
                if delta <= 0 {
                    return Err(TrackProblem::Order);
                }
                self.decode_deltas.push(u32::try_from(delta).map_err(|_| TrackProblem::Time)?);
                Span {
                    first_dts: span.first_dts,
                    last: *packet,
                    earliest_pts: span.earliest_pts.min(packet.pts),
                    least_offset: span.least_offset.min(offset),
                }
            }
        };
        self.span = Some(span);
        self.composition_offsets.push(offset);
        self.sizes.push(packet.size);
        if packet.is_sync {
            self.sync_numbers.push(number);
        }
        self.rate.add(packet, timescale);
        Ok(())
    }

    /// Closes the list: what a reader is told.
    pub(crate) fn finish(mut self) -> Result<SampleTable, TrackProblem> {
        let span = self.span.ok_or(TrackProblem::NoPackets)?;
        self.decode_deltas.push(span.last.duration);
        // Presentation times are told as distances from decode times, which many readers take
        // for unsigned. A sample that is presented before it is decoded therefore moves them
        // all, and the edit list moves the presentation back.
        let shift = i64::from(span.least_offset).min(0).checked_neg().unwrap_or(0);
        let since_first = |time: i64| {
            time.checked_sub(span.first_dts)
                .and_then(|time| u64::try_from(time).ok())
                .ok_or(TrackProblem::Time)
        };
        let entry = span.earliest_pts.max(0).checked_add(shift).ok_or(TrackProblem::Time)?;
        let end = span.last.dts.checked_add(span.last.duration.into()).ok_or(TrackProblem::Time)?;
        let lead = u64::try_from(span.earliest_pts).unwrap_or(0);
        Ok(SampleTable {
            entry: since_first(entry)?,
            length: since_first(end)?,
            lead,
            shift,
            decode_deltas: self.decode_deltas,
            composition_offsets: self.composition_offsets,
            all_sync: self.sync_numbers.len() == self.sizes.len(),
            sync_numbers: self.sync_numbers,
            rate: self.rate,
            sizes: self.sizes,
        })
    }

    /// Bytes of memory behind the lists.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.decode_deltas.memory()
            + self.composition_offsets.memory()
            + (self.sizes.capacity() + self.sync_numbers.capacity()) * size_of::<u32>()
    }
}

/// All samples of a track. The time of the media begins with 0 at the first decode.
#[derive(Debug)]
pub(crate) struct SampleTable {
    /// The media time at which the presentation enters.
    pub(crate) entry: u64,
    /// How long all samples last together.
    pub(crate) length: u64,
    /// How long after the beginning of the track's presentation there is something to present.
    pub(crate) lead: u64,
    /// How long each sample is decoded before the next.
    pub(crate) decode_deltas: Runs<u32>,
    /// How long after its decode each sample is presented, before `shift` is added.
    composition_offsets: Runs<i32>,
    shift: i64,
    /// Bytes of each sample.
    pub(crate) sizes: Vec<u32>,
    /// The numbers, from 1, of the samples at which decoding can start.
    pub(crate) sync_numbers: Vec<u32>,
    /// Whether that is so of every sample.
    pub(crate) all_sync: bool,
    /// Bytes over time.
    pub(crate) rate: RateMeter,
}

impl SampleTable {
    /// How long after its decode each sample is presented, as runs.
    pub(crate) fn composition_offsets(&self) -> impl Iterator<Item = (u32, u32)> {
        self.composition_offsets.iter().map(|(count, offset)| {
            // At most 2^31 each and not below 0 together, by the choice of the shift.
            let shifted = i64::from(offset).saturating_add(self.shift);
            (count, u32::try_from(shifted).unwrap_or(0))
        })
    }

    /// The number of those runs.
    pub(crate) fn composition_runs(&self) -> usize {
        self.composition_offsets.len()
    }

    /// Whether every sample is presented at its decode time.
    pub(crate) fn in_order(&self) -> bool {
        self.composition_offsets().all(|(_, offset)| offset == 0)
    }
}

/// Measures how many bytes pass over time.
#[derive(Debug, Default)]
pub(crate) struct RateMeter {
    total: u64,
    ticks: u64,
    largest: u32,
    peak: u64,
    window: u64,
    window_start: Option<i64>,
}

impl RateMeter {
    fn add(&mut self, packet: &Packet, timescale: u32) {
        let size = u64::from(packet.size);
        self.total = self.total.saturating_add(size);
        self.ticks = self.ticks.saturating_add(packet.duration.into());
        self.largest = self.largest.max(packet.size);
        // The peak is measured over whole seconds that follow each other, not over every
        // possible second: that needs no history and is wrong by less than any reader minds.
        match self.window_start {
            Some(start) if packet.dts.saturating_sub(start) < i64::from(timescale) => {
                self.window = self.window.saturating_add(size);
            }
            _ => {
                self.window_start = Some(packet.dts);
                self.window = size;
            }
        }
        self.peak = self.peak.max(self.window);
    }

    /// The size of the largest sample in bytes.
    pub(crate) fn largest(&self) -> u32 {
        self.largest
    }

    /// Bits per second on average.
    pub(crate) fn average(&self, timescale: u32) -> u32 {
        let bits = u128::from(self.total).saturating_mul(8).saturating_mul(timescale.into());
        bits.checked_div(self.ticks.into())
            .map_or(0, |rate| u32::try_from(rate).unwrap_or(u32::MAX))
    }

    /// Bits in the busiest second, never below the average.
    pub(crate) fn peak(&self, timescale: u32) -> u32 {
        let peak = u32::try_from(self.peak.saturating_mul(8)).unwrap_or(u32::MAX);
        peak.max(self.average(timescale))
    }
}

#[cfg(test)]
mod tests;
