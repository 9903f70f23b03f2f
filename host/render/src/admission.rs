//! What is checked before any work is done.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use media::{IgnoredKind, Source};
use stage::model::Warning;

use crate::catalogue::Code;
use crate::failure::Failure;
use crate::place::{folder_of, unwritable};
use crate::request::Request;

/// Refuses an output that could not be published in the end, so that nobody
/// waits for a render that is lost.
///
/// # Errors
///
/// `output_exists` or `output_unwritable`.
pub(crate) fn check_output(request: &Request) -> Result<(), Failure> {
    let output = &request.output;
    if is_same_file(&request.input, output) {
        let message = format!("The output {} is the source itself.", output.display());
        return Err(Failure::new(Code::OutputUnwritable, message));
    }
    match fs::symlink_metadata(output) {
        Ok(found) if found.is_dir() => {
            let message = format!("The output {} is a folder.", output.display());
            return Err(Failure::new(Code::OutputUnwritable, message));
        }
        // A link, device, pipe or socket is not what would come out.
        Ok(found) if !found.is_file() => {
            let message = format!("The output {} is no regular file.", output.display());
            return Err(Failure::new(Code::OutputUnwritable, message));
        }
        Ok(_) if !request.overwrite => {
            let message = format!("The output {} exists already.", output.display());
            return Err(Failure::new(Code::OutputExists, message));
        }
        _ => {}
    }
    let folder = folder_of(output);
    tempfile::tempfile_in(folder).map(drop).map_err(|error| unwritable(output, folder, &error))
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let identity = |path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(one).is_some_and(|found| identity(other) == Some(found))
}

/// What of the source will not be in the output.
pub(crate) fn source_warnings(source: &Source) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut say = |kind: IgnoredKind, code: &str, what: &str| {
        let count = source.ignored.iter().filter(|stream| stream.kind == kind).count();
        if count > 0 {
            let message = format!("The source has {count} {what}, which the output leaves out.");
            warnings.push(Warning { code: code.to_owned(), message });
        }
    };
    say(IgnoredKind::Subtitle, "subtitles_dropped", "subtitle track(s)");
    say(IgnoredKind::CoverArt, "cover_art_dropped", "attached picture(s)");
    say(IgnoredKind::Data, "data_dropped", "data track(s)");
    say(
        IgnoredKind::Silent,
        "silent_track_dropped",
        "audio track(s) that cannot be decoded or are empty",
    );
    warnings
}

#[cfg(test)]
mod tests;
