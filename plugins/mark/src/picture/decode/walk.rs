//! Walks through files that never decode anything, for what their decoders do
//! not tell.

#[cfg(test)]
mod tests;

/// The length of a JPEG file up to the end of its picture, if there is one: its
/// decoder takes a file that was cut off for one whose rest is grey. What comes
/// behind, such as the film that a phone adds, is not the picture's.
pub(super) fn jpeg_length(bytes: &[u8]) -> Option<usize> {
    const END: u8 = 0xd9;
    let mut place = 2;
    loop {
        // Also passes over the samples of a scan, in which a 0xff that is no
        // marker has a 0 behind it.
        place += bytes.get(place..)?.iter().position(|byte| *byte == 0xff)? + 1;
        match *bytes.get(place)? {
            END => return Some(place + 1),
            // A filling byte, which may itself begin a marker.
            0xff => {}
            // Restarts, starts and the like stand alone.
            0x00 | 0x01 | 0xd0..=0xd8 => place += 1,
            // A part of a told length, such as a preview of its own.
            _ => {
                let length = [*bytes.get(place + 1)?, *bytes.get(place + 2)?];
                place += 1 + usize::from(u16::from_be_bytes(length)).max(2);
            }
        }
    }
}

/// Whether a GIF file has more than one picture.
pub(super) fn gif_moves(bytes: &[u8]) -> bool {
    const PICTURE: u8 = 0x2c;
    const EXTENSION: u8 = 0x21;
    let byte = |place: usize| bytes.get(place).copied();
    let palette = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };

    let mut place = 13 + byte(10).map_or(0, palette);
    let mut has_picture = false;
    while let Some(kind) = byte(place) {
        place += match kind {
            PICTURE if has_picture => return true,
            PICTURE => {
                has_picture = true;
                // Its header, its palette and the size of its codes.
                11 + byte(place + 9).map_or(0, palette)
            }
            EXTENSION => 2,
            _ => break,
        };
        // Parts of a told length up to one of length 0.
        while let Some(length @ 1..) = byte(place) {
            place += 1 + usize::from(length);
        }
        place += 1;
    }
    false
}

/// Takes texts and the colour profile out of a PNG file and gives the profile as
/// it was: packed, so that a small file can unfold to any length.
pub(super) fn take_profile(bytes: &mut Vec<u8>) -> Option<Vec<u8>> {
    const SIGNATURE: usize = 8;
    /// Length, name and checksum.
    const FRAME: usize = 12;
    let mut profile = None;
    let mut place = SIGNATURE.min(bytes.len());
    let mut kept = place;
    while let Some(&[a, b, c, d, ref name @ ..]) = bytes.get(place..place + 8) {
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        let end = place.saturating_add(length).saturating_add(FRAME).min(bytes.len());
        match name {
            b"iCCP" => {
                let chunk = bytes.get(place + 8..end.saturating_sub(4)).unwrap_or_default();
                profile.get_or_insert_with(|| chunk.to_vec());
            }
            b"zTXt" | b"iTXt" | b"tEXt" => {}
            _ => {
                bytes.copy_within(place..end, kept);
                kept += end - place;
            }
        }
        place = end;
    }
    // What is too short for a chunk.
    bytes.drain(kept..place);
    profile
}
