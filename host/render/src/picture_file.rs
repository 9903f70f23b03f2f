//! The file of an image mark.

use std::fs::{self, File};
use std::io;

use sha2::{Digest, Sha256};
use stage::model::Blob;

use crate::digest::hex;
use crate::failure::Failure;
use crate::request::Mark;

/// The largest picture file that is given to a plugin, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// How much is read at once, in bytes.
const CHUNK: usize = 1 << 20;

/// Opens the file of an image mark; none for another mark.
///
/// # Errors
///
/// `invalid_field` if there is no such file, or it is empty or too large. What
/// is in it is for the plugin to find out, inside the sandbox.
pub(crate) fn open(mark: &Mark) -> Result<Option<Blob>, Failure> {
    let Mark::Image(path) = mark else { return Ok(None) };
    let wrong = |what: String| {
        let message = format!("The watermark image {} {what}.", path.display());
        Failure::invalid_field(mark.field(), message)
    };
    let unreadable = |error: io::Error| wrong(format!("cannot be read: {}", reason(&error)));
    // Opening a pipe would wait for ever.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(wrong("is not a file".into()));
    }
    let blob = File::open(path).and_then(Blob::new).map_err(unreadable)?;
    match blob.size() {
        0 => Err(wrong("is empty".into())),
        size if size > MAX_BYTES => {
            Err(wrong(format!("has {size} bytes; at most {MAX_BYTES} are taken")))
        }
        _ => Ok(Some(blob)),
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "this user may not".to_owned(),
        _ => error.to_string(),
    }
}

/// The SHA-256 of a picture file, in hexadecimal digits.
///
/// # Errors
///
/// `internal` if it cannot be read any more.
pub(crate) fn sha256(picture: &Blob) -> Result<String, Failure> {
    let failed = |error| Failure::storage("reading the watermark image", &error);
    let mut hash = Sha256::new();
    let mut at = 0;
    loop {
        let bytes = picture.read(at, CHUNK).map_err(failed)?;
        if bytes.is_empty() {
            return Ok(hex(&hash.finalize()));
        }
        at += bytes.len() as u64;
        hash.update(&bytes);
    }
}
