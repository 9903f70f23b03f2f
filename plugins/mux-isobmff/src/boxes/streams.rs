//! The descriptors of ISO/IEC 14496-1, by which codecs without a sample entry of their own are told.

use super::Writer;
use crate::samples::RateMeter;

/// How many bits pass, as descriptions tell it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// The size of the largest sample in bytes.
    pub(super) largest: u32,
    /// Bits in the busiest second.
    pub(super) peak: u32,
    /// Bits per second on average.
    pub(super) average: u32,
}

impl Rates {
    /// What was measured on a track that ticks `timescale` times a second.
    pub(super) fn of(meter: &RateMeter, timescale: u32) -> Self {
        Self {
            largest: meter.largest(),
            peak: meter.peak(timescale),
            average: meter.average(timescale),
        }
    }
}

/// The stream type of pictures.
pub(super) const VISUAL: u8 = 4;
/// The stream type of sound.
pub(super) const AUDIO: u8 = 5;

/// A stream by the registered numbers of its kind.
pub(super) struct Stream<'a> {
    /// The object type: which codec.
    pub(super) object: u8,
    /// The stream type.
    pub(super) kind: u8,
    /// The codec's own configuration; empty if it has none.
    pub(super) config: &'a [u8],
}

/// The box with the descriptors of a stream.
pub(super) fn description(w: &mut Writer, stream: &Stream<'_>, rates: Rates) {
    const HEADER: usize = 5;
    let config = match stream.config.len() {
        0 => 0,
        length => length.saturating_add(HEADER),
    };
    let decoder = config.saturating_add(13);
    let whole = decoder.saturating_add(3 + HEADER + HEADER + 1);
    w.full(*b"esds", 0, 0, |w| {
        descriptor(w, 3, whole);
        w.u16(0); // the stream's number, 0 in a file
        w.u8(0);
        descriptor(w, 4, decoder);
        w.u8(stream.object);
        w.u8((stream.kind << 2) | 1); // downstream, and a reserved bit that is set
        // Three bytes of buffer size after nothing: the upper byte of a word is the one before.
        w.raw(rates.largest.min(0x00ff_ffff).to_be_bytes().split_at(1).1);
        w.u32(rates.peak);
        w.u32(rates.average);
        if !stream.config.is_empty() {
            descriptor(w, 5, stream.config.len());
            w.raw(stream.config);
        }
        descriptor(w, 6, 1);
        w.u8(2); // the file format tells sync and times
    });
}

/// A descriptor's tag and its length in four groups of seven bits, the form that all readers
/// know whatever the length.
fn descriptor(w: &mut Writer, tag: u8, length: usize) {
    const GROUP: u32 = 0x7f;
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    w.u8(tag);
    for shift in [21, 14, 7] {
        w.u8(0x80 | low_byte((length >> shift) & GROUP));
    }
    w.u8(low_byte(length & GROUP));
}

fn low_byte(value: u32) -> u8 {
    let [.., low] = value.to_be_bytes();
    low
}
