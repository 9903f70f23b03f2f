//! How a picture track is described.

use stage_sdk::Colour;

use super::Writer;
use crate::container::Container;
use crate::samples::RateMeter;

/// The value of H.273 for a colour that nobody specified.
const UNSPECIFIED: u8 = 2;

/// The entry of an H.264 track.
pub(super) fn avc(
    w: &mut Writer,
    container: Container,
    (width, height): (u16, u16),
    tags: Colour,
    config: &[u8],
    rate: &RateMeter,
    timescale: u32,
) {
    w.nest(*b"avc1", |w| {
        w.zeros(6);
        w.u16(1); // data reference
        w.zeros(16);
        w.u16(width);
        w.u16(height);
        w.u32(0x0048_0000); // 72 dots per inch both ways, as the format prescribes
        w.u32(0x0048_0000);
        w.zeros(4);
        w.u16(1); // frames in a sample
        w.zeros(32); // no name of a compressor
        w.u16(24); // depth: colour without alpha
        w.u16(u16::MAX); // no colour table
        w.nest(*b"avcC", |w| w.raw(config));
        colour(w, container, tags);
        w.nest(*b"pasp", |w| {
            w.u32(1);
            w.u32(1);
        });
        if container == Container::Mp4 {
            w.nest(*b"btrt", |w| {
                w.u32(rate.largest());
                w.u32(rate.peak(timescale));
                w.u32(rate.average(timescale));
            });
        }
    });
}

/// The colour; nothing where it is not specified. QuickTime's form has no place for the range,
/// which the H.264 parameter sets tell as well.
fn colour(w: &mut Writer, container: Container, tags: Colour) {
    let points = [tags.primaries, tags.transfer, tags.matrix];
    if points == [UNSPECIFIED; 3] && !tags.full_range {
        return;
    }
    w.nest(*b"colr", |w| {
        w.raw(match container {
            Container::Mp4 => b"nclx",
            Container::Mov => b"nclc",
        });
        for point in points {
            w.u16(point.into());
        }
        if container == Container::Mp4 {
            w.u8(if tags.full_range { 0x80 } else { 0 });
        }
    });
}
