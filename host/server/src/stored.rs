//! A waiting render as files that belong to the user.
//!
//! `OUT.suspended.json` holds the render, `OUT.preview.png` the picture that
//! the question is about, `OUT.suspended.plugins/` the components by digest.
//! They are removed when the render has ended; nothing is kept elsewhere.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use render::catalogue::Code;
use render::chain::Chain;
use render::failure::Failure;
use render::place::folder_of;
use render::suspension::Suspended;
use stage::Digest;

/// The largest file that is read as a stored render, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// How the name of a stored render ends.
const RENDER_SUFFIX: &str = ".suspended.json";

/// The picture that a question is about, as a file that is removed when the
/// question is done with.
pub(crate) struct PreviewFile {
    path: PathBuf,
}

impl PreviewFile {
    /// Writes the picture beside an output.
    ///
    /// # Errors
    ///
    /// `output_exists` if there is something already and it may not be
    /// replaced.
    pub(crate) fn write(output: &Path, png: &[u8], existing: Existing) -> Result<Self, Failure> {
        let path = preview_file(output);
        place(&path, png, 0o666, existing)?;
        Ok(Self { path })
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
    with_suffix(output, RENDER_SUFFIX)
}

/// Refuses to store a render in the place of anything else.
///
/// # Errors
///
/// `output_exists`.
pub(crate) fn check_free(output: &Path) -> Result<(), Failure> {
    match [render_file(output), preview_file(output)].iter().find(|file| is_there(file)) {
        Some(file) => Err(taken(file)),
        None => Ok(()),
    }
}

fn taken(file: &Path) -> Failure {
    let message =
        format!("The file {} exists already; a render may be waiting there.", file.display());
    Failure::new(Code::OutputExists, message)
}

/// Stores a waiting render beside its output. Returns the file that `resume`
/// takes.
///
/// # Errors
///
/// `output_exists` if there is something already and it may not be replaced,
/// `storage_full` or `internal`.
pub(crate) fn write(
    stored: &Suspended,
    chain: &Chain,
    existing: Existing,
) -> Result<PathBuf, Failure> {
    let file = render_file(&stored.request.output);
    let text = serde_json::to_vec(stored).map_err(|error| {
        Failure::new(Code::Internal, format!("The render cannot be stored: {error}."))
    })?;
    // The plugin's state is nobody else's business.
    write_plugins(&file, chain).and_then(|()| place(&file, &text, 0o600, existing)).inspect_err(
        |_| {
            // A render that waits there already still needs its components.
            if !is_there(&file) {
                remove_components(&file, stored);
            }
        },
    )?;
    Ok(file)
}

fn is_there(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Removes the pinned components and nothing else.
fn remove_components(file: &Path, stored: &Suspended) {
    let folder = plugin_folder(file);
    for pin in stored.pins.values() {
        let _ = fs::remove_file(folder.join(component_name(&pin.digest)));
    }
    let _ = fs::remove_dir(folder);
}

/// What happens to a file that is already in the place of a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It stays, and the new one is refused.
    Keep,
    /// The new one takes its place in one step.
    Replace,
}

/// Writes a whole file and gives it its name in one step.
fn place(file: &Path, contents: &[u8], mode: u32, existing: Existing) -> Result<(), Failure> {
    let storage = |error: &std::io::Error| Failure::storage("storing the question", error);
    let mut draft = tempfile::Builder::new()
        .prefix(".render-")
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(folder_of(file))
        .map_err(|error| storage(&error))?;
    draft
        .write_all(contents)
        .and_then(|()| draft.as_file().sync_all())
        .map_err(|error| storage(&error))?;
    let placed = match existing {
        Existing::Keep => draft.persist_noclobber(file),
        Existing::Replace => draft.persist(file),
    };
    match placed {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(taken(file)),
        Err(error) => Err(storage(&error.error)),
    }
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
        // Nothing else can be locked, and opening a pipe would wait for ever.
        if !fs::metadata(file).is_ok_and(|found| found.is_file()) || !is_render_file(file) {
            return Err(refused(format!(
                "cannot be read: it is no file that ends in {RENDER_SUFFIX}"
            )));
        }
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

    /// Removes the stored render, its preview and its components, and nothing
    /// else; what is not there need not be removed.
    pub(crate) fn remove(self) {
        self.remove_preview();
        remove_components(&self.file, &self.stored);
        let _ = fs::remove_file(&self.file);
    }

    /// Removes the picture of the question, so that there can be another.
    pub(crate) fn remove_preview(&self) {
        let _ = fs::remove_file(preview_file(&self.stored.request.output));
    }
}

fn is_render_file(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(RENDER_SUFFIX))
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
