//! Where the samples of a track lie: runs of neighbouring samples, called chunks.

use stage_sdk::Packet;

use crate::runs::Runs;

/// The largest chunk in bytes, unless a single sample is larger.
const MAX_BYTES: u64 = 1 << 20;
/// Chunks in a second of one track at least: a reader that plays reads chunk by chunk.
const MIN_PER_SECOND: i64 = 2;

/// The chunks of one track.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    offsets: Vec<u64>,
    lengths: Runs<u32>,
    open: Option<Open>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    since: i64,
    bytes: u64,
    samples: u32,
}

impl Chunks {
    /// Adds a packet at an offset from the beginning of the media data. It may continue the open
    /// chunk if it `follows` the track's previous packet without another track's in between.
    pub(crate) fn push(&mut self, packet: &Packet, offset: u64, follows: bool, timescale: u32) {
        let size = u64::from(packet.size);
        let continued = self.open.filter(|_| follows).and_then(|open| {
            let bytes = open.bytes.checked_add(size).filter(|bytes| *bytes <= MAX_BYTES)?;
            let span = packet.dts.checked_sub(open.since)?.checked_mul(MIN_PER_SECOND)?;
            let samples = open.samples.checked_add(1)?;
            (span < timescale.into()).then_some(Open { bytes, samples, ..open })
        });
        self.open = Some(continued.unwrap_or_else(|| {
            self.close();
            self.offsets.push(offset);
            Open { since: packet.dts, bytes: size, samples: 1 }
        }));
    }

    /// Ends the open chunk.
    pub(crate) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.lengths.push(open.samples);
        }
    }

    /// Where each chunk begins, from the beginning of the media data.
    pub(crate) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// How many samples each closed chunk has, as runs.
    pub(crate) fn lengths(&self) -> &Runs<u32> {
        &self.lengths
    }

    /// Bytes of memory behind the lists.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.offsets.capacity() * size_of::<u64>() + self.lengths.memory()
    }
}

#[cfg(test)]
mod tests;
