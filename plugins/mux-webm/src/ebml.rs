//! EBML (RFC 8794), the way in which webm writes everything: elements of an identifier, a length
//! and a content, of which some contain elements again.

pub(crate) mod ids;

/// An element's identifier with the bits that tell its length (RFC 8794, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(&'static [u8]);

impl Id {
    /// As it is written.
    pub(crate) fn bytes(self) -> &'static [u8] {
        self.0
    }
}

/// The largest number that fits behind an eight-byte length's marker. All bits set would say
/// that a length is not known.
const LARGEST: u64 = (1 << 56) - 2;

/// Collects elements.
#[derive(Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// What was written.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }

    /// What was written so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number of bytes written so far.
    pub(crate) fn len(&self) -> u64 {
        u64::try_from(self.0.len()).unwrap_or(u64::MAX)
    }

    /// Forgets what was written and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// An element around what `fill` writes.
    pub(crate) fn master(&mut self, id: Id, fill: impl FnOnce(&mut Self)) {
        let mut content = Self::default();
        fill(&mut content);
        self.binary(id, content.bytes());
    }

    /// An element of bytes.
    pub(crate) fn binary(&mut self, id: Id, bytes: &[u8]) {
        self.header(id, u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.raw(bytes);
    }

    /// An element of text.
    pub(crate) fn text(&mut self, id: Id, text: &str) {
        self.binary(id, text.as_bytes());
    }

    /// An unsigned number in as few bytes as hold it.
    pub(crate) fn number(&mut self, id: Id, value: u64) {
        let bytes = value.to_be_bytes();
        let unused = bytes.iter().take(7).take_while(|byte| **byte == 0).count();
        self.binary(id, bytes.split_at(unused).1);
    }

    /// An unsigned number in eight bytes, so that the length does not depend on the value.
    pub(crate) fn wide_number(&mut self, id: Id, value: u64) {
        self.binary(id, &value.to_be_bytes());
    }

    /// A number with a sign, in eight bytes.
    pub(crate) fn signed(&mut self, id: Id, value: i64) {
        self.binary(id, &value.to_be_bytes());
    }

    /// A floating-point number in eight bytes.
    pub(crate) fn float(&mut self, id: Id, value: f64) {
        self.binary(id, &value.to_be_bytes());
    }

    /// The identifier and the length of an element whose content of `length` bytes follows.
    pub(crate) fn header(&mut self, id: Id, length: u64) {
        self.id(id);
        self.length(length);
    }

    /// The identifier and the length of an element, the length in eight bytes.
    pub(crate) fn wide_header(&mut self, id: Id, length: u64) {
        self.id(id);
        self.raw(&wide_length(length));
    }

    fn id(&mut self, id: Id) {
        self.raw(id.bytes());
    }

    /// A number as its length demands, in as few bytes as hold it (RFC 8794, section 4): the
    /// place of the first bit that is set tells their number, and seven bits a byte are left.
    fn length(&mut self, value: u64) {
        let bits = 64_u32.saturating_sub(value.saturating_add(1).leading_zeros());
        let count = bits.div_ceil(7).clamp(1, 8);
        let marked = value.min(LARGEST) | (1_u64 << (count.saturating_mul(7)));
        let unused = 8_u32.saturating_sub(count);
        let bytes = marked.to_be_bytes();
        self.raw(bytes.split_at(usize::try_from(unused).unwrap_or(0)).1);
    }
}

/// A length in eight bytes, such as one that is not known when its place is written.
pub(crate) fn wide_length(value: u64) -> [u8; 8] {
    (value.min(LARGEST) | (1 << 56)).to_be_bytes()
}

#[cfg(test)]
mod tests;
