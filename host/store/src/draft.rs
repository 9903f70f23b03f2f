//! Files on their way into the store.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// A file in the data directory that is nobody's yet. It is removed when it is
/// dropped, and by the next server if this one is killed.
#[derive(Debug)]
pub struct Draft {
    path: TempPath,
    /// Of an upload: keeps others from going on with it.
    lock: Option<File>,
}

impl Draft {
    pub(crate) fn create(folder: &Path, suffix: &str) -> io::Result<Self> {
        let file = tempfile::Builder::new().prefix("draft-").suffix(suffix).tempfile_in(folder)?;
        Ok(Self { path: file.into_temp_path(), lock: None })
    }

    /// Takes a file that somebody else has written below the data directory's
    /// `tmp`, so that it can be renamed into its place.
    ///
    /// # Errors
    ///
    /// If the path is not absolute.
    pub fn adopt(path: PathBuf) -> io::Result<Self> {
        Ok(Self { path: TempPath::try_from_path(path)?, lock: None })
    }

    /// Where it is. The file may be replaced by another one of this name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it for writing from the beginning.
    ///
    /// # Errors
    ///
    /// Whatever opening a file fails with.
    pub fn writer(&self) -> io::Result<File> {
        File::options().write(true).open(&self.path)
    }

    /// Moves it to its place and makes that durable.
    pub(crate) fn place(self, at: &Path) -> io::Result<()> {
        File::open(&self.path)?.sync_all()?;
        self.path.persist(at).map_err(|error| error.error)?;
        drop(self.lock);
        sync_folder(at)
    }
}

/// A file that arrives in parts and may be gone on with after a break, even by
/// another process. The parts stay for a day after the last one.
#[derive(Debug)]
pub struct Upload {
    file: File,
    path: PathBuf,
    received: u64,
}

impl Upload {
    /// Opens or takes up the upload at `path`. `None` if somebody is at it.
    pub(crate) fn open(path: PathBuf) -> io::Result<Option<Self>> {
        let mut options = File::options();
        let mut file = options.read(true).append(true).create(true).mode(0o600).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
        // It may have been finished or swept away between opening and locking.
        let ours = file.metadata()?;
        if !std::fs::metadata(&path).is_ok_and(|named| named.ino() == ours.ino()) {
            return Ok(None);
        }
        let received = file.seek(SeekFrom::End(0))?;
        Ok(Some(Self { file, path, received }))
    }

    /// How many bytes are there.
    #[must_use]
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Where the file is, for a look at what has arrived.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a part. It blocks; big parts belong on a thread for that.
    ///
    /// # Errors
    ///
    /// Whatever writing fails with. The part may have been written in part.
    pub fn append(&mut self, part: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(part);
        self.received = self.file.seek(SeekFrom::End(0))?;
        written
    }

    /// Throws away what has arrived, because it is not what was promised.
    ///
    /// # Errors
    ///
    /// Whatever truncating fails with.
    pub fn restart(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.received = 0;
        Ok(())
    }

    /// The whole file as a draft. It is gone if the draft is dropped.
    ///
    /// # Errors
    ///
    /// If its path is not absolute.
    pub fn finish(self) -> io::Result<Draft> {
        let path = TempPath::try_from_path(self.path)?;
        Ok(Draft { path, lock: Some(self.file) })
    }
}

/// A draft from bytes.
pub(crate) fn draft_of(folder: &Path, bytes: &[u8]) -> io::Result<Draft> {
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    Ok(Draft { path: file.into_temp_path(), lock: None })
}

/// The SHA-256 and the size of what is in a file.
pub(crate) fn hash(path: &Path) -> io::Result<([u8; 32], u64)> {
    use sha2::Digest as _;
    let mut file = File::open(path)?;
    let mut hash = sha2::Sha256::new();
    let mut bytes = 0u64;
    let mut part = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut part)?;
        let Some(read) = part.get(..count).filter(|read| !read.is_empty()) else { break };
        hash.update(read);
        bytes = bytes.saturating_add(u64::try_from(count).unwrap_or_default());
    }
    Ok((hash.finalize().into(), bytes))
}

/// Makes the names in the folder of this file durable.
pub(crate) fn sync_folder(of: &Path) -> io::Result<()> {
    of.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}
