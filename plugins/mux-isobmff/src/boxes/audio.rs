//! How a sound track is described.

use super::Writer;
use super::streams::{self, Rates, Stream};
use crate::container::Container;

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
pub(super) fn aac(w: &mut Writer, container: Container, sound: &Sound<'_>, rates: Rates) {
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
        let stream = Stream { object: 0x40, kind: streams::AUDIO, config: sound.config };
        match container {
            Container::Mp4 => streams::description(w, &stream, rates),
            Container::Mov => w.nest(*b"wave", |w| {
                w.nest(*b"frma", |w| w.raw(b"mp4a"));
                w.nest(*b"mp4a", |w| w.zeros(4));
                streams::description(w, &stream, rates);
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
