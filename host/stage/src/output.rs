//! Where a muxer writes.

use std::fs::File;
use std::path::PathBuf;

/// An output file and the place for what must wait until the headers before it are known.
#[derive(Debug)]
pub struct Output {
    _file: File,
    _spool_dir: PathBuf,
}

impl Output {
    /// An output to this file, which is empty and at its start. Spools are files without a name in
    /// `spool_dir`, best on the file system of the output.
    pub fn new(file: File, spool_dir: PathBuf) -> Self {
        Self { _file: file, _spool_dir: spool_dir }
    }
}
