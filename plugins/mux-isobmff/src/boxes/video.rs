//! How a picture track is described.

use stage_sdk::Colour;

use super::streams::{self, Rates, Stream};
use super::{Kind, Writer};
use crate::container::Container;

/// The value of H.273 for a colour that nobody specified.
const UNSPECIFIED: u8 = 2;

/// What is known of a picture track whatever its codec.
pub(super) struct Picture {
    pub(super) size: (u16, u16),
    pub(super) colour: Colour,
    pub(super) rates: Rates,
}

/// The entry of an H.264 track.
pub(super) fn avc(w: &mut Writer, container: Container, picture: &Picture, config: &[u8]) {
    entry(w, container, picture, *b"avc1", |w| w.nest(*b"avcC", |w| w.raw(config)));
}

/// The entry of a track of JPEG pictures: in mp4 by the number that is registered for them
/// (object type 6C), in mov by QuickTime's name for pictures that are whole JFIF files.
pub(super) fn jpeg(w: &mut Writer, container: Container, picture: &Picture) {
    match container {
        Container::Mp4 => entry(w, container, picture, *b"mp4v", |w| {
            let stream = Stream { object: 0x6c, kind: streams::VISUAL, config: &[] };
            streams::description(w, &stream, picture.rates);
        }),
        Container::Mov => entry(w, container, picture, *b"jpeg", |_| ()),
    }
}

/// An entry around what `codec` says of its own.
fn entry(
    w: &mut Writer,
    container: Container,
    picture: &Picture,
    kind: Kind,
    codec: impl FnOnce(&mut Writer),
) {
    let (width, height) = picture.size;
    w.nest(kind, |w| {
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
        codec(w);
        colour(w, container, picture.colour);
        w.nest(*b"pasp", |w| {
            w.u32(1);
            w.u32(1);
        });
        if container == Container::Mp4 {
            w.nest(*b"btrt", |w| {
                w.u32(picture.rates.largest);
                w.u32(picture.rates.peak);
                w.u32(picture.rates.average);
            });
        }
    });
}

/// The colour; nothing where it is not specified. QuickTime's form has no place for the range,
/// which the H.264 parameter sets tell as well and which is full in JFIF.
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
