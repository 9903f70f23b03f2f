//! Files that rows name: in their place before the row is there, and gone after
//! it is gone.

use std::path::{Path, PathBuf};

use super::Inner;
use super::directory::Shelf;
use crate::draft::Draft;
use crate::error::Result;

/// A file in its place, which is removed again unless its row is committed.
#[derive(Debug)]
pub(crate) struct Placed {
    path: PathBuf,
    name: String,
    bytes: u64,
    needed: bool,
    kept: bool,
}

impl Placed {
    /// What the row calls it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// There is another one like it, so it goes even though all is well.
    pub(crate) fn spare(&mut self) {
        self.needed = false;
    }

    pub(crate) fn keep(&mut self) {
        self.kept = self.needed;
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        if !self.kept {
            remove(&self.path);
        }
    }
}

/// Removes a file that no row names; what stays is swept up later.
fn remove(path: &Path) {
    drop(std::fs::remove_file(path));
}

impl Inner {
    /// Makes a file durable under a name that nothing else ever has. So a name
    /// that is removed cannot be one that comes back meanwhile.
    pub(super) async fn place(&self, shelf: Shelf, file: Draft) -> Result<Placed> {
        let name = self.fate.id("")?;
        let path = self.directory.file(shelf, &name);
        self.files(move || {
            let bytes = std::fs::metadata(file.path())?.len();
            let placed = Placed { path: path.clone(), name, bytes, needed: true, kept: false };
            file.place(&path)?;
            Ok(placed)
        })
        .await
    }

    /// Removes files whose rows are gone.
    pub(super) async fn discard(&self, files: Vec<(Shelf, String)>) -> Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let paths: Vec<PathBuf> =
            files.iter().map(|(shelf, name)| self.directory.file(*shelf, name)).collect();
        self.files(move || {
            paths.iter().for_each(|path| remove(path));
            Ok(())
        })
        .await
    }
}
