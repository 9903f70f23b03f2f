//! A waiting render as files that belong to the user.
//!
//! `OUT.suspended.json` holds the render, `OUT.preview.png` the picture that
//! the question is about, `OUT.suspended.plugins/` the components by digest.
//! They are removed when the render has ended; nothing is kept elsewhere.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use render::catalogue::Code;
use render::chain::Chain;
use render::failure::Failure;
use render::suspension::Suspended;
use stage::Digest;

/// The largest file that is read as a stored render, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The picture that a question is about, as a file that is removed when the
/// question is done with.
pub(crate) struct PreviewFile {
    path: PathBuf,
}

impl PreviewFile {
    /// Writes the picture beside an output.
    pub(crate) fn write(output: &Path, png: &[u8]) -> Result<Self, Failure> {
        let preview = Self { path: preview_file(output) };
        fs::write(&preview.path, png)
            .map_err(|error| Failure::storage("writing the preview", &error))?;
        Ok(preview)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the file where it is.
    pub(crate) fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.path)
    }
}

impl Drop for PreviewFile {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn preview_file(output: &Path) -> PathBuf {
    with_suffix(output, ".preview.png")
}

fn render_file(output: &Path) -> PathBuf {
    with_suffix(output, ".suspended.json")
}

/// Refuses to store a render in the place of another that waits.
///
/// # Errors
///
/// `output_exists`.
pub(crate) fn check_free(output: &Path) -> Result<(), Failure> {
    let file = render_file(output);
    if !fs::exists(&file).unwrap_or(false) {
        return Ok(());
    }
    let message = format!("A render to {} waits already, in {}.", output.display(), file.display());
    Err(Failure::new(Code::OutputExists, message))
}

/// Stores a waiting render beside its output; nothing is left behind if that
/// fails. Returns the file that `resume` takes.
pub(crate) fn write(stored: &Suspended, chain: &Chain) -> Result<PathBuf, Failure> {
    let file = render_file(&stored.request.output);
    let written = write_plugins(&file, chain).and_then(|()| write_render(&file, stored));
    written.inspect_err(|_| remove(&file)).map(|()| file)
}

fn write_plugins(file: &Path, chain: &Chain) -> Result<(), Failure> {
    let storage = |error| Failure::storage("storing the plugins", &error);
    let folder = plugin_folder(file);
    fs::create_dir_all(&folder).map_err(storage)?;
    for (_, link) in chain.links() {
        fs::write(folder.join(component_name(link.plugin.digest())), link.component.as_slice())
            .map_err(storage)?;
    }
    Ok(())
}

fn write_render(file: &Path, stored: &Suspended) -> Result<(), Failure> {
    let storage = |error| Failure::storage("storing the render", &error);
    let text = serde_json::to_vec(stored).map_err(|error| {
        Failure::new(Code::Internal, format!("The render cannot be stored: {error}."))
    })?;
    // The plugin's state is nobody else's business.
    let mut out = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(file)
        .map_err(storage)?;
    out.write_all(&text).and_then(|()| out.sync_all()).map_err(storage)
}

/// A stored render that no other process is going on with.
pub(crate) struct Claimed {
    file: PathBuf,
    /// Holds the lock.
    _lock: File,
    pub(crate) stored: Suspended,
}

impl Claimed {
    /// Reads a stored render and locks it.
    ///
    /// # Errors
    ///
    /// `resume_refused` if it is missing, damaged, or claimed by another
    /// process.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let refused = |what: String| {
            Failure::new(
                Code::ResumeRefused,
                format!("The stored render {} {what}.", file.display()),
            )
        };
        let mut lock =
            File::open(file).map_err(|error| refused(format!("cannot be read: {error}")))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused("is being resumed by another process".into()));
            }
            Err(TryLockError::Error(error)) => {
                return Err(refused(format!("cannot be locked: {error}")));
            }
        }
        if !fs::exists(file).unwrap_or(false) {
            return Err(refused("has just been resumed by another process".into()));
        }
        let mut text = Vec::new();
        (&mut lock)
            .take(MAX_BYTES)
            .read_to_end(&mut text)
            .map_err(|error| refused(format!("cannot be read: {error}")))?;
        let stored = serde_json::from_slice(&text)
            .map_err(|error| refused(format!("is damaged: {error}")))?;
        Ok(Self { file: file.to_owned(), _lock: lock, stored })
    }

    /// The component with this digest: stored beside the render, or still in a
    /// folder of plugins.
    ///
    /// # Errors
    ///
    /// `resume_refused` naming the digest.
    pub(crate) fn component(
        &self,
        name: &str,
        digest: &Digest,
        plugin_dir: &Path,
    ) -> Result<Vec<u8>, Failure> {
        let kept = plugin_folder(&self.file).join(component_name(digest));
        let installed = fs::read_dir(plugin_dir)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "wasm"));
        std::iter::once(kept)
            .chain(installed)
            .filter_map(|path| fs::read(path).ok())
            .find(|bytes| Digest::of(bytes) == *digest)
            .ok_or_else(|| {
                let message = format!(
                    "The plugin `{name}` that asked the question cannot be found: no component has the digest {digest}."
                );
                Failure::new(Code::ResumeRefused, message).with("digest", digest.to_string())
            })
    }

    /// Removes the stored render, its preview and its components.
    pub(crate) fn remove(self) {
        remove(&self.file);
        let _ = fs::remove_file(preview_file(&self.stored.request.output));
    }
}

/// Removes what `write` makes; what is not there need not be removed.
fn remove(file: &Path) {
    let _ = fs::remove_file(file);
    let _ = fs::remove_dir_all(plugin_folder(file));
}

fn plugin_folder(file: &Path) -> PathBuf {
    file.with_extension("plugins")
}

fn component_name(digest: &Digest) -> String {
    format!("{}.wasm", digest.to_string().replace(':', "-"))
}

fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
