//! Where a muxer writes.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use crate::Written;
use crate::fault::{LimitKind, Stop, ensure, within};
use crate::model::Warning;

const BUFFER_BYTES: usize = 1 << 20;

/// The most spools at a time; each holds a file open.
const MAX_SPOOLS: usize = 16;

/// An output file and the place for what must wait until the headers before it are known.
#[derive(Debug)]
pub struct Output {
    file: BufWriter<File>,
    spool_dir: PathBuf,
    allowed: u64,
    written: u64,
    plugin_bytes: u64,
    spooled: u64,
    spools: usize,
}

/// Bytes that wait; a file without a name.
#[derive(Debug)]
pub(crate) struct Spool {
    file: BufWriter<File>,
    bytes: u64,
    plugin_bytes: u64,
}

impl Output {
    /// An output to this file, which is empty and at its start. Spools are files without a name in
    /// `spool_dir`, best on the file system of the output.
    pub fn new(file: File, spool_dir: PathBuf) -> Self {
        Self {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            spool_dir,
            allowed: u64::MAX,
            written: 0,
            plugin_bytes: 0,
            spooled: 0,
            spools: 0,
        }
    }

    /// The same output with a limit on the file and its spools together.
    pub(crate) fn limited(self, allowed: u64) -> Self {
        Self { allowed, ..self }
    }

    /// Appends bytes of the plugin's own to the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.make_room(bytes)?;
        self.file.write_all(bytes)?;
        self.written += bytes.len() as u64;
        self.plugin_bytes += bytes.len() as u64;
        Ok(())
    }

    pub(crate) fn create_spool(&mut self) -> Result<Spool, Stop> {
        ensure(self.spools < MAX_SPOOLS, || format!("more than {MAX_SPOOLS} spools at a time"))?;
        let file = tempfile::tempfile_in(&self.spool_dir)?;
        self.spools += 1;
        Ok(Spool { file: BufWriter::with_capacity(BUFFER_BYTES, file), bytes: 0, plugin_bytes: 0 })
    }

    /// Appends bytes to a spool of this output.
    pub(crate) fn append_to(&mut self, spool: &mut Spool, bytes: &[u8]) -> Result<(), Stop> {
        self.make_room(bytes)?;
        spool.file.write_all(bytes)?;
        spool.bytes += bytes.len() as u64;
        self.spooled += bytes.len() as u64;
        Ok(())
    }

    /// Appends bytes of the plugin's own to a spool of this output.
    pub(crate) fn write_to(&mut self, spool: &mut Spool, bytes: &[u8]) -> Result<(), Stop> {
        self.append_to(spool, bytes)?;
        spool.plugin_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Appends a spool to the file. Many gigabytes may have to be copied, so other work of this
    /// thread goes on meanwhile.
    pub(crate) async fn append_spool(&mut self, spool: Spool) -> Result<(), Stop> {
        let Spool { bytes, plugin_bytes, .. } = spool;
        self.file.flush()?;
        let mut to = self.file.get_ref().try_clone()?;
        let copy = move || -> io::Result<u64> {
            let mut from = spool.file.into_inner().map_err(io::IntoInnerError::into_error)?;
            from.rewind()?;
            io::copy(&mut from, &mut to)
        };
        let copied = tokio::task::spawn_blocking(copy).await.map_err(io::Error::other)??;
        if copied != bytes {
            return Err(Stop::Storage(io::ErrorKind::UnexpectedEof.into()));
        }
        self.forget_spool(bytes);
        self.written += bytes;
        self.plugin_bytes += plugin_bytes;
        Ok(())
    }

    /// Gives up a spool that was not appended.
    pub(crate) fn discard(&mut self, spool: Spool) {
        self.forget_spool(spool.bytes);
    }

    /// Writes what is buffered and gives the file back, with what was said about it.
    pub(crate) fn finish(self, warnings: Vec<Warning>) -> io::Result<Written> {
        let Self { file, written: bytes, plugin_bytes, .. } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Written { file, bytes, plugin_bytes, warnings })
    }

    fn make_room(&self, bytes: &[u8]) -> Result<(), Stop> {
        let used = self.written.saturating_add(self.spooled).saturating_add(bytes.len() as u64);
        within(LimitKind::Output, used, self.allowed)
    }

    fn forget_spool(&mut self, bytes: u64) {
        self.spools = self.spools.saturating_sub(1);
        self.spooled = self.spooled.saturating_sub(bytes);
    }
}

impl Spool {
    /// Replaces bytes that are already there.
    pub(crate) fn patch(&mut self, position: u64, bytes: &[u8]) -> Result<(), Stop> {
        let end = position.saturating_add(bytes.len() as u64);
        ensure(end <= self.bytes, || {
            format!("{} bytes at {position} pass the end of a spool of {}", bytes.len(), self.bytes)
        })?;
        self.file.flush()?;
        Ok(self.file.get_ref().write_all_at(bytes, position)?)
    }
}

#[cfg(test)]
mod tests;
