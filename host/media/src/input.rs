//! The source file: opened once, and looked at before ffmpeg does.

mod sniff;

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nix::fcntl::OFlag;
use sha2::{Digest, Sha256};

use crate::MediaError;

pub use sniff::InputFormat;

/// How much of the file is looked at to tell its format.
const HEAD: usize = 1024;

/// A media file that is open for reading. A clone is the same open file.
///
/// The descriptor is what is probed, rendered and hashed: a path that is made to name another
/// file in the meantime changes nothing.
#[derive(Clone, Debug)]
pub struct Input {
    file: Arc<File>,
    path: PathBuf,
    format: InputFormat,
    bytes: u64,
}

impl Input {
    /// Opens the file at `path` and tells its container format by its first bytes.
    ///
    /// Fails with [`MediaError::NotFound`], [`NotAFile`](MediaError::NotAFile),
    /// [`Empty`](MediaError::Empty), [`NotMedia`](MediaError::NotMedia) or
    /// [`Unreadable`](MediaError::Unreadable). Never blocks on a pipe or a device.
    pub fn open(path: &Path) -> Result<Self, MediaError> {
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path);
        Self::of(file.map_err(|error| cannot_open(path, &error))?, path)
    }

    /// A file that is open already, and what to call it in messages. Its own errors are those of
    /// [`Input::open`] once the file is open.
    pub fn of(file: File, path: &Path) -> Result<Self, MediaError> {
        let unreadable = |error| unreadable(path, &error);
        let metadata = file.metadata().map_err(unreadable)?;
        if let Some(kind) = other_than_file(metadata.file_type()) {
            return Err(MediaError::NotAFile { path: path.into(), kind });
        }
        let head = read_head(&file).map_err(unreadable)?;
        if head.is_empty() {
            return Err(MediaError::Empty { path: path.into() });
        }
        let format = sniff::sniff(&head)
            .map_err(|looks_like| MediaError::NotMedia { path: path.into(), looks_like })?;
        Ok(Self { file: Arc::new(file), path: path.into(), format, bytes: metadata.len() })
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The path as it was given, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The container format.
    pub fn format(&self) -> InputFormat {
        self.format
    }

    /// Its size when it was opened, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// SHA-256 of the contents. Reads the whole file on this thread.
    pub fn hash(&self) -> io::Result<[u8; 32]> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut at = 0;
        loop {
            let count = match self.file.read_at(&mut buffer, at) {
                Ok(0) => return Ok(hash.finalize().into()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let (read, _) = buffer.split_at(count);
            hash.update(read);
            at += count as u64;
        }
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> MediaError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            MediaError::NotFound { path: path.into() }
        }
        // What a socket answers.
        _ if error.raw_os_error() == Some(nix::errno::Errno::ENXIO as i32) => {
            MediaError::NotAFile { path: path.into(), kind: "a socket or a missing device" }
        }
        _ => unreadable(path, error),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> MediaError {
    MediaError::Unreadable { message: format!("{}: {error}", path.display()) }
}

/// What it is, if not a regular file.
fn other_than_file(kind: std::fs::FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a directory")
    } else if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

/// The first [`HEAD`] bytes, or fewer if there are not so many.
fn read_head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let mut length = 0;
    while let Some(rest) = head.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok(head)
}

#[cfg(test)]
mod tests;
