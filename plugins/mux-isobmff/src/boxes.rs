//! The boxes of the format, written front to back into memory.
//!
//! Layouts are those of ISO/IEC 14496-12 (the structure), -14 and -1 (AAC), -15 (H.264) and of
//! Apple's QuickTime File Format Specification where a `mov` file differs.

pub(crate) mod audio;
pub(crate) mod metadata;
pub(crate) mod movie;
mod streams;
pub(crate) mod tables;
pub(crate) mod track;
pub(crate) mod video;

use mux_common::{Language, MuxError};

/// A box's name.
pub(crate) type Kind = [u8; 4];

/// Collects bytes. A number that does not fit its field is noted, not written, and told by
/// [`Writer::finish`]: the functions that lay boxes out need not care.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    too_large: bool,
}

impl Writer {
    /// A writer that reuses the memory of what was written before.
    pub(crate) fn reusing(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes, too_large: false }
    }

    /// What was written.
    pub(crate) fn finish(self) -> Result<Vec<u8>, MuxError> {
        if self.too_large { Err(MuxError::TooLarge) } else { Ok(self.bytes) }
    }

    /// A box around what `fill` writes.
    pub(crate) fn nest(&mut self, kind: Kind, fill: impl FnOnce(&mut Self)) {
        let start = self.bytes.len();
        self.u32(0);
        self.raw(&kind);
        fill(self);
        let size = self.bytes.len().saturating_sub(start);
        let field = self.bytes.get_mut(start..start.saturating_add(4));
        match (u32::try_from(size), field) {
            (Ok(size), Some(field)) => field.copy_from_slice(&size.to_be_bytes()),
            _ => self.too_large = true,
        }
    }

    /// A box with version and flags around what `fill` writes.
    pub(crate) fn full(
        &mut self,
        kind: Kind,
        version: u8,
        flags: u32,
        fill: impl FnOnce(&mut Self),
    ) {
        self.nest(kind, |w| {
            w.u32((u32::from(version) << 24) | (flags & 0x00ff_ffff));
            fill(w);
        });
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// So many bytes of 0.
    pub(crate) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len().saturating_add(count), 0);
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.raw(&value.to_be_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.raw(&value.to_be_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.raw(&value.to_be_bytes());
    }

    /// A number that has 16 bits here.
    pub(crate) fn narrow16(&mut self, value: impl TryInto<u16>) {
        let value = value.try_into().ok();
        self.too_large |= value.is_none();
        self.u16(value.unwrap_or(0));
    }

    /// A number that has 32 bits here.
    pub(crate) fn narrow32(&mut self, value: impl TryInto<u32>) {
        let value = value.try_into().ok();
        self.too_large |= value.is_none();
        self.u32(value.unwrap_or(0));
    }

    /// A time that has 64 bits in version 1 of its box and 32 in version 0.
    pub(crate) fn time(&mut self, version: u8, value: u64) {
        if version == 0 { self.narrow32(value) } else { self.u64(value) }
    }
}

/// A language as five bits a letter, `a` being 1 (ISO/IEC 14496-12, 8.4.2.3). QuickTime reads such
/// a value in the same way: its own language numbers end below the least of them.
fn packed(language: Language) -> u16 {
    let letters = language.letters();
    letters.iter().fold(0, |packed, letter| (packed << 5) | u16::from(letter & 0x1f))
}

/// The version of a box by the largest time in it: 0 for 32 bits, 1 for 64.
pub(crate) fn version_for(largest: u64) -> u8 {
    u8::from(largest > u64::from(u32::MAX))
}

#[cfg(test)]
mod tests;
