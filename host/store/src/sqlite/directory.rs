//! The data directory and its lock.
//!
//! ```text
//! store.sqlite (-wal, -shm)   everything but bulk
//! server.lock                 held by the one server
//! assets/ artifacts/ plugins/ files that rows name, in folders by first letter
//! tmp/server/                 drafts of the server, emptied when it starts
//! tmp/beside/                 drafts of other programs
//! tmp/uploads/                uploads that may be gone on with
//! ```

use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// How a data directory is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As the one server that works on its renders.
    Server,
    /// As a program that looks at it or adds to it, whether or not a server
    /// runs.
    Beside,
}

/// A kind of file that rows name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shelf {
    Assets,
    Artifacts,
    Plugins,
}

impl Shelf {
    pub(crate) const ALL: [Self; 3] = [Self::Assets, Self::Artifacts, Self::Plugins];

    fn folder(self) -> &'static str {
        match self {
            Self::Assets => "assets",
            Self::Artifacts => "artifacts",
            Self::Plugins => "plugins",
        }
    }
}

/// The letters that names of files begin with, each a folder of a shelf.
pub(crate) const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz234567";

pub(crate) struct Directory {
    root: PathBuf,
    mode: Mode,
    /// Held while the server runs; beside one only while the format is changed.
    lock: Option<File>,
}

impl Directory {
    /// Makes what is missing, for the eyes of this user alone, and takes the
    /// lock that the mode needs.
    pub(crate) fn open(root: &Path, mode: Mode) -> Result<Self> {
        private(root)?;
        // So that the directory can be told apart from the process's own place later on.
        let root = root.canonicalize()?;
        let mut directory = Self { root, mode, lock: None };
        if mode == Mode::Server {
            directory.lock()?;
        }
        private(&directory.root.join("tmp"))?;
        for name in ["server", "beside", "uploads"] {
            private(&directory.root.join("tmp").join(name))?;
        }
        for shelf in Shelf::ALL {
            let folder = directory.root.join(shelf.folder());
            private(&folder)?;
            for letter in LETTERS.chars() {
                private(&folder.join(letter.to_string()))?;
            }
        }
        if mode == Mode::Server {
            directory.remove_old_drafts()?;
        }
        // SQLite gives its other files the permissions of this one.
        private_file(&directory.database())?;
        // A loss of power must not take a folder away from under a durable file.
        let root = directory.root.clone();
        let shelves = Shelf::ALL.map(|shelf| root.join(shelf.folder()));
        for folder in shelves.iter().chain([&root]) {
            File::open(folder)?.sync_all()?;
        }
        Ok(directory)
    }

    /// Takes the server's lock.
    pub(crate) fn lock(&mut self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let path = self.root.join("server.lock");
        let file = private_file(&path)?;
        match file.try_lock() {
            Ok(()) => {
                self.lock = Some(file);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => Err(Error::Locked(format!(
                "Another server works on {}; stop it, or give this one a directory of its own.",
                self.root.display()
            ))),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Lets go of a lock that was only needed for a moment.
    pub(crate) fn settle(&mut self) {
        if self.mode == Mode::Beside {
            self.lock = None;
        }
    }

    fn remove_old_drafts(&self) -> Result<()> {
        for entry in fs::read_dir(self.drafts())? {
            fs::remove_file(entry?.path())?;
        }
        Ok(())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join("store.sqlite")
    }

    pub(crate) fn drafts(&self) -> PathBuf {
        self.root.join("tmp").join(match self.mode {
            Mode::Server => "server",
            Mode::Beside => "beside",
        })
    }

    /// Folders whose files are rubbish when they have not changed for a day.
    pub(crate) fn forgettable(&self) -> [PathBuf; 2] {
        [self.root.join("tmp").join("beside"), self.uploads()]
    }

    pub(crate) fn uploads(&self) -> PathBuf {
        self.root.join("tmp").join("uploads")
    }

    pub(crate) fn folder(&self, shelf: Shelf, letter: char) -> PathBuf {
        self.root.join(shelf.folder()).join(letter.to_string())
    }

    /// Where a file of this name is kept.
    pub(crate) fn file(&self, shelf: Shelf, name: &str) -> PathBuf {
        let letter = name.chars().next().unwrap_or('a');
        self.folder(shelf, letter).join(name)
    }
}

fn private(folder: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| {
        Error::Io(format!("The folder {} cannot be made: {error}", folder.display()))
    })
}

fn private_file(path: &Path) -> Result<File> {
    // Whoever opens it later must not find it cut.
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options
        .open(path)
        .map_err(|error| Error::Io(format!("{} cannot be opened: {error}", path.display())))
}
