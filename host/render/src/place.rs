//! Where an output goes.

use std::io;
use std::path::Path;

use crate::catalogue::Code;
use crate::failure::Failure;

/// The folder that a file is in; `.` for a bare name.
#[must_use]
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Says why nothing can be written beside an output.
pub(crate) fn unwritable(output: &Path, folder: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::StorageFull {
        return Failure::storage("creating the output", error);
    }
    let why = match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be written by this user".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "is on a read-only file system".to_owned(),
        io::ErrorKind::NotADirectory => "is not a folder".to_owned(),
        _ => format!("cannot be written ({error})"),
    };
    let message = format!(
        "The output {} cannot be written: its folder {} {why}.",
        output.display(),
        folder.display()
    );
    Failure::new(Code::OutputUnwritable, message)
}
