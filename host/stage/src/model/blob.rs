//! Files that the caller gave beside the source.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// An open file that is read piece by piece. Cheap to clone; two are equal if they are the same
/// open file.
#[derive(Clone)]
pub struct Blob(Arc<Opened>);

struct Opened {
    file: File,
    size: u64,
}

impl Blob {
    /// The bytes of an open file as long as it is now.
    ///
    /// # Errors
    /// If the file does not tell its length.
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self(Arc::new(Opened { file, size })))
    }

    /// Its length in bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The bytes from `offset` on: so many, or fewer at the end. Blocks while the disk does.
    pub fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.0.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length.min(left)];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.0.file.read_at(rest, offset + filled as u64) {
                // Somebody has cut the file: what is gone is not there.
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blob({} bytes)", self.size())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_blob_is_read_by_offset_and_ends_where_the_file_does() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let blob = Blob::new(file).unwrap();
        assert_eq!(blob.size(), 10);
        for (offset, length, expected) in [
            (0, 10, &b"0123456789"[..]),
            (2, 3, b"234"),
            (8, 100, b"89"),
            (10, 1, b""),
            (u64::MAX, 1, b""),
            (4, 0, b""),
        ] {
            assert_eq!(blob.read(offset, length).unwrap(), expected, "{length} from {offset}");
        }
        assert_eq!(blob, blob.clone());
    }

    #[test]
    fn a_file_that_is_cut_afterwards_just_ends_earlier() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let blob = Blob::new(file.try_clone().unwrap()).unwrap();
        file.set_len(4).unwrap();
        assert_eq!(blob.read(2, 8).unwrap(), b"23");
    }
}
