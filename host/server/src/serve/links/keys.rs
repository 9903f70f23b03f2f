//! The keys that links are made with: a file in the data directory that only its owner can read.
//! It has the current key and after that, once it was changed, the one before, whose links still
//! work.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use render::catalogue::Code;
use render::failure::Failure;

use crate::serve::hex;

/// A key.
pub(super) type Key = [u8; 32];

const FILE: &str = "links.key";

/// The keys in a data directory. The file is read for every link, so that a change counts at once.
pub(crate) struct Keys {
    file: PathBuf,
    /// As they were last read; at least one.
    last: Mutex<Vec<Key>>,
}

impl Keys {
    /// The keys of a data directory, the first of which is made if there is none.
    ///
    /// # Errors
    ///
    /// `data_unusable` if the file is not one of keys or others can read it, `storage_full`,
    /// `internal`.
    pub(crate) fn open(directory: &Path) -> Result<Self, Failure> {
        let file = directory.join(FILE);
        if !file.exists() {
            write(&file, &[fresh()?], false)?;
        }
        let metadata =
            fs::metadata(&file).map_err(|error| unreadable(&file, &error.to_string()))?;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(unreadable(&file, "others than its owner may read it"));
        }
        let keys = read(&file).map_err(|error| unreadable(&file, &error.to_string()))?;
        Ok(Self { file, last: Mutex::new(keys) })
    }

    /// All keys, the current one first.
    pub(super) fn all(&self) -> Vec<Key> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match read(&self.file) {
            Ok(keys) => last.clone_from(&keys),
            Err(error) => tracing::warn!("{FILE} cannot be read, so its last keys count: {error}"),
        }
        last.clone()
    }

    /// The key of new links.
    pub(super) fn current(&self) -> Key {
        self.all().first().copied().unwrap_or_default()
    }
}

/// Makes a new key the current one. The one before still counts, older ones do not.
///
/// # Errors
///
/// As for [`Keys::open`].
pub(crate) fn rotate(directory: &Path) -> Result<(), Failure> {
    let keys = Keys::open(directory)?;
    write(&keys.file, &[fresh()?, keys.current()], true)
}

fn fresh() -> Result<Key, Failure> {
    let mut key = Key::default();
    getrandom::fill(&mut key).map_err(|error| {
        Failure::new(Code::Internal, format!("The system has no randomness to give: {error}."))
    })?;
    Ok(key)
}

/// One key a line, in hexadecimal digits.
fn read(file: &Path) -> io::Result<Vec<Key>> {
    let text = fs::read_to_string(file)?;
    let keys: Option<Vec<Key>> = text.lines().map(hex::bytes).collect();
    keys.filter(|keys| !keys.is_empty()).ok_or_else(|| io::Error::other("it does not hold keys"))
}

fn write(file: &Path, keys: &[Key], replace: bool) -> Result<(), Failure> {
    let text: String = keys.iter().map(|key| hex::text(key) + "\n").collect();
    let storage = |error: io::Error| Failure::storage("writing the key of links", &error);
    let folder = file.parent().unwrap_or(Path::new("."));
    // Made for its owner alone, and in its place in one step.
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(storage)?;
    draft.write_all(text.as_bytes()).map_err(storage)?;
    draft.as_file().sync_all().map_err(storage)?;
    let placed = if replace { draft.persist(file) } else { draft.persist_noclobber(file) };
    match placed {
        Ok(_) => Ok(()),
        // Somebody else was first; theirs is as good.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(storage(error.error)),
    }
}

fn unreadable(file: &Path, why: &str) -> Failure {
    let message = format!("The key of links in {} cannot be used: {why}.", file.display());
    Failure::new(Code::DataUnusable, message)
}
