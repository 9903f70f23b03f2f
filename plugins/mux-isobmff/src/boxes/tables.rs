//! The tables that find, time and size every sample.

use super::{Kind, Writer};
use crate::chunks::Chunks;
use crate::runs::Runs;
use crate::samples::SampleTable;

/// How wide the table of chunk offsets is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffsetWidth {
    /// 32 bits (`stco`): files up to 4 GiB.
    Narrow,
    /// 64 bits (`co64`).
    Wide,
}

/// When samples are decoded and presented, where decoding can start, and their sizes.
pub(super) fn samples(w: &mut Writer, samples: &SampleTable) {
    let deltas = &samples.decode_deltas;
    run_table(w, *b"stts", deltas.len(), deltas.iter());
    if !samples.in_order() {
        run_table(w, *b"ctts", samples.composition_runs(), samples.composition_offsets());
    }
    if !samples.all_sync {
        w.full(*b"stss", 0, 0, |w| {
            w.narrow32(samples.sync_numbers.len());
            for number in &samples.sync_numbers {
                w.u32(*number);
            }
        });
    }
    w.full(*b"stsz", 0, 0, |w| {
        w.u32(0); // not all of one size
        w.narrow32(samples.sizes.len());
        for size in &samples.sizes {
            w.u32(*size);
        }
    });
}

fn run_table(w: &mut Writer, kind: Kind, len: usize, runs: impl Iterator<Item = (u32, u32)>) {
    w.full(kind, 0, 0, |w| {
        w.narrow32(len);
        for (count, value) in runs {
            w.u32(count);
            w.u32(value);
        }
    });
}

/// How many samples each chunk has, and where in the file it begins.
pub(super) fn chunks(w: &mut Writer, chunks: &Chunks, payload_start: u64, width: OffsetWidth) {
    chunk_lengths(w, chunks.lengths());
    let kind = match width {
        OffsetWidth::Narrow => *b"stco",
        OffsetWidth::Wide => *b"co64",
    };
    w.full(kind, 0, 0, |w| {
        w.narrow32(chunks.offsets().len());
        for offset in chunks.offsets() {
            let offset = offset.saturating_add(payload_start);
            match width {
                OffsetWidth::Narrow => w.narrow32(offset),
                OffsetWidth::Wide => w.u64(offset),
            }
        }
    });
}

fn chunk_lengths(w: &mut Writer, lengths: &Runs<u32>) {
    w.full(*b"stsc", 0, 0, |w| {
        w.narrow32(lengths.len());
        let mut first = 1_u32;
        for (chunks, samples) in lengths.iter() {
            w.u32(first);
            w.u32(samples);
            w.u32(1); // sample description
            first = first.saturating_add(chunks);
        }
    });
}

/// AAC can start at every packet but is right only from the next one on. A reader that seeks is
/// told so by a group of all samples with the roll distance -1 (ISO/IEC 14496-12, 10.1).
pub(super) fn roll_distance(w: &mut Writer, samples: &SampleTable) {
    w.full(*b"sgpd", 1, 0, |w| {
        w.raw(b"roll");
        w.u32(2); // bytes in an entry
        w.u32(1); // entries
        w.u16(0xffff); // -1
    });
    w.full(*b"sbgp", 0, 0, |w| {
        w.raw(b"roll");
        w.u32(1); // runs
        w.narrow32(samples.sizes.len());
        w.u32(1); // the entry above
    });
}
