//! Files that the caller gave beside the source.

use crate::verdict::Fault;
use std::fmt;
use std::rc::Rc;

/// A file that somebody gave, read piece by piece. It may be of any kind,
/// damaged or hostile.
///
/// ```
/// use stage_sdk::Blob;
///
/// let blob = Blob::from(b"GIF89a".to_vec());
/// assert_eq!(blob.size(), 6);
/// assert_eq!(blob.read(3, 100), b"89a");
/// assert_eq!(blob.read_all(6).as_deref(), Ok(&b"GIF89a"[..]));
/// assert!(blob.read_all(5).is_err());
/// ```
#[derive(Clone)]
pub struct Blob(Rc<dyn Bytes>);

/// Where a [`Blob`] has its bytes.
pub(crate) trait Bytes {
    fn size(&self) -> u64;
    /// At most [`PIECE`] bytes are asked for.
    fn read(&self, offset: u64, length: u32) -> Vec<u8>;
}

/// What the host gives in one call.
const PIECE: u32 = 1 << 20;

impl Blob {
    pub(crate) fn new(bytes: impl Bytes + 'static) -> Self {
        Self(Rc::new(bytes))
    }

    /// Its length in bytes.
    pub fn size(&self) -> u64 {
        self.0.size()
    }

    /// The bytes from `offset` on: `length` of them, or fewer at the end of the
    /// file, and none beyond it.
    pub fn read(&self, offset: u64, length: usize) -> Vec<u8> {
        let mut all = Vec::new();
        while all.len() < length {
            let missing = u32::try_from(length - all.len()).unwrap_or(PIECE).min(PIECE);
            let piece = self.0.read(offset.saturating_add(all.len() as u64), missing);
            if piece.is_empty() {
                break;
            }
            if all.is_empty() {
                all = piece;
            } else {
                all.extend_from_slice(&piece);
            }
        }
        all
    }

    /// The whole file, if it is not longer than `limit`. It has to fit into the
    /// memory of the sandbox together with what is made of it.
    ///
    /// # Errors
    /// A fault on `watermark.image_asset_id`, the only file of a request, if it
    /// is longer.
    pub fn read_all(&self, limit: usize) -> Result<Vec<u8>, Fault> {
        let size = self.size();
        match usize::try_from(size) {
            Ok(length) if length <= limit => Ok(self.read(0, length)),
            _ => Err(Fault::invalid_field(
                "watermark.image_asset_id",
                format!("The file has {size} bytes; at most {limit} are read."),
            )),
        }
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Blob of {} bytes", self.size())
    }
}

/// A file in memory, for native tests.
impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

impl Bytes for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, offset: u64, length: u32) -> Vec<u8> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        self.iter().skip(from).take(length as usize).copied().collect()
    }
}
