//! The boxes around everything: brand, movie header, media data header.

use super::{Writer, version_for};
use crate::container::Container;

/// The brand: which readers can read the file.
pub(crate) fn file_type(w: &mut Writer, container: Container) {
    w.nest(*b"ftyp", |w| match container {
        Container::Mp4 => {
            w.raw(b"isom");
            w.u32(0x200);
            w.raw(b"isomiso2avc1mp41");
        }
        Container::Mov => {
            // The minor version is the month of the specification.
            w.raw(b"qt  ");
            w.u32(0x2005_0300);
            w.raw(b"qt  ");
        }
    });
}

/// The movie header. Times of creation are 0: the same input gives the same file.
pub(crate) fn movie_header(w: &mut Writer, timescale: u32, duration: u64, tracks: usize) {
    let version = version_for(duration);
    w.full(*b"mvhd", version, 0, |w| {
        w.time(version, 0);
        w.time(version, 0);
        w.u32(timescale);
        w.time(version, duration);
        w.u32(0x0001_0000); // rate 1
        w.u16(0x0100); // volume 1
        w.zeros(2 + 8);
        matrix(w);
        w.zeros(24);
        w.narrow32(tracks.saturating_add(1));
    });
}

/// The matrix that leaves a picture as it is.
pub(super) fn matrix(w: &mut Writer) {
    for value in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] {
        w.u32(value);
    }
}

/// The header of the media data, of which so many bytes follow.
pub(crate) fn media_data_header(w: &mut Writer, payload: u64) {
    let small = payload.checked_add(8).and_then(|size| u32::try_from(size).ok());
    w.u32(small.unwrap_or(1));
    w.raw(b"mdat");
    if small.is_none() {
        w.u64(payload.saturating_add(16));
    }
}
