//! How a sound track is described.

use super::Writer;
use crate::container::Container;
use crate::samples::RateMeter;

/// PCM frames in a packet of AAC-LC. QuickTime's description wants the number; the configuration
/// of the codec is what decoders follow.
const FRAMES_PER_PACKET: u32 = 1024;

/// What is known of a sound track.
pub(super) struct Sound<'a> {
    pub(super) sample_rate: u32,
    pub(super) channels: u16,
    pub(super) config: &'a [u8],
}

/// The entry of an AAC track.
///
/// A mov file describes compressed sound by version 1 of QuickTime's description with the codec's
/// own configuration in a `wave` atom: it is what QuickTime's specification asks for and what
/// Apple's and ffmpeg's muxers write, so every reader of mov files knows it. A rate that 16 bits
/// cannot hold needs version 2 there. In mp4 such a rate is left at 0 and readers take it from
/// the codec configuration, as they do anyway.
pub(super) fn aac(
    w: &mut Writer,
    container: Container,
    sound: &Sound<'_>,
    rate: &RateMeter,
    timescale: u32,
) {
    let narrow_rate = u16::try_from(sound.sample_rate).ok();
    w.nest(*b"mp4a", |w| {
        w.zeros(6);
        w.u16(1); // data reference
        match (container, narrow_rate) {
            (Container::Mp4, rate) => pcm_shape(w, 0, sound.channels, 0, rate.unwrap_or(0)),
            (Container::Mov, Some(rate)) => {
                pcm_shape(w, 1, sound.channels, VARIABLE, rate);
                w.u32(FRAMES_PER_PACKET);
                w.u32(0); // bytes in a packet: variable
                w.u32(0); // bytes in a frame: variable
                w.u32(2); // bytes in an uncompressed sample
            }
            (Container::Mov, None) => {
                // In version 2 these fields are fixed and the true values follow.
                pcm_shape(w, 2, 3, VARIABLE, 1);
                w.u32(72); // size of the description
                w.u64(f64::from(sound.sample_rate).to_bits());
                w.u32(sound.channels.into());
                w.u32(0x7f00_0000);
                w.zeros(12); // bits in a sample, flags, bytes in a packet: compressed
                w.u32(FRAMES_PER_PACKET);
            }
        }
        match container {
            Container::Mp4 => stream_description(w, sound, rate, timescale),
            Container::Mov => w.nest(*b"wave", |w| {
                w.nest(*b"frma", |w| w.raw(b"mp4a"));
                w.nest(*b"mp4a", |w| w.zeros(4));
                stream_description(w, sound, rate, timescale);
                w.nest([0; 4], |_| ());
            }),
        }
    });
}

/// QuickTime's compression id of a codec whose packets differ in size (-2).
const VARIABLE: u16 = 0xfffe;

/// The part that all versions of the description share: 16 bits, so many channels, this rate.
fn pcm_shape(w: &mut Writer, version: u16, channels: u16, compression: u16, rate: u16) {
    w.u16(version);
    w.zeros(6);
    w.u16(channels);
    w.u16(16);
    w.u16(compression);
    w.zeros(2);
    w.u32(u32::from(rate) << 16);
}

/// The descriptors of ISO/IEC 14496-1 that carry the codec configuration.
fn stream_description(w: &mut Writer, sound: &Sound<'_>, rate: &RateMeter, timescale: u32) {
    const LENGTH_BYTES: usize = 5;
    let config = sound.config.len();
    let decoder = config.saturating_add(13 + LENGTH_BYTES);
    let stream = decoder.saturating_add(3 + LENGTH_BYTES + LENGTH_BYTES + 1);
    w.full(*b"esds", 0, 0, |w| {
        descriptor(w, 3, stream);
        w.u16(0); // the stream's number, 0 in a file
        w.u8(0);
        descriptor(w, 4, decoder);
        w.u8(0x40); // MPEG-4 audio
        w.u8(0x15); // an audio stream, downstream
        // Three bytes of buffer size after nothing: the upper byte of a word is the one before.
        w.raw(rate.largest().min(0x00ff_ffff).to_be_bytes().split_at(1).1);
        w.u32(rate.peak(timescale));
        w.u32(rate.average(timescale));
        descriptor(w, 5, config);
        w.raw(sound.config);
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
