//! The order of the boxes of an ISO base media file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use crate::fragments::BoxHead;

/// The most boxes that are looked at on the top level.
const BOXES: u32 = 100_000;

/// Whether `moov` lies before the first `mdat`, so that a player need not have the whole file.
pub(super) fn moov_first(file: &File) -> io::Result<bool> {
    let broken = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    let mut at = 0_u64;
    for _ in 0..BOXES {
        let mut head = [0; 16];
        let count = read_at(file, &mut head, at)?;
        let (bytes, _) = head.split_at(count);
        let head = BoxHead::read(bytes).map_err(|error| broken(&error.to_string()))?;
        match head {
            Some(BoxHead { kind, .. }) if &kind == b"moov" => return Ok(true),
            Some(BoxHead { kind, .. }) if &kind == b"mdat" => return Ok(false),
            Some(head) => at = at.saturating_add(head.size),
            None => return Err(broken("it has neither an index nor media data")),
        }
    }
    Err(broken("it has too many boxes"))
}

/// Reads as much as there is, up to the length of `buffer`.
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    let mut count = 0;
    while let Some(rest) = buffer.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, at.saturating_add(u64::try_from(count).unwrap_or(0))) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests;
